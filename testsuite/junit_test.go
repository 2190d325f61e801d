package testsuite_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go/parser"
	"go/token"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/testsuite"
)

// read is the report as a consumer sees it.
type read struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Suites   []struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Cases    []struct {
			Name     string `xml:"name,attr"`
			Class    string `xml:"classname,attr"`
			File     string `xml:"file,attr"`
			Line     int    `xml:"line,attr"`
			Failures []struct {
				Type    string `xml:"type,attr"`
				Message string `xml:"message,attr"`
				Text    string `xml:",chardata"`
			} `xml:"failure"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

func junit(t testing.TB, report *testsuite.Report, failures map[string][]diag.Diagnostic, place diag.Place) (read, string) {
	t.Helper()
	var out bytes.Buffer
	if err := testsuite.WriteJUnit(&out, report, failures, func(string) diag.Place { return place }); err != nil {
		t.Fatal(err)
	}
	var got read
	decoder := xml.NewDecoder(bytes.NewReader(out.Bytes()))
	if err := decoder.Decode(&got); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	if _, err := decoder.Token(); err != nil && !errors.Is(err, io.EOF) {
		t.Fatalf("behind the end: %v", err)
	}
	// Counts equal the cases that stand there, at both levels.
	if len(got.Suites) != 1 {
		t.Fatalf("%d suites", len(got.Suites))
	}
	suite, failed := got.Suites[0], 0
	for _, c := range suite.Cases {
		if len(c.Failures) > 0 {
			failed++
		}
	}
	if got.Tests != len(suite.Cases) || suite.Tests != got.Tests || got.Failures != failed || suite.Failures != failed {
		t.Fatalf("counts differ:\n%s", &out)
	}
	return got, out.String()
}

func failing(t testing.TB) (*testsuite.Report, map[string][]diag.Diagnostic) {
	t.Helper()
	suite := passing(t)
	test := suite.Tests["down"]
	test.Expect = &testsuite.Expectation{Disclosed: []string{"find"}}
	suite.Tests["down"] = test
	report := run(t, shopPlan(t), suite)
	at := diag.LocatorFunc(func(target diag.Target) diag.Place {
		return diag.Place{Path: "tests/shop.yaml", Start: diag.Position{Line: 7, Column: 3}, Pointer: target.Pointer}
	})
	failures := map[string][]diag.Diagnostic{}
	for _, result := range report.Results {
		failures[result.ID] = diag.At(at, result.Failures...)
	}
	return report, failures
}

func TestJUnit(t *testing.T) {
	report, failures := failing(t)
	place := diag.Place{Path: "tests/shop.yaml", Start: diag.Position{Line: 4, Column: 1}}
	got, text := junit(t, report, failures, place)
	golden(t, "junit.xml", []byte(text))
	if got.Tests != len(report.Results) || got.Failures != report.Failed() || report.Failed() != 1 {
		t.Errorf("%d tests, %d failures", got.Tests, got.Failures)
	}
	for _, c := range got.Suites[0].Cases {
		if c.File != "tests/shop.yaml" || c.Line != 4 {
			t.Errorf("%s stands at %s:%d", c.Name, c.File, c.Line)
		}
		if c.Name == "down" && (c.Class != "guards" || len(c.Failures) != 1 || c.Failures[0].Text != "tests/shop.yaml:7:3") {
			t.Errorf("%+v", c)
		}
	}
}

// R83: a run of nothing is a failure in the report too.
func TestJUnitOfNoTests(t *testing.T) {
	got, _ := junit(t, &testsuite.Report{}, nil, diag.Place{})
	if got.Tests != 1 || got.Failures != 1 || got.Suites[0].Cases[0].Failures[0].Type != string(diag.CodeNoTests) {
		t.Errorf("%+v", got)
	}
}

// A failure that nobody placed stays one.
func TestJUnitWithoutPlaces(t *testing.T) {
	report, _ := failing(t)
	if got, _ := junit(t, report, nil, diag.Place{}); got.Failures != 1 {
		t.Errorf("%+v", got)
	}
}

type narrow struct{ after int }

func (w *narrow) Write(p []byte) (int, error) {
	if w.after -= len(p); w.after < 0 {
		return 0, errors.New("no space left")
	}
	return len(p), nil
}

func TestJUnitSaysWhenItCannotBeWritten(t *testing.T) {
	report, failures := failing(t)
	_, text := junit(t, report, failures, diag.Place{})
	for after := range len(text) {
		err := testsuite.WriteJUnit(&narrow{after}, report, failures, func(string) diag.Place { return diag.Place{} })
		if err == nil || err.Error() != "no space left" {
			t.Fatalf("after %d bytes: %v", after, err)
		}
	}
}

// Any id, message and path give well-formed XML with the right counts.
func FuzzJUnit(f *testing.F) {
	for _, seed := range []string{"plain", "ctl\x01 <a> & \"b\" ]]>", "\x00", "\uFFFE\uFFFF", "a\xff", "\U000E0041", "\u2028", "&#0;", "\x1b[2J", "'\t\n\r", strings.Repeat("x", 5000)} {
		f.Add(seed, seed, seed)
	}
	f.Fuzz(func(t *testing.T, id, message, path string) {
		problem := diag.New(diag.CodeExpectationFailed, "", "test", id, "what", message, "expected", path, "actual", id)
		report := &testsuite.Report{Results: []testsuite.Result{{ID: id, Incident: message, Failures: []diag.Problem{problem}}, {ID: id + "2"}}}
		place := diag.Place{Path: path, Start: diag.Position{Line: 3}}
		failures := map[string][]diag.Diagnostic{id: diag.At(diag.LocatorFunc(func(diag.Target) diag.Place { return place }), problem)}
		got, text := junit(t, report, failures, place)
		if got.Tests != 2 || got.Failures != 1 {
			t.Errorf("%d tests, %d failures", got.Tests, got.Failures)
		}
		if strings.ContainsAny(text, "\x00\x01\x1b\uFFFE\u2028") {
			t.Error("a character that no consumer takes")
		}
	})
}

// R90: nothing here can reach a network, start a program, read a clock or draw a random number. `os`, `time` and
// `math/rand` are linked because formatting and the schema and expression libraries import them; none of our own
// files names them, and no package that can open a socket is linked at all.
func TestARunHasNoWayOut(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, "github.com/seif-dev/seifc/decide/resolve") {
		t.Fatal("the list of dependencies is not one")
	}
	for _, dep := range deps {
		if slices.Contains([]string{"net", "os/exec", "plugin", "crypto/rand", "crypto/tls", "os/user", "os/signal"}, dep) || strings.HasPrefix(dep, "net/http") {
			t.Errorf("linked: %s", dep)
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		read++
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, imported := range parsed.Imports {
			path := strings.Trim(imported.Path.Value, `"`)
			if path == "os" || path == "time" || path == "syscall" || path == "unsafe" || strings.HasPrefix(path, "net") || strings.Contains(path, "rand") {
				t.Errorf("%s imports %s", file, path)
			}
		}
	}
	if read < 8 {
		t.Errorf("only %d files", read)
	}
}
