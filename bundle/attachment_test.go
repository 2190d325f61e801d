package bundle_test

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

const predicate = "https://seif.dev/attestation/release/v1"

// sigstore stands for a Sigstore bundle: to this package its bytes are opaque.
func sigstore(n int) []byte {
	return fmt.Appendf(nil, `{"mediaType":"%s","n":%d}`, bundle.SigstoreBundleMediaType, n)
}

func attach(t testing.TB, b *bundle.Build, content []byte) bundle.Attachment {
	t.Helper()
	a, err := b.Attach(content, predicate)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// signed is a layout of the Build with that many attachments.
func signed(t testing.TB, b *bundle.Build, n int) *bundle.Layout {
	t.Helper()
	l := &bundle.Layout{Build: b}
	for i := range n {
		l.Attachments = append(l.Attachments, attach(t, b, sigstore(i)))
	}
	return l
}

func layoutTar(t testing.TB, l *bundle.Layout) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := bundle.WriteLayoutTar(&out, l); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// unpack reads an archive with the standard library's reader.
func unpack(t testing.TB, archive []byte) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for r := tar.NewReader(bytes.NewReader(archive)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
}

func readLayout(t testing.TB, archive []byte, opts bundle.ReadOptions) (*bundle.Layout, error) {
	t.Helper()
	return bundle.ReadLayoutTar(context.Background(), bytes.NewReader(archive), opts)
}

// digestsOf are the attachments of a layout, by digest.
func digestsOf(l *bundle.Layout) []string {
	var out []string
	for _, a := range l.Attachments {
		out = append(out, a.Digest().String())
	}
	return out
}

// sortedDigests are those that a layout of these attachments has when it is read.
func sortedDigests(attachments ...bundle.Attachment) []string {
	return slices.Sorted(slices.Values(digestsOf(&bundle.Layout{Attachments: attachments})))
}

// What is attached is a referrer as cosign writes it, in canonical form and without a time, so that equal bundles give
// equal attachments.
func TestAttach(t *testing.T) {
	b := shop(t)
	content := sigstore(0)
	a := attach(t, b, content)
	want := fmt.Sprintf(`{"annotations":{"dev.sigstore.bundle.content":"dsse-envelope","dev.sigstore.bundle.predicateType":"%s"},`+
		`"artifactType":"application/vnd.dev.sigstore.bundle.v0.3+json",`+
		`"config":{"digest":"sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","mediaType":"application/vnd.oci.empty.v1+json","size":2},`+
		`"layers":[{"digest":"%s","mediaType":"application/vnd.dev.sigstore.bundle.v0.3+json","size":%d}],`+
		`"mediaType":"application/vnd.oci.image.manifest.v1+json","schemaVersion":2,`+
		`"subject":{"digest":"%s","mediaType":"application/vnd.oci.image.manifest.v1+json","size":%d}}`,
		predicate, digest.Of(content), len(content), b.Digest(), len(b.Manifest()))
	if d := cmp.Diff(want, string(a.Manifest())); d != "" {
		t.Error(d)
	}
	if a.Digest() != digest.Of(a.Manifest()) || !bytes.Equal(a.Content(), content) {
		t.Error("digest or content differ")
	}
	// It cannot be changed through what went into it or came out of it.
	clear(a.Manifest())
	clear(a.Content())
	clear(content)
	if again := attach(t, b, sigstore(0)); again.Digest() != a.Digest() || !bytes.Equal(a.Content(), sigstore(0)) || string(a.Manifest()) != want {
		t.Error("it changed")
	}
}

func TestAttachRefuses(t *testing.T) {
	b := shop(t)
	for name, c := range map[string]struct {
		content   []byte
		predicate string
		code      diag.Code
	}{
		"nothing":           {nil, predicate, diag.CodeAttachmentEmpty},
		"too much":          {make([]byte, bundle.MaxAttachment+1), predicate, diag.CodeAttachmentTooLarge},
		"no predicate":      {sigstore(0), "", diag.CodeBuildMemberWrong},
		"a line end":        {sigstore(0), "https://x\ny", diag.CodeBuildMemberWrong},
		"a long predicate":  {sigstore(0), "https://" + strings.Repeat("x", 300), diag.CodeBuildMemberWrong},
		"no ASCII":          {sigstore(0), "https://é", diag.CodeBuildMemberWrong},
		"quotation in JSON": {sigstore(0), `https://x"y`, diag.CodeBuildMemberWrong},
	} {
		_, err := b.Attach(c.content, c.predicate)
		if d := cmp.Diff([]diag.Code{c.code}, codesOf(t, err)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	if _, err := b.Attach(make([]byte, bundle.MaxAttachment), predicate); err != nil {
		t.Error(err)
	}
}

// A layout is a function of the Build and the set of attachments; whatever their order was, what is read is sorted and
// what is written is the same.
func TestLayoutRoundTrip(t *testing.T) {
	for _, b := range []*bundle.Build{shop(t), toolBuild(t)} {
		l := signed(t, b, 3)
		archive := layoutTar(t, l)
		turned := &bundle.Layout{Build: b, Attachments: append(slices.Clone(l.Attachments[1:]), l.Attachments[:2]...)}
		if !bytes.Equal(archive, layoutTar(t, turned)) {
			t.Error("order or repetition changes the archive")
		}
		got, err := readLayout(t, archive, bundle.ReadOptions{Digest: b.Digest()})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(sortedDigests(l.Attachments...), digestsOf(got)); d != "" || got.Build.Digest() != b.Digest() {
			t.Error(d)
		}
		dir := filepath.Join(t.TempDir(), "layout")
		if outcome, err := bundle.WriteLayoutDir(context.Background(), dir, got); err != nil || outcome != bundle.Written {
			t.Fatalf("%q, %v", outcome, err)
		}
		want := map[string]string{"blobs/": "", "blobs/sha256/": ""}
		for name, data := range unpack(t, archive) {
			want[name] = string(data)
		}
		if d := cmp.Diff(want, tree(t, dir)); d != "" {
			t.Error(d)
		}
		again, err := bundle.ReadLayout(context.Background(), dir, bundle.ReadOptions{})
		if err != nil || !bytes.Equal(archive, layoutTar(t, again)) {
			t.Errorf("the folder gives another archive: %v", err)
		}
	}
}

// A layout without attachments is the unsigned Build, byte for byte.
func TestNoAttachments(t *testing.T) {
	b := shop(t)
	if !bytes.Equal(tarOf(t, b), layoutTar(t, signed(t, b, 0))) {
		t.Error("the archive differs")
	}
	got, err := readLayout(t, tarOf(t, b), bundle.ReadOptions{})
	if err != nil || len(got.Attachments) != 0 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestSignedIndex(t *testing.T) {
	b := shop(t)
	l := signed(t, b, 2)
	slices.SortFunc(l.Attachments, func(a, b bundle.Attachment) int { return strings.Compare(a.Digest().String(), b.Digest().String()) })
	listed := ""
	for _, a := range l.Attachments {
		listed += fmt.Sprintf(`,{"artifactType":"%s","digest":"%s","mediaType":"%s","size":%d}`,
			bundle.SigstoreBundleMediaType, a.Digest(), bundle.ManifestMediaType, len(a.Manifest()))
	}
	unsigned := string(filesOf(t, b)["index.json"])
	want := strings.Replace(unsigned, "}]", "}"+listed+"]", 1)
	if d := cmp.Diff(want, string(unpack(t, layoutTar(t, l))["index.json"])); d != "" {
		t.Error(d)
	}
}

// Nothing that a reader would refuse is written, and no half of it.
func TestWritingLayoutsRefuses(t *testing.T) {
	b := shop(t)
	other := attach(t, toolBuild(t), sigstore(0))
	large := &bundle.Layout{Build: b}
	for i := range bundle.MaxAttached/bundle.MaxAttachment + 1 {
		large.Attachments = append(large.Attachments, attach(t, b, bytes.Repeat([]byte{byte(i)}, bundle.MaxAttachment)))
	}
	for name, c := range map[string]struct {
		layout *bundle.Layout
		code   diag.Code
	}{
		"of another Build": {&bundle.Layout{Build: b, Attachments: []bundle.Attachment{other}}, diag.CodeAttachmentSubject},
		"of no Build":      {&bundle.Layout{Build: b, Attachments: make([]bundle.Attachment, 1)}, diag.CodeAttachmentSubject},
		"too many":         {signed(t, b, bundle.MaxAttachments+1), diag.CodeTooManyAttachments},
		"too much":         {large, diag.CodeAttachmentTooLarge},
	} {
		dir := t.TempDir()
		var out bytes.Buffer
		_, fileErr := bundle.WriteLayoutFile(context.Background(), filepath.Join(dir, "x.seif"), c.layout)
		_, dirErr := bundle.WriteLayoutDir(context.Background(), filepath.Join(dir, "x"), c.layout)
		for _, err := range []error{bundle.WriteLayoutTar(&out, c.layout), fileErr, dirErr} {
			if d := cmp.Diff([]diag.Code{c.code}, codesOf(t, err)); d != "" {
				t.Errorf("%s: %s", name, d)
			}
		}
		if out.Len() > 0 || len(tree(t, dir)) > 0 {
			t.Errorf("%s: something was written", name)
		}
	}
	if got, err := readLayout(t, layoutTar(t, signed(t, b, bundle.MaxAttachments)), bundle.ReadOptions{}); err != nil || len(got.Attachments) != bundle.MaxAttachments {
		t.Errorf("what may be written cannot be read: %v", err)
	}
}

// Formats, rule 26: building the same Build again keeps its signatures; another Build replaces the whole.
func TestWritingTheBuildKeepsAttachments(t *testing.T) {
	ctx := context.Background()
	b, other := shop(t), toolBuild(t)
	l := signed(t, b, 2)
	dir := t.TempDir()
	file, folder := filepath.Join(dir, "x.seif"), filepath.Join(dir, "x")
	for path, write := range map[string]struct {
		layout func(context.Context, string, *bundle.Layout) (bundle.Outcome, error)
		build  func(context.Context, string, *bundle.Build) (bundle.Outcome, error)
	}{
		file:   {bundle.WriteLayoutFile, bundle.WriteFile},
		folder: {bundle.WriteLayoutDir, bundle.WriteDir},
	} {
		for i, step := range []struct {
			layout *bundle.Layout
			build  *bundle.Build
			want   bundle.Outcome
			left   int
		}{
			{layout: l, want: bundle.Written, left: 2},
			{layout: l, want: bundle.Unchanged, left: 2},
			{build: b, want: bundle.Unchanged, left: 2},
			{layout: signed(t, b, 1), want: bundle.Written, left: 1},
			{build: other, want: bundle.Written, left: 0},
			{layout: l, want: bundle.Written, left: 2},
			{layout: signed(t, b, 0), want: bundle.Written, left: 0},
		} {
			var outcome bundle.Outcome
			var err error
			if step.build != nil {
				outcome, err = write.build(ctx, path, step.build)
			} else {
				outcome, err = write.layout(ctx, path, step.layout)
			}
			if err != nil || outcome != step.want {
				t.Fatalf("%s, step %d: %q, %v", path, i, outcome, err)
			}
			if got, err := bundle.ReadLayout(ctx, path, bundle.ReadOptions{}); err != nil || len(got.Attachments) != step.left {
				t.Fatalf("%s, step %d: %v, %v", path, i, got, err)
			}
		}
	}
	if names := slices.Sorted(maps.Keys(tree(t, dir))); !slices.Contains(names, "x.seif") || strings.Contains(strings.Join(names, " "), "tmp") {
		t.Errorf("left behind: %v", names)
	}
}

// foreignManifest is how registry clients write a referrer: members in another order, annotations everywhere, a time, the
// config embedded.
func foreignManifest(b *bundle.Build, content []byte) []byte {
	return fmt.Appendf(nil, `{"schemaVersion":2,"mediaType":"%[1]s","artifactType":"%[2]s",
		"config":{"mediaType":"%[3]s","digest":"%[4]s","size":2,"data":"e30=","artifactType":"%[2]s"},
		"layers":[{"mediaType":"%[2]s","digest":"%[5]s","size":%[6]d,"annotations":{"org.opencontainers.image.title":"../b.json"}}],
		"subject":{"mediaType":"%[1]s","digest":"%[7]s","size":%[8]d,"artifactType":"%[9]s","annotations":{"kind":"x","org.opencontainers.image.ref.name":"build"}},
		"annotations":{"dev.sigstore.bundle.content":"dsse-envelope","org.opencontainers.image.created":"2026-12-01T04:16:32Z"}}`,
		bundle.ManifestMediaType, bundle.SigstoreBundleMediaType, bundle.EmptyMediaType, digest.Of([]byte("{}")),
		digest.Of(content), len(content), b.Digest(), len(b.Manifest()), bundle.ArtifactType)
}

func TestParseAttachment(t *testing.T) {
	b := shop(t)
	content := sigstore(0)
	for name, manifest := range map[string][]byte{"ours": attach(t, b, content).Manifest(), "a client's": foreignManifest(b, content)} {
		a, problems := bundle.ParseAttachment(b, manifest, content)
		if len(problems) > 0 || a.Digest() != digest.Of(manifest) || !bytes.Equal(a.Manifest(), manifest) || !bytes.Equal(a.Content(), content) {
			t.Errorf("%s: %v", name, problems)
		}
		if got, err := readLayout(t, layoutTar(t, &bundle.Layout{Build: b, Attachments: []bundle.Attachment{a}}), bundle.ReadOptions{}); err != nil || digestsOf(got)[0] != a.Digest().String() {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, c := range map[string]struct {
		manifest, content []byte
		code              diag.Code
	}{
		"another content":   {attach(t, b, content).Manifest(), sigstore(1), diag.CodeBlobDigest},
		"no content":        {attach(t, b, content).Manifest(), nil, diag.CodeAttachmentEmpty},
		"another Build":     {attach(t, toolBuild(t), content).Manifest(), content, diag.CodeAttachmentSubject},
		"no manifest":       {nil, content, diag.CodeBuildJSONSyntax},
		"an array":          {[]byte("[]"), content, diag.CodeBuildMemberMissing},
		"the Build itself":  {b.Manifest(), content, diag.CodeBuildMemberMissing},
		"a large manifest":  {bytes.Repeat([]byte(" "), 65<<10), content, diag.CodeAttachmentTooLarge},
		"another mediaType": {bytes.Replace(foreignManifest(b, content), []byte("manifest.v1"), []byte("index.v1"), 1), content, diag.CodeBuildMemberWrong},
		"another size": {bytes.Replace(attach(t, b, content).Manifest(),
			fmt.Appendf(nil, `"size":%d}]`, len(content)), fmt.Appendf(nil, `"size":%d}]`, len(content)+1), 1), content, diag.CodeBlobSize},
	} {
		a, problems := bundle.ParseAttachment(b, c.manifest, c.content)
		if len(problems) == 0 || problems[0].Code != c.code || a.Manifest() != nil {
			t.Errorf("%s: %v, want %s", name, problems, c.code)
		}
	}
}

// forgeAttachment replaces the one attachment of a layout by what change makes of its manifest, with names and index to
// match.
func forgeAttachment(t testing.TB, b *bundle.Build, change func(files map[string][]byte, manifest map[string]any)) map[string][]byte {
	t.Helper()
	a := attach(t, b, sigstore(0))
	files := unpack(t, layoutTar(t, &bundle.Layout{Build: b, Attachments: []bundle.Attachment{a}}))
	delete(files, blobName(a.Manifest()))
	value, err := canonical.Parse(a.Manifest(), canonical.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	change(files, value.(map[string]any))
	put(t, files, b, jsonOf(t, value))
	return files
}

// put adds manifests to a layout, and lists them behind the Build.
func put(t testing.TB, files map[string][]byte, b *bundle.Build, manifests ...[]byte) {
	t.Helper()
	for _, m := range manifests {
		files[blobName(m)] = m
	}
	files["index.json"] = indexOf(t, append([][]byte{b.Manifest()}, manifests...)...)
}
