//go:build unix

package subject

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Opening a pipe that has taken the place of a file does not wait for a writer; a link that leads out is not followed.
func TestConfined(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret")
	for _, name := range []string{outside, filepath.Join(dir, "inside")} {
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	files := confined{root}
	pipe, err := files.Open("pipe")
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	if info, err := pipe.Stat(); err != nil || info.Mode().IsRegular() {
		t.Errorf("%v %v", info, err)
	}
	for _, name := range []string{"link", "../secret", "/inside", "inside/"} {
		if file, err := files.Open(name); err == nil {
			file.Close()
			t.Errorf("%s was opened", name)
		}
	}
	file, err := files.Open("inside")
	if err != nil {
		t.Fatal(err)
	}
	file.Close()
}
