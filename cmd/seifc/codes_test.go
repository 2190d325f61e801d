package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// codesDir has one fixture for every code that the command line reports: CODE.txtar. A fixture is a small Project,
// base.txtar, with its own files in place of those of the same name, changed by the lines of its head:
//
//	replace FILE OLD NEW   text that stands once in the file, as Go string literals
//	append FILE TEXT [N]   text at the end, N times
//	link NAME TARGET       a symbolic link
//	forge ...              a Build, see forge.apply
//	sign ...               keys, signatures, registries, see signingSteps; their texts may have @digest and @hex in them,
//	                       which stand for the digest of good.seif, the Build of the base
//	env NAME VALUE         a variable of the environment
//	also CODE...           further codes that come along; an error is the exception and has its reason behind a #
//	run ARGS               the command line, `check` when there is none; @registry is the address of a registry
//	exit CODE              1 when there is none
//
// want.txt is what is printed, stdout before stderr, and want is checked for the code, once more in JSON.
const codesDir = "testdata/codes"

// fixture is one file of codesDir.
type fixture struct {
	archive *txtar.Archive
	steps   [][]string
	also    []string
	args    []string
	exit    int
	env     map[string]string
	// registry is the address of the registry of the fixture, empty if it has none.
	registry string
}

func readFixture(t *testing.T, path string) *fixture {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{archive: txtar.Parse(data), args: []string{"check"}, exit: exitWanting, env: map[string]string{}}
	for _, line := range strings.Split(string(f.archive.Comment), "\n") {
		words := wordsOf(t, line)
		switch {
		case len(words) == 0:
		case words[0] == "also":
			f.also = append(f.also, words[1:]...)
		case words[0] == "run":
			f.args = words[1:]
		case words[0] == "env":
			f.env[words[1]] = words[2]
		case words[0] == "exit":
			if f.exit, err = strconv.Atoi(words[1]); err != nil {
				t.Fatal(err)
			}
		default:
			f.steps = append(f.steps, words)
		}
	}
	return f
}

// wordsOf splits a line at blanks; a word that begins with a quote is a Go string literal, and # begins a comment.
func wordsOf(t *testing.T, line string) []string {
	t.Helper()
	var words []string
	for line = strings.TrimSpace(line); line != "" && line[0] != '#'; line = strings.TrimSpace(line) {
		if line[0] != '"' && line[0] != '`' {
			word, rest, _ := strings.Cut(line, " ")
			words, line = append(words, word), rest
			continue
		}
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		word, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatalf("%s: %v", quoted, err)
		}
		words, line = append(words, word), line[len(quoted):]
	}
	return words
}

// lay writes the files of the fixture into the current folder.
func (f *fixture) lay(t *testing.T, base *txtar.Archive) {
	t.Helper()
	for _, archive := range []*txtar.Archive{base, f.archive} {
		for _, file := range archive.Files {
			if file.Name != "want.txt" {
				put(t, file.Name, file.Data)
			}
		}
	}
	for _, step := range f.steps {
		switch step[0] {
		case "replace":
			put(t, step[1], substitute(t, get(t, step[1]), step[2], aboutGood(t, step[3])))
		case "append":
			times := 1
			if len(step) > 3 {
				times, _ = strconv.Atoi(step[3])
			}
			put(t, step[1], append(get(t, step[1]), strings.Repeat(step[2], times)...))
		case "link":
			if err := os.Symlink(step[2], step[1]); err != nil {
				t.Skipf("no symbolic links here: %v", err)
			}
		case "forge":
			forgeBuild(t, f.steps)
			return
		case "sign":
			f.signingStep(t, step[1:])
		default:
			t.Fatalf("unknown step %s", step[0])
		}
	}
}

func put(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return data
}

func substitute(t *testing.T, data []byte, before, after string) []byte {
	t.Helper()
	if n := bytes.Count(data, []byte(before)); n != 1 {
		t.Fatalf("%q stands %d times in\n%s", before, n, data)
	}
	return bytes.Replace(data, []byte(before), []byte(after), 1)
}

// noon is the time of the day of all that runs within the tests.
var noon = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// outcome runs a command line in the current folder, without an environment.
func outcome(args ...string) (exit int, stdout, stderr string) { return outcomeIn(nil, args...) }

func outcomeIn(variables map[string]string, args ...string) (exit int, stdout, stderr string) {
	var out, talk bytes.Buffer
	env := environment{stdin: strings.NewReader(""), stdout: &out, stderr: &talk, now: func() time.Time { return noon }}
	env.lookupEnv = func(name string) (string, bool) {
		value, set := variables[name]
		return value, set
	}
	exit = newApp(env).run(context.Background(), args)
	return exit, out.String(), talk.String()
}

// outcome runs the command line of the fixture, and more behind it. The address of its registry differs in every run.
func (f *fixture) outcome(more ...string) (exit int, stdout, stderr string) {
	args := slices.Clone(f.args)
	for i := range args {
		if f.registry != "" {
			args[i] = strings.ReplaceAll(args[i], "@registry", f.registry)
		}
	}
	exit, stdout, stderr = outcomeIn(f.env, append(args, more...)...)
	if f.registry != "" {
		stdout, stderr = strings.ReplaceAll(stdout, f.registry, "REGISTRY"), strings.ReplaceAll(stderr, f.registry, "REGISTRY")
	}
	return exit, stdout, stderr
}

// TestEveryCodeHasAFixture holds that each code of the table is triggered by a Project, a Build or an input, and it
// alone, at a place, with the exit code that it is due; or that it is told why no command line can. R80 R81
func TestEveryCodeHasAFixture(t *testing.T) {
	base := readFixture(t, filepath.Join(codesDir, "base.txtar")).archive
	known := map[string]bool{"base": true}
	for i, entry := range diag.Entries() {
		code := string(entry.Code)
		known[code] = true
		if testing.Short() && i%8 != 0 {
			continue // a short run takes every eighth
		}
		if reason, elsewhere := notOnTheCommandLine[entry.Code]; elsewhere {
			if _, err := os.Stat(filepath.Join(codesDir, code+".txtar")); err == nil {
				t.Errorf("%s has a fixture and a reason to have none", code)
			}
			reason.hold(t, entry.Code)
			continue
		}
		t.Run(code, func(t *testing.T) { tryCode(t, entry, base) })
	}
	for code := range notOnTheCommandLine {
		if !known[string(code)] {
			t.Errorf("there is no code %s", code)
		}
	}
	fixtures, err := filepath.Glob(filepath.Join(codesDir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range fixtures {
		if code := strings.TrimSuffix(filepath.Base(path), ".txtar"); !known[code] {
			t.Errorf("%s is the fixture of no code", path)
		}
	}
}

func tryCode(t *testing.T, entry diag.Entry, base *txtar.Archive) {
	path, err := filepath.Abs(filepath.Join(codesDir, string(entry.Code)+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	f := readFixture(t, path)
	t.Chdir(t.TempDir())
	f.lay(t, base)
	exit, stdout, stderr := f.outcome()
	if exit != f.exit {
		t.Errorf("exit %d, want %d\n%s%s", exit, f.exit, stdout, stderr)
	}
	f.compare(t, path, stdout+stderr)
	os.Remove("new.yaml")
	if again, stdout2, stderr2 := f.outcome(); again != exit || stdout2 != stdout || stderr2 != stderr {
		t.Errorf("a second run gives %d\n%s%s", again, stdout2, stderr2)
	}
	f.checkJSON(t, entry)
	if exit, stdout, _ := outcome("explain", string(entry.Code)); exit != exitGood || !strings.Contains(stdout, string(entry.Code)) {
		t.Errorf("explain gives %d\n%s", exit, stdout)
	}
}

// compare holds the printed text against want.txt, or writes that anew.
func (f *fixture) compare(t *testing.T, path, printed string) {
	t.Helper()
	at := slices.IndexFunc(f.archive.Files, func(file txtar.File) bool { return file.Name == "want.txt" })
	switch {
	case *update && at < 0:
		f.archive.Files = append(f.archive.Files, txtar.File{Name: "want.txt", Data: []byte(printed)})
	case *update:
		f.archive.Files[at].Data = []byte(printed)
	case at < 0:
		t.Errorf("there is no want.txt; printed was\n%s", printed)
		return
	case string(f.archive.Files[at].Data) != printed:
		t.Errorf("printed was\n%s\nwant\n%s", printed, f.archive.Files[at].Data)
		return
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(f.archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// checkJSON holds that the JSON answer has the code, at a place, and no other one that is not listed.
func (f *fixture) checkJSON(t *testing.T, entry diag.Entry) {
	t.Helper()
	os.Remove("new.yaml")
	exit, stdout, stderr := f.outcome("--format", "json")
	whole, err := canonical.Parse([]byte(stdout), canonical.Limits{})
	if err != nil || exit != f.exit || stderr != "" {
		t.Fatalf("--format json: exit %d, %v\n%s%s", exit, err, stdout, stderr)
	}
	var found []string
	for _, d := range findingsIn(whole) {
		code := text(d, "/code")
		found = append(found, code)
		if code != string(entry.Code) {
			continue
		}
		if severity := text(d, "/severity"); severity != entry.Severity.String() {
			t.Errorf("the severity is %s", severity)
		}
		line, _ := canonical.Lookup(d, "/line")
		authored := (exit == exitGood || exit == exitWanting) && !strings.HasPrefix(text(d, "/path"), "sha256:") && !slices.Contains(f.args, text(d, "/path"))
		if text(d, "/path") == "" || line == nil && authored && !strings.HasPrefix(text(d, "/path"), "oci://") {
			t.Errorf("it has no place: %v", d)
		}
		if entry.Severity != diag.Info && text(d, "/help") == "" {
			t.Error("it has no help")
		}
	}
	slices.Sort(found)
	want := append(slices.Clone(f.also), string(entry.Code))
	slices.Sort(want)
	if found = slices.Compact(found); !slices.Equal(found, want) {
		t.Errorf("the codes are %v, want %v", found, want)
	}
}

// findingsIn lists what a JSON answer has found: its diagnostics, or the steps of an explanation.
func findingsIn(whole canonical.Value) []canonical.Value {
	list, _ := canonical.Lookup(whole, "/diagnostics")
	out, _ := list.([]any)
	steps, _ := canonical.Lookup(whole, "/steps")
	more, _ := steps.([]any)
	for _, step := range more {
		step.(map[string]any)["severity"] = "info"
		out = append(out, step)
	}
	return out
}

func text(value canonical.Value, pointer string) string {
	member, _ := canonical.Lookup(value, pointer)
	if member == nil {
		return ""
	}
	return fmt.Sprint(member)
}

// elsewhere says why no command line reports a code, and which test triggers it instead.
type elsewhere struct {
	why string
	// test is a test file, relative to the module, that names the code.
	test string
}

// hold looks into the test file for the code, under the name of its constant or as it is.
func (e elsewhere) hold(t *testing.T, code diag.Code) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(moduleRoot, e.test))
	if err != nil {
		t.Error(err)
		return
	}
	name, ok := constants(t)[code]
	if !ok || !regexp.MustCompile(`\b(`+regexp.QuoteMeta(name)+`|`+string(code)+`)\b`).Match(data) {
		t.Errorf("%s (%s) is not named in %s", code, name, e.test)
	}
}

// constants maps codes to the constants that the table has for them.
func constants(t *testing.T) map[diag.Code]string {
	t.Helper()
	out := map[diag.Code]string{}
	files, err := filepath.Glob(filepath.Join(moduleRoot, "diag", "codes_*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(data), "\n") {
			var name, typ, value string
			if n, _ := fmt.Sscanf(line, "%s %s = %q", &name, &typ, &value); n == 3 && typ == "Code" {
				out[diag.Code(value)] = "diag." + name
			}
		}
	}
	return out
}
