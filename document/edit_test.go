package document_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/document"
)

const project = `schema: seif.context-project.v1 # first
tools:                                   # pins
  lesson.find: sha256:00                 # found by hand
  review.schedule:
  course.enroll-v1: {$ref: tool_contract:course.enroll, fingerprint: sha256:33}
  long:
    $ref: tool_contract:x

# the end of tools
profiles: {student: {budget: {tokens: 1}}}
list: [a, b]
items:
  - one
  - k: v
    w: x
text: |
  some
  text
last: 1
`

func TestSet(t *testing.T) {
	tests := []struct {
		pointer string
		value   any
		old     string
		new     string
	}{
		{"/tools/lesson.find", "sha256:11", "lesson.find: sha256:00  ", "lesson.find: sha256:11  "},
		{"/tools/review.schedule", "sha256:22", "review.schedule:\n", "review.schedule: sha256:22\n"},
		{"/tools/course.enroll-v1/fingerprint", "sha256:44", "sha256:33", "sha256:44"},
		{"/last", "no", "last: 1", `last: "no"`},
		{"/last", "1.10", "last: 1", `last: "1.10"`},
		{"/last", json.Number("2.50"), "last: 1", "last: 2.5"},
		{"/last", map[string]any{"b": "x", "a": []any{true, nil}}, "last: 1", "last: {a: [true, null], b: x}"},
		{"/text", "short", "text: |\n  some\n  text\n", "text: short\n"},
		{"/items/0", "a: b", "- one", `- "a: b"`},
		{"/items/1/w", "z", "w: x", "w: z"},
		{"/list/1", "c, d", "[a, b]", `[a, "c, d"]`},
		{"/list", []any{}, "[a, b]", "[]"},
		{"/schema", "a # b", "seif.context-project.v1 #", `"a # b" #`},
	}
	for _, test := range tests {
		t.Run(test.pointer, func(t *testing.T) {
			for _, source := range []string{project, strings.ReplaceAll(project, "\n", "\r\n")} {
				f := parse(t, "seif.yaml", source)
				got, err := f.Set(test.pointer, test.value)
				if err != nil {
					t.Fatal(err)
				}
				want := strings.Replace(project, test.old, test.new, 1)
				if strings.Contains(source, "\r") {
					want = strings.ReplaceAll(want, "\n", "\r\n")
				}
				if diff := cmp.Diff(want, string(got.Source)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestInsert(t *testing.T) {
	revision := document.Pairs{{Name: "status", Value: "retired"}, {Name: "version", Value: "1.0.0"},
		{Name: "schema", Value: document.Flow{Value: map[string]any{"type": "object"}}}}
	tests := []struct{ name, source, pointer, want string }{
		{"block map", "a:\n  b: 1 # one\n\n# end\nc: 2\n", "/a/new",
			"a:\n  b: 1 # one\n  new:\n    status: retired\n    version: 1.0.0\n    schema: {type: object}\n\n# end\nc: 2\n"},
		{"root", "a: 1", "/new",
			"a: 1\nnew:\n  status: retired\n  version: 1.0.0\n  schema: {type: object}"},
		{"left out", "revisions:   # none\nb: 1\n", "/revisions/new",
			"revisions:   # none\n  new:\n    status: retired\n    version: 1.0.0\n    schema: {type: object}\nb: 1\n"},
		{"block list", "a:\n- x\n- y\nb: 1\n", "/a/-",
			"a:\n- x\n- y\n- status: retired\n  version: 1.0.0\n  schema: {type: object}\nb: 1\n"},
		{"deeper list", "a:\n    - x: |\n        t\nb: 1\n", "/a/1",
			"a:\n    - x: |\n        t\n    - status: retired\n      version: 1.0.0\n      schema: {type: object}\nb: 1\n"},
		{"flow map", "a: {b: 1} # c\n", "/a/new", "a: {b: 1, new: {status: retired, version: 1.0.0, schema: {type: object}}} # c\n"},
		{"empty flow map", "a: {}\n", "/a/new", "a: {new: {status: retired, version: 1.0.0, schema: {type: object}}}\n"},
		{"flow list", "a: [x]\n", "/a/1", "a: [x, {status: retired, version: 1.0.0, schema: {type: object}}]\n"},
		{"flow map over lines", "a: {\n  b: 1,\n}\n", "/a/new",
			"a: {\n  b: 1,\n  new: {status: retired, version: 1.0.0, schema: {type: object}},\n}\n"},
		{"map in a list", "a:\n  - b: 1\n  - c: 2\n", "/a/0/new",
			"a:\n  - b: 1\n    new:\n      status: retired\n      version: 1.0.0\n      schema: {type: object}\n  - c: 2\n"},
		{"CRLF", "a:\r\n  b: 1\r\n", "/a/new",
			"a:\r\n  b: 1\r\n  new:\r\n    status: retired\r\n    version: 1.0.0\r\n    schema: {type: object}\r\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := parse(t, "a.yaml", test.source).Insert(test.pointer, revision)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, string(got.Source)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDelete(t *testing.T) {
	tests := []struct{ name, source, pointer, want string }{
		{"block", "a: 1 # one\nb: 2\nc: 3\n", "/b", "a: 1 # one\nc: 3\n"},
		{"block with children", "a:\n  x: 1\n  y: 2\nb: 2\n", "/a", "b: 2\n"},
		{"last", "a: 1\nb: |\n  t\n", "/b", "a: 1\n"},
		{"only", "a:\n  b: 1\nc: 2\n", "/a/b", "a:\n  {}\nc: 2\n"},
		{"first of an item", "- a: 1\n  b: 2\n", "/0/a", "- b: 2\n"},
		{"flow first", "{a: 1, b: 2}\n", "/a", "{b: 2}\n"},
		{"flow last", "{a: 1, b: 2}\n", "/b", "{a: 1}\n"},
		{"flow only", "[{a: 1}]\n", "/0/a", "[{}]\n"},
		{"item", "- a\n- b\n- c\n", "/1", "- a\n- c\n"},
		{"item that is a map", "a:\n  - b: 1\n    c: 2\n  - d: 3\n", "/a/0", "a:\n  - d: 3\n"},
		{"flow item", "[a, b, c]\n", "/2", "[a, b]\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := parse(t, "a.yaml", test.source).Delete(test.pointer)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, string(got.Source)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestEditJSON(t *testing.T) {
	f := parse(t, "a.json", "{\n  \"a\": 1,\n  \"b\": [true]\n}\n")
	f, err := f.Set("/a", "x\ny")
	if err != nil {
		t.Fatal(err)
	}
	if f, err = f.Insert("/c", map[string]any{"d": nil}); err != nil {
		t.Fatal(err)
	}
	if f, err = f.Delete("/b/0"); err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"a\": \"x\\ny\",\n  \"b\": [],\n  \"c\": {\"d\":null}\n}\n"
	if diff := cmp.Diff(want, string(f.Source)); diff != "" {
		t.Error(diff)
	}
}

// What cannot be done with certainty is not done.
func TestEditRefused(t *testing.T) {
	tests := []struct {
		name, source string
		edit         func(*document.File) (*document.File, error)
		want         document.EditReason
	}{
		{"missing", "a: 1\n", func(f *document.File) (*document.File, error) { return f.Set("/b", "x") }, document.EditMissing},
		{"present", "a: 1\n", func(f *document.File) (*document.File, error) { return f.Insert("/a", "x") }, document.EditPresent},
		{"inside a scalar", "a: 1\n", func(f *document.File) (*document.File, error) { return f.Insert("/a/b", "x") }, document.EditMissing},
		{"through an alias", "a: &a {b: 1}\nc: *a\n",
			func(f *document.File) (*document.File, error) { return f.Set("/c/b", "x") }, document.EditAlias},
		{"an alias elsewhere would change", "a: &a {b: 1}\nc: *a\n",
			func(f *document.File) (*document.File, error) { return f.Set("/a/b", "x") }, document.EditUnproven},
		{"the anchor is needed", "a: &a {b: 1}\nc: *a\n",
			func(f *document.File) (*document.File, error) { return f.Delete("/a") }, document.EditUnproven},
		{"unsound", "a: [\n", func(f *document.File) (*document.File, error) { return f.Set("/a", "x") }, document.EditUnsound},
		{"control character", "a: 1\n",
			func(f *document.File) (*document.File, error) { return f.Set("/a", "\x1b") }, document.EditUnproven},
		{"inexact", "a: 1\n",
			func(f *document.File) (*document.File, error) { return f.Set("/a", json.Number("1e400")) }, document.EditValue},
		{"root", "a: 1\n", func(f *document.File) (*document.File, error) { return f.Delete("") }, document.EditMissing},
		{"far item", "[a]\n", func(f *document.File) (*document.File, error) { return f.Insert("/5", "x") }, document.EditMissing},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, _ := document.Parse("a.yaml", []byte(test.source))
			got, err := test.edit(f)
			var refused *document.EditError
			if got != nil || !errors.As(err, &refused) || refused.Reason != test.want {
				t.Errorf("got %v, %v", got, err)
			}
			if string(f.Source) != test.source {
				t.Error("the file changed")
			}
		})
	}
}
