package diag_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/diag"
)

// excerptOf prints one finding and gives the source line and the caret line without their gutter.
func excerptOf(t *testing.T, place diag.Place, width int) (line, caret string) {
	t.Helper()
	text := printed(t, diag.Text, []diag.Diagnostic{diag.AtPlace(place, diag.CodeNoTests)}, diag.Options{Width: width})
	lines := strings.Split(text, "\n")
	if len(lines) < 4 {
		return "", ""
	}
	_, line, _ = strings.Cut(lines[1], " | ")
	_, caret, _ = strings.Cut(lines[2], " | ")
	return line, caret
}

func TestCaretStandsUnderTheFinding(t *testing.T) {
	for _, c := range []struct{ name, source, mark, line, caret string }{
		{"plain", "key: value", "value", "key: value", "     ^^^^^"},
		{"tab", "\tkey: value", "value", "    key: value", "         ^^^^^"},
		{"tab is marked", "a\tb", "\t", "a    b", " ^^^^"},
		{"wide", "日本: x", "x", "日本: x", "      ^"},
		{"wide is marked", "a: 日本", "日本", "a: 日本", "   ^^^^"},
		{"emoji", "😀 x", "x", "😀 x", "   ^"},
		{"combining", "e\u0301e\u0301 x", "x", "e\u0301e\u0301 x", "   ^"},
		{"written out", "\u202Ea x", "x", `\u{202E}a x`, "          ^"},
		{"hidden is marked", "a\u200Bb", "\u200B", `a\u{200B}b`, " ^^^^^^^^"},
		{"invalid byte", "\xff x", "x", `\xFF x`, "     ^"},
		{"line end", "key: value\r\n", "value", "key: value", "     ^^^^^"},
		{"Hangul jamo", "\u1112\u1161\u11ab x", "x", "\u1112\u1161\u11ab x", "   ^"},
	} {
		t.Run(c.name, func(t *testing.T) {
			line, caret := excerptOf(t, at("a.yaml", 1, c.source, c.mark), 0)
			if line != c.line || caret != c.caret {
				t.Errorf("got\n%s\n%s\nwant\n%s\n%s", line, caret, c.line, c.caret)
			}
		})
	}
}

func TestCaretOfUnusualRanges(t *testing.T) {
	place := func(column, endLine, endColumn int) diag.Place {
		return diag.Place{
			Path: "a.yaml", Snippet: "key: value",
			Start: diag.Position{Line: 5, Column: column}, End: diag.Position{Line: endLine, Column: endColumn},
		}
	}
	for _, c := range []struct {
		name  string
		place diag.Place
		caret string
	}{
		{"no end", place(6, 0, 0), "     ^"},
		{"empty range", place(6, 5, 6), "     ^"},
		{"end before start", place(6, 5, 2), "     ^"},
		{"to a later line", place(6, 7, 1), "     ^^^^^"},
		{"behind the line", place(99, 5, 120), "          ^"},
		{"longer than the line", place(6, 5, 999), "     ^^^^^"},
		{"no column", place(0, 0, 0), "^"},
	} {
		if _, caret := excerptOf(t, c.place, 0); caret != c.caret {
			t.Errorf("%s: got %q, want %q", c.name, caret, c.caret)
		}
	}
	for _, blank := range []string{"", "   ", "\r\n"} {
		p := diag.Place{Path: "a.yaml", Snippet: blank, Start: diag.Position{Line: 5, Column: 1}}
		if line, caret := excerptOf(t, p, 0); line+caret != "" {
			t.Errorf("%q gives the excerpt %q, %q", blank, line, caret)
		}
	}
}

// Whatever the line and the width, the excerpt fits and the caret points at the marked text.
func TestLongLinesAreCutAroundTheCaret(t *testing.T) {
	for _, filler := range []string{"x", "日", "\t", "e\u0301", "\u202E"} {
		for _, left := range []int{0, 1, 10, 500} {
			for _, right := range []int{0, 1, 10, 500} {
				for _, width := range []int{20, 41, 100} {
					source := strings.Repeat(filler, left) + "MARK" + strings.Repeat(filler, right)
					line, caret := excerptOf(t, at("a.yaml", 1, source, "MARK"), width)
					pad := strings.Index(caret, "^")
					if pad < 0 || caret[pad:] != "^^^^" {
						t.Fatalf("%q %d %d %d: caret %q", filler, left, right, width, caret)
					}
					before, _, found := strings.Cut(line, "MARK")
					wide := strings.Count(before, "日") - strings.Count(before, "\u0301")
					if !found || len([]rune(before))+wide != pad {
						t.Errorf("%q %d %d %d:\n%s\n%s", filler, left, right, width, line, caret)
					}
					all := len([]rune(line)) + strings.Count(line, "日") - strings.Count(line, "\u0301")
					if all > width {
						t.Errorf("%q %d %d: %d cells in %d:\n%s", filler, left, right, all, width, line)
					}
				}
			}
		}
	}
}

func TestTextOfAPlaceWithoutALine(t *testing.T) {
	for _, c := range []struct {
		place diag.Place
		want  string
	}{
		{diag.Place{}, "error[no_tests]: "},
		{diag.Place{Path: "seif.yaml"}, "seif.yaml: error[no_tests]: "},
		{diag.Place{Path: "sha256:00", Pointer: "/tools/a"}, "sha256:00#/tools/a: error[no_tests]: "},
		{diag.Place{Path: "a.yaml", Start: diag.Position{Line: 3}}, "a.yaml:3: error[no_tests]: "},
	} {
		got := printed(t, diag.Line, []diag.Diagnostic{diag.AtPlace(c.place, diag.CodeNoTests)}, diag.Options{})
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestOverlongDataIsCut(t *testing.T) {
	list := []diag.Diagnostic{diag.AtPlace(diag.Place{}, diag.CodeTestNotCovered, "what", strings.Repeat("é", 1<<20))}
	for _, format := range diag.Formats() {
		got := printed(t, format, list, diag.Options{})
		if len(got) > 20_000 || !strings.Contains(got, " more bytes)") {
			t.Errorf("%s has %d bytes and says how much it left out: %v", format, len(got), strings.Contains(got, " more bytes)"))
		}
	}
}

func TestNothingToPrint(t *testing.T) {
	for format, want := range map[diag.Format]string{
		diag.Text: "", diag.Line: "", diag.GitHub: "", diag.GitLab: "[]\n",
	} {
		if d := cmp.Diff(want, printed(t, format, nil, diag.Options{})); d != "" {
			t.Errorf("%s: %s", format, d)
		}
	}
	if got := printed(t, diag.JSON, nil, diag.Options{}); !strings.Contains(got, `"diagnostics": []`) {
		t.Errorf("json: %s", got)
	}
	if got := printed(t, diag.SARIF, nil, diag.Options{}); !strings.Contains(got, `"results": []`) {
		t.Errorf("sarif: %s", got)
	}
}

func TestSummary(t *testing.T) {
	list := samples()
	list = append(list, list[0])
	if d := cmp.Diff(diag.Summary{Errors: 8, Warnings: 1, Infos: 1}, diag.Summarize(list)); d != "" {
		t.Error(d)
	}
	for want, s := range map[string]diag.Summary{
		"no findings": {}, "1 error": {Errors: 1}, "2 errors, 1 warning, 3 infos": {Errors: 2, Warnings: 1, Infos: 3},
	} {
		if got := s.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
