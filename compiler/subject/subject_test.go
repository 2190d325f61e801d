package subject

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestIsBuild(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", "room/seif.yaml", "other/my.YML", "layout/oci-layout", "both/oci-layout", "both/seif.yaml", "a.seif", "plain", "git:x", "odd/https:/a.yaml")
	if err := os.Mkdir("empty", 0o700); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		"-": true, "room": false, "room/": false, "room/seif.yaml": false, "other/my.YML": false, "layout": true, "both": true, "a.seif": true,
		"plain": true, "empty": false, "./git:x": true, "layout/oci-layout": true,
	} {
		if got, err := IsBuild(path); got != want || err != nil {
			t.Errorf("%s: %v %v, want %v", path, got, err, want)
		}
	}
	if _, err := IsBuild("gone"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	for _, path := range []string{"git:x", "git:HEAD:room", "https://example.com/a"} {
		var elsewhere *Elsewhere
		if _, err := IsBuild(path); !errors.As(err, &elsewhere) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
		if _, err := OpenProject(path); !errors.As(err, &elsewhere) {
			t.Errorf("%s: %v", path, err)
		}
		if _, err := OpenBuild(context.Background(), path, Access{}); !errors.As(err, &elsewhere) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if build, err := IsBuild("oci://example.com/a:1"); !build || err != nil {
		t.Errorf("a reference to a registry: %v %v", build, err)
	}
	var kind *WrongKind
	if _, err := OpenProject("oci://example.com/a:1"); !errors.As(err, &kind) || !kind.Build {
		t.Errorf("a Project in a registry: %v", err)
	}
	for _, path := range []string{"./a://b", "/a://b", "../a://b", "a:b", "github/x", "-"} {
		if err := CheckLocal(path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A Project is named by its folder or by its file, and messages name its files as the user would.
func TestOpenProject(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", "seif.yaml", "room/seif.yaml", "room/other.yaml", "room/tools/a.yaml", "outside.yaml")
	whole, err := filepath.Abs("room")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]struct{ dir, file, shown string }{
		".":               {".", "seif.yaml", ""},
		"seif.yaml":       {".", "seif.yaml", ""},
		"room":            {"room", "seif.yaml", "room/"},
		"./room/":         {"room", "seif.yaml", "room/"},
		"room/other.yaml": {"room", "other.yaml", "room/"},
		whole:             {whole, "seif.yaml", filepath.ToSlash(whole) + "/"},
	} {
		p, err := OpenProject(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if p.Dir != want.dir || p.File != want.file || p.Tree.Project != want.file || p.Tree.Shown != want.shown {
			t.Errorf("%s: %+v", path, p)
		}
		if _, err := fs.ReadFile(p.Tree.Files, p.Tree.Project); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if got := p.Path("tools/a.yaml"); got != filepath.Join(want.dir, "tools", "a.yaml") {
			t.Errorf("%s: %s", path, got)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, path := range []string{"gone", "room/tools", "room/gone.yaml"} {
		if _, err := OpenProject(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Nothing above the folder can be reached, not by a name and not by a link.
func TestProjectsAreConfined(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", "room/seif.yaml", "outside.yaml")
	if err := os.Symlink("../outside.yaml", "room/link.yaml"); err != nil {
		t.Fatal(err)
	}
	p, err := OpenProject("room")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, name := range []string{"../outside.yaml", "link.yaml", "/etc/hosts"} {
		if data, err := fs.ReadFile(p.Tree.Files, name); err == nil {
			t.Errorf("%s: %s", name, data)
		}
	}
}

// What is no Build is refused.
func TestOpenBuild(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", "a.seif", "layout/oci-layout")
	for _, path := range []string{"a.seif", "layout", "gone", "-"} {
		if build, err := OpenBuild(context.Background(), path, Access{Stdin: strings.NewReader("no archive")}); build != nil || err == nil {
			t.Errorf("%s is opened: %v", path, err)
		}
	}
}
