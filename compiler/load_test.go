package compiler

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/document"
	"github.com/seif-dev/seifc/manifest"
)

func TestBadPaths(t *testing.T) {
	for path, why := range map[string]string{
		"": "empty", `a\b`: "backslash", "/etc/passwd": "absolute", "c:/x": "drive", "C:x": "drive", strings.Repeat("a/", 512) + "b": "1024 bytes",
		"../a": "`..`", "a/../../b": "`..`", "a/..": "`..`", "..": "`..`", "a//b": "segment", "./a": "segment", "a/./b": "segment", "a/": "segment", ".": "segment",
	} {
		if got := badPath(path); why == "" || !strings.Contains(got, why) {
			t.Errorf("%.20q: %q, want %s", path, got, why)
		}
	}
	for _, path := range []string{"a", "a/b.md", ".hidden/x", "..a", "a..b", "...", "a b/ü", strings.Repeat("a/", 511) + "bb", "~/x", "%2e%2e/x"} {
		if why := badPath(path); why != "" {
			t.Errorf("%.20q is refused: %s", path, why)
		}
	}
}

// loaderOf reads a tree and keeps what it reports.
func loaderOf(files fs.FS) (*loader, *[]diag.Diagnostic) {
	report := &[]diag.Diagnostic{}
	return &loader{tree: Tree{Files: files, Project: "room/seif.yaml"}, raw: map[string][]byte{}, report: report}, report
}

func pattern(text string) manifest.Pattern {
	return manifest.Pattern{Origin: manifest.Origin{File: document.TextFile("room/seif.yaml", nil)}, Value: text}
}

func TestPatterns(t *testing.T) {
	memory := fstest.MapFS{}
	for _, name := range []string{
		"room/seif.yaml", "room/tools/b.yaml", "room/tools/a.yaml", "room/tools/.c.yaml", "room/tools/deep/d.yaml", "room/tools/d.txt",
		"room/more/e.yaml", "room/.hidden/f.yaml", "room/tools/[x].yaml", "elsewhere/g.yaml",
	} {
		memory[name] = &fstest.MapFile{Data: []byte("#")}
	}
	for text, want := range map[string][]string{
		"tools/*.yaml":        {"room/tools/[x].yaml", "room/tools/a.yaml", "room/tools/b.yaml"},
		"tools/?.yaml":        {"room/tools/a.yaml", "room/tools/b.yaml"},
		"*/*.yaml":            {"room/more/e.yaml", "room/tools/[x].yaml", "room/tools/a.yaml", "room/tools/b.yaml"},
		"*/*/*.yaml":          {"room/tools/deep/d.yaml"},
		"tools/*":             {"room/tools/[x].yaml", "room/tools/a.yaml", "room/tools/b.yaml", "room/tools/d.txt"},
		"tools/.*.yaml":       {"room/tools/.c.yaml"},
		"tools/.c.yaml":       {"room/tools/.c.yaml"},
		".hidden/*.yaml":      {"room/.hidden/f.yaml"},
		"tools/[ab].yaml":     {"room/tools/a.yaml", "room/tools/b.yaml"},
		"tools/[x].yaml":      {"room/tools/[x].yaml"},
		"tools":               nil,
		"gone/*.yaml":         nil,
		"tools/a.yaml/x.yaml": nil,
	} {
		l, report := loaderOf(memory)
		names, ok, err := l.match(pattern(text))
		if d := cmp.Diff(want, names); d != "" || !ok || err != nil || len(*report) > 0 {
			t.Errorf("%s: %v %v %v %s", text, ok, err, *report, d)
		}
	}
	for text, why := range map[string]string{"**/*.yaml": "`**`", "tools/**": "`**`", "tools/[": "brackets", "../*.yaml": "`..`", "": "empty"} {
		l, report := loaderOf(memory)
		names, ok, err := l.match(pattern(text))
		if ok || names != nil || err != nil || len(*report) != 1 || (*report)[0].Code != diag.CodePathRefused || !strings.Contains((*report)[0].Data["why"], why) {
			t.Errorf("%q: %v %v %v %v", text, names, ok, err, *report)
		}
	}
}

// A file that two patterns match is read once, and all are used in the order of their names.
func TestMatchesAreUsedOnceAndSorted(t *testing.T) {
	memory := fstest.MapFS{"room/b/1.yaml": {Data: []byte("x: 1")}, "room/a/2.yaml": {Data: []byte("x: 1")}, "room/a/1.yaml": {Data: []byte("x: 1")}}
	for _, files := range []fs.FS{memory, backwards{memory}} {
		l, report := loaderOf(files)
		var used []string
		err := l.eachMatch(context.Background(), []manifest.Pattern{pattern("b/*.yaml"), pattern("*/1.yaml"), pattern("a/*.yaml"), pattern("none/*.yaml")}, func(f *document.File) {
			used = append(used, f.Path)
		})
		if d := cmp.Diff([]string{"room/a/1.yaml", "room/a/2.yaml", "room/b/1.yaml"}, used); d != "" || err != nil {
			t.Error(d, err)
		}
		if len(*report) != 1 || (*report)[0].Code != diag.CodePatternMatchesNothing {
			t.Error(*report)
		}
	}
}

func TestReadingIsBounded(t *testing.T) {
	memory := fstest.MapFS{
		"full":  {Data: bytes.Repeat([]byte("x"), MaxFileBytes)},
		"over":  {Data: bytes.Repeat([]byte("x"), MaxFileBytes+1)},
		"small": {Data: []byte("xx")},
		"dir":   {Mode: fs.ModeDir},
	}
	l, _ := loaderOf(memory)
	if source, err := l.read("full"); err != nil || len(source) != MaxFileBytes || l.total != MaxFileBytes {
		t.Errorf("%d bytes, %d in all, %v", len(source), l.total, err)
	}
	// A file that was read counts once.
	if _, err := l.read("full"); err != nil || l.total != MaxFileBytes {
		t.Errorf("%d in all, %v", l.total, err)
	}
	for name, why := range map[string]string{"over": "larger than 4194304 bytes", "dir": "not a regular file"} {
		var refused *refusedFile
		if source, err := l.read(name); source != nil || !errors.As(err, &refused) || !strings.Contains(refused.why, why) {
			t.Errorf("%s: %d bytes, %v", name, len(source), err)
		}
	}
	l.total = MaxProjectBytes - 2
	if _, err := l.read("small"); err != nil {
		t.Error(err)
	}
	delete(l.raw, "small")
	l.total = MaxProjectBytes - 1
	var refused *refusedFile
	if _, err := l.read("small"); !errors.As(err, &refused) || !strings.Contains(refused.why, "together") {
		t.Errorf("a Project that is too large: %v", err)
	}
}

// What is wrong with a named file is a finding at its name; a fault of the machine is an error.
func TestNamedFiles(t *testing.T) {
	broken := errors.New("the disk is gone")
	l, report := loaderOf(failing{fstest.MapFS{"room/dir": {Mode: fs.ModeDir}}, broken})
	for name, code := range map[string]diag.Code{"room/none": diag.CodeFileMissing, "room/dir": diag.CodePathRefused} {
		*report = nil
		source, err := l.readNamed(pattern("x"), name)
		if source != nil || err != nil || len(*report) != 1 || (*report)[0].Code != code {
			t.Errorf("%s: %q %v %v", name, source, err, *report)
		}
	}
	if _, err := l.readNamed(pattern("x"), "room/broken"); !errors.Is(err, broken) {
		t.Errorf("a fault of the machine gives %v", err)
	}
}

// failing is a file system in which one file cannot be read.
type failing struct {
	fs.FS
	err error
}

func (f failing) Open(name string) (fs.File, error) {
	if strings.HasSuffix(name, "broken") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: f.err}
	}
	return f.FS.Open(name)
}
