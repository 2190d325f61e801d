package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/seif-dev/seifc/digest/canonical"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"seifc": func() { os.Exit(run(system(), os.Args[1:])) },
	})
}

// TestScript runs testdata/script: one file per command or promise, with what it prints where that is the promise.
func TestScript(t *testing.T) { runScripts(t, "testdata/script") }

// TestCases runs testdata/cases: inputs that broke other tools, byte for byte, and what must come of each here.
func TestCases(t *testing.T) { runScripts(t, "testdata/cases") }

// scripts lists the scripts of a folder, of a short run every fourth.
func scripts(t *testing.T, dir string) []string {
	all, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(all) == 0 {
		t.Fatalf("no scripts in %s: %v", dir, err)
	}
	slices.Sort(all)
	if !testing.Short() {
		return all
	}
	var some []string
	for i := 0; i < len(all); i += 4 {
		some = append(some, all[i])
	}
	return some
}

func runScripts(t *testing.T, dir string) {
	testscript.Run(t, testscript.Params{
		Files: scripts(t, dir), UpdateScripts: *update, RequireExplicitExec: true, RequireUniqueNames: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exit": exitsWith, "json": jsonMember, "codes": listsCodes, "remember": remember, "untouched": untouched,
			"write": writeEscaped, "replace": replaceText, "listing": listing, "wellformed": wellFormed, "sarif": sarifIsWhole,
			"sums": sumsTo, "mode": hasMode, "flip": flipByte, "testkey": makeTestKey, "digest": keepDigest,
		},
		Setup: func(env *testscript.Env) error {
			tars, err := filepath.Abs("testdata/cases/14-bundle-path-escape")
			if err != nil {
				return err
			}
			env.Setenv("TARS", tars)
			env.Values[remembered{}] = map[string]memory{}
			env.Setenv("REGISTRY", startRegistry(env))
			return nil
		},
	})
}

// exitsWith runs a program: `exit CODE PROGRAM ARGS...`.
func exitsWith(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exit CODE PROGRAM ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var failed *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &failed):
		got = failed.ExitCode()
	default:
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// answered reads stdout as the one JSON document that it must be.
func answered(ts *testscript.TestScript) canonical.Value {
	value, err := canonical.Parse([]byte(ts.ReadFile("stdout")), canonical.Limits{})
	if err != nil {
		ts.Fatalf("stdout is not one JSON document: %v", err)
	}
	return value
}

// jsonMember looks into the JSON answer: `json POINTER TEXT`, where a value that is no text stands as JSON. With a
// pointer alone the member must be there, with `!` it must not.
func jsonMember(ts *testscript.TestScript, neg bool, args []string) {
	value, present := canonical.Lookup(answered(ts), args[0])
	switch {
	case neg && present:
		ts.Fatalf("%s is there: %v", args[0], value)
	case neg:
		return
	case !present:
		ts.Fatalf("there is no %s", args[0])
	case len(args) == 1:
		return
	}
	got, isText := value.(string)
	if !isText {
		form, err := json.Marshal(value)
		ts.Check(err)
		got = string(form)
	}
	if want := strings.Join(args[1:], " "); got != want {
		ts.Fatalf("%s is %s, want %s", args[0], got, want)
	}
}

// codesIn lists the codes of the diagnostics of a JSON answer, in their order.
func codesIn(whole canonical.Value) []string {
	list, _ := canonical.Lookup(whole, "/diagnostics")
	diagnostics, _ := list.([]any)
	codes := []string{}
	for _, d := range diagnostics {
		code, _ := canonical.Lookup(d, "/code")
		codes = append(codes, fmt.Sprint(code))
	}
	return codes
}

// listsCodes compares the codes of a JSON answer: `codes CODE...`.
func listsCodes(ts *testscript.TestScript, neg bool, args []string) {
	if got := codesIn(answered(ts)); slices.Equal(got, args) == neg {
		ts.Fatalf("the codes are %v", got)
	}
}

// remembered is the key of a script's memory.
type remembered struct{}

// memory is a file as it was.
type memory struct {
	data []byte
	info os.FileInfo
}

func look(ts *testscript.TestScript, name string) memory {
	data, err := os.ReadFile(ts.MkAbs(name))
	ts.Check(err)
	info, err := os.Stat(ts.MkAbs(name))
	ts.Check(err)
	return memory{data, info}
}

// remember keeps what files are for `untouched`.
func remember(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		ts.Value(remembered{}).(map[string]memory)[name] = look(ts, name)
	}
}

// untouched holds that files are the very ones that were remembered; with `!` that their bytes changed.
func untouched(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		was, ok := ts.Value(remembered{}).(map[string]memory)[name]
		if !ok {
			ts.Fatalf("%s was not remembered", name)
		}
		is := look(ts, name)
		same := bytes.Equal(was.data, is.data)
		if neg == same {
			ts.Fatalf("%s: same bytes: %v", name, same)
		}
		if !neg && (!os.SameFile(was.info, is.info) || !was.info.ModTime().Equal(is.info.ModTime()) || was.info.Mode() != is.info.Mode()) {
			ts.Fatalf("%s was written again", name)
		}
	}
}

// writeEscaped writes a file that a script cannot hold as it is: `write FILE TEXT...`, where each text is the inside of
// a Go string literal.
func writeEscaped(ts *testscript.TestScript, neg bool, args []string) {
	var out []byte
	for _, text := range args[1:] {
		plain, err := strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`)
		ts.Check(err)
		out = append(out, plain...)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), out, 0o666))
}

// replaceText changes a file: `replace FILE OLD NEW`, where OLD stands in it once and both are the inside of a Go
// string literal.
func replaceText(ts *testscript.TestScript, _ bool, args []string) {
	was := ts.ReadFile(args[0])
	texts := make([]string, 2)
	for i, text := range args[1:] {
		plain, err := strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`)
		ts.Check(err)
		texts[i] = plain
	}
	if n := strings.Count(was, texts[0]); n != 1 {
		ts.Fatalf("%q stands %d times in %s", texts[0], n, args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(was, texts[0], texts[1], 1)), 0o666))
}

// listing compares the names in a folder, hidden ones included: `listing DIR NAME...`.
func listing(ts *testscript.TestScript, _ bool, args []string) {
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	names := []string{}
	for _, entry := range entries {
		if entry.Name() != ".tmp" { // the script's own
			names = append(names, entry.Name())
		}
	}
	if !slices.Equal(names, args[1:]) {
		ts.Fatalf("%s has %v", args[0], names)
	}
}

// wellFormed holds that a file is XML.
func wellFormed(ts *testscript.TestScript, _ bool, args []string) {
	decoder := xml.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	for {
		_, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		ts.Check(err)
	}
}

// sarifIsWhole holds what services that read SARIF refuse a whole file for: every result has a place with a relative
// URI and a line, and a rule.
func sarifIsWhole(ts *testscript.TestScript, _ bool, _ []string) {
	whole := answered(ts)
	rules := map[string]bool{}
	list, _ := canonical.Lookup(whole, "/runs/0/tool/driver/rules")
	for _, rule := range list.([]any) {
		id, _ := canonical.Lookup(rule, "/id")
		rules[fmt.Sprint(id)] = true
	}
	if version, _ := canonical.Lookup(whole, "/runs/0/tool/driver/version"); version == nil || version == "" {
		ts.Fatalf("the tool has no version")
	}
	results, _ := canonical.Lookup(whole, "/runs/0/results")
	for i, result := range results.([]any) {
		rule, _ := canonical.Lookup(result, "/ruleId")
		uri, _ := canonical.Lookup(result, "/locations/0/physicalLocation/artifactLocation/uri")
		line, _ := canonical.Lookup(result, "/locations/0/physicalLocation/region/startLine")
		text, _ := uri.(string)
		if !rules[fmt.Sprint(rule)] || text == "" || text[0] == '/' || strings.Contains(text, `\`) || line == nil || fmt.Sprint(line) == "0" {
			ts.Fatalf("result %d: rule %v, uri %v, line %v", i, rule, uri, line)
		}
	}
}

// sumsTo adds up a member of the items of a list, which are in falling order: `sums LIST MEMBER TOTAL`.
func sumsTo(ts *testscript.TestScript, _ bool, args []string) {
	whole := answered(ts)
	list, _ := canonical.Lookup(whole, args[0])
	sum, last := 0, -1
	for _, item := range list.([]any) {
		member, _ := canonical.Lookup(item, "/"+args[1])
		n, err := strconv.Atoi(fmt.Sprint(member))
		ts.Check(err)
		if last >= 0 && n > last {
			ts.Fatalf("%d stands behind %d", n, last)
		}
		sum, last = sum+n, n
	}
	if total, _ := canonical.Lookup(whole, args[2]); fmt.Sprint(total) != strconv.Itoa(sum) || sum <= 0 {
		ts.Fatalf("the sum is %d, the total %v", sum, total)
	}
}
