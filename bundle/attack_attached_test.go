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
)

// The rows of the acceptance list that concern what is attached to a Build. What an attachment says, and whose it is, is
// judged by the rooms that verify signatures.

// A blob that nothing names, beside attachments: named by no attachment, named by one that is not there any more, or by
// one that is refused. R64
func TestAttack04Attached(t *testing.T) {
	b := shop(t)
	l := signed(t, b, 2)
	gone := l.Attachments[0]
	for name, change := range map[string]func(files map[string][]byte){
		"more":                        func(files map[string][]byte) { files[blobName([]byte("more"))] = []byte("more") },
		"a bundle without a manifest": func(files map[string][]byte) { delete(files, blobName(gone.Manifest())) },
	} {
		files := unpack(t, layoutTar(t, l))
		change(files)
		files["index.json"] = indexOf(t, b.Manifest(), l.Attachments[1].Manifest())
		t.Log(name)
		refused(t, pack(t, files), diag.CodeExtraBlob)
	}
	// The empty config has its place as long as something is attached.
	files := filesOf(t, b)
	files[blobName([]byte("{}"))] = []byte("{}")
	refused(t, pack(t, files), diag.CodeExtraBlob)
	// What refers to an attachment is not attached to the Build.
	nested := jsonOf(t, map[string]any{
		"schemaVersion": number("2"), "mediaType": bundle.ManifestMediaType, "artifactType": bundle.SigstoreBundleMediaType,
		"config": descriptorOf(bundle.EmptyMediaType, []byte("{}")), "layers": []any{descriptorOf(bundle.SigstoreBundleMediaType, sigstore(0))},
		"subject": descriptorOf(bundle.ManifestMediaType, gone.Manifest()),
	})
	files = unpack(t, layoutTar(t, l))
	put(t, files, b, l.Attachments[0].Manifest(), l.Attachments[1].Manifest(), nested)
	refused(t, pack(t, files), diag.CodeAttachmentSubject)
}

func descriptorOf(mediaType string, data []byte) map[string]any {
	d := map[string]any{"mediaType": mediaType}
	setBlob(d, data)
	return d
}

// The index leads to another Build than the one that is signed, or the Build under the signatures was exchanged.
func TestAttack05Attached(t *testing.T) {
	b, older := shop(t), toolBuild(t)
	files := unpack(t, layoutTar(t, signed(t, b, 1)))
	maps.Copy(files, filesOf(t, older))
	files["index.json"] = indexOf(t, older.Manifest())
	refused(t, pack(t, files), diag.CodeAmbiguousBuild)
	for _, c := range []struct {
		build *bundle.Build
		want  int
	}{{b, 1}, {older, 0}} {
		got, err := readLayout(t, pack(t, files), bundle.ReadOptions{Digest: c.build.Digest()})
		if err != nil || got.Build.Digest() != c.build.Digest() || len(got.Attachments) != c.want {
			t.Errorf("%v, %v", got, err)
		}
	}
	// The signatures of one Build around another one.
	swapped := filesOf(t, older)
	a := attach(t, b, sigstore(0))
	for _, data := range [][]byte{a.Manifest(), a.Content(), []byte("{}")} {
		swapped[blobName(data)] = data
	}
	for _, index := range [][]byte{indexOf(t, older.Manifest(), a.Manifest()), indexOf(t, older.Manifest()), indexOf(t, a.Manifest(), older.Manifest())} {
		swapped["index.json"] = index
		refused(t, pack(t, swapped), diag.CodeAttachmentSubject)
	}
	swapped["index.json"] = indexOf(t, a.Manifest())
	refused(t, pack(t, swapped), diag.CodeIndexMismatch)
}

// Two Builds in one layout and signatures for one of them: what a caller gets who names a Build is attached to that one.
func TestAttack07Attached(t *testing.T) {
	one, two := shop(t), toolBuild(t)
	l, m := signed(t, one, 2), signed(t, two, 1)
	files := unpack(t, layoutTar(t, l))
	maps.Copy(files, unpack(t, layoutTar(t, m)))
	files["index.json"] = indexOf(t, one.Manifest(), two.Manifest(), l.Attachments[0].Manifest(), l.Attachments[1].Manifest(), m.Attachments[0].Manifest())
	refused(t, pack(t, files), diag.CodeAmbiguousBuild)
	for _, want := range []*bundle.Layout{l, m} {
		got, err := readLayout(t, pack(t, files), bundle.ReadOptions{Digest: want.Build.Digest()})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(sortedDigests(want.Attachments...), digestsOf(got)); d != "" || got.Build.Digest() != want.Build.Digest() {
			t.Error(d)
		}
	}
	// What is attached to the other Build has to be sound as well.
	files = unpack(t, layoutTar(t, l))
	maps.Copy(files, forgeAttachment(t, two, func(_ map[string][]byte, m map[string]any) {
		m["layers"] = append(m["layers"].([]any), m["layers"].([]any)...)
	}))
	files["index.json"] = indexOf(t, one.Manifest(), two.Manifest())
	_, err := readLayout(t, pack(t, files), bundle.ReadOptions{Digest: one.Digest()})
	if d := cmp.Diff([]diag.Code{diag.CodeAttachmentLayers}, codesOf(t, err)); d != "" {
		t.Error(d)
	}

	// A text that looks like an attachment is a text, unless the index says otherwise.
	quoted := attach(t, one, sigstore(0)).Manifest()
	texts := map[string]string{"quoted": string(quoted)}
	outer := assemble(t, define(t, texts, noTests), texts, noTests, nil)
	got, err := readLayout(t, layoutTar(t, signed(t, outer, 1)), bundle.ReadOptions{})
	if err != nil || len(got.Attachments) != 1 {
		t.Errorf("%v, %v", got, err)
	}
	files = filesOf(t, outer)
	files["index.json"] = indexOf(t, outer.Manifest(), quoted)
	refused(t, pack(t, files), diag.CodeAttachmentSubject)
}

// The annotations of an attachment lie about what it is. They decide nothing, whatever they are.
func TestAttack41Attached(t *testing.T) {
	b := shop(t)
	for _, annotations := range []map[string]any{
		nil, {},
		{"dev.sigstore.bundle.predicateType": "https://example.org/other", "dev.sigstore.bundle.content": "message-signature"},
		{"org.opencontainers.image.ref.name": "build", "kind": "dev.cosignproject.cosign/image"},
		{"": strings.Repeat("x", 60<<10)},
	} {
		files := forgeAttachment(t, b, func(_ map[string][]byte, m map[string]any) {
			if delete(m, "annotations"); annotations != nil {
				m["annotations"] = annotations
			}
		})
		got, err := readLayout(t, pack(t, files), bundle.ReadOptions{})
		if err != nil || len(got.Attachments) != 1 || !bytes.Equal(got.Attachments[0].Content(), sigstore(0)) {
			t.Errorf("%v: %v, %v", annotations, got, err)
		}
	}
}

// The index says that what is attached is something else, or does not list it; and what was taken out is not there.
func TestAttack42(t *testing.T) {
	b := shop(t)
	l := signed(t, b, 1)
	files := unpack(t, layoutTar(t, l))
	index := files["index.json"]
	for _, kind := range []string{"application/vnd.oci.empty.v1+json", "application/spdx+json", bundle.ArtifactType, ""} {
		files["index.json"] = bytes.Replace(index, []byte(`"artifactType":"`+bundle.SigstoreBundleMediaType+`"`), fmt.Appendf(nil, `"artifactType":"%s"`, kind), 1)
		if got, err := readLayout(t, pack(t, files), bundle.ReadOptions{}); err != nil || len(got.Attachments) != 1 {
			t.Errorf("%q: %v, %v", kind, got, err)
		}
	}
	// Signatures that are withheld whole leave an unsigned Build, and nothing in it says that there were any.
	withheld := maps.Clone(files)
	for _, data := range [][]byte{l.Attachments[0].Manifest(), l.Attachments[0].Content(), []byte("{}")} {
		delete(withheld, blobName(data))
	}
	withheld["index.json"] = indexOf(t, b.Manifest())
	if got, err := readLayout(t, pack(t, withheld), bundle.ReadOptions{}); err != nil || len(got.Attachments) != 0 {
		t.Errorf("%v, %v", got, err)
	}
	// Withheld in part, the rest is refused.
	for _, data := range [][]byte{l.Attachments[0].Content(), []byte("{}")} {
		part := maps.Clone(files)
		delete(part, blobName(data))
		refused(t, pack(t, part), diag.CodeBlobMissing)
	}
}
