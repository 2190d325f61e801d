package bundle

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// reader takes a JSON document of the layout apart. Every member is either taken or refused.
type reader struct {
	document string // what messages call it
	problems []diag.Problem
}

func (r *reader) add(code diag.Code, pointer string, pairs ...string) {
	r.problems = append(r.problems, diag.New(code, pointer, append([]string{"document", r.document}, pairs...)...))
}

func (r *reader) wrong(pointer, expected string, found canonical.Value) {
	r.add(diag.CodeBuildMemberWrong, pointer, "member", shown(pointer), "expected", expected, "found", describeValue(found))
}

// describeValue is a value in a message: what it is, and a scalar itself.
func describeValue(v canonical.Value) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return strconv.QuoteToASCII(shown(v))
	case json.Number:
		return shown(v.String())
	case bool:
		return strconv.FormatBool(v)
	case []any:
		return "an array"
	default:
		return "an object"
	}
}

// object makes sure that a value is an object with all required members and none that is neither required nor
// optional. It is nil if the value is no object.
func (r *reader) object(pointer string, value canonical.Value, required, optional []string) map[string]any {
	members, ok := value.(map[string]any)
	if !ok {
		r.wrong(pointer, "an object", value)
		return nil
	}
	for _, name := range required {
		if _, ok := members[name]; !ok {
			r.add(diag.CodeBuildMemberMissing, pointer, "member", canonical.JoinPointer(pointer, name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !slices.Contains(required, name) && !slices.Contains(optional, name) {
			at := canonical.JoinPointer(pointer, name)
			r.add(diag.CodeBuildMemberUnknown, at, "member", shown(at))
		}
		if len(r.problems) >= maxProblems {
			break
		}
	}
	return members
}

// fixed makes sure that a member that is there has the one value it can have.
func (r *reader) fixed(pointer string, members map[string]any, name string, want canonical.Value) {
	found, ok := members[name]
	if ok && !canonical.Equal(found, want) {
		r.wrong(canonical.JoinPointer(pointer, name), describeValue(want), found)
	}
}

// descriptor reads mediaType, digest and size.
func (r *reader) descriptor(pointer string, members map[string]any) descriptor {
	var d descriptor
	if value, ok := members["mediaType"]; ok {
		if d.mediaType, ok = value.(string); !ok {
			r.wrong(pointer+"/mediaType", "a string", value)
		}
	}
	if value, ok := members["digest"]; ok {
		d.digest = r.digest(pointer+"/digest", value)
	}
	if value, ok := members["size"]; ok {
		d.size = r.size(pointer+"/size", value)
	}
	return d
}

func (r *reader) digest(pointer string, value canonical.Value) digest.Digest {
	text, ok := value.(string)
	if !ok {
		r.wrong(pointer, "a string", value)
		return digest.Digest{}
	}
	d, err := digest.Parse(text)
	if err != nil {
		code := diag.CodeDigestMalformed
		if errors.Is(err, digest.ErrPrefix) {
			code = diag.CodeDigestAlgorithm
		}
		r.add(code, pointer, "where", r.document, "found", describeValue(text), "why", err.Error())
	}
	return d
}

func (r *reader) size(pointer string, value canonical.Value) int64 {
	number, ok := value.(json.Number)
	size, err := strconv.ParseInt(number.String(), 10, 64)
	if !ok || err != nil || size < 0 {
		r.wrong(pointer, "a number of bytes", value)
		return 0
	}
	if size > MaxBlob {
		r.add(diag.CodeLayerTooLarge, pointer,
			"title", r.document+" "+pointer, "found", number.String(), "limit", strconv.Itoa(MaxBlob))
	}
	return size
}

// manifestKind tells whether a value says of itself that it is a manifest or an index, and of what kind.
func manifestKind(value canonical.Value) (kind string, ok bool) {
	members, isObject := value.(map[string]any)
	if !isObject {
		return "", false
	}
	switch members["mediaType"] {
	case ManifestMediaType:
		return kindOf(members), true
	case IndexMediaType:
		kind, _ = members["artifactType"].(string)
		return cmp.Or(kind, IndexMediaType), true
	}
	return "", false
}

func isIndex(value canonical.Value) bool {
	members, ok := value.(map[string]any)
	return ok && members["mediaType"] == IndexMediaType
}

// decodeManifest reads the manifest of a Build. What it accepts is exactly what [imageManifest.encode] writes.
func decodeManifest(document string, data []byte, value canonical.Value) (imageManifest, []diag.Problem) {
	r := &reader{document: document}
	var m imageManifest
	root := r.object("", value, []string{"artifactType", "config", "layers", "mediaType", "schemaVersion"}, nil)
	r.fixed("", root, "schemaVersion", json.Number("2"))
	r.fixed("", root, "mediaType", ManifestMediaType)
	r.fixed("", root, "artifactType", ArtifactType)
	if config, ok := root["config"]; ok {
		members := r.object("/config", config, []string{"digest", "mediaType", "size"}, nil)
		m.config = r.descriptor("/config", members)
		if t := m.config.mediaType; t != "" && t != DefinitionV1MediaType && t != DefinitionV2MediaType {
			r.problems = append(r.problems, unknownRuntime("/config/mediaType", t, allVersions()))
		}
	}
	if value, ok := root["layers"]; ok {
		m.layers = r.layers(value)
	}
	if len(r.problems) > 0 {
		return m, r.problems
	}
	if err := canonical.IsCanonical(data, canonical.Limits{Bytes: MaxManifest}); err != nil {
		return m, []diag.Problem{jsonProblem(document, len(data), MaxManifest, err)}
	}
	return m, nil
}

func (r *reader) layers(value canonical.Value) []layer {
	items, ok := value.([]any)
	if !ok {
		r.wrong("/layers", "an array", value)
		return nil
	}
	var layers []layer
	titles := map[string]bool{}
	folded := map[string]string{}
	for i, item := range items {
		if len(r.problems) >= maxProblems {
			return nil
		}
		pointer := canonical.JoinPointer("/layers", strconv.Itoa(i))
		l, ok := r.layer(pointer, item)
		if !ok {
			continue
		}
		at := canonical.JoinPointer(pointer, "annotations", TitleAnnotation)
		switch other, clash := folded[foldName(l.title)]; {
		case titles[l.title]:
			r.add(diag.CodeLayerTitleDuplicate, at, "title", l.title)
		case clash:
			r.add(diag.CodeLayerTitleClash, at, "title", l.title, "other", other)
		case len(layers) > 0 && layers[len(layers)-1].title > l.title:
			r.add(diag.CodeLayerOrder, at, "title", l.title, "other", layers[len(layers)-1].title)
		}
		titles[l.title], folded[foldName(l.title)] = true, l.title
		layers = append(layers, l)
	}
	return layers
}

func (r *reader) layer(pointer string, value canonical.Value) (layer, bool) {
	members := r.object(pointer, value, []string{"annotations", "digest", "mediaType", "size"}, nil)
	l := layer{descriptor: r.descriptor(pointer, members)}
	notes, ok := members["annotations"]
	if !ok {
		return l, false
	}
	annotations := r.object(pointer+"/annotations", notes, []string{TitleAnnotation}, nil)
	value, ok = annotations[TitleAnnotation]
	if !ok {
		return l, false
	}
	at := canonical.JoinPointer(pointer, "annotations", TitleAnnotation)
	if l.title, ok = value.(string); !ok {
		r.wrong(at, "a string", value)
		return l, false
	}
	if p, ok := checkName("title", l.title); !ok {
		r.problems = append(r.problems, p.Under(at))
		return l, false
	}
	switch want := layerMediaType(l.title); want {
	case "":
		r.add(diag.CodeLayerTitleUnknown, at, "title", l.title)
	case l.mediaType:
	default:
		r.add(diag.CodeLayerMediaType, pointer+"/mediaType", "title", l.title, "expected", want, "found", shown(l.mediaType))
	}
	return l, true
}

// contractOf is the version that a config's media type names.
func contractOf(mediaType string) definition.Version {
	if mediaType == DefinitionV2MediaType {
		return definition.V2
	}
	return definition.V1
}
