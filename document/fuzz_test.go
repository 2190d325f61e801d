package document_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/document"
)

var seeds = []string{
	project,
	"a: [b, {c: d}, 'e''f', \"g\\u0041\\n\"]\n",
	"a: |+2\n   x\n\n  y\n\n\nb: >-\n  x\n   y\n\n  z\n",
	"- - a\n  - b: c\n    d:\n    - e\n-\n",
	"&a x: &b\n  - *a\n  - ? y\n    : z\n",
	"--- # x\n!!str a: !!int 1\n...\n",
	"a: \"b\n  c\\\n  d\n\n  e\"\n'f\n  g'\n",
	"a: b\u2028c\u0085d\re\n# \u2029\n",
	"\uFEFFa: b\r\nc:\td # e\r\n",
	"%YAML 1.2\n---\n[a, b: c, ? d]\n",
	"{\"a\":1,\"b\":[null,true,1e-7],\"c\":{\"d\":\"\\ud83d\\ude00\"}}",
	"a: {b: , c}\n? [x]\n: y\n<<: z\n",
	"deny: !has(x) && y\n",
	"a:\n\tb\n",
	"a: &x [*x]\nb: *y\n",
}

// FuzzParse: no input makes the reader panic, take too long or point outside of the file, whatever it finds.
func FuzzParse(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, source []byte, asJSON bool) {
		name := "a.yaml"
		if asJSON {
			name = "a.json"
		}
		file, found := document.Parse(name, source)
		if file.Root == nil && len(found) == 0 {
			t.Fatal("nothing read and nothing found")
		}
		for _, d := range found {
			inside(t, file, d.Place)
			for _, n := range d.Notes {
				inside(t, file, n.Place)
			}
			if _, known := diag.Lookup(string(d.Code)); !known {
				t.Errorf("%s has no row", d.Code)
			}
			if d.Code == diag.CodeUnclearYAML {
				t.Errorf("the scanner and yaml.v3 differ at %d", d.Place.Start.Offset)
			}
		}
		walk(file.Root, func(n *document.Node) { checkNode(t, file, n) })
	})
}

func inside(t *testing.T, f *document.File, p diag.Place) {
	t.Helper()
	if p.Start.Offset < 0 || p.End.Offset < p.Start.Offset || p.End.Offset > len(f.Source) || p.Start.Line < 1 || p.Start.Column < 1 {
		t.Fatalf("place %+v %+v in %d bytes", p.Start, p.End, len(f.Source))
	}
}

func checkNode(t *testing.T, f *document.File, n *document.Node) {
	if n.Start < 0 || n.End < n.Start || n.End > len(f.Source) {
		t.Fatalf("node %d..%d in %d bytes", n.Start, n.End, len(f.Source))
	}
	if !utf8.ValidString(n.Text) {
		t.Fatalf("text %q", n.Text)
	}
	for _, item := range n.Items {
		within(t, n, item)
	}
	for _, m := range n.Members {
		within(t, n, m.Key)
		within(t, n, m.Value)
		if m.Key.Kind != document.String {
			t.Fatalf("key %q of kind %v", m.Key.Text, m.Key.Kind)
		}
	}
}

// within: a child that is written in place stands inside of its parent.
func within(t *testing.T, parent, child *document.Node) {
	start, end := child.Start, child.End
	if child.Alias != nil {
		start, end = child.Alias.Start, child.Alias.End
	}
	if start < parent.Start || end > parent.End {
		t.Fatalf("child %d..%d in parent %d..%d", start, end, parent.Start, parent.End)
	}
}

// FuzzJSONIsYAML: a JSON document is read as the same value by both readers, unless one has something against it.
func FuzzJSONIsYAML(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Add([]byte(`{"a": [1, -0.0, 1E5, 0.10], "b\/c": "\u00e9\t", "": {}}`))
	f.Fuzz(func(t *testing.T, source []byte) {
		asJSON, found := document.Parse("a.json", source)
		if len(found) > 0 {
			return
		}
		asYAML, found := document.Parse("a.yaml", source)
		if len(found) > 0 {
			return
		}
		if diff := cmp.Diff(asJSON.Root.Value(), asYAML.Root.Value()); diff != "" {
			t.Errorf("(-json +yaml):\n%s", diff)
		}
	})
}

// FuzzWrite: what is written is read as the same value, or is refused.
func FuzzWrite(f *testing.F) {
	f.Add([]byte(`{"a": ["b", {"c": null}, [], {}, "x: y\nz\n", " a\n b", "1.0", "#"]}`))
	f.Add([]byte(`["\u2028", "a\u0085", "\ud83d\ude00", "-", "- a", "? b", "a:", "a: ", "a #b", "'", "%"]`))
	f.Fuzz(func(t *testing.T, source []byte) {
		value, err := canonical.Parse(source, canonical.Limits{Depth: 40})
		if err != nil {
			return
		}
		for _, shape := range []any{value, document.Flow{Value: value}} {
			out, err := document.Write(shape)
			if err != nil {
				if !hasControl(string(source)) {
					t.Errorf("%s: %v", source, err)
				}
				continue
			}
			read, found := document.Parse("a.yaml", out)
			if len(found) > 0 || !canonical.Equal(read.Root.Value(), value) {
				t.Errorf("%q is written as %q", source, out)
			}
		}
	})
}

// hasControl tells whether a JSON text may hold a character that no authored document holds.
func hasControl(text string) bool {
	return strings.Contains(text, `\`) || strings.ContainsFunc(text, func(r rune) bool { return r >= 0x7F && r < 0xA0 })
}

// FuzzEdit: an edit changes the value that it names and nothing else, or is refused.
func FuzzEdit(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed), "x: y", uint8(3))
	}
	f.Fuzz(func(t *testing.T, source []byte, text string, which uint8) {
		file, found := document.Parse("a.yaml", source)
		if len(found) > 0 {
			return
		}
		pointers := pointersOf(file.Root, "", nil)
		pointer := pointers[int(which)%len(pointers)]
		if edited, err := file.Set(pointer, text); err == nil {
			if got, _ := canonical.Lookup(edited.Root.Value(), pointer); got != text {
				t.Errorf("Set(%q, %q) gives %v", pointer, text, got)
			}
		}
		if edited, err := file.Insert(canonical.JoinPointer(pointer, "new"), text); err == nil {
			if got, _ := canonical.Lookup(edited.Root.Value(), pointer+"/new"); got != text {
				t.Errorf("Insert(%q, %q) gives %v", pointer, text, got)
			}
		}
		if edited, err := file.Delete(pointer); err == nil && len(edited.Source) > len(file.Source)+2 {
			t.Errorf("Delete(%q) made the file longer", pointer)
		}
	})
}

func pointersOf(n *document.Node, at string, all []string) []string {
	all = append(all, at)
	for i, item := range n.Items {
		all = pointersOf(item, canonical.JoinPointer(at, strconv.Itoa(i)), all)
	}
	for _, m := range n.Members {
		all = pointersOf(m.Value, canonical.JoinPointer(at, m.Key.Text), all)
	}
	return all
}
