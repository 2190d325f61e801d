//go:build unix

package subject

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seif-dev/seifc/bundle"
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

// What stands in the way of a Build and is no file is not opened to look into it: opening a pipe waits for a writer.
func TestKeepDoesNotWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shop.seif")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := Keep(t.Context(), path, &bundle.Layout{Build: vector(t, 0, nil)})
		ended <- err
	}()
	select {
	case err := <-ended:
		if err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("got %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("it waits for a writer")
	}
}
