//go:build unix

package bundle_test

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// Formats, rule 25: the umask changes the mode of the file and no byte of it. Case 18.
func TestUmask(t *testing.T) {
	for mask, want := range map[int]os.FileMode{0o077: 0o600, 0o022: 0o644, 0: 0o644} {
		before := syscall.Umask(mask)
		path := filepath.Join(t.TempDir(), "shop.seif")
		_, err := bundle.WriteFile(context.Background(), path, shop(t))
		syscall.Umask(before)
		if err != nil {
			t.Fatal(err)
		}
		if got := stat(t, path).Mode().Perm(); got != want {
			t.Errorf("umask %03o: mode %o, want %o", mask, got, want)
		}
		if got := digest.Of(readFile(t, path)).String(); got != goldenTar {
			t.Errorf("umask %03o: the archive is %s, was %s", mask, got, goldenTar)
		}
	}
}

// A pipe in a folder is refused and not waited for.
func TestFolderWithAPipe(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "build")
	writeDir(t, dir, shop(t))
	index := filepath.Join(dir, "index.json")
	if err := os.Remove(index); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(index, 0o644); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	_, err := bundle.ReadDir(context.Background(), dir, bundle.ReadOptions{})
	if got := codesOf(t, err); got[0] != diag.CodeEntryDevice {
		t.Error(got)
	}
}
