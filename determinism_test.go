package seifc_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// surroundings are what differs between two builds of the same Project that must give the same bytes.
type surroundings struct {
	folder string // name of the folder that holds the copy; "" is "project"
	order  func([]string)
	change func([]byte) []byte
	touch  bool
	umask  string
	env    []string
	inside bool // the working directory is the Project
}

// matrix has one row for each line of testdata/determinism/env-matrix.txt. A line with two values has two rows.
var matrix = map[string][]surroundings{
	"TZ=UTC LANG=C":                          {{env: []string{"TZ=UTC", "LANG=C", "LC_ALL=C"}}},
	"TZ=Asia/Tokyo LANG=pt_BR.UTF-8":         {{env: []string{"TZ=Asia/Tokyo", "LANG=pt_BR.UTF-8", "LC_ALL=pt_BR.UTF-8"}}},
	"SOURCE_DATE_EPOCH=0":                    {{env: []string{"SOURCE_DATE_EPOCH=0"}}},
	"umask 077":                              {{umask: "077"}},
	"touch -d 1999-01-01 *.yaml":             {{touch: true}},
	"reversed directory order":               {{order: slices.Reverse[[]string]}},
	"GOMAXPROCS=1 and 8":                     {{env: []string{"GOMAXPROCS=1"}}, {env: []string{"GOMAXPROCS=8", "GOGC=1"}}},
	"a git checkout with core.autocrlf=true": {{change: toCRLF}},
	"cp -r to another folder with a space and an accent in its name": {{folder: "mon dossier é"}, {folder: "mon dossier é", inside: true}},
}

// everything at once, with the opposite of what the plain build has.
var everything = surroundings{
	folder: "ño ção", order: slices.Reverse[[]string], change: toCRLF, touch: true, umask: "027", inside: true,
	env: []string{"TZ=America/St_Johns", "LANG=tr_TR.UTF-8", "LC_ALL=tr_TR.UTF-8", "SOURCE_DATE_EPOCH=1", "GOMAXPROCS=3", "HOME=/nonexistent"},
}

// toCRLF does what a checkout with core.autocrlf=true does.
func toCRLF(data []byte) []byte {
	return bytes.ReplaceAll(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
}

// built is what a build gives.
type built struct {
	Build, Definition string
	File              []byte
	Folder            map[string]string // the same Build as a folder, by path
}

func TestDeterminismMatrixIsWhole(t *testing.T) {
	text, err := os.ReadFile("testdata/determinism/env-matrix.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " (")
		lines++
		if matrix[line] == nil {
			t.Errorf("no build is made under %q", line)
		}
	}
	if lines != len(matrix) {
		t.Errorf("%d lines for %d rows", lines, len(matrix))
	}
}

// R7, R70, R80
func TestDeterminism(t *testing.T) {
	projects, err := filepath.Glob("examples/*/seif.yaml")
	if err != nil || len(projects) == 0 {
		t.Fatal("there are no examples", err)
	}
	projects = append(projects, "testdata/determinism/project/seif.yaml")
	for _, file := range projects {
		project := filepath.Dir(file)
		t.Run(filepath.Base(project), func(t *testing.T) {
			want := buildUnder(t, project, surroundings{umask: "022"})
			check := func(name string, s surroundings) {
				t.Run(name, func(t *testing.T) {
					if diff := cmp.Diff(want, buildUnder(t, project, s)); diff != "" {
						t.Errorf("the Build differs (-plain +here):\n%.4000s", diff)
					}
				})
			}
			check("everything", everything)
			if testing.Short() {
				return
			}
			for _, name := range sorted(matrix) {
				for _, s := range matrix[name] {
					check(name, s)
				}
			}
		})
	}
}

// buildUnder builds a copy of a Project in the given surroundings, as a file and as a folder.
func buildUnder(t *testing.T, project string, s surroundings) built {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "project")
	if s.folder != "" {
		dir = filepath.Join(t.TempDir(), s.folder)
	}
	copyTree(t, project, dir, s.order, s.change)
	if s.touch {
		touch(t, dir, time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC))
	}
	argument := dir
	if s.inside {
		argument = "."
	}
	out := t.TempDir()
	file, folder := filepath.Join(out, "x.seif"), filepath.Join(out, "layout")
	result := built{Folder: map[string]string{}}
	for _, output := range []string{file, folder + string(filepath.Separator)} {
		answer := seifcBuild(t, s, dir, argument, output)
		result.Build, result.Definition = answer.Build, answer.Definition
	}
	var err error
	if result.File, err = os.ReadFile(file); err != nil {
		t.Fatal(err)
	}
	root := os.DirFS(folder)
	if err := fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(root, path)
		result.Folder[path] = string(data)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return result
}

// answer is the part of the program's answer that is looked at.
type answer struct {
	Build, Definition, Outcome string
}

// seifcBuild runs `seifc build` as a process of its own.
func seifcBuild(t *testing.T, s surroundings, dir, argument, output string) answer {
	t.Helper()
	args := []string{program(t, "seifc"), "build", "--format", "json", "-o", output, argument}
	if s.umask != "" {
		args = append([]string{"sh", "-c", `umask "$0" && exec "$@"`, s.umask}, args...)
	}
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Env = append(os.Environ(), s.env...)
	if s.inside {
		cmd.Dir = dir
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("seifc build: %v\n%s%s", err, text, stderr.Bytes())
	}
	var got answer
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatalf("the answer is no JSON: %v\n%s", err, text)
	}
	if !strings.HasPrefix(got.Build, "sha256:") || !strings.HasPrefix(got.Definition, "sha256:") {
		t.Fatalf("the answer has no digests:\n%s", text)
	}
	return got
}

func touch(t *testing.T, dir string, when time.Time) {
	t.Helper()
	if err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, when, when)
	}); err != nil {
		t.Fatal(err)
	}
}

// TestDeterminismInPlace builds twice over the same file: the second build leaves it as it is.
func TestDeterminismInPlace(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "project")
	copyTree(t, "testdata/determinism/project", dir, nil, nil)
	output := filepath.Join(t.TempDir(), "x.seif")
	first := seifcBuild(t, surroundings{}, dir, dir, output)
	long := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	if err := os.Chtimes(output, long, long); err != nil {
		t.Fatal(err)
	}
	second := seifcBuild(t, surroundings{}, dir, dir, output)
	if first.Outcome != "written" || second.Outcome != "unchanged" || first.Build != second.Build {
		t.Errorf("first %+v, second %+v", first, second)
	}
	info, err := os.Stat(output)
	if err != nil {
		t.Fatal(err)
	}
	if !info.ModTime().Equal(long) {
		t.Errorf("the file was written again")
	}
}

// TestDeterminismSeesChanges shows the comparison a Project that differs by one character.
func TestDeterminismSeesChanges(t *testing.T) {
	const project = "testdata/determinism/project"
	plain := buildUnder(t, project, surroundings{})
	other := buildUnder(t, project, surroundings{change: func(data []byte) []byte {
		return bytes.Replace(data, []byte("Zones are rough"), []byte("Zones are Rough"), 1)
	}})
	if plain.Build == other.Build || plain.Definition == other.Definition || bytes.Equal(plain.File, other.File) || cmp.Equal(plain.Folder, other.Folder) {
		t.Error("a changed source gave the same Build")
	}
}
