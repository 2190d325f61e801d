package bundle_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// The attacks have the numbers of the acceptance list for verification. Those on statements, keys and registries
// belong to the rooms that read them; a row with a part for each says what is held here.

// spoil changes one byte in the middle of a file.
func spoil(files map[string][]byte, name string) map[string][]byte {
	out := maps.Clone(files)
	data := bytes.Clone(out[name])
	data[len(data)/2] ^= 1
	out[name] = data
	return out
}

// A byte of a layer was changed.
func TestAttack01(t *testing.T) {
	b := shop(t)
	for id, text := range b.Texts() {
		name := blobName([]byte(text))
		archive := pack(t, spoil(filesOf(t, b), name))
		refused(t, archive, diag.CodeBlobDigest)
		_, err := read(t, archive, bundle.ReadOptions{})
		data := err.(*bundle.Invalid).Problems[0].Data
		if data["entry"] != name || data["expected"] != digest.Of([]byte(text)).String() || data["found"] == data["expected"] {
			t.Errorf("%s: entry, expected and found are not named: %v", id, data)
		}
	}
}

// A blob is missing.
func TestAttack02(t *testing.T) {
	b := shop(t)
	for _, data := range [][]byte{[]byte(b.Texts()["tone"]), b.Tests(), b.DefinitionBytes(), b.Manifest()} {
		files := filesOf(t, b)
		delete(files, blobName(data))
		refused(t, pack(t, files), diag.CodeBlobMissing)
	}
}

// The manifest was edited: in place, with its name to match, and with the index to match as well.
func TestAttack03(t *testing.T) {
	b := shop(t)
	files := filesOf(t, b)
	name := blobName(b.Manifest())
	edited := bytes.Replace(b.Manifest(), []byte("sources/tone"), []byte("sources/tony"), 1)
	files[name] = edited
	refused(t, pack(t, files), diag.CodeBlobDigest)

	delete(files, name)
	files[blobName(edited)] = edited
	refused(t, pack(t, files), diag.CodeBlobMissing)

	files["index.json"] = indexOf(t, edited)
	refused(t, pack(t, files), diag.CodeLayerMissing, diag.CodeLayerUnexpected)

	// The same content in other bytes would have another digest.
	for _, spaced := range [][]byte{
		append(b.Manifest(), '\n'), bytes.Replace(b.Manifest(), []byte(","), []byte(", "), 1),
		bytes.Replace(b.Manifest(), []byte("sources/tone"), []byte(`sources\/tone`), 1),
	} {
		files := filesOf(t, b)
		delete(files, name)
		files[blobName(spaced)] = spaced
		files["index.json"] = indexOf(t, spaced)
		refused(t, pack(t, files), diag.CodeBuildJSONForm)
	}
}

// A blob or a file that nothing names. R64
func TestAttack04(t *testing.T) {
	b := shop(t)
	for name, code := range map[string]diag.Code{
		blobName([]byte("more")): diag.CodeExtraBlob,
		"README.md":              diag.CodeExtraFile,
		"blobs/README.md":        diag.CodeExtraFile,
		"manifest.json":          diag.CodeExtraFile,
		"repositories":           diag.CodeExtraFile,
		".DS_Store":              diag.CodeEntryLitter,
		"._index.json":           diag.CodeEntryLitter,
		"blobs/sha256/._x":       diag.CodeEntryLitter,
		"blobs/Thumbs.db":        diag.CodeEntryLitter,
		"blobs/sha256/x":         diag.CodeBlobName,
		"blobs/sha256/" + strings.Repeat("A", 64):       diag.CodeBlobName,
		"blobs/sha512/" + strings.Repeat("a", 64):       diag.CodeDigestAlgorithm,
		"blobs/sha256/" + strings.Repeat("a", 64) + "/": diag.CodePathUnclean,
	} {
		files := filesOf(t, b)
		files[name] = []byte("more")
		refused(t, rawTar(t, files), code)
	}
}

// The index leads to another manifest than the Build's. The Build is found by reading manifests.
func TestAttack05(t *testing.T) {
	b, older := shop(t), toolBuild(t)
	files := filesOf(t, b)
	files["index.json"] = indexOf(t, older.Manifest())
	refused(t, pack(t, files), diag.CodeBlobMissing)

	files["index.json"] = indexOf(t)
	refused(t, pack(t, files), diag.CodeIndexMismatch)

	maps.Copy(files, filesOf(t, older))
	files["index.json"] = indexOf(t, older.Manifest())
	refused(t, pack(t, files), diag.CodeAmbiguousBuild)

	// A digest that the caller names wins.
	got, err := read(t, pack(t, files), bundle.ReadOptions{Digest: b.Digest()})
	if err != nil || got.Digest() != b.Digest() {
		t.Errorf("got %v, %v", got, err)
	}
	_, err = read(t, tarOf(t, older), bundle.ReadOptions{Digest: b.Digest()})
	if d := cmp.Diff([]diag.Code{diag.CodeBuildDigest}, codesOf(t, err)); d != "" {
		t.Error(d)
	}
	data := err.(*bundle.Invalid).Problems[0].Data
	if data["expected"] != b.Digest().String() || data["found"] != older.Digest().String() {
		t.Errorf("expected and found are not named: %v", data)
	}
}

// Two Builds in one layout.
func TestAttack07(t *testing.T) {
	one, two := shop(t), toolBuild(t)
	files := filesOf(t, one)
	maps.Copy(files, filesOf(t, two))
	files["index.json"] = indexOf(t, one.Manifest(), two.Manifest())
	archive := pack(t, files)
	refused(t, archive, diag.CodeAmbiguousBuild)
	for _, b := range []*bundle.Build{one, two} {
		got, err := read(t, archive, bundle.ReadOptions{Digest: b.Digest()})
		if err != nil || got.Digest() != b.Digest() {
			t.Errorf("%s: got %v, %v", b.Digest(), got, err)
		}
	}

	// The manifest of one Build as a text of another one is a text, unless the index says otherwise.
	texts := map[string]string{"quoted": string(one.Manifest())}
	outer := assemble(t, define(t, texts, noTests), texts, noTests, nil)
	got, err := read(t, tarOf(t, outer), bundle.ReadOptions{})
	if err != nil || got.Digest() != outer.Digest() {
		t.Errorf("got %v, %v", got, err)
	}
	files = filesOf(t, outer)
	maps.Copy(files, filesOf(t, one))
	files["index.json"] = indexOf(t, outer.Manifest())
	refused(t, pack(t, files), diag.CodeExtraBlob)
	got, err = read(t, pack(t, files), bundle.ReadOptions{Digest: one.Digest()})
	if err != nil || got.Digest() != one.Digest() {
		t.Errorf("got %v, %v", got, err)
	}
	files["index.json"] = indexOf(t, outer.Manifest(), one.Manifest())
	refused(t, pack(t, files), diag.CodeAmbiguousBuild)
}

// A member stands twice, once written with an escape. The part about statements belongs to their reader.
func TestAttack13(t *testing.T) {
	b := shop(t)
	twice := func(data []byte, name, again string) []byte {
		return append([]byte("{"+again+":0,"), bytes.Replace(data, []byte("{"), nil, 1)...)
	}
	for _, again := range []string{`"mediaType"`, `"media\u0054ype"`} {
		forged := twice(b.Manifest(), "mediaType", again)
		files := filesOf(t, b)
		delete(files, blobName(b.Manifest()))
		files[blobName(forged)] = forged
		files["index.json"] = indexOf(t, forged)
		refused(t, pack(t, files), diag.CodeBuildJSONDuplicate)

		files = filesOf(t, b)
		files["index.json"] = twice(files["index.json"], "mediaType", again)
		refused(t, pack(t, files), diag.CodeBuildJSONDuplicate)
	}
	files := filesOf(t, b)
	files["oci-layout"] = []byte(`{"imageLayoutVersion":"1.0.0","imageLayoutVersion":"1.0.0"}`)
	refused(t, pack(t, files), diag.CodeBuildJSONDuplicate)
	for _, again := range []string{`"runtime"`, `"run\u0074ime"`} {
		files := forge(t, b, func(files map[string][]byte, m map[string]any) {
			setDefinition(files, m, twice(b.DefinitionBytes(), "runtime", again))
		})
		refused(t, pack(t, files), diag.CodeBuildJSONDuplicate)
	}
}

// hostileTitles are titles that no tool should ever unpack.
func hostileTitles() map[string]diag.Code {
	return map[string]diag.Code{
		"../x":                    diag.CodePathEscapes,
		"sources/../../x":         diag.CodePathEscapes,
		"/etc/cron.d/x":           diag.CodePathAbsolute,
		"C:/x":                    diag.CodePathDrive,
		`C:\x`:                    diag.CodePathDrive,
		`sources\x`:               diag.CodePathBackslash,
		"sources/x\x00.txt":       diag.CodePathControl,
		"sources/con":             diag.CodePathReserved,
		"sources/nul.txt":         diag.CodePathReserved,
		"./sources/x":             diag.CodePathUnclean,
		"":                        diag.CodePathUnclean,
		"sources/\u00e9":          diag.CodePathNotASCII,
		"sources/e\u0301":         diag.CodePathNotASCII,
		strings.Repeat("x", 1000): diag.CodePathTooLong,
		"x":                       diag.CodeLayerTitleUnknown,
		"sources/a/b":             diag.CodeLayerTitleUnknown,
	}
}

// A title leads out of a folder or cannot be a file everywhere: refused when read and when written. R64
func TestAttack32(t *testing.T) {
	b := shop(t)
	for title, code := range hostileTitles() {
		files := forge(t, b, func(_ map[string][]byte, m map[string]any) { setTitle(layerAt(m, 0), title) })
		_, err := read(t, pack(t, files), bundle.ReadOptions{})
		if got := codesOf(t, err); got[0] != code {
			t.Errorf("reading %q: %v, want %s", title, got, code)
		}
	}
	for title, code := range map[string]diag.Code{
		"sources/returns":  diag.CodeLayerTitleDuplicate,
		"sources/RETURNS":  diag.CodeLayerTitleClash,
		"sources/returns.": diag.CodeLayerTitleClash,
	} {
		files := forge(t, b, func(_ map[string][]byte, m map[string]any) { setTitle(layerAt(m, 1), title) })
		_, err := read(t, pack(t, files), bundle.ReadOptions{})
		if got := codesOf(t, err); got[0] != code {
			t.Errorf("reading %q: %v, want %s", title, got, code)
		}
	}
	for id, code := range map[string]diag.Code{
		"../../x": diag.CodePathEscapes, `a\b`: diag.CodePathBackslash, "a\x00": diag.CodePathControl,
		"con": diag.CodePathReserved, "e\u0301": diag.CodePathNotASCII, "a/b": diag.CodeLayerTitleUnknown,
		"": diag.CodePathUnclean, strings.Repeat("a", 300): diag.CodePathTooLong,
	} {
		texts := map[string]string{id: "x\n"}
		built, problems := bundle.Assemble(define(t, texts, noTests), texts, []byte(noTests), nil)
		if built != nil || codes(problems)[0] != code {
			t.Errorf("writing %q: %v, want %s", id, problems, code)
		}
	}
	texts := map[string]string{"a": "x\n", "a.": "y\n"}
	if _, problems := bundle.Assemble(define(t, texts, noTests), texts, []byte(noTests), nil); codes(problems)[0] != diag.CodeLayerTitleClash {
		t.Errorf("writing a clash: %v", problems)
	}
}

// Entries of an archive that are no regular files, or of formats that give a file another name or size.
func TestAttack33(t *testing.T) {
	b := shop(t)
	good := filesOf(t, b)
	blob := blobName(b.Manifest())
	for _, c := range []struct {
		name string
		kind byte
		code diag.Code
	}{
		{"d", '2', diag.CodeEntrySymlink},
		{blob, '1', diag.CodeEntryHardLink},
		{blob, '2', diag.CodeEntrySymlink},
		{"null", '3', diag.CodeEntryDevice},
		{"sda", '4', diag.CodeEntryDevice},
		{"fifo", '6', diag.CodeEntryDevice},
		{"blobs/", '5', diag.CodeEntryFolder},
		{"pax", 'x', diag.CodeEntryExtension},
		{"global", 'g', diag.CodeEntryExtension},
		{"././@LongLink", 'L', diag.CodeEntryExtension},
		{"././@LongLink", 'K', diag.CodeEntryExtension},
		{"sparse", 'S', diag.CodeEntryExtension},
		{"old", 0, diag.CodeEntryType},
		{"contiguous", '7', diag.CodeEntryType},
		{"later", 'Z', diag.CodeEntryType},
	} {
		for _, front := range []bool{true, false} {
			entry := rawHeader(c.name, 0, func(h []byte) { h[156] = c.kind })
			archive := withEntries(t, good, front, entry)
			refused(t, archive, c.code)
		}
	}
	for name, code := range map[string]diag.Code{
		"../../etc/x": diag.CodePathEscapes, "/etc/x": diag.CodePathAbsolute, `..\x`: diag.CodePathBackslash,
		"C:x": diag.CodePathDrive, "con": diag.CodePathReserved, "./index.json": diag.CodePathUnclean,
		"INDEX.JSON": diag.CodeEntryCaseClash, "index.json": diag.CodeEntryDuplicate, "x\x00y": diag.CodePathControl,
		"oci-layout\x00hidden": diag.CodePathControl,
	} {
		refused(t, withEntries(t, good, false, rawHeader(name, 0, nil)), code)
	}
	for why, change := range map[string]func(h []byte){
		"a link name":         func(h []byte) { copy(h[157:], "x") },
		"bytes at the end":    func(h []byte) { h[511] = 1 },
		"a size in base 256":  func(h []byte) { h[124] = 0x80 },
		"a size with a minus": func(h []byte) { copy(h[124:], "-0000000001") },
		"a size with blanks":  func(h []byte) { copy(h[124:], "          0") },
		"another format":      func(h []byte) { copy(h[257:], "usTar\x0000") },
	} {
		t.Log(why)
		refused(t, withEntries(t, good, false, rawHeader("x", 0, change)), diag.CodeEntryHeader)
	}
	refused(t, withEntries(t, good, false, rawHeader("x", 0, func(h []byte) { copy(h[257:], "ustar  \x00") })), diag.CodeEntryExtension)
	// A prefix cannot give a file a second spelling.
	refused(t, withEntries(t, map[string][]byte{}, false, rawHeader("x", 0, func(h []byte) { copy(h[345:], "../..") })), diag.CodePathEscapes, diag.CodeLayoutFileMissing)
}

// Symbolic links in a folder, wherever they are and wherever they lead. R64
func TestAttack34(t *testing.T) {
	b := shop(t)
	for _, name := range []string{"oci-layout", "index.json", blobName(b.Manifest()), "blobs", "blobs/sha256"} {
		dir := filepath.Join(t.TempDir(), "build")
		writeDir(t, dir, b)
		outside := filepath.Join(t.TempDir(), "outside")
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.Rename(path, outside); err != nil {
			t.Fatal(err)
		}
		symlink(t, outside, path)
		_, err := bundle.ReadDir(context.Background(), dir, bundle.ReadOptions{})
		if got := codesOf(t, err); got[0] != diag.CodeEntrySymlink {
			t.Errorf("%s: %v", name, got)
		}
		// Also within the folder.
		if err := os.Rename(outside, filepath.Join(dir, "moved")); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		symlink(t, filepath.Join(dir, "moved"), path)
		_, err = bundle.ReadDir(context.Background(), dir, bundle.ReadOptions{})
		if got := codesOf(t, err); !slices.Contains(got, diag.CodeEntrySymlink) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func symlink(t *testing.T, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}

// endless counts what is read of a stream of zeros behind a start.
type endless struct {
	start []byte
	count int64
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.start)
	e.start = e.start[n:]
	clear(p[n:])
	e.count += int64(len(p))
	return len(p), nil
}

// Entries that are huge, many or lie about their size, and compressed input: refused before anything is read. R66
func TestAttack35(t *testing.T) {
	b := shop(t)
	blob := "blobs/sha256/" + strings.Repeat("a", 64)
	for _, c := range []struct {
		name string
		size int64
		code diag.Code
	}{
		{blob, bundle.MaxBlob + 1, diag.CodeEntryTooLarge},
		{blob, 0o77777777777, diag.CodeEntryTooLarge},
		{"index.json", bundle.MaxManifest + 1, diag.CodeEntryTooLarge},
		{"oci-layout", bundle.MaxManifest + 1, diag.CodeEntryTooLarge},
	} {
		in := &endless{start: rawHeader(c.name, c.size, nil)}
		_, err := bundle.ReadTar(context.Background(), in, bundle.ReadOptions{})
		if got := codesOf(t, err); got[0] != c.code {
			t.Errorf("%s with %d bytes: %v", c.name, c.size, got)
		}
		if in.count > 1<<20 {
			t.Errorf("%s with %d bytes: %d bytes were read", c.name, c.size, in.count)
		}
	}
	// The stated size is a lie: too long, too short.
	files := filesOf(t, b)
	text := []byte(b.Texts()["tone"])
	cut := append(rawHeader(blobName(text), 1000, nil), text...)
	refused(t, cut, diag.CodeBuildTruncated)
	long := append(rawHeader(blobName(text), int64(len(text))-1, nil), pad(text)...)
	delete(files, blobName(text))
	refused(t, withEntries(t, files, true, long), diag.CodeEntryPadding)

	// A descriptor's size is a lie.
	for _, size := range []string{"1", "0", "67108864"} {
		forged := forge(t, b, func(_ map[string][]byte, m map[string]any) { layerAt(m, 0)["size"] = number(size) })
		refused(t, pack(t, forged), diag.CodeBlobSize)
	}
	forged := forge(t, b, func(_ map[string][]byte, m map[string]any) { layerAt(m, 0)["size"] = number("67108865") })
	refused(t, pack(t, forged), diag.CodeLayerTooLarge)
	for _, size := range []string{"-1", "1.5", "9007199254740992"} {
		forged := forge(t, b, func(_ map[string][]byte, m map[string]any) { layerAt(m, 0)["size"] = number(size) })
		_, err := read(t, pack(t, forged), bundle.ReadOptions{})
		if got := codesOf(t, err); got[0] != diag.CodeBuildMemberWrong && got[0] != diag.CodeLayerTooLarge {
			t.Errorf("size %s: %v", size, got)
		}
	}
	for format, start := range map[string]string{
		"gzip": "\x1f\x8b\x08\x00", "zstd": "\x28\xb5\x2f\xfd", "xz": "\xfd7zXZ\x00", "bzip2": "BZh91AY", "zip": "PK\x03\x04",
	} {
		in := &endless{start: []byte(start + strings.Repeat("x", 600))}
		_, err := bundle.ReadTar(context.Background(), in, bundle.ReadOptions{})
		got := codesOf(t, err)
		if got[0] != diag.CodeBuildCompressed || err.(*bundle.Invalid).Problems[0].Data["format"] != format || in.count > 1<<20 {
			t.Errorf("%s: %v after %d bytes", format, got, in.count)
		}
	}
}

// Many entries. R66
func TestAttack35Many(t *testing.T) {
	var many bytes.Buffer
	for i := range bundle.MaxEntries + 1 {
		many.Write(rawHeader("blobs/sha256/"+digest.Of([]byte{byte(i), byte(i >> 8), byte(i >> 16)}).Hex(), 0, nil))
	}
	refused(t, many.Bytes(), diag.CodeBuildTooManyEntries)

	// Names that are refused do not pile up.
	many.Reset()
	refusals := 100_000
	if testing.Short() {
		refusals = 30_000
	}
	for i := range refusals {
		many.Write(rawHeader("x"+digest.Of([]byte{byte(i), byte(i >> 8), byte(i >> 16)}).Hex(), 0, nil))
	}
	in := bytes.NewReader(many.Bytes())
	_, err := bundle.ReadTar(context.Background(), in, bundle.ReadOptions{})
	if got := codesOf(t, err); got[0] != diag.CodeExtraFile || len(err.(*bundle.Invalid).Problems) > 200 || in.Len() < refusals*512-4<<20 {
		t.Errorf("%v, %d problems, %d bytes left", got, len(err.(*bundle.Invalid).Problems), in.Len())
	}
}

// Many bytes in entries that are allowed each. The bound is a number of bytes, so that no part of them would do in a
// short run. R66
func TestAttack35Together(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some hundred megabytes")
	}
	var parts []io.Reader
	for i := range 5 {
		parts = append(parts, bytes.NewReader(rawHeader("blobs/sha256/"+digest.Of([]byte{byte(i)}).Hex(), bundle.MaxBlob, nil)),
			io.LimitReader(&endless{}, bundle.MaxBlob))
	}
	_, err := bundle.ReadTar(context.Background(), io.MultiReader(parts...), bundle.ReadOptions{})
	if d := cmp.Diff([]diag.Code{diag.CodeBuildTooLarge}, codesOf(t, err)); d != "" {
		t.Error(d)
	}
}

// Documents that are too large for what they are. R66
func TestAttack35Documents(t *testing.T) {
	b := shop(t)
	files := filesOf(t, b)
	files["index.json"] = []byte("[" + strings.Repeat("0,", 2_000_000) + "0]")
	refused(t, pack(t, files), diag.CodeBuildJSONValues)

	large := append(b.Manifest(), bytes.Repeat([]byte(" "), bundle.MaxManifest)...)
	files[blobName(large)] = large
	files["index.json"] = indexOf(t, large)
	refused(t, pack(t, files), diag.CodeBuildJSONTooLarge)

	refused(t, pack(t, map[string][]byte{"oci-layout": files["oci-layout"], "index.json": indexOf(t)}), diag.CodeNoBuild)
}

// 200 KB of brackets are refused where they become too deep, before anything descends into them. R66
func TestAttack36(t *testing.T) {
	b := shop(t)
	deep := []byte(strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000))
	files := filesOf(t, b)
	files["index.json"] = deep
	refused(t, pack(t, files), diag.CodeBuildJSONTooDeep)

	files = filesOf(t, b)
	delete(files, blobName(b.Manifest()))
	files[blobName(deep)] = deep
	files["index.json"] = indexOf(t, deep)
	refused(t, pack(t, files), diag.CodeBuildJSONTooDeep)

	files = forge(t, b, func(files map[string][]byte, m map[string]any) { setDefinition(files, m, deep) })
	refused(t, pack(t, files), diag.CodeBuildJSONTooDeep)
}

// Numbers in a fingerprinted contract that RFC 8785 would change.
func TestAttack37(t *testing.T) {
	b := toolBuild(t)
	for _, written := range []string{"9007199254740993", "1e400", "1e-400", "0.1000000000000000055511151231257827"} {
		files := forge(t, b, func(files map[string][]byte, m map[string]any) {
			def := bytes.Replace(b.DefinitionBytes(), []byte(`"maximum":1000`), []byte(`"maximum":`+written), 1)
			if bytes.Equal(def, b.DefinitionBytes()) {
				t.Fatal("the definition has no such number")
			}
			setDefinition(files, m, def)
		})
		refused(t, pack(t, files), diag.CodeBuildJSONInexact)
	}
}

// Half of a surrogate pair, and bytes that are not UTF-8.
func TestAttack38(t *testing.T) {
	b := shop(t)
	for written, code := range map[string]diag.Code{
		`"\ud800"`:           diag.CodeBuildJSONSurrogate,
		"\"\xff\"":           diag.CodeBuildJSONUTF8,
		"\"\xc0\xaf\"":       diag.CodeBuildJSONUTF8,
		"\"\xed\xa0\x80\"":   diag.CodeBuildJSONUTF8,
		"\ufeff\"a\"":        diag.CodeBuildJSONSyntax,
		`"` + "\x01" + `"`:   diag.CodeBuildJSONSyntax,
		`"shop"} {"a":"b"`:   diag.CodeBuildJSONTrailing,
		`"shop" /* a */`:     diag.CodeBuildJSONSyntax,
		`"shop","project":1`: diag.CodeBuildJSONDuplicate,
	} {
		files := forge(t, b, func(files map[string][]byte, m map[string]any) {
			// Everything behind the project goes, so that what is wrong with the value is all that is wrong.
			at := bytes.Index(b.DefinitionBytes(), []byte(`"project":`))
			setDefinition(files, m, append(bytes.Clone(b.DefinitionBytes()[:at]), `"project":`+written+`}`...))
		})
		refused(t, pack(t, files), code)
	}
}

// Two layers take each other's place.
func TestAttack39(t *testing.T) {
	b := shop(t)
	swap := func(member string) map[string][]byte {
		return forge(t, b, func(_ map[string][]byte, m map[string]any) {
			one, two := layerAt(m, 0), layerAt(m, 1)
			one[member], two[member] = two[member], one[member]
			if member == "digest" {
				one["size"], two["size"] = two["size"], one["size"]
			}
		})
	}
	refused(t, pack(t, swap("digest")), diag.CodeLayerDiffers)
	refused(t, pack(t, swap("annotations")), diag.CodeLayerOrder)

	tests := forge(t, b, func(_ map[string][]byte, m map[string]any) {
		layerAt(m, 2)["mediaType"], layerAt(m, 0)["mediaType"] = layerAt(m, 0)["mediaType"], layerAt(m, 2)["mediaType"]
	})
	refused(t, pack(t, tests), diag.CodeLayerMediaType)
	order := forge(t, b, func(_ map[string][]byte, m map[string]any) {
		layers := m["layers"].([]any)
		layers[0], layers[1] = layers[1], layers[0]
	})
	refused(t, pack(t, order), diag.CodeLayerOrder)
}

// The definition's files and the layers are not the same, in a manifest that could be signed. R65
func TestAttack40(t *testing.T) {
	b := shop(t)
	withDefinition := func(def []byte) []byte {
		return pack(t, forge(t, b, func(files map[string][]byte, m map[string]any) { setDefinition(files, m, def) }))
	}
	texts := shopTexts()
	texts["more"] = "More.\n"
	refused(t, withDefinition(define(t, texts, noTests)), diag.CodeLayerMissing)
	delete(texts, "more")
	delete(texts, "tone")
	refused(t, withDefinition(define(t, texts, noTests)), diag.CodeLayerUnexpected)
	texts["tone"] = "Be rude.\n"
	refused(t, withDefinition(define(t, texts, noTests)), diag.CodeLayerDiffers)
	refused(t, withDefinition(define(t, shopTexts(), `{"schema":"seif.tests.v1","tests":{"a":{}}}`)), diag.CodeLayerDiffers)
	size := bytes.Replace(b.DefinitionBytes(), []byte(`"size":9}`), []byte(`"size":8}`), 1)
	refused(t, withDefinition(size), diag.CodeLayerDiffers)

	dropped := forge(t, b, func(files map[string][]byte, m map[string]any) {
		m["layers"] = m["layers"].([]any)[:2] // without tests.json
		delete(files, blobName([]byte(noTests)))
	})
	refused(t, pack(t, dropped), diag.CodeLayerMissing)
}

// Annotations and members that lie or that nobody knows, in what the index says about the Build and in its manifest.
func TestAttack41(t *testing.T) {
	b := shop(t)
	for change, code := range map[string]diag.Code{
		`"kind":"dev.cosignproject.cosign/image"=>"kind":"dev.cosignproject.cosign/sigs"`: diag.CodeBuildMemberWrong,
		`application/vnd.seif.build.v1+json=>application/vnd.seif.build.v9+json`:          diag.CodeBuildMemberWrong,
		`image.manifest.v1+json=>image.index.v1+json`:                                     diag.CodeBuildMemberWrong,
		`name":"build"=>name":"a b"`:                                                      diag.CodeBuildMemberWrong,
		`name":"build"=>name":""`:                                                         diag.CodeBuildMemberWrong,
		`name":"build"=>name":"\n"`:                                                       diag.CodeBuildMemberWrong,
		`name":"build"=>name":1`:                                                          diag.CodeBuildMemberWrong,
		`"kind":=>"kinds":`:                                                               diag.CodeBuildMemberUnknown,
		`"schemaVersion":2=>"schemaVersion":3`:                                            diag.CodeBuildMemberWrong,
		`"schemaVersion":2=>"subject":2`:                                                  diag.CodeBuildMemberMissing,
		`"size":=>"size":1`:                                                               diag.CodeBlobSize,
		`"digest":"sha256:=>"digest":"sha512:`:                                            diag.CodeDigestAlgorithm,
		`"digest":"sha256:=>"digest":"SHA256:`:                                            diag.CodeDigestAlgorithm,
		`"digest":"sha256:=>"digest":"sha256:0`:                                           diag.CodeDigestMalformed,
	} {
		old, changed, _ := strings.Cut(change, "=>")
		files := filesOf(t, b)
		before := files["index.json"]
		files["index.json"] = bytes.Replace(before, []byte(old), []byte(changed), 1)
		if bytes.Equal(before, files["index.json"]) {
			t.Fatalf("%s: nothing changed", change)
		}
		_, err := read(t, pack(t, files), bundle.ReadOptions{})
		if got := codesOf(t, err); got[0] != code {
			t.Errorf("%s: %v, want %s", change, got, code)
		}
	}
	for name, change := range map[string]func(m map[string]any){
		"annotations": func(m map[string]any) { m["annotations"] = map[string]any{"a": "b"} },
		"subject":     func(m map[string]any) { m["subject"] = m["config"] },
		"created":     func(m map[string]any) { layerAt(m, 0)["annotations"].(map[string]any)["created"] = "now" },
		"urls":        func(m map[string]any) { layerAt(m, 0)["urls"] = []any{"https://example.org"} },
		"data":        func(m map[string]any) { m["config"].(map[string]any)["data"] = "e30=" },
	} {
		t.Log(name)
		refused(t, pack(t, forge(t, b, func(_ map[string][]byte, m map[string]any) { change(m) })), diag.CodeBuildMemberUnknown)
	}
}

// Types are changed so that an older program would misread the Build.
func TestAttack44(t *testing.T) {
	b := toolBuild(t)
	for _, c := range []struct {
		name   string
		change func(m map[string]any)
		code   diag.Code
	}{
		{"a later Build", func(m map[string]any) { m["artifactType"] = "application/vnd.seif.build.v2+json" }, diag.CodeUnknownBuildType},
		{"another artifact", func(m map[string]any) { m["artifactType"] = "application/vnd.example.v1+json" }, diag.CodeUnknownManifest},
		{"no artifact type", func(m map[string]any) { delete(m, "artifactType") }, diag.CodeUnknownManifest},
		{"another case", func(m map[string]any) { m["artifactType"] = "application/vnd.seif.build.V1+json" }, diag.CodeUnknownBuildType},
		{"with a parameter", func(m map[string]any) { m["artifactType"] = bundle.ArtifactType + "; a=b" }, diag.CodeUnknownBuildType},
		{"an index", func(m map[string]any) { m["mediaType"] = bundle.IndexMediaType }, diag.CodeBuildMemberWrong},
		{"the v1 type", func(m map[string]any) { m["config"].(map[string]any)["mediaType"] = bundle.DefinitionV1MediaType }, diag.CodeContractMismatch},
		{"the v3 type", func(m map[string]any) {
			m["config"].(map[string]any)["mediaType"] = "application/vnd.seif.definition.v3+json"
		}, diag.CodeUnknownRuntime},
	} {
		files := forge(t, b, func(_ map[string][]byte, m map[string]any) { c.change(m) })
		_, err := read(t, pack(t, files), bundle.ReadOptions{})
		if got := codesOf(t, err); got[0] != c.code {
			t.Errorf("%s: %v, want %s", c.name, got, c.code)
		}
	}
	// The runtime contract in the definition is of a later version.
	later := bytes.ReplaceAll(b.DefinitionBytes(), []byte("seif.context-runtime.v2"), []byte("seif.context-runtime.v3"))
	files := forge(t, b, func(files map[string][]byte, m map[string]any) { setDefinition(files, m, later) })
	refused(t, pack(t, files), diag.CodeUnknownRuntime)

	// A reader that serves v1 alone says so.
	_, err := read(t, tarOf(t, b), bundle.ReadOptions{Known: []definitionVersion{1}})
	var invalid *bundle.Invalid
	if !errors.As(err, &invalid) {
		t.Fatal(err)
	}
	want := diag.Data{"found": "seif.context-runtime.v2", "known": "seif.context-runtime.v1"}
	if d := cmp.Diff(want, invalid.Problems[0].Data); d != "" || invalid.Problems[0].Code != diag.CodeUnknownRuntime {
		t.Errorf("%s %s", invalid.Problems[0].Code, d)
	}
	if _, err := read(t, tarOf(t, shop(t)), bundle.ReadOptions{Known: []definitionVersion{1}}); err != nil {
		t.Error(err)
	}
}

// Files are changed after they were verified: what was verified is what is used.
func TestAttack46(t *testing.T) {
	b := shop(t)
	dir := filepath.Join(t.TempDir(), "build")
	writeDir(t, dir, b)
	loaded, err := bundle.ReadDir(context.Background(), dir, bundle.ReadOptions{Digest: b.Digest()})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, filepath.FromSlash(blobName([]byte(b.Texts()["tone"]))))
	if err := os.WriteFile(path, []byte("Be rude.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if loaded.Texts()["tone"] != "Be kind.\n" || !bytes.Equal(tarOf(t, loaded), tarOf(t, b)) {
		t.Error("the loaded Build changed with the folder")
	}
	if _, err := bundle.ReadDir(context.Background(), dir, bundle.ReadOptions{}); codesOf(t, err)[0] != diag.CodeBlobDigest {
		t.Errorf("the changed folder is read: %v", err)
	}
	// A stream is read once, from its start to its end.
	in := &once{data: tarOf(t, b)}
	if _, err := bundle.ReadTar(context.Background(), in, bundle.ReadOptions{}); err != nil || len(in.data) > 0 {
		t.Errorf("%v, %d bytes left", err, len(in.data))
	}
}

// once gives every byte exactly once and forgets it.
type once struct{ data []byte }

func (o *once) Read(p []byte) (int, error) {
	if len(o.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), 7)], o.data)
	clear(o.data[:n])
	o.data = o.data[n:]
	return n, nil
}
