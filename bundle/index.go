package bundle

import (
	"encoding/json"
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

// decodeIndex reads index.json: the manifests that it lists, whatever they are. It is a claim by whoever wrote it
// last. Tools drop optional members and choose the tag; a member that is there has to be right.
func decodeIndex(f *faults, data []byte) []descriptor {
	value, err := canonical.Parse(data, canonical.Limits{Bytes: MaxManifest})
	if err != nil {
		f.add("", jsonProblem(indexName, len(data), MaxManifest, err))
		return nil
	}
	r := &reader{document: indexName}
	root := r.object("", value, []string{"manifests", "schemaVersion"}, []string{"mediaType"})
	r.fixed("", root, "schemaVersion", json.Number("2"))
	r.fixed("", root, "mediaType", IndexMediaType)
	var listed []descriptor
	if value, ok := root["manifests"]; ok {
		items, ok := value.([]any)
		if !ok {
			r.wrong("/manifests", "an array", value)
		}
		for i, item := range items {
			if len(r.problems) >= maxProblems {
				break
			}
			listed = append(listed, r.listed(canonical.JoinPointer("/manifests", strconv.Itoa(i)), item))
		}
	}
	f.add("", r.problems...)
	return listed
}

func (r *reader) listed(pointer string, value canonical.Value) descriptor {
	members := r.object(pointer, value,
		[]string{"digest", "mediaType", "size"}, []string{"annotations", "artifactType"})
	d := r.descriptor(pointer, members)
	if value, ok := members["artifactType"]; ok {
		if _, ok := value.(string); !ok {
			r.wrong(pointer+"/artifactType", "a string", value)
		}
		d.artifactType, _ = value.(string)
	}
	if value, ok := members["annotations"]; ok {
		at := pointer + "/annotations"
		annotations := r.object(at, value, nil, []string{kindAnnotation, tagAnnotation})
		r.fixed(at, annotations, kindAnnotation, kindValue)
		if tag, ok := annotations[tagAnnotation]; ok && !isTag(tag) {
			r.wrong(canonical.JoinPointer(at, tagAnnotation), "a tag", tag)
		}
	}
	return d
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
