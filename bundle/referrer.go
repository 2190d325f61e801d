package bundle

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// referrer is the manifest of an attachment, taken apart.
type referrer struct {
	subject descriptor
	layer   descriptor
}

// refers tells whether a manifest says that it refers to another one.
func refers(value canonical.Value) bool {
	members, ok := value.(map[string]any)
	if !ok || members["mediaType"] != ManifestMediaType {
		return false
	}
	_, ok = members["subject"]
	return ok
}

// decodeReferrer reads the manifest of an attachment to one of the Builds, whose manifests have these sizes. What refers
// to something else, and what is of another kind, is told apart from what is damaged. Clients write members in any order
// and add annotations, artifact types and embedded data to descriptors; what they add is checked where it can be and
// decides nothing.
func decodeReferrer(document string, value canonical.Value, expected digest.Digest, builds map[digest.Digest]int64) (referrer, []diag.Problem) {
	r := &reader{document: document}
	var m referrer
	root, _ := value.(map[string]any)
	if subject, ok := root["subject"]; ok {
		m.subject = r.foreign("/subject", subject)
	} else {
		r.add(diag.CodeBuildMemberMissing, "", "member", "/subject")
	}
	if len(r.problems) > 0 {
		return m, r.problems
	}
	size, known := builds[m.subject.digest]
	if !known {
		return m, []diag.Problem{diag.New(diag.CodeAttachmentSubject, "/subject/digest", "entry", document,
			"expected", expected.String(), "found", m.subject.digest.String())}
	}
	if kind := kindOf(root); kind != SigstoreBundleMediaType {
		return m, []diag.Problem{diag.New(diag.CodeUnknownAttachment, "/artifactType", "entry", document,
			"found", cmp.Or(shown(kind), "it names no type"), "known", SigstoreBundleMediaType)}
	}
	r.subject(m.subject, size)
	r.object("", value, []string{"artifactType", "config", "layers", "mediaType", "schemaVersion", "subject"}, []string{"annotations"})
	r.fixed("", root, "schemaVersion", json.Number("2"))
	r.fixed("", root, "mediaType", ManifestMediaType)
	r.fixed("", root, "artifactType", SigstoreBundleMediaType)
	r.annotations("/annotations", root)
	if config, ok := root["config"]; ok {
		r.config(config)
	}
	if layers, ok := root["layers"]; ok {
		m.layer = r.onlyLayer(layers)
	}
	return m, r.problems
}

// kindOf is what a manifest says it is: its artifact type, or without one the type of its config, as the OCI image
// specification has it.
func kindOf(root map[string]any) string {
	kind, _ := root["artifactType"].(string)
	if kind == "" {
		config, _ := root["config"].(map[string]any)
		kind, _ = config["mediaType"].(string)
	}
	return kind
}

// subject holds the rest of the subject's descriptor against the Build whose digest it has.
func (r *reader) subject(found descriptor, size int64) {
	if found.mediaType != ManifestMediaType {
		r.wrong("/subject/mediaType", describeValue(ManifestMediaType), found.mediaType)
	}
	if found.size != size {
		r.wrong("/subject/size", strconv.FormatInt(size, 10), json.Number(strconv.FormatInt(found.size, 10)))
	}
}

// config makes sure that the config is the OCI empty descriptor.
func (r *reader) config(value canonical.Value) {
	before := len(r.problems)
	found := r.foreign("/config", value)
	if want := emptyDescriptor(); len(r.problems) == before && found != want {
		r.problems = append(r.problems, diag.New(diag.CodeAttachmentConfig, "/config", "entry", r.document,
			"found", shown(found.mediaType)+" "+found.digest.String()))
	}
}

// onlyLayer reads the one layer, the Sigstore bundle.
func (r *reader) onlyLayer(value canonical.Value) descriptor {
	items, ok := value.([]any)
	if !ok {
		r.wrong("/layers", "an array", value)
		return descriptor{}
	}
	if len(items) != 1 {
		r.problems = append(r.problems, diag.New(diag.CodeAttachmentLayers, "/layers", "entry", r.document,
			"found", strconv.Itoa(len(items))))
		return descriptor{}
	}
	layer := r.foreign("/layers/0", items[0])
	if layer.mediaType != "" && layer.mediaType != SigstoreBundleMediaType {
		r.wrong("/layers/0/mediaType", describeValue(SigstoreBundleMediaType), layer.mediaType)
	}
	if layer.size > MaxAttachment {
		r.problems = append(r.problems, diag.New(diag.CodeAttachmentTooLarge, "/layers/0/size", "entry", "the layer of "+r.document,
			"found", strconv.FormatInt(layer.size, 10), "limit", strconv.Itoa(MaxAttachment)))
	}
	return layer
}

// foreign reads a descriptor as other tools write it. Its artifact type and annotations are strings and are forgotten;
// embedded data has to be what the descriptor names. URLs are refused, since nothing is ever fetched from them.
func (r *reader) foreign(pointer string, value canonical.Value) descriptor {
	members := r.object(pointer, value, []string{"digest", "mediaType", "size"}, []string{"annotations", "artifactType", "data"})
	d := r.descriptor(pointer, members)
	r.text(pointer, members, "artifactType")
	r.annotations(pointer+"/annotations", members)
	if value, ok := members["data"]; ok {
		text, _ := value.(string)
		data, err := base64.StdEncoding.Strict().DecodeString(text)
		if err != nil || int64(len(data)) != d.size || digest.Of(data) != d.digest {
			r.wrong(pointer+"/data", "the content of the blob in base64", value)
		}
	}
	return d
}

func (r *reader) text(pointer string, members map[string]any, name string) {
	if value, ok := members[name]; ok {
		if _, ok := value.(string); !ok {
			r.wrong(canonical.JoinPointer(pointer, name), "a string", value)
		}
	}
}

// annotations makes sure that annotations, if there are any, are strings. Nothing is made of what they say.
func (r *reader) annotations(pointer string, members map[string]any) {
	value, ok := members["annotations"]
	if !ok {
		return
	}
	annotations, ok := value.(map[string]any)
	if !ok {
		r.wrong(pointer, "an object", value)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(annotations)) {
		if r.text(pointer, annotations, name); len(r.problems) >= maxProblems {
			return
		}
	}
}
