package seifc_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// programsDir is where the programs are built, for the time of the tests.
var programsDir = filepath.Join(os.TempDir(), fmt.Sprintf("seif-programs-%d", os.Getpid()))

// buildPrograms builds the programs once, for the first test that needs them.
var buildPrograms = sync.OnceValue(func() error {
	if err := os.Mkdir(programsDir, 0o700); err != nil {
		return err
	}
	out, err := exec.Command("go", "build", "-trimpath", "-o", programsDir+string(filepath.Separator), "./cmd/...").CombinedOutput()
	if err != nil {
		return fmt.Errorf("building the programs: %w\n%s", err, out)
	}
	return nil
})

func TestMain(m *testing.M) {
	os.Exit(inFolder(m))
}

// inFolder runs the tests and removes the folder of the programs afterwards.
func inFolder(m *testing.M) int {
	defer func() { os.RemoveAll(programsDir) }()
	return m.Run()
}

// program gives the path of a built program.
func program(t *testing.T, name string) string {
	t.Helper()
	if err := buildPrograms(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(programsDir, name)
}

// copyTree copies a folder's files, changed by the given function, in the given order of their names.
func copyTree(t *testing.T, from, to string, order func([]string), change func([]byte) []byte) {
	t.Helper()
	var names []string
	err := filepath.WalkDir(from, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if entry.IsDir() {
			if name == "build" {
				return filepath.SkipDir
			}
			return err
		}
		names = append(names, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Fatalf("%s is empty", from)
	}
	if order != nil {
		order(names)
	}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		if change != nil {
			data = change(data)
		}
		target := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(target, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
