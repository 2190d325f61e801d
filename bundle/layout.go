package bundle

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/seif-dev/seifc/digest/canonical"
)

// Names and fixed contents of an OCI image layout.
const (
	markerName = "oci-layout"
	indexName  = "index.json"
	blobPrefix = "blobs/sha256/"

	marker = `{"imageLayoutVersion":"1.0.0"}`

	// The annotations of the Build's descriptor in the index. By the first of them cosign finds signatures in a layout.
	kindAnnotation = "kind"
	kindValue      = "dev.cosignproject.cosign/image"
	tagAnnotation  = "org.opencontainers.image.ref.name"
	tagValue       = "build"
)

// Layout is a Build with what is attached to it.
type Layout struct {
	Build       *Build
	Attachments []Attachment
}

// Attachment is a manifest that refers to the Build, with its blobs. The set of kinds is closed, and this version
// knows none: any manifest beside the Build's, and any blob that it does not name, is refused.
type Attachment interface{ attachment() }

// entry is one file of a layout.
type entry struct {
	name string
	data []byte
}

// entries are the files of the layout, sorted by name, byte for byte a function of the Build. Equal contents are one
// file.
func (l Layout) entries() []entry {
	b := l.Build
	blobs := map[string][]byte{
		b.digest.Hex():           b.manifest,
		b.definitionDigest.Hex(): b.content.definition,
	}
	for title, data := range b.content.layers() {
		blobs[b.content.digests[title].Hex()] = data
	}
	out := make([]entry, 0, len(blobs)+2)
	for _, name := range slices.Sorted(maps.Keys(blobs)) {
		out = append(out, entry{blobPrefix + name, blobs[name]})
	}
	return append(out, entry{indexName, b.index()}, entry{markerName, []byte(marker)})
}

// index is index.json of an unsigned Build.
func (b *Build) index() []byte {
	out, err := canonical.Marshal(map[string]any{
		"schemaVersion": json.Number("2"),
		"mediaType":     IndexMediaType,
		"manifests": []any{map[string]any{
			"mediaType":    ManifestMediaType,
			"digest":       b.digest.String(),
			"size":         json.Number(strconv.Itoa(len(b.manifest))),
			"artifactType": ArtifactType,
			"annotations":  map[string]any{kindAnnotation: kindValue, tagAnnotation: tagValue},
		}},
	})
	if err != nil {
		panic("bundle: the index has no canonical form: " + err.Error())
	}
	return out
}
