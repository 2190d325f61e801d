package bundle_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/bundle"
)

func writeFile(t testing.TB, path string, b *bundle.Build) {
	t.Helper()
	if outcome, err := bundle.WriteFile(context.Background(), path, b); err != nil || outcome != bundle.Written {
		t.Fatalf("%q, %v", outcome, err)
	}
}

func stat(t testing.TB, path string) os.FileInfo {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// age makes a file look old, so that a change of it shows.
func age(t testing.TB, path string) {
	t.Helper()
	old := time.Unix(1_000_000_000, 0)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
}

// Formats, rule 26: the same Build leaves the file, another one replaces the whole.
func TestWriteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shop.seif")
	one, two := shop(t), toolBuild(t)
	writeFile(t, path, one)
	if d := cmp.Diff(string(tarOf(t, one)), string(readFile(t, path))); d != "" {
		t.Fatal(d)
	}
	age(t, path)
	before := stat(t, path)
	outcome, err := bundle.WriteFile(context.Background(), path, one)
	after := stat(t, path)
	if err != nil || outcome != bundle.Unchanged || !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		t.Errorf("%q, %v; the file was touched", outcome, err)
	}
	writeFile(t, path, two)
	if got, err := bundle.Read(context.Background(), path, bundle.ReadOptions{}); err != nil || got.Digest() != two.Digest() {
		t.Errorf("%v, %v", got, err)
	}
	// An empty file or a damaged Build is replaced.
	for _, data := range [][]byte{nil, tarOf(t, one)[:700]} {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		writeFile(t, path, one)
	}
	if names := tree(t, filepath.Dir(path)); len(names) != 1 {
		t.Errorf("left behind: %v", names)
	}
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A repacked file of the same Build is left as well: the tar is no identity.
func TestWriteFileLeavesRepacked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shop.seif")
	b := shop(t)
	files := filesOf(t, b)
	files["index.json"] = indexOf(t, b.Manifest())
	repacked := pack(t, files)
	if err := os.WriteFile(path, repacked, 0o600); err != nil {
		t.Fatal(err)
	}
	outcome, err := bundle.WriteFile(context.Background(), path, b)
	if err != nil || outcome != bundle.Unchanged || string(readFile(t, path)) != string(repacked) {
		t.Errorf("%q, %v", outcome, err)
	}
}

func TestWriteFileFollowsALink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "real.seif"), filepath.Join(dir, "link.seif")
	if err := os.WriteFile(target, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	symlink(t, target, link)
	writeFile(t, link, shop(t))
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v", err)
	}
	if string(readFile(t, target)) != string(tarOf(t, shop(t))) {
		t.Error("the target was not written")
	}
}

// A slip of -o must not cost anybody a Project file, or an image of something else.
func TestWriteFileKeepsWhatIsNoBuild(t *testing.T) {
	one := shop(t)
	image := map[string][]byte{"index.json": []byte(`{"manifests":[],"schemaVersion":2}`), "oci-layout": []byte(`{"imageLayoutVersion":"1.0.0"}`)}
	for name, data := range map[string][]byte{
		"short": []byte("x"), "project": []byte("schema: seif.context-project.v1\n" + strings.Repeat("# a comment\n", 100)),
		"archive": append([]byte("x"), tarOf(t, one)...), "image": pack(t, image),
	} {
		path := filepath.Join(t.TempDir(), "shop.seif")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := bundle.WriteFile(context.Background(), path, one); !errors.Is(err, bundle.ErrNotBuild) {
			t.Errorf("%s: %v", name, err)
		}
		if string(readFile(t, path)) != string(data) || len(tree(t, filepath.Dir(path))) != 1 {
			t.Errorf("%s: the file was touched", name)
		}
	}
}

// Pipelines that race for one folder with the same Build all succeed.
func TestWriteDirRace(t *testing.T) {
	one := shop(t)
	for range 20 {
		dir := filepath.Join(t.TempDir(), "build")
		results := make(chan error, 4)
		for range cap(results) {
			go func() {
				_, err := bundle.WriteDir(context.Background(), dir, one)
				results <- err
			}()
		}
		for range cap(results) {
			if err := <-results; err != nil {
				t.Error(err)
			}
		}
		if got, err := bundle.Read(context.Background(), dir, bundle.ReadOptions{}); err != nil || got.Digest() != one.Digest() {
			t.Fatal(err)
		}
		if names, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(names) != 1 {
			t.Fatalf("left behind: %v, %v", names, err)
		}
	}
}

func TestWriteFileRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, err := bundle.WriteFile(context.Background(), dir, shop(t)); !errors.Is(err, bundle.ErrNotRegular) {
		t.Error(err)
	}
	if _, err := bundle.WriteFile(context.Background(), filepath.Join(dir, "absent", "x.seif"), shop(t)); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if names := tree(t, dir); len(names) != 0 {
		t.Errorf("left behind: %v", names)
	}
}

// ending is a context that ends after it was asked a number of times.
type ending struct {
	context.Context
	left int
}

func (e *ending) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

// An interruption at any moment leaves the old file or the new one, and nothing else. R66
func TestInterruptedWriteFile(t *testing.T) {
	one, two := shop(t), toolBuild(t)
	finished := false
	for moment := 0; !finished; moment++ {
		dir := t.TempDir()
		path := filepath.Join(dir, "x.seif")
		writeFile(t, path, one)
		_, err := bundle.WriteFile(&ending{context.Background(), moment}, path, two)
		want := one
		if finished = err == nil; finished {
			want = two
		} else if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if d := cmp.Diff(map[string]string{"x.seif": string(tarOf(t, want))}, tree(t, dir)); d != "" {
			t.Fatalf("moment %d: %s", moment, d)
		}
		if moment > 1000 {
			t.Fatal("never finishes")
		}
	}
}

// The same for folders.
func TestInterruptedWriteDir(t *testing.T) {
	one, two := shop(t), toolBuild(t)
	for _, start := range []string{"absent", "empty", "other"} {
		finished := false
		for moment := 0; !finished; moment++ {
			parent := t.TempDir()
			dir := filepath.Join(parent, "x")
			switch start {
			case "empty":
				if err := os.Mkdir(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			case "other":
				writeDir(t, dir, one)
			}
			before := tree(t, parent)
			_, err := bundle.WriteDir(&ending{context.Background(), moment}, dir, two)
			if finished = err == nil; finished {
				before = nil
				if got, err := bundle.Read(context.Background(), dir, bundle.ReadOptions{}); err != nil || got.Digest() != two.Digest() {
					t.Errorf("%v, %v", got, err)
				}
				if names, err := os.ReadDir(parent); err != nil || len(names) != 1 {
					t.Errorf("left behind: %v, %v", names, err)
				}
			} else if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if before != nil {
				if d := cmp.Diff(before, tree(t, parent)); d != "" {
					t.Fatalf("%s, moment %d: %s", start, moment, d)
				}
			}
			if moment > 1000 {
				t.Fatal("never finishes")
			}
		}
	}
}

func TestWriteDir(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "build")
	one, two := shop(t), toolBuild(t)
	writeDir(t, dir, one)
	index := filepath.Join(dir, "index.json")
	age(t, index)
	before, beforeDir := stat(t, index), stat(t, dir)
	outcome, err := bundle.WriteDir(context.Background(), dir, one)
	if err != nil || outcome != bundle.Unchanged || !os.SameFile(before, stat(t, index)) || !os.SameFile(beforeDir, stat(t, dir)) ||
		!before.ModTime().Equal(stat(t, index).ModTime()) {
		t.Errorf("%q, %v; the folder was touched", outcome, err)
	}
	writeDir(t, dir, two)
	if got, err := bundle.Read(context.Background(), dir, bundle.ReadOptions{}); err != nil || got.Digest() != two.Digest() {
		t.Errorf("%v, %v", got, err)
	}
	// A damaged Build is replaced.
	if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(blobName([]byte(noTests)))), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	writeDir(t, dir, two)
	if names, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(names) != 1 {
		t.Errorf("left behind: %v, %v", names, err)
	}
}

// A folder with anything else in it is never touched.
func TestWriteDirRefuses(t *testing.T) {
	for _, names := range [][]string{
		{"seif.yaml"}, {"oci-layout", "index.json", "notes.txt"}, {".git"}, {"oci-layout", "index.json"},
		{"oci-layout", "index.json", "blobs/sha256/x"},
	} {
		dir := t.TempDir()
		for _, name := range names {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("{}"), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		before := tree(t, dir)
		if _, err := bundle.WriteDir(context.Background(), dir, shop(t)); !errors.Is(err, bundle.ErrNotLayout) {
			t.Errorf("%v: %v", names, err)
		}
		if d := cmp.Diff(before, tree(t, dir)); d != "" {
			t.Error(d)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := bundle.WriteDir(context.Background(), file, shop(t)); !errors.Is(err, bundle.ErrNotLayout) {
		t.Error(err)
	}
	if names := tree(t, filepath.Dir(file)); !slices.Contains([]int{1}, len(names)) {
		t.Errorf("left behind: %v", names)
	}
}

// An empty folder in a place where nothing else can be made, as a mount is, is written in place.
func TestWriteDirInPlace(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "mount")
	if err := errors.Join(os.Mkdir(dir, 0o755), os.Chmod(parent, 0o555)); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(parent, 0o755)
	if probe := os.Mkdir(filepath.Join(parent, "probe"), 0o755); probe == nil {
		if err := os.Remove(filepath.Join(parent, "probe")); err != nil {
			t.Fatal(err)
		}
		t.Skip("modes of folders do not bind this user")
	}
	for moment := 0; ; moment++ {
		_, err := bundle.WriteDir(&ending{context.Background(), moment}, dir, shop(t))
		if err == nil {
			break
		}
		if names := tree(t, dir); len(names) != 0 {
			t.Fatalf("moment %d: left behind: %v", moment, names)
		}
	}
	if got, err := bundle.Read(context.Background(), dir, bundle.ReadOptions{}); err != nil || got.Digest() != shop(t).Digest() {
		t.Errorf("%v, %v", got, err)
	}
	if outcome, err := bundle.WriteDir(context.Background(), dir, shop(t)); err != nil || outcome != bundle.Unchanged {
		t.Errorf("%q, %v", outcome, err)
	}
	// A Build that stands there cannot be replaced as a whole, so it stays.
	if _, err := bundle.WriteDir(context.Background(), dir, toolBuild(t)); err == nil {
		t.Error("replaced in pieces")
	}
	if got, err := bundle.Read(context.Background(), dir, bundle.ReadOptions{}); err != nil || got.Digest() != shop(t).Digest() {
		t.Errorf("%v, %v", got, err)
	}
}
