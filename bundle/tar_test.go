package bundle_test

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

type definitionVersion = definition.Version

func number(text string) json.Number { return json.Number(text) }

// rawHeader is a USTAR header, changed at will, with a checksum that fits.
func rawHeader(name string, size int64, change func(h []byte)) []byte {
	h := make([]byte, 512)
	copy(h, name)
	copy(h[100:], "0000644\x000000000\x000000000\x00")
	copy(h[124:], fmt.Sprintf("%011o\x0000000000000\x00", size))
	h[156] = '0'
	copy(h[257:], "ustar\x0000")
	if change != nil {
		change(h)
	}
	return sumHeader(h)
}

func sumHeader(h []byte) []byte {
	copy(h[148:156], "        ")
	sum := 0
	for _, c := range h {
		sum += int(c)
	}
	copy(h[148:156], fmt.Sprintf("%06o\x00 ", sum))
	return h
}

func pad(data []byte) []byte {
	return append(bytes.Clone(data), make([]byte, (512-len(data)%512)%512)...)
}

func rawEntries(files map[string][]byte) []byte {
	var out bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(files)) {
		out.Write(rawHeader(name, int64(len(files[name])), nil))
		out.Write(pad(files[name]))
	}
	return out.Bytes()
}

// rawTar makes an archive that the standard library would not write.
func rawTar(t testing.TB, files map[string][]byte) []byte {
	t.Helper()
	return withEntries(t, files, true)
}

// withEntries puts more entries before or behind the others.
func withEntries(t testing.TB, files map[string][]byte, front bool, entries ...[]byte) []byte {
	t.Helper()
	more, rest := bytes.Join(entries, nil), rawEntries(files)
	if !front {
		more, rest = rest, more
	}
	return slices.Concat(more, rest, make([]byte, 1024))
}

// Formats, rule 25: every property of the archive, as another reader sees it. R80
func TestTarIsPlain(t *testing.T) {
	archive := tarOf(t, shop(t))
	var names []string
	end := 0
	for r := tar.NewReader(bytes.NewReader(archive)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name)
		end += 512 + int(h.Size+511)/512*512
		if h.Typeflag != '0' || h.Mode != 0o644 || h.Uid != 0 || h.Gid != 0 || h.ModTime.Unix() != 0 || h.Uname != "" || h.Gname != "" || h.Format != tar.FormatUSTAR {
			t.Errorf("%+v", h)
		}
		if strings.HasPrefix(h.Name, "./") || strings.HasSuffix(h.Name, "/") {
			t.Errorf("name %q", h.Name)
		}
	}
	if !slices.IsSorted(names) || len(names) != 7 {
		t.Errorf("names %q", names)
	}
	if rest := archive[end:]; len(rest) != 1024 || len(bytes.Trim(rest, "\x00")) != 0 {
		t.Errorf("%d bytes at the end", len(rest))
	}
}

// The index and the marker are what formats, rule 24, says, byte for byte.
func TestUnsignedIndex(t *testing.T) {
	b := shop(t)
	files := filesOf(t, b)
	if got := string(files["oci-layout"]); got != `{"imageLayoutVersion":"1.0.0"}` {
		t.Error(got)
	}
	want := fmt.Sprintf(`{"manifests":[{"annotations":{"kind":"dev.cosignproject.cosign/image","org.opencontainers.image.ref.name":"build"},`+
		`"artifactType":"application/vnd.seif.build.v1+json","digest":"%s","mediaType":"application/vnd.oci.image.manifest.v1+json","size":%d}],`+
		`"mediaType":"application/vnd.oci.image.index.v1+json","schemaVersion":2}`, b.Digest(), len(b.Manifest()))
	if d := cmp.Diff(want, string(files["index.json"])); d != "" {
		t.Error(d)
	}
}

// Equal texts share one blob, and each has its own layer.
func TestEqualTextsShareOneBlob(t *testing.T) {
	texts := map[string]string{"a": "Same.\n", "b": "Same.\n", "c": noTests}
	b := assemble(t, define(t, texts, noTests), texts, noTests, nil)
	if n := len(filesOf(t, b)); n != 4+2 {
		t.Errorf("%d files", n)
	}
	got, err := read(t, tarOf(t, b), bundle.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(texts, got.Texts()); d != "" || got.Digest() != b.Digest() {
		t.Error(d)
	}
}

// goldenTar is the digest of the archive of the Build of two texts. A change of it changes what people compare.
const goldenTar = "sha256:2de3794a35b13070c93c0a407f6a4c31aa2ad653197b91a4d9404167c76baee7"

// Two writings are equal, and equal to what was written when the format was frozen. R75
func TestTarIsDeterministic(t *testing.T) {
	one, two := tarOf(t, shop(t)), tarOf(t, shop(t))
	if !bytes.Equal(one, two) {
		t.Error("two writings differ")
	}
	if got := digest.Of(one).String(); got != goldenTar {
		t.Errorf("the archive is %s, was %s", got, goldenTar)
	}
}

func TestTarRoundTrip(t *testing.T) {
	for _, b := range []*bundle.Build{
		shop(t), toolBuild(t),
		assemble(t, define(t, nil, noTests), map[string]string{}, noTests, nil),
		assemble(t, define(t, shopTexts(), noTests), shopTexts(), noTests, []byte(`{"a":[]}`)),
	} {
		got, err := read(t, tarOf(t, b), bundle.ReadOptions{Digest: b.Digest()})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]any{b.Texts(), b.Tests(), b.Corpus(), b.DefinitionBytes(), b.Manifest()},
			[]any{got.Texts(), got.Tests(), got.Corpus(), got.DefinitionBytes(), got.Manifest()}); d != "" {
			t.Error(d)
		}
		if !bytes.Equal(tarOf(t, b), tarOf(t, got)) {
			t.Error("the archive of what was read is another one")
		}
	}
}

// Formats, section 7: a tar is no identity. Repacked by another writer, in another order, it is the same Build.
func TestRepackedTarIsTheSameBuild(t *testing.T) {
	b := shop(t)
	files := filesOf(t, b)
	files["index.json"] = indexOf(t, b.Manifest())
	files["oci-layout"] = []byte("{\n  \"imageLayoutVersion\": \"1.0.0\"\n}\n")
	var out bytes.Buffer
	names := slices.Sorted(maps.Keys(files))
	slices.Reverse(names)
	for i, name := range names {
		out.Write(rawHeader(name, int64(len(files[name])), func(h []byte) {
			copy(h[100:], "0000777\x000001750\x000001750\x00")
			copy(h[136:], fmt.Sprintf("%011o\x00", 1700000000+i))
			copy(h[265:], "alice")
			copy(h[297:], "users")
			copy(h[329:], "0000001\x000000001\x00")
		}))
		out.Write(pad(files[name]))
	}
	out.Write(make([]byte, 1024))
	got, err := read(t, out.Bytes(), bundle.ReadOptions{})
	if err != nil || got.Digest() != b.Digest() {
		t.Fatalf("%v, %v", got, err)
	}
	if !bytes.Equal(tarOf(t, b), tarOf(t, got)) {
		t.Error("metadata of the archive came through")
	}
}

// No byte of a Build file can change and the Build be the same without anybody noticing, but for the tag in the
// index, which is what tools rename. The metadata of the archive is no part of a Build either; but it stands under
// the checksums of headers.
func TestEveryByteCounts(t *testing.T) {
	texts := map[string]string{"a": "Hello.\n"}
	b := assemble(t, define(t, texts, noTests), texts, noTests, nil)
	archive := tarOf(t, b)
	tag := bytes.Index(archive, []byte(`ref.name":"build"`)) + len(`ref.name":"`)
	free := func(i int) bool { return i >= tag && i < tag+len("build") }
	masks, step := []byte{0x01, 0x20, 0x80, 0xff}, 1
	if testing.Short() {
		masks, step = masks[:1], 3
	}
	accepted := 0
	for i := 0; i < len(archive); i += step {
		for _, mask := range masks {
			changed := bytes.Clone(archive)
			changed[i] ^= mask
			got, err := read(t, changed, bundle.ReadOptions{})
			if err == nil && !free(i) {
				t.Errorf("byte %d changed by %#x: accepted as %s", i, mask, got.Digest())
			}
			if err == nil {
				accepted++
				if got.Digest() != b.Digest() {
					t.Errorf("byte %d: another tag is another Build", i)
				}
			} else if codesOf(t, err) == nil {
				t.Errorf("byte %d: no code", i)
			}
		}
	}
	if accepted == 0 {
		t.Error("no other tag was accepted")
	}
}

// The same of a layout with attachments. What the index says about an attachment decides nothing: whatever is accepted
// is the same layout.
func TestEveryByteOfAttachmentsCounts(t *testing.T) {
	texts := map[string]string{"a": "Hello.\n"}
	b := assemble(t, define(t, texts, noTests), texts, noTests, nil)
	l := signed(t, b, 1)
	archive := layoutTar(t, l)
	mask, step := byte(0x01), 1
	if testing.Short() {
		step = 5
	}
	kind := bytes.LastIndex(archive, []byte(`"artifactType":"`+bundle.SigstoreBundleMediaType))
	accepted := 0
	for i := 0; i < len(archive); i += step {
		changed := bytes.Clone(archive)
		changed[i] ^= mask
		got, err := readLayout(t, changed, bundle.ReadOptions{})
		if err != nil {
			codesOf(t, err)
			continue
		}
		accepted++
		if !bytes.Equal(layoutTar(t, got), archive) {
			t.Errorf("byte %d: another layout: %v", i, digestsOf(got))
		}
		tag := bytes.Index(archive, []byte(`ref.name":"build"`)) + len(`ref.name":"`)
		inTag, inKind := i >= tag && i < tag+len("build"), i >= kind && i < kind+len(`"artifactType":"`)+len(bundle.SigstoreBundleMediaType)
		if !inTag && !inKind {
			t.Errorf("byte %d is free", i)
		}
	}
	if accepted == 0 {
		t.Error("no change of the index was accepted")
	}
}

// identity lists the bytes of a header that count; the others are mode, owner, group, time, names of owners and
// device numbers.
func identity(i int) bool {
	return i < 100 || i >= 124 && i < 136 || i >= 156 && i < 265 || i >= 345
}

// The same with checksums that fit: exactly the metadata that the package names is no part of a Build.
func TestEveryByteOfAHeaderCounts(t *testing.T) {
	b := shop(t)
	archive := tarOf(t, b)
	for i := range 512 {
		if i >= 148 && i < 156 {
			continue // the checksum itself; see above
		}
		changed := bytes.Clone(archive)
		changed[i] ^= 1
		sumHeader(changed[:512])
		got, err := read(t, changed, bundle.ReadOptions{})
		if identity(i) && err == nil {
			t.Errorf("byte %d of a header was changed and accepted", i)
		}
		if !identity(i) && (err != nil || got.Digest() != b.Digest()) {
			t.Errorf("byte %d of a header is metadata and was refused: %v", i, err)
		}
	}
}

func TestTarEnds(t *testing.T) {
	archive := tarOf(t, shop(t))
	refused(t, nil, diag.CodeBuildNotTar)
	refused(t, []byte("schema: seif.context-project.v1\n"), diag.CodeBuildNotTar)
	refused(t, []byte("x"), diag.CodeBuildNotTar)
	refused(t, bytes.Repeat([]byte("schema: seif\n"), 100), diag.CodeBuildNotTar)
	refused(t, make([]byte, 1024), diag.CodeBuildNotTar)
	refused(t, make([]byte, 10240), diag.CodeBuildNotTar)
	for _, size := range []int{100, 511, 512, 513, 600, len(archive) / 2, len(archive) - 1024, len(archive) - 513, len(archive) - 512, len(archive) - 1} {
		_, err := read(t, archive[:size], bundle.ReadOptions{})
		if got := codesOf(t, err); !slices.Contains(got, diag.CodeBuildTruncated) {
			t.Errorf("cut at %d of %d: %v", size, len(archive), got)
		}
	}
	refused(t, append(bytes.Clone(archive), 0), diag.CodeBuildTrailingData)
	refused(t, append(bytes.Clone(archive), make([]byte, 512)...), diag.CodeBuildTrailingData)
	refused(t, append(bytes.Clone(archive), "x"...), diag.CodeBuildTrailingData)
	refused(t, append(bytes.Clone(archive), archive...), diag.CodeBuildTrailingData)
	junk := bytes.Clone(archive)
	junk[len(junk)-1] = 1
	refused(t, junk, diag.CodeBuildTrailingData)
}

// A fault of the stream is not a fault of the Build, and the context ends the reading.
func TestTarStreamFaults(t *testing.T) {
	broken := errors.New("the cable was pulled")
	archive := tarOf(t, shop(t))
	for _, size := range []int{0, 4, 512, 600, len(archive) - 1024, len(archive)} {
		in := io.MultiReader(bytes.NewReader(archive[:size]), &failing{broken})
		if _, err := bundle.ReadTar(context.Background(), in, bundle.ReadOptions{}); !errors.Is(err, broken) {
			t.Errorf("after %d bytes: %v", size, err)
		}
	}
	stop := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(stop)
	if _, err := bundle.ReadTar(ctx, bytes.NewReader(archive), bundle.ReadOptions{}); !errors.Is(err, stop) {
		t.Error(err)
	}
}

type failing struct{ err error }

func (f *failing) Read([]byte) (int, error) { return 0, f.err }

// The eight archives that have escaped from other tools. Nothing is written anywhere: reading has no place to write to.
func TestCase14(t *testing.T) {
	for file, want := range map[string]struct {
		code  diag.Code
		entry string
	}{
		"absolute.tar":              {diag.CodePathAbsolute, "/etc/outside.txt"},
		"backslash.tar":             {diag.CodePathBackslash, `..\outside.txt`},
		"case-clash.tar":            {diag.CodeEntryCaseClash, "tools.json"},
		"device.tar":                {diag.CodeEntryDevice, "fifo"},
		"dotdot.tar":                {diag.CodePathEscapes, "../outside.txt"},
		"dup-entry.tar":             {diag.CodeEntryDuplicate, "tools.json"},
		"hardlink-cwd.tar":          {diag.CodeEntryHardLink, "sources/a.txt"},
		"symlink-write-through.tar": {diag.CodeEntrySymlink, "d"},
	} {
		t.Run(file, func(t *testing.T) {
			path := filepath.Join("testdata", "cases", "14", file)
			_, err := bundle.Read(context.Background(), path, bundle.ReadOptions{})
			if !slices.Contains(codesOf(t, err), want.code) {
				t.Fatalf("%v, want %s", codesOf(t, err), want.code)
			}
			invalid := err.(*bundle.Invalid)
			named := false
			for i, d := range invalid.Diagnostics() {
				named = named || invalid.Problems[i].Code == want.code && strings.Contains(d.Message(), want.entry)
				if d.Place.Path != path {
					t.Errorf("the place is %q", d.Place.Path)
				}
			}
			if !named {
				t.Errorf("no message names %s: %v", want.entry, invalid.Problems)
			}
			if _, err := os.Stat("outside.txt"); err == nil {
				t.Error("something was written")
			}
		})
	}
}
