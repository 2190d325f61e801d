package bundle

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/seif-dev/seifc/digest/canonical"
)

// decodeMarker reads oci-layout.
func decodeMarker(f *faults, data []byte) {
	value, err := canonical.Parse(data, canonical.Limits{Bytes: MaxManifest})
	if err != nil {
		f.add("", jsonProblem(markerName, len(data), MaxManifest, err))
		return
	}
	r := &reader{document: markerName}
	members := r.object("", value, []string{"imageLayoutVersion"}, nil)
	r.fixed("", members, "imageLayoutVersion", "1.0.0")
	f.add("", r.problems...)
}

// claim is what an index says about a manifest: a hint and no proof.
type claim struct {
	descriptor
	artifactType string
	annotations  map[string]any
	pointer      string // of the descriptor in index.json
}

// decodeIndex reads index.json: the manifests that it lists, whatever they are. It is a claim by whoever wrote it
// last. Tools drop optional members, choose the tag, and copy the annotations of attachments.
func decodeIndex(f *faults, data []byte) []claim {
	value, err := canonical.Parse(data, canonical.Limits{Bytes: MaxManifest})
	if err != nil {
		f.add("", jsonProblem(indexName, len(data), MaxManifest, err))
		return nil
	}
	r := &reader{document: indexName}
	root := r.object("", value, []string{"manifests", "schemaVersion"}, []string{"mediaType"})
	r.fixed("", root, "schemaVersion", json.Number("2"))
	r.fixed("", root, "mediaType", IndexMediaType)
	listed := r.list(root)
	f.add("", r.problems...)
	return listed
}

// list reads the manifests of an index.
func (r *reader) list(root map[string]any) []claim {
	value, ok := root["manifests"]
	if !ok {
		return nil
	}
	items, ok := value.([]any)
	if !ok {
		r.wrong("/manifests", "an array", value)
	}
	var listed []claim
	for i, item := range items {
		if len(r.problems) >= maxProblems {
			break
		}
		listed = append(listed, r.listed(canonical.JoinPointer("/manifests", strconv.Itoa(i)), item))
	}
	return listed
}

func (r *reader) listed(pointer string, value canonical.Value) claim {
	members := r.object(pointer, value,
		[]string{"digest", "mediaType", "size"}, []string{"annotations", "artifactType"})
	c := claim{descriptor: r.descriptor(pointer, members), pointer: pointer}
	r.text(pointer, members, "artifactType")
	r.annotations(pointer+"/annotations", members)
	c.artifactType, _ = members["artifactType"].(string)
	c.annotations, _ = members["annotations"].(map[string]any)
	return c
}

// checkBuild holds a claim about a Build's manifest: a member that is there has to be right.
func (r *reader) checkBuild(c claim) {
	r.checkMediaType(c, ManifestMediaType)
	if c.artifactType != "" && !slices.Contains(listedTypes(), c.artifactType) {
		r.wrong(c.pointer+"/artifactType", describeValue(ArtifactType), c.artifactType)
	}
	if c.annotations == nil {
		return
	}
	at := c.pointer + "/annotations"
	r.object(at, c.annotations, nil, []string{kindAnnotation, tagAnnotation})
	r.fixed(at, c.annotations, kindAnnotation, kindValue)
	if tag, ok := c.annotations[tagAnnotation]; ok && !isTag(tag) {
		r.wrong(canonical.JoinPointer(at, tagAnnotation), "a tag", tag)
	}
}

// checkMediaType holds what every claim has to get right, since clients take a manifest for what its type says.
func (r *reader) checkMediaType(c claim, want string) {
	if c.mediaType != want {
		r.wrong(c.pointer+"/mediaType", describeValue(want), c.mediaType)
	}
}

// listedTypes are what tools write as the artifact type of a listed Build: its own, or that of its config, as the OCI
// image specification has it for manifests without one.
func listedTypes() []string {
	types := []string{ArtifactType}
	for _, v := range allVersions() {
		types = append(types, definitionMediaType(v))
	}
	return types
}

// isTag tells whether a value can name a manifest in a layout: printable ASCII without spaces and quotation marks.
func isTag(value canonical.Value) bool {
	text, ok := value.(string)
	if !ok || text == "" || len(text) > maxName {
		return false
	}
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' {
			return false
		}
	}
	return true
}
