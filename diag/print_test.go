package diag_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/diag"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// at is a place in a line: the range of mark within the line, or its first byte.
func at(path string, number int, line, mark string) diag.Place {
	index := max(0, strings.Index(line, mark))
	column := len([]rune(line[:index])) + 1
	return diag.Place{
		Path: path, Snippet: line,
		Start: diag.Position{Offset: 1000*number + index, Line: number, Column: column},
		End:   diag.Position{Offset: 1000*number + index + len(mark), Line: number, Column: column + len([]rune(mark))},
	}
}

// hostile is a string with one of everything that must not reach a terminal or report as it is.
const hostile = "\x1b[2J\x1b]0;own\a a\u202Eb\U000E0041\u200B\r\n::error::x]]>%0A<b>&\"'|`[x](y){0}\xff\u0085\u2028\uFFFE"

// samples are findings of every shape.
func samples() []diag.Diagnostic {
	failed := func(place diag.Place, test, what, want, got string) diag.Diagnostic {
		return diag.AtPlace(place, diag.CodeExpectationFailed, "test", test, "what", what, "expected", want, "actual", got)
	}
	plain := failed(at("shop/tests/a.yaml", 12, "    disclosed: [order.find, order.cancel]", "[order.find, order.cancel]"), "planning", "disclosed", "2 tools", "1 tool")
	plain.Place.Pointer = "/tests/planning/expect/disclosed"
	plain.Notes = []diag.PlacedNote{
		{Kind: diag.NotePinnedHere, Place: at("shop/seif.yaml", 7, "  order.cancel: sha256:00", "sha256:00")},
		{Kind: diag.NoteDetail, Data: diag.Data{"text": "first line\nsecond line"}},
	}
	build := diag.AtPlace(diag.Place{Path: "sha256:" + strings.Repeat("ab", 32), Pointer: "/tools/order.find"}, diag.CodeTestNotCovered, "what", "the tool order.find")
	wide := failed(at("shop/seif.yaml", 9, "\tname: 日本語 e\u0301 mark # end", "mark"), "wide", "text", "a", "b")
	long := strings.Repeat("0123456789", 50)
	lines := at("shop/seif.yaml", 20, "text: |", "|")
	lines.End = diag.Position{Offset: 20100, Line: 23, Column: 4}
	bad := failed(at("shop/"+hostile+".yaml", 3, "id: "+hostile+" end", "end"), hostile, hostile, hostile, hostile)
	bad.Place.Pointer = "/" + hostile
	bad.Data[hostile] = hostile
	bad.Notes = []diag.PlacedNote{
		{Kind: diag.NoteDetail, Data: diag.Data{"text": hostile + "\nhelp: forged"}},
		{Kind: diag.NoteDefinedHere, Data: diag.Data{"text": hostile}, Place: at("shop/"+hostile, 1, hostile, "")},
	}
	return []diag.Diagnostic{
		plain, build, wide, bad,
		failed(lines, "lines", "text", "a", "b"),
		failed(at("shop/seif.yaml", 30, long+"MARK"+long, "MARK"), "long", "text", "a", "b"),
		failed(diag.Place{Path: "shop/seif.yaml"}, "whole file", "text", "a", "b"),
		diag.AtPlace(diag.Place{}, diag.CodeNoTests),
		diag.AtPlace(at("shop/tools/orders.yaml", 4, "title: x", "title"), diag.CodeSchemaTitle, "keyword", "title"),
		diag.AtPlace(at("/abs/../up/a b#c?.yaml", 2, "x: 1", "x"), "code_of_a_later_release"),
	}
}

func printed(t *testing.T, format diag.Format, list []diag.Diagnostic, options diag.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := diag.Print(&b, format, list, options); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}

// One fixture proves each printer. Needs 14.
func TestPrinters(t *testing.T) {
	options := diag.Options{ToolVersion: "1.2.3\x1b[0m", Width: 60}
	for _, format := range diag.Formats() {
		t.Run(string(format), func(t *testing.T) {
			got := printed(t, format, samples(), options)
			shown(t, got, true)
			golden(t, string(format)+".golden", got)
		})
	}
}

var sgr = regexp.MustCompile("\x1b\\[[0-9;]+m")

func TestColorIsOnlyAddedToTheSameText(t *testing.T) {
	for _, format := range []diag.Format{diag.Text, diag.Line} {
		plain := printed(t, format, samples(), diag.Options{})
		colored := printed(t, format, samples(), diag.Options{Color: true})
		if !strings.Contains(colored, "\x1b[1;31merror[") {
			t.Errorf("%s: an error is not red", format)
		}
		if got := sgr.ReplaceAllString(colored, ""); got != plain {
			t.Errorf("%s without its colours (-plain +colored):\n%s", format, cmp.Diff(plain, got))
		}
	}
	for _, format := range []diag.Format{diag.JSON, diag.SARIF, diag.GitHub, diag.GitLab} {
		if printed(t, format, samples(), diag.Options{Color: true}) != printed(t, format, samples(), diag.Options{}) {
			t.Errorf("%s is coloured", format)
		}
	}
}

// R80: identical on two runs, in whatever order the findings were made.
func TestPrintersDoNotDependOnOrderOrRepetition(t *testing.T) {
	list := samples()
	other := slices.Concat(list, list)
	slices.Reverse(other)
	for _, format := range diag.Formats() {
		if a, b := printed(t, format, list, diag.Options{}), printed(t, format, other, diag.Options{}); a != b {
			t.Errorf("%s differs:\n%s", format, cmp.Diff(a, b))
		}
	}
}

// R80: truncation says how many were left out, and never hides an error behind an info.
func TestLimit(t *testing.T) {
	var list []diag.Diagnostic
	for i := range 150 {
		list = append(list, diag.AtPlace(at("a.yaml", i+1, "title: x", "title"), diag.CodeSchemaTitle, "keyword", "title"))
	}
	list = append(list, diag.AtPlace(at("z.yaml", 1, "x", "x"), diag.CodeNoTests))
	for format, count := range map[diag.Format]string{
		diag.Text: "51 more findings are not shown (51 infos)", diag.Line: "51 more findings are not shown (51 infos)",
	} {
		got := printed(t, format, list, diag.Options{})
		if !strings.Contains(got, count) || !strings.Contains(got, "z.yaml:1:1: error[no_tests]") {
			t.Errorf("%s:\n%s", format, got)
		}
		if n := strings.Count(got, "info["); n != diag.DefaultLimit-1 {
			t.Errorf("%s shows %d infos", format, n)
		}
	}
	for _, format := range diag.Formats() {
		whole := printed(t, format, list, diag.Options{Limit: -1})
		if strings.Contains(whole, "not shown") || strings.Count(whole, string(diag.CodeSchemaTitle)) < 150 {
			t.Errorf("%s without a limit leaves something out", format)
		}
		cut := printed(t, format, list, diag.Options{Limit: 2})
		said := "149 more findings are not shown (149 infos)"
		if format == diag.JSON {
			said = `"omitted": 149`
		}
		if !strings.Contains(cut, said) || !strings.Contains(cut, "no_tests") {
			t.Errorf("%s limited to 2:\n%s", format, cut)
		}
		if format != diag.Text && format != diag.Line && printed(t, format, list, diag.Options{}) != whole {
			t.Errorf("%s has a limit that nobody asked for", format)
		}
	}
	if got := printed(t, diag.Line, list[:2], diag.Options{Limit: 1}); !strings.Contains(got, "(1 more finding is not shown (1 info))") {
		t.Errorf("one left out:\n%s", got)
	}
}

type failing struct{ after int }

var errFull = errors.New("disk full")

func (f *failing) Write(p []byte) (int, error) {
	if len(p) > f.after {
		return f.after, errFull
	}
	f.after -= len(p)
	return len(p), nil
}

// Needs 43: a report that cannot be written is an error of the command, wherever it breaks off.
func TestWriteErrorIsReturned(t *testing.T) {
	for _, format := range diag.Formats() {
		size := len(printed(t, format, samples(), diag.Options{}))
		for _, room := range []int{0, 1, size / 2, size - 1} {
			if err := diag.Print(&failing{room}, format, samples(), diag.Options{}); !errors.Is(err, errFull) {
				t.Errorf("%s with room for %d of %d bytes: %v", format, room, size, err)
			}
		}
	}
	if err := diag.Explain(&failing{}, string(diag.CodeNoTests)); !errors.Is(err, errFull) {
		t.Errorf("Explain: %v", err)
	}
	if err := diag.WriteIndex(&failing{}); !errors.Is(err, errFull) {
		t.Errorf("WriteIndex: %v", err)
	}
}

func TestParseFormat(t *testing.T) {
	for _, format := range diag.Formats() {
		if got, err := diag.ParseFormat(string(format)); got != format || err != nil {
			t.Errorf("ParseFormat(%q) = %q, %v", format, got, err)
		}
	}
	for _, name := range []string{"", "JSON", "junit", "text "} {
		var unknown *diag.UnknownFormat
		if _, err := diag.ParseFormat(name); !errors.As(err, &unknown) {
			t.Errorf("ParseFormat(%q): %v", name, err)
		}
	}
	_, err := diag.ParseFormat("sarif\x1b", diag.Text, diag.JSON)
	if want := `there is no format sarif\u{001B} here; use one of text, json`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := diag.Print(&bytes.Buffer{}, "yaml", nil, diag.Options{}); err == nil {
		t.Error("an unknown format prints")
	}
}

// No printer lets a control or hidden character through, whatever a document, a path or a datum holds.
func FuzzPrint(f *testing.F) {
	f.Add("a.yaml", "/a", "key: value", "value", "text", 1, 3, 5)
	f.Add(hostile, hostile, hostile, hostile, hostile, 1, 9, 12)
	f.Add("", "", "", "", "", 0, 0, 0)
	f.Add("/a/../../b", "/~1", strings.Repeat("\t日\u0301\xff\u202E", 60), "{0}", "::", 7, 90, -4)
	f.Add("C:\\x", "#", "\r\r\n\n", "[[", "\x1b", -1, 1<<30, 2)
	f.Fuzz(func(t *testing.T, path, pointer, line, value, name string, row, column, end int) {
		place := diag.Place{
			Path: path, Pointer: pointer, Snippet: line,
			Start: diag.Position{Offset: column, Line: row, Column: column},
			End:   diag.Position{Offset: end, Line: row, Column: end},
		}
		list := []diag.Diagnostic{
			diag.AtPlace(place, diag.CodeExpectationFailed, "test", value, "what", value, "expected", line, name, value),
			diag.AtPlace(place, diag.Code(name), name, value),
		}
		list[0].Notes = []diag.PlacedNote{
			{Kind: diag.NoteDetail, Data: diag.Data{"text": value}},
			{Kind: diag.NoteKind(name), Place: place, Data: diag.Data{"text": line}},
		}
		for _, format := range diag.Formats() {
			shown(t, printed(t, format, list, diag.Options{ToolVersion: value, Project: path}), true)
		}
		for i, line := range strings.Split(strings.TrimSuffix(printed(t, diag.Line, list, diag.Options{}), "\n"), "\n") {
			if i > 1 || !strings.Contains(line, "[") {
				t.Errorf("line %d of two findings: %q", i, line)
			}
		}
		for line := range strings.Lines(printed(t, diag.GitHub, list, diag.Options{})) {
			if !strings.HasPrefix(line, "::error file=") {
				t.Errorf("not a workflow command of ours: %q", line)
			}
		}
	})
}

// Time is linear also where every finding is in one line that is as long as a file may be.
func TestManyFindingsInOneLongLine(t *testing.T) {
	line := strings.Repeat(`{"title":"x"},`, 300_000)
	var list []diag.Diagnostic
	for i := range 20_000 {
		place := diag.Place{Path: "a.json", Snippet: line}
		place.Start = diag.Position{Offset: 14*i + 1, Line: 1, Column: 14*i + 2}
		place.End = diag.Position{Offset: 14*i + 8, Line: 1, Column: 14*i + 9}
		list = append(list, diag.AtPlace(place, diag.CodeSchemaTitle, "keyword", "title"))
	}
	got := printed(t, diag.JSON, list, diag.Options{})
	if len(got) > 3000*len(list) {
		t.Errorf("%d bytes for %d findings", len(got), len(list))
	}
	text := printed(t, diag.Text, list[len(list)-1:], diag.Options{Width: 40})
	caret := strings.Split(text, "\n")
	if len(caret) < 3 || !strings.HasPrefix(caret[1][strings.Index(caret[2], "^"):], `"title"`) {
		t.Errorf("the caret does not stand under the title:\n%s", text)
	}
}

func BenchmarkPrint(b *testing.B) {
	var list []diag.Diagnostic
	for i := range 10_000 {
		list = append(list, diag.AtPlace(at(fmt.Sprintf("%d.yaml", i%100), i, "title: x", "title"), diag.CodeSchemaTitle, "keyword", "title"))
	}
	for _, format := range diag.Formats() {
		b.Run(string(format), func(b *testing.B) {
			for b.Loop() {
				var out bytes.Buffer
				if err := diag.Print(&out, format, list, diag.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
