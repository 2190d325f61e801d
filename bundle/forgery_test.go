package bundle_test

import (
	"bytes"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// object is a member of a manifest that is an object.
func object(m map[string]any, name string) map[string]any { return m[name].(map[string]any) }

// forgery is what somebody makes of an attachment, and the one reason why it is refused.
type forgery struct {
	change func(files map[string][]byte, m map[string]any)
	code   diag.Code
}

// forgedSubjects name another manifest than the Build, or the Build in another way.
func forgedSubjects(b, other *bundle.Build) map[string]forgery {
	return map[string]forgery{
		"the subject is another Build": {func(_ map[string][]byte, m map[string]any) { setBlob(object(m, "subject"), other.Manifest()) }, diag.CodeAttachmentSubject},
		"the subject is an older Build": {func(_ map[string][]byte, m map[string]any) {
			object(m, "subject")["digest"] = digest.Of([]byte("an older Build")).String()
		}, diag.CodeAttachmentSubject},
		"the subject is the definition": {func(_ map[string][]byte, m map[string]any) { setBlob(object(m, "subject"), b.DefinitionBytes()) }, diag.CodeAttachmentSubject},
		"the subject has another size":  {func(_ map[string][]byte, m map[string]any) { object(m, "subject")["size"] = number("1") }, diag.CodeBuildMemberWrong},
		"the subject has another type":  {func(_ map[string][]byte, m map[string]any) { object(m, "subject")["mediaType"] = bundle.IndexMediaType }, diag.CodeBuildMemberWrong},
		"the subject has a sha512": {func(_ map[string][]byte, m map[string]any) {
			object(m, "subject")["digest"] = "sha512:" + strings.Repeat("a", 128)
		}, diag.CodeDigestAlgorithm},
		"the subject in upper case": {func(_ map[string][]byte, m map[string]any) {
			object(m, "subject")["digest"] = strings.ToUpper(b.Digest().String())
		}, diag.CodeDigestAlgorithm},
		"the subject has URLs": {func(_ map[string][]byte, m map[string]any) {
			object(m, "subject")["urls"] = []any{"https://example.org"}
		}, diag.CodeBuildMemberUnknown},
		"the subject has other data": {func(_ map[string][]byte, m map[string]any) { object(m, "subject")["data"] = "e30=" }, diag.CodeBuildMemberWrong},
		"the subject is a string":    {func(_ map[string][]byte, m map[string]any) { m["subject"] = b.Digest().String() }, diag.CodeBuildMemberWrong},
		"the subject is null":        {func(_ map[string][]byte, m map[string]any) { m["subject"] = nil }, diag.CodeBuildMemberWrong},
	}
}

// forgedContents have other blobs than one bundle and the empty config.
func forgedContents(b *bundle.Build) map[string]forgery {
	return map[string]forgery{
		"two layers": {func(_ map[string][]byte, m map[string]any) {
			m["layers"] = append(m["layers"].([]any), m["layers"].([]any)...)
		}, diag.CodeAttachmentLayers},
		"no layers": {func(files map[string][]byte, m map[string]any) {
			delete(files, blobName(sigstore(0)))
			m["layers"] = []any{}
		}, diag.CodeAttachmentLayers},
		"layers are an object": {func(files map[string][]byte, m map[string]any) {
			delete(files, blobName(sigstore(0)))
			m["layers"] = map[string]any{}
		}, diag.CodeBuildMemberWrong},
		"the layer is of an older version": {func(_ map[string][]byte, m map[string]any) {
			layerAt(m, 0)["mediaType"] = strings.Replace(bundle.SigstoreBundleMediaType, "v0.3", "v0.1", 1)
		}, diag.CodeBuildMemberWrong},
		"the layer states another size": {func(_ map[string][]byte, m map[string]any) { layerAt(m, 0)["size"] = number("1") }, diag.CodeBlobSize},
		"the layer states a large size": {func(_ map[string][]byte, m map[string]any) { layerAt(m, 0)["size"] = number("1048577") }, diag.CodeAttachmentTooLarge},
		"the layer is not there":        {func(files map[string][]byte, _ map[string]any) { delete(files, blobName(sigstore(0))) }, diag.CodeBlobMissing},
		"the layer embeds other data":   {func(_ map[string][]byte, m map[string]any) { layerAt(m, 0)["data"] = "e30=" }, diag.CodeBuildMemberWrong},
		"the layer's data is no base64": {func(_ map[string][]byte, m map[string]any) { layerAt(m, 0)["data"] = "e30" }, diag.CodeBuildMemberWrong},
		"the layer's title is a number": {func(_ map[string][]byte, m map[string]any) {
			layerAt(m, 0)["annotations"] = map[string]any{bundle.TitleAnnotation: number("1")}
		}, diag.CodeBuildMemberWrong},
		"the layer is empty": {func(files map[string][]byte, m map[string]any) {
			delete(files, blobName(sigstore(0)))
			files[blobName(nil)] = nil
			setBlob(layerAt(m, 0), nil)
		}, diag.CodeAttachmentEmpty},
		"the config is the definition": {func(files map[string][]byte, m map[string]any) {
			delete(files, blobName([]byte("{}")))
			setBlob(object(m, "config"), b.DefinitionBytes())
		}, diag.CodeAttachmentConfig},
		"the config is of another type": {func(_ map[string][]byte, m map[string]any) {
			object(m, "config")["mediaType"] = bundle.DefinitionV1MediaType
		}, diag.CodeAttachmentConfig},
		"the config states another size": {func(_ map[string][]byte, m map[string]any) { object(m, "config")["size"] = number("3") }, diag.CodeAttachmentConfig},
		"the config is not there":        {func(files map[string][]byte, _ map[string]any) { delete(files, blobName([]byte("{}"))) }, diag.CodeBlobMissing},
		"the config is missing": {func(files map[string][]byte, m map[string]any) {
			delete(files, blobName([]byte("{}")))
			delete(m, "config")
		}, diag.CodeBuildMemberMissing},
		"a blob that nobody names": {func(files map[string][]byte, _ map[string]any) { files[blobName([]byte("more"))] = []byte("more") }, diag.CodeExtraBlob},
		"a byte of it was changed": {func(files map[string][]byte, _ map[string]any) {
			maps.Copy(files, spoil(files, blobName(sigstore(0))))
		}, diag.CodeBlobDigest},
	}
}

// forgedManifests are of another kind, or have other members.
func forgedManifests() map[string]forgery {
	return map[string]forgery{
		"a bill of materials": {func(_ map[string][]byte, m map[string]any) { m["artifactType"] = "application/spdx+json" }, diag.CodeUnknownAttachment},
		"an older bundle": {func(_ map[string][]byte, m map[string]any) {
			m["artifactType"] = strings.Replace(bundle.SigstoreBundleMediaType, "v0.3", "v0.2", 1)
		}, diag.CodeUnknownAttachment},
		"a later bundle": {func(_ map[string][]byte, m map[string]any) {
			m["artifactType"] = strings.Replace(bundle.SigstoreBundleMediaType, "v0.3", "v0.4", 1)
		}, diag.CodeUnknownAttachment},
		"a bundle with a parameter": {func(_ map[string][]byte, m map[string]any) {
			m["artifactType"] = bundle.SigstoreBundleMediaType + "; a=b"
		}, diag.CodeUnknownAttachment},
		"no artifact type":            {func(_ map[string][]byte, m map[string]any) { delete(m, "artifactType") }, diag.CodeUnknownAttachment},
		"no subject":                  {func(_ map[string][]byte, m map[string]any) { delete(m, "subject") }, diag.CodeUnknownManifest},
		"an unknown member":           {func(_ map[string][]byte, m map[string]any) { m["blobs"] = []any{} }, diag.CodeBuildMemberUnknown},
		"another schema version":      {func(_ map[string][]byte, m map[string]any) { m["schemaVersion"] = number("3") }, diag.CodeBuildMemberWrong},
		"annotations that are a list": {func(_ map[string][]byte, m map[string]any) { m["annotations"] = []any{} }, diag.CodeBuildMemberWrong},
		"an annotation that is none":  {func(_ map[string][]byte, m map[string]any) { m["annotations"] = map[string]any{"a": nil} }, diag.CodeBuildMemberWrong},
		"a big annotation": {func(_ map[string][]byte, m map[string]any) {
			m["annotations"] = map[string]any{"a": strings.Repeat("x", 64<<10)}
		}, diag.CodeAttachmentTooLarge},
	}
}

// Attachments that somebody forged who can write everything but a signature: each is refused for exactly one reason.
// Nothing of it is skipped and nothing is used. R64
func TestForgedAttachments(t *testing.T) {
	b := shop(t)
	for _, table := range []map[string]forgery{forgedSubjects(b, toolBuild(t)), forgedContents(b), forgedManifests()} {
		for name, c := range table {
			t.Run(name, func(t *testing.T) {
				files := forgeAttachment(t, b, c.change)
				refused(t, pack(t, files), c.code)
				// It does not help to take it out of the index: it is found by reading manifests.
				files["index.json"] = indexOf(t, b.Manifest())
				if c.code == diag.CodeUnknownManifest {
					_, err := read(t, pack(t, files), bundle.ReadOptions{})
					if got := codesOf(t, err); got[0] != diag.CodeExtraBlob && got[0] != c.code {
						t.Error(got)
					}
					return
				}
				refused(t, pack(t, files), c.code)
			})
		}
	}
}

// The refusals say what was found and what was expected.
func TestForgedAttachmentsAreNamed(t *testing.T) {
	b := shop(t)
	for name, c := range map[string]struct {
		change func(m map[string]any)
		want   string
	}{
		"an older Build": {func(m map[string]any) { object(m, "subject")["digest"] = "sha256:" + strings.Repeat("a", 64) },
			"is attached to sha256:" + strings.Repeat("a", 64) + ", not to the Build " + b.Digest().String()},
		"a bill of materials": {func(m map[string]any) { m["artifactType"] = "application/spdx+json" }, "application/spdx+json"},
		"no type": {func(m map[string]any) {
			delete(m, "artifactType")
			delete(object(m, "config"), "mediaType")
		}, "it names no type"},
		"the type of the config": {func(m map[string]any) {
			delete(m, "artifactType")
			object(m, "config")["mediaType"] = "application/vnd.example+json"
		}, "application/vnd.example+json"},
		"two layers": {func(m map[string]any) { m["layers"] = append(m["layers"].([]any), m["layers"].([]any)...) }, "2 layers"},
	} {
		_, err := read(t, pack(t, forgeAttachment(t, b, func(_ map[string][]byte, m map[string]any) { c.change(m) })), bundle.ReadOptions{})
		codesOf(t, err)
		if got := err.(*bundle.Invalid).Diagnostics()[0].Message(); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// JSON that readers take differently is refused in an attachment's manifest as everywhere.
func TestForgedAttachmentJSON(t *testing.T) {
	b := shop(t)
	a := attach(t, b, sigstore(0))
	for change, code := range map[string]diag.Code{
		`"schemaVersion":2=>"schemaVersion":2,"schema\u0056ersion":2`: diag.CodeBuildJSONDuplicate,
		`"schemaVersion":2=>"schemaVersion":2e400`:                    diag.CodeBuildJSONInexact,
		`dsse-envelope=>\ud800`:                                       diag.CodeBuildJSONSurrogate,
	} {
		old, changed, _ := strings.Cut(change, "=>")
		manifest := bytes.Replace(a.Manifest(), []byte(old), []byte(changed), 1)
		files := unpack(t, layoutTar(t, &bundle.Layout{Build: b, Attachments: []bundle.Attachment{a}}))
		delete(files, blobName(a.Manifest()))
		put(t, files, b, manifest)
		refused(t, pack(t, files), code)
		// Unlisted it is no manifest at all, so nobody names it and what it names.
		files["index.json"] = indexOf(t, b.Manifest())
		refused(t, pack(t, files), diag.CodeExtraBlob)
	}
}

// Layouts that clients leave: attachments that the index does not list, lists twice, or lists with other annotations.
// What is attached is found by reading manifests, so all of them are one layout.
func TestIndexesOfAttachments(t *testing.T) {
	b := shop(t)
	ours := attach(t, b, sigstore(0))
	theirs, problems := bundle.ParseAttachment(b, foreignManifest(b, sigstore(0)), sigstore(0))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	want := sortedDigests(ours, theirs)
	files := unpack(t, layoutTar(t, &bundle.Layout{Build: b, Attachments: []bundle.Attachment{ours, theirs}}))
	described := func(manifest []byte, more string) string {
		return fmt.Sprintf(`{"mediaType":"%s","digest":"%s","size":%d%s}`, bundle.ManifestMediaType, digest.Of(manifest), len(manifest), more)
	}
	build := described(b.Manifest(), "")
	for name, listed := range map[string][]string{
		"unlisted":         {build},
		"listed twice":     {build, described(ours.Manifest(), ""), described(ours.Manifest(), ""), described(theirs.Manifest(), "")},
		"listed first":     {described(theirs.Manifest(), ""), described(ours.Manifest(), ""), build},
		"with annotations": {build, described(ours.Manifest(), `,"annotations":{"org.opencontainers.image.created":"now","kind":"dev.cosignproject.cosign/sigs"}`)},
		"with a tag":       {build, described(ours.Manifest(), `,"annotations":{"org.opencontainers.image.ref.name":"any tag"}`)},
		"another type":     {build, described(ours.Manifest(), `,"artifactType":"`+bundle.EmptyMediaType+`"`)},
		"the Build's type": {build, described(ours.Manifest(), `,"artifactType":"`+bundle.ArtifactType+`"`)},
	} {
		files["index.json"] = []byte(`{"schemaVersion":2,"manifests":[` + strings.Join(listed, ",") + `]}`)
		got, err := readLayout(t, pack(t, files), bundle.ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v", name, err.(*bundle.Invalid).Problems)
		} else if d := cmp.Diff(want, digestsOf(got)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	for name, c := range map[string]struct {
		listed []string
		code   diag.Code
	}{
		"listed and missing":   {[]string{build, described([]byte("{}{}"), "")}, diag.CodeBlobMissing},
		"another size":         {[]string{build, strings.Replace(described(ours.Manifest(), ""), `"size":`, `"size":1`, 1)}, diag.CodeBlobSize},
		"as an index":          {[]string{build, strings.Replace(described(ours.Manifest(), ""), "manifest.v1", "index.v1", 1)}, diag.CodeBuildMemberWrong},
		"the layer is listed":  {[]string{build, described(sigstore(0), "")}, diag.CodeUnknownManifest},
		"the config is listed": {[]string{build, described([]byte("{}"), "")}, diag.CodeUnknownManifest},
		"attachments alone":    {[]string{described(ours.Manifest(), "")}, diag.CodeIndexMismatch},
		"an annotation's type": {[]string{build, described(ours.Manifest(), `,"annotations":{"a":1}`)}, diag.CodeBuildMemberWrong},
	} {
		files["index.json"] = []byte(`{"schemaVersion":2,"manifests":[` + strings.Join(c.listed, ",") + `]}`)
		t.Log(name)
		refused(t, pack(t, files), c.code)
	}
}

// An index that lists what is attached, tagged with the Build's digest, is what clients write that do not read manifests
// to find referrers. It is taken if it lists attachments of this Build and nothing else.
func TestReferrersTag(t *testing.T) {
	b, other := shop(t), toolBuild(t)
	one, two := attach(t, b, sigstore(0)), attach(t, b, sigstore(1))
	l := &bundle.Layout{Build: b, Attachments: []bundle.Attachment{one, two}}
	tagged := func(referrers []byte, tag string) map[string][]byte {
		files := unpack(t, layoutTar(t, l))
		files[blobName(referrers)] = referrers
		files["index.json"] = fmt.Appendf(nil, `{"schemaVersion":2,"manifests":[{"mediaType":"%s","digest":"%s","size":%d},`+
			`{"mediaType":"%s","digest":"%s","size":%d,"annotations":{"org.opencontainers.image.ref.name":"%s"}}]}`,
			bundle.ManifestMediaType, b.Digest(), len(b.Manifest()), bundle.IndexMediaType, digest.Of(referrers), len(referrers), tag)
		return files
	}
	index := func(list []byte) []byte {
		return bytes.Replace(list, []byte(`{"manifests"`), []byte(`{"mediaType":"`+bundle.IndexMediaType+`","manifests"`), 1)
	}
	tag := "sha256-" + b.Digest().Hex()
	for _, manifests := range [][][]byte{{one.Manifest(), two.Manifest()}, {two.Manifest()}, {}} {
		got, err := readLayout(t, pack(t, tagged(index(indexOf(t, manifests...)), tag)), bundle.ReadOptions{})
		if err != nil || len(got.Attachments) != 2 {
			t.Errorf("%d: %v, %v", len(manifests), got, err)
			continue
		}
		if d := cmp.Diff(string(layoutTar(t, l)), string(layoutTar(t, got))); d != "" {
			t.Error("the index was kept")
		}
	}
	good := index(indexOf(t, one.Manifest()))
	resized := bytes.Replace(good, fmt.Appendf(nil, `"size":%d`, len(one.Manifest())), []byte(`"size":5`), 1)
	for name, c := range map[string]struct {
		referrers []byte
		tag       string
		code      diag.Code
	}{
		"another tag":           {good, "latest", diag.CodeUnknownManifest},
		"another Build's tag":   {good, "sha256-" + other.Digest().Hex(), diag.CodeUnknownManifest},
		"no dash":               {good, b.Digest().String(), diag.CodeUnknownManifest},
		"lists the Build":       {index(indexOf(t, b.Manifest())), tag, diag.CodeReferrersIndex},
		"lists what is missing": {index(indexOf(t, attach(t, b, sigstore(2)).Manifest())), tag, diag.CodeReferrersIndex},
		"another size":          {resized, tag, diag.CodeBuildMemberWrong},
		"an unknown member":     {bytes.Replace(good, []byte(`{"mediaType"`), []byte(`{"subject":{},"mediaType"`), 1), tag, diag.CodeBuildMemberUnknown},
		"another version":       {bytes.Replace(good, []byte(`"schemaVersion":2`), []byte(`"schemaVersion":1`), 1), tag, diag.CodeBuildMemberWrong},
	} {
		t.Log(name)
		files := tagged(c.referrers, c.tag)
		if bytes.Equal(c.referrers, good) && c.tag == tag {
			t.Fatal("nothing changed")
		}
		refused(t, pack(t, files), c.code)
	}
	// Listed as a manifest, or not at all, it is nothing that belongs here.
	files := tagged(good, tag)
	files["index.json"] = bytes.Replace(files["index.json"], []byte(bundle.IndexMediaType), []byte(bundle.ManifestMediaType), 1)
	refused(t, pack(t, files), diag.CodeBuildMemberWrong)
	files["index.json"] = indexOf(t, b.Manifest())
	refused(t, pack(t, files), diag.CodeUnknownManifest)
}
