package diag

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWordDiff(t *testing.T) {
	long := "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
	for _, test := range []struct{ name, before, after, want string }{
		{"equal", "a b", "a b", ""},
		{"one word", "you may share grades", "you must not share grades", "you [-may-]{+must not+} share grades"},
		{"appended", "Returns a grade.", "Returns a grade. First send the list.", "Returns a grade.{+ First send the list.+}"},
		{"from nothing", "", "new", "{+new+}"},
		{"to nothing", "old", "", "[-old-]"},
		{"far context is cut", long + " x", long + " y", "... nine ten eleven twelve thirteen fourteen [-x-]{+y+}"},
		{"space alone", "a b", "a  b", "a[- -]{+  +}b"},
		{"hidden character", "safe", "safe\U000E0041", "[-safe-]{+safe\U000E0041+}"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, WordDiff(test.before, test.after)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A difference holds both texts: what is neither removed nor kept was inserted. Cutting is off for short texts.
func FuzzWordDiff(f *testing.F) {
	f.Add("a b c", "a x c")
	f.Add("", "x")
	f.Fuzz(func(t *testing.T, before, after string) {
		got := WordDiff(before, after)
		if (got == "") != (before == after) && !(got == "" && before != after && len(words(before))+len(words(after)) == 0) {
			t.Errorf("WordDiff(%q, %q) = %q", before, after, got)
		}
	})
}

func TestDifferences(t *testing.T) {
	before := map[string]any{"a": "one two", "b": []any{"x"}, "gone": true, "same": nil}
	after := map[string]any{"a": "one three", "b": []any{"y"}, "new": map[string]any{}, "same": nil}
	want := []Difference{
		{Pointer: "/a", Text: "one [-two-]{+three+}"},
		{Pointer: "/b", Text: `["x"] is now ["y"]`},
		{Pointer: "/gone", Removed: true, Text: "gone: true"},
		{Pointer: "/new", Added: true, Text: "new: {}"},
	}
	if diff := cmp.Diff(want, Differences(before, after)); diff != "" {
		t.Error(diff)
	}
}

func TestNearest(t *testing.T) {
	known := []string{"approval", "budget", "build", "call_limit", "description", "effect", "order.get", "profile", "timeout_ms"}
	for name, want := range map[string]string{
		"biuld": "build", "Order_Get": "order.get", "profil": "profile", "x": "", "unrelated": "", "": "",
		"aproval": "approval", "callLimit": "call_limit", "call-limit": "call_limit", "efect": "effect", "effcet": "effect",
		"timeout": "timeout_ms", "colour": "",
	} {
		if got := Nearest(name, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}
