//go:build unix

package compiler

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/seif-dev/seifc/diag"
)

// A pipe, which would wait for a writer, and links that lead out of the Project's folder are findings.
func TestFilesThatMustNotBeRead(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.md")
	if err := os.WriteFile(outside, []byte("Not yours.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, plant := range map[string]func(at string) error{
		"a pipe":               func(at string) error { return syscall.Mkfifo(at, 0o600) },
		"a folder":             func(at string) error { return os.Mkdir(at, 0o700) },
		"an absolute link out": func(at string) error { return os.Symlink(outside, at) },
		"a relative link out":  func(at string) error { return os.Symlink("../../../../../../../../etc/hosts", at) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range pinned(t) {
				at := filepath.Join(dir, filepath.FromSlash(file))
				if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			tone := filepath.Join(dir, "context", "tone.md")
			if err := os.Remove(tone); err != nil {
				t.Fatal(err)
			}
			if err := plant(tone); err != nil {
				t.Fatal(err)
			}
			root, err := os.OpenRoot(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer root.Close()
			result := compiled(t, Tree{Files: root.FS(), Project: ProjectFile})
			found := errorsOf(result.Findings)
			if len(found) != 1 || found[0] != diag.CodePathRefused || result.Texts["tone"] != "" {
				t.Errorf("%v, text %q", found, result.Texts["tone"])
			}
		})
	}
}
