package document_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/document"
)

// codes gives only the codes.
func codes(source string) []string {
	_, found := document.Parse("a.yaml", []byte(source))
	var out []string
	for _, d := range found {
		out = append(out, string(d.Code))
	}
	return out
}

// Hostile files are refused before memory in proportion to what they stand for is taken.
func TestBombs(t *testing.T) {
	var laughs strings.Builder
	laughs.WriteString("a0: &a0 [x]\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&laughs, "a%d: &a%d [*a%d, *a%d, *a%d]\n", i, i, i-1, i-1, i-1)
	}
	var nested strings.Builder
	nested.WriteString("n0: &n0 {x: y}\n")
	for i := 1; i < 60; i++ {
		fmt.Fprintf(&nested, "n%d: &n%d {x: *n%d}\n", i, i, i-1)
	}
	tests := []struct{ name, source, want string }{
		{"commas in a list", "[" + strings.Repeat("a,", 2_000_000) + "]", "too_many_nodes"},
		{"commas in a map", "{" + strings.Repeat("a,", 2_000_000) + "}", "too_many_nodes"},
		{"dashes", strings.Repeat("-\n", 2_000_000), "too_many_nodes"},
		{"keys", strings.Repeat("a:\n", 1_300_000), "too_many_nodes"},
		{"question marks", strings.Repeat("?\n", 2_000_000), "too_many_nodes"},
		{"anchors", strings.Repeat("&a ", 1_300_000), "too_many_nodes"},
		{"tags", strings.Repeat("! ", 2_000_000), "too_many_nodes"},
		{"brackets", strings.Repeat("[", 4_000_000), "too_deep"},
		{"dashes in a line", strings.Repeat("- ", 2_000_000), "too_deep"},
		{"steps", steps(2000), "too_deep"},
		{"alias bomb", laughs.String(), "alias_expansion"},
		{"deep aliases", nested.String(), "too_deep"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got := codes(test.source)
			runtime.ReadMemStats(&after)
			if diff := cmp.Diff([]string{test.want}, got); diff != "" {
				t.Error(diff)
			}
			if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; taken > 160 {
				t.Errorf("%d MiB taken", taken)
			}
		})
	}
}

func steps(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

// Large but ordinary files are read: prose with many commas is one value.
func TestLargeText(t *testing.T) {
	source := "a: |\n" + strings.Repeat("  1,2,3,4,5,6,7: 8, - 9\n", 150_000)
	if got := codes(source); got != nil {
		t.Error(got)
	}
	wide := "[" + strings.Repeat("a,", document.MaxNodes-1) + "]"
	if got := codes(wide); got != nil {
		t.Error(got)
	}
	if got := codes("[" + strings.Repeat("a,", document.MaxNodes) + "]"); len(got) != 1 {
		t.Error(got)
	}
}

func TestManyProblems(t *testing.T) {
	got := codes(strings.Repeat("a: b\n", 1000))
	if len(got) != 201 || !strings.Contains(strings.Join(got, " "), "more_problems") {
		t.Errorf("%d findings", len(got))
	}
}

// A finding with a second place may be the one that is left out.
func TestManyProblemsWithPlaces(t *testing.T) {
	many := strings.Repeat("- !x y\n", 200)
	for _, last := range []string{
		"- [a,\n  b\n", "- a\n  b: c\n", "- {a: b, a: c}\n", "- {a: b,\n  c\n: d\n",
	} {
		got := codes(many + last)
		if len(got) != 201 || !slices.Contains(got, "more_problems") {
			t.Errorf("%q: %d findings", last, len(got))
		}
	}
}
