package document_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/document"
)

func parse(t testing.TB, name, source string) *document.File {
	t.Helper()
	f, found := document.Parse(name, []byte(source))
	if diag.HasErrors(found) {
		t.Fatalf("%q: %v", source, findings(found))
	}
	return f
}

func textAt(f *document.File, p diag.Place) string {
	return string(f.Source[p.Start.Offset:p.End.Offset])
}

func TestLocate(t *testing.T) {
	f := parse(t, "a.yaml", strings.TrimLeft(`
name: x
tools:
  a.b: {ref: "q", list: [1, 2]}
  c/d:
    deep:
      - one
      - k: v
  empty:
`, "\n"))
	tests := []struct {
		pointer string
		part    diag.Part
		want    string
		line    int
	}{
		{"/name", diag.PartValue, "x", 1},
		{"/name", diag.PartKey, "name", 1},
		{"/tools/a.b/ref", diag.PartValue, `"q"`, 3},
		{"/tools/a.b/list", diag.PartValue, "[1, 2]", 3},
		{"/tools/a.b/list/1", diag.PartValue, "2", 3},
		{"/tools/a.b/list/7", diag.PartValue, "list", 3},
		{"/tools/a.b/list/x", diag.PartValue, "list", 3},
		{"/tools", diag.PartValue, "tools", 2},
		{"/tools/c~1d", diag.PartValue, "c/d", 4},
		{"/tools/c~1d/deep", diag.PartKey, "deep", 5},
		{"/tools/c~1d/deep/0", diag.PartValue, "one", 6},
		{"/tools/c~1d/deep/1", diag.PartValue, "", 7},
		{"/tools/c~1d/deep/1/k", diag.PartValue, "v", 7},
		{"/tools/empty", diag.PartValue, "empty", 8},
		{"/tools/empty/more/and/more", diag.PartValue, "empty", 8},
		{"/tools/c~1d/nothing", diag.PartKey, "c/d", 4},
		{"", diag.PartValue, "", 1},
		{"/nothing", diag.PartValue, "", 1},
		{"no pointer", diag.PartValue, "", 1},
	}
	for _, test := range tests {
		place := f.Locate(diag.Target{Pointer: test.pointer, Part: test.part})
		if got := textAt(f, place); got != test.want || place.Start.Line != test.line || place.Pointer != test.pointer {
			t.Errorf("%s (part %d): %q on line %d, want %q on line %d", test.pointer, test.part, got, place.Start.Line, test.want, test.line)
		}
	}
}

// Offsets within a decoded text lead back to the bytes that it was written with.
func TestLocateWithin(t *testing.T) {
	tests := []struct{ name, source, find, want string }{
		{"plain", "a: one two\n", "two", "two"},
		{"plain over lines", "a: one\n  two\n  three\n", "three", "three"},
		{"folded space", "a: one\n  two\n", " ", "\n  "},
		{"plain with CRLF", "a: one\r\n  two\r\n", "two", "two"},
		{"single", "a: 'it''s here'\n", "here", "here"},
		{"single quote", "a: 'it''s'\n", "'", "''"},
		{"double", `a: "x\ty\u00e9z"` + "\n", "z", "z"},
		{"escape", `a: "x\ty\u00e9z"` + "\n", "é", `\u00e9`},
		{"escape of equal length", `a: "x\_y"` + "\n", "\u00a0", `\_`},
		{"wide escape", `a: "\U0001F600z"` + "\n", "\U0001F600", `\U0001F600`},
		{"double over lines", "a: \"one\n  two\\\n  three\"\n", "three", "three"},
		{"literal", "a: |\n  one\n  two\nb: c\n", "two", "two"},
		{"literal end of line", "a: |\n  one\n  two\n", "\ntwo", "\n  two"},
		{"literal with more indentation", "a: |\n  one\n    two\n", "  two", "  two"},
		{"literal with CRLF", "a: |\r\n  one\r\n  two\r\n", "two", "two"},
		{"folded", "a: >-\n  one\n  two\n\n  three\n", "three", "three"},
		{"indicator", "a: |2-\n   one\n  two\n", "two", "two"},
		{"wide characters before", "a: \"ééé 😀 x\"\n", "x", "x"},
		{"JSON", `{"a": "x\"y\ud83d\ude00z"}`, "z", "z"},
		{"JSON pair", `{"a": "x\"y\ud83d\ude00z"}`, "\U0001F600", `\ud83d\ude00`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			name := "a.yaml"
			if strings.HasPrefix(test.source, "{") {
				name = "a.json"
			}
			f := parse(t, name, test.source)
			text := f.At("/a").Text
			offset := strings.Index(text, test.find)
			if offset < 0 {
				t.Fatalf("%q is not in %q", test.find, text)
			}
			place := f.Locate(diag.New("x", "/a").Within(offset, len(test.find)).Target)
			if got := textAt(f, place); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func TestLocateKeyWithin(t *testing.T) {
	f := parse(t, "a.yaml", `"a\tbc": 1`+"\n")
	place := f.Locate(diag.New("x", "/a\tbc").AtKey().Within(2, 1).Target)
	if got := textAt(f, place); got != "b" {
		t.Errorf("%q", got)
	}
}

// What an alias brings in is shown where it is used, with a note where it was written.
func TestLocateThroughAlias(t *testing.T) {
	f := parse(t, "a.yaml", "base: &b {x: {y: bad}}\nuse:\n  it: *b\n")
	found := f.Diagnose(diag.New("x", "/use/it/x/y"), diag.New("x", "/base/x/y"), diag.New("x", "/use/it").AtKey())
	if got := textAt(f, found[0].Place); got != "*b" || found[0].Place.Start.Line != 3 {
		t.Errorf("placed at %q", got)
	}
	if len(found[0].Notes) != 1 || found[0].Notes[0].Kind != diag.NoteDefinedHere || textAt(f, found[0].Notes[0].Place) != "bad" {
		t.Errorf("notes %+v", found[0].Notes)
	}
	if got := textAt(f, found[1].Place); got != "bad" || len(found[1].Notes) != 0 {
		t.Errorf("placed at %q with %v", got, found[1].Notes)
	}
	if got := textAt(f, found[2].Place); got != "it" || len(found[2].Notes) != 0 {
		t.Errorf("placed at %q with %v", got, found[2].Notes)
	}
}

func TestLocateAliasOfBlock(t *testing.T) {
	f := parse(t, "a.yaml", "base: &b\n  x: &c\n    y: bad\nuse:\n  it: *b\n  c: {d: *c}\n")
	tests := []struct {
		target       diag.Target
		place, noted string
	}{
		{diag.Target{Pointer: "/use/it"}, "5:7", "2:3"},
		{diag.Target{Pointer: "/use/it/missing"}, "5:7", "2:3"},
		{diag.Target{Pointer: "/use/it/x"}, "5:7", "2:3"},
		{diag.Target{Pointer: "/use/it/x", Part: diag.PartKey}, "5:7", "2:3"},
		{diag.Target{Pointer: "/use/it", Part: diag.PartKey}, "5:3", ""},
		{diag.Target{Pointer: "/use/c/d/y"}, "6:10", "3:8"},
		{diag.Target{Pointer: "/use/c"}, "6:6", ""},
	}
	for _, test := range tests {
		d := f.Diagnose(diag.Problem{Code: "x", Target: test.target})[0]
		place, noted := fmt.Sprintf("%d:%d", d.Place.Start.Line, d.Place.Start.Column), ""
		for _, n := range d.Notes {
			noted = fmt.Sprintf("%d:%d", n.Place.Start.Line, n.Place.Start.Column)
		}
		if place != test.place || noted != test.noted {
			t.Errorf("%+v: %s, %q, want %s, %q", test.target, place, noted, test.place, test.noted)
		}
	}
}

// Only LF ends a line of ours, with or without CR (formats.md 31); YAML 1.1 knows more line ends.
func TestPlaceCountsLinesAndCodePoints(t *testing.T) {
	source := "\uFEFFa: é😀x # \u0085 \u2028 \u2029 \r y\r\nbb: z\n"
	f, _ := document.Parse("a.yaml", []byte(source))
	place := f.Place(strings.Index(source, "x"), strings.Index(source, "x")+1)
	want := diag.Position{Offset: strings.Index(source, "x"), Line: 1, Column: 6}
	if diff := cmp.Diff(want, place.Start); diff != "" {
		t.Error(diff)
	}
	if place.Snippet != "a: é😀x # \u0085 \u2028 \u2029 \r y" {
		t.Errorf("snippet %q", place.Snippet)
	}
	place = f.Place(strings.Index(source, "z"), len(source)+9)
	if place.Start.Line != 2 || place.Start.Column != 5 || place.End.Line != 3 || place.End.Offset != len(source) {
		t.Errorf("place %+v", place)
	}
}

func TestLongLinesGiveBoundedSnippets(t *testing.T) {
	f := parse(t, "a.yaml", "a: \""+strings.Repeat("é", 40_000)+"\"\nb: c\n")
	if n := len(f.Place(0, 1).Snippet); n > 20_000 || n < 1_000 {
		t.Errorf("%d bytes", n)
	}
	if s := f.Place(60_000, 60_001).Snippet; s != "" {
		t.Errorf("a snippet without its place: %d bytes", len(s))
	}
}

func TestTrailingComment(t *testing.T) {
	f := parse(t, "a.yaml", "deny: args.x == \"a\" # b\nq: \"a\" # b\nl: [x, y] # c\nn: z\n")
	for pointer, want := range map[string]bool{"/deny": true, "/q": false, "/l/1": false, "/n": false} {
		if got := f.At(pointer).TrailingComment; got != want {
			t.Errorf("%s: %v", pointer, got)
		}
	}
}
