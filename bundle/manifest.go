package bundle

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Media types and names that digests depend on. Frozen with v1.
const (
	// ArtifactType is what the manifest of a Build says it is.
	ArtifactType = "application/vnd.seif.build.v1+json"

	ManifestMediaType = "application/vnd.oci.image.manifest.v1+json"
	IndexMediaType    = "application/vnd.oci.image.index.v1+json"

	DefinitionV1MediaType = "application/vnd.seif.definition.v1+json"
	DefinitionV2MediaType = "application/vnd.seif.definition.v2+json"
	SourceMediaType       = "application/vnd.seif.source.v1"
	TestsMediaType        = "application/vnd.seif.tests.v1+json"
	CorpusMediaType       = "application/vnd.seif.corpus.v1+json"

	// TitleAnnotation is the only annotation of a manifest: the title of a layer.
	TitleAnnotation = "org.opencontainers.image.title"

	// TestsTitle and CorpusTitle are the titles of these layers; SourcePrefix precedes the id of a source.
	TestsTitle   = "tests.json"
	CorpusTitle  = "corpus.json"
	SourcePrefix = "sources/"

	artifactTypePrefix = "application/vnd.seif.build."
)

// definitionMediaType is the media type of the config blob.
func definitionMediaType(v definition.Version) string {
	if v == definition.V2 {
		return DefinitionV2MediaType
	}
	return DefinitionV1MediaType
}

// layerMediaType is the media type that a title settles; empty for a title that no layer has.
func layerMediaType(title string) string {
	switch {
	case title == TestsTitle:
		return TestsMediaType
	case title == CorpusTitle:
		return CorpusMediaType
	case strings.HasPrefix(title, SourcePrefix) && !strings.Contains(title[len(SourcePrefix):], "/"):
		return SourceMediaType
	default:
		return ""
	}
}

// descriptor names a blob, with what it is.
type descriptor struct {
	mediaType string
	digest    digest.Digest
	size      int64
}

// layer is a descriptor with its title.
type layer struct {
	descriptor
	title string
}

// imageManifest is the manifest of a Build.
type imageManifest struct {
	config descriptor
	layers []layer // sorted by title
}

// manifestOf is the one manifest of a content.
func manifestOf(version definition.Version, c content) imageManifest {
	m := imageManifest{config: descriptor{
		mediaType: definitionMediaType(version), digest: digest.Of(c.definition), size: int64(len(c.definition)),
	}}
	files := c.layers()
	for _, title := range slices.Sorted(maps.Keys(files)) {
		d := descriptor{mediaType: layerMediaType(title), digest: c.digests[title], size: int64(len(files[title]))}
		m.layers = append(m.layers, layer{d, title})
	}
	return m
}

// encode is the RFC 8785 form.
func (m imageManifest) encode() ([]byte, error) {
	layers := make([]any, 0, len(m.layers))
	for _, l := range m.layers {
		value := l.value()
		value["annotations"] = map[string]any{TitleAnnotation: l.title}
		layers = append(layers, value)
	}
	out, err := canonical.Marshal(map[string]any{
		"schemaVersion": json.Number("2"),
		"mediaType":     ManifestMediaType,
		"artifactType":  ArtifactType,
		"config":        m.config.value(),
		"layers":        layers,
	})
	if err != nil {
		return nil, fmt.Errorf("writing the manifest: %w", err)
	}
	return out, nil
}

func (d descriptor) value() map[string]any {
	return map[string]any{
		"mediaType": d.mediaType,
		"digest":    d.digest.String(),
		"size":      json.Number(strconv.FormatInt(d.size, 10)),
	}
}

// blobs lists what a manifest names.
func (m imageManifest) blobs() []descriptor {
	out := make([]descriptor, 0, len(m.layers)+1)
	out = append(out, m.config)
	for _, l := range m.layers {
		out = append(out, l.descriptor)
	}
	return out
}
