package bundle_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/diag"
)

func writeDir(t testing.TB, dir string, b *bundle.Build) {
	t.Helper()
	if outcome, err := bundle.WriteDir(context.Background(), dir, b); err != nil || outcome != bundle.Written {
		t.Fatalf("%q, %v", outcome, err)
	}
}

// tree lists the files below a folder with their content; folders end in a slash.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			out[filepath.ToSlash(name)+"/"] = ""
			return nil
		}
		data, err := os.ReadFile(path)
		out[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A folder and a file of one Build are the same files, and either gives the other.
func TestFolderRoundTrip(t *testing.T) {
	for _, b := range []*bundle.Build{shop(t), toolBuild(t)} {
		dir := filepath.Join(t.TempDir(), "deep", "er", "build")
		writeDir(t, dir, b)
		want := map[string]string{"blobs/": "", "blobs/sha256/": ""}
		for name, data := range filesOf(t, b) {
			want[name] = string(data)
		}
		if d := cmp.Diff(want, tree(t, dir)); d != "" {
			t.Fatal(d)
		}
		got, err := bundle.Read(context.Background(), dir, bundle.ReadOptions{Digest: b.Digest()})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(tarOf(t, b), tarOf(t, got)) {
			t.Error("the archive of the folder is another one")
		}
		again := filepath.Join(t.TempDir(), "again")
		writeDir(t, again, got)
		if d := cmp.Diff(tree(t, dir), tree(t, again)); d != "" {
			t.Error(d)
		}
	}
}

// Files that the Build does not name are listed, litter with its own hint; nothing is skipped. R64
func TestCase16(t *testing.T) {
	dir := filepath.Join("testdata", "cases", "16")
	_, err := bundle.Read(context.Background(), dir, bundle.ReadOptions{})
	codesOf(t, err)
	got := map[string]diag.Code{}
	for _, p := range err.(*bundle.Invalid).Problems {
		got[p.Data["entry"]] = p.Code
	}
	want := map[string]diag.Code{
		".DS_Store": diag.CodeEntryLitter, "._context.json": diag.CodeEntryLitter,
		"context.json": diag.CodeExtraFile, "manifest.json": diag.CodeExtraFile, "tools.json": diag.CodeExtraFile,
		"oci-layout": diag.CodeLayoutFileMissing, "index.json": diag.CodeLayoutFileMissing,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, d := range err.(*bundle.Invalid).Diagnostics() {
		litter := strings.Contains(d.Message(), "litter") && strings.Contains(d.Help(), "delete it")
		if (d.Code == diag.CodeEntryLitter) != litter || !strings.Contains(d.Message(), d.Data["entry"]) {
			t.Errorf("%s: %s; %s", d.Code, d.Message(), d.Help())
		}
	}
}

// The same in the folder of a sound Build.
func TestFolderWithMore(t *testing.T) {
	for name, code := range map[string]diag.Code{
		"tools.json":   diag.CodeExtraFile,
		".DS_Store":    diag.CodeEntryLitter,
		"._index.json": diag.CodeEntryLitter,
		"Thumbs.db":    diag.CodeEntryLitter,
		"blobs/sha256/" + strings.Repeat("0", 64):                                       diag.CodeBlobDigest,
		"blobs/sha256/e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855": diag.CodeExtraBlob,
		"blobs/sha512/":        diag.CodeDigestAlgorithm,
		"more/":                diag.CodeEntryFolder,
		"__MACOSX/":            diag.CodeEntryLitter,
		"blobs/sha256/folder/": diag.CodeDigestAlgorithm,
	} {
		dir := filepath.Join(t.TempDir(), "build")
		writeDir(t, dir, shop(t))
		path := filepath.Join(dir, filepath.FromSlash(name))
		var err error
		if strings.HasSuffix(name, "/") {
			err = os.Mkdir(path, 0o755)
		} else {
			err = os.WriteFile(path, nil, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		_, err = bundle.ReadDir(context.Background(), dir, bundle.ReadOptions{})
		if d := cmp.Diff([]diag.Code{code}, codesOf(t, err)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// A folder is judged as an archive of the same files is.
func TestFolderAndArchiveAgree(t *testing.T) {
	b := shop(t)
	for i, change := range []func(files map[string][]byte){
		func(files map[string][]byte) { delete(files, "oci-layout") },
		func(files map[string][]byte) { delete(files, "index.json") },
		func(files map[string][]byte) { delete(files, blobName([]byte(noTests))) },
		func(files map[string][]byte) { files["oci-layout"] = []byte(`{"imageLayoutVersion":"2.0.0"}`) },
		func(files map[string][]byte) { files["index.json"] = []byte(`[]`) },
		func(files map[string][]byte) { files["index.json"] = nil },
		func(files map[string][]byte) { files[blobName([]byte("x"))] = []byte("x") },
	} {
		files := filesOf(t, b)
		change(files)
		_, fromTar := read(t, pack(t, files), bundle.ReadOptions{})
		dir := t.TempDir()
		for name, data := range files {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, data, 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		_, fromDir := bundle.ReadDir(context.Background(), dir, bundle.ReadOptions{})
		if d := cmp.Diff(codesOf(t, fromTar), codesOf(t, fromDir)); d != "" {
			t.Errorf("%d: %s", i, d)
		}
	}
}

// Faults of the machine stay what they are.
func TestReadFaults(t *testing.T) {
	var invalid *bundle.Invalid
	for _, path := range []string{"testdata/absent.seif", "testdata/absent/"} {
		_, err := bundle.Read(context.Background(), path, bundle.ReadOptions{})
		if !errors.Is(err, fs.ErrNotExist) || errors.As(err, &invalid) {
			t.Errorf("%s: %v", path, err)
		}
	}
	_, err := bundle.Read(context.Background(), t.TempDir(), bundle.ReadOptions{})
	if d := cmp.Diff([]diag.Code{diag.CodeLayoutFileMissing}, codesOf(t, err)); d != "" {
		t.Errorf("an empty folder: %s", d)
	}
	dir := filepath.Join(t.TempDir(), "build")
	writeDir(t, dir, shop(t))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := bundle.ReadDir(ctx, dir, bundle.ReadOptions{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Problems come in one order and are bounded.
func TestProblemsAreBounded(t *testing.T) {
	dir := t.TempDir()
	for i := range 300 {
		if err := os.WriteFile(filepath.Join(dir, strings.Repeat("x", i%150+1)+string(rune('a'+i/150))), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var runs [2][]diag.Problem
	for i := range runs {
		_, err := bundle.ReadDir(context.Background(), dir, bundle.ReadOptions{})
		codesOf(t, err)
		runs[i] = err.(*bundle.Invalid).Problems
	}
	if len(runs[0]) != 200 || !slices.EqualFunc(runs[0], runs[1], func(a, b diag.Problem) bool { return cmp.Equal(a, b) }) {
		t.Errorf("%d and %d problems", len(runs[0]), len(runs[1]))
	}
}
