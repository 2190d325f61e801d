package importer_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/seif-dev/seifc/compiler/importer"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/document"
)

// pointersOf lists the pointers of all nodes.
func pointersOf(n *document.Node, at string, visit func(pointer string, n *document.Node)) {
	visit(at, n)
	for i, item := range n.Items {
		pointersOf(item, canonical.JoinPointer(at, strconv.Itoa(i)), visit)
	}
	for _, m := range n.Members {
		pointersOf(m.Value, canonical.JoinPointer(at, m.Key.Text), visit)
	}
}

// Every pointer is placed where the authored documents' JSON reader finds its value, at any depth.
func TestLocator(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	names := []string{"a", "a/b", "~", "", "0", "é", "日"}
	var text func(depth int) string
	space := func() string { return []string{"", " ", "\n", "\n  "}[r.IntN(4)] }
	text = func(depth int) string {
		if depth == 0 {
			return []string{`"x"`, "1", "true", "null", `"\u00e9\n"`, "[]", "{}"}[r.IntN(7)]
		}
		out, open := "", r.IntN(2)
		for i := range r.IntN(4) {
			if i > 0 {
				out += ","
			}
			if open == 0 {
				out += space() + `"` + names[i] + names[r.IntN(len(names))] + `"` + space() + ":"
			}
			out += space() + text(depth-1) + space()
		}
		return []string{"{", "["}[open] + out + []string{"}", "]"}[open]
	}
	tried := 0
	for range whole(400, 2) {
		source := []byte(space() + text(1+r.IntN(8)) + space())
		file, found := document.Parse("t.json", source)
		if diag.HasErrors(found) {
			continue // names can be equal by chance
		}
		locator := importer.Locator("t.json", source)
		pointersOf(file.Root, "", func(pointer string, n *document.Node) {
			tried++
			place := locator.Locate(diag.Target{Pointer: pointer})
			end := n.End
			if n.Kind == document.Mapping || n.Kind == document.Sequence {
				end = n.Start + 1
			}
			want := file.Place(n.Start, end)
			if place.Start != want.Start || place.End != want.End || place.Path != "t.json" || place.Pointer != pointer {
				t.Fatalf("%s in %s: %+v, want %+v", pointer, source, place, want)
			}
		})
		for _, nowhere := range []string{"/gone", "/a/b/c/d/e/f/g/h", "x", "/0/0/0/0/0/0/0/0/0/0"} {
			if _, there := canonical.Lookup(file.Root.Value(), nowhere); !there {
				if place := locator.Locate(diag.Target{Pointer: nowhere}); place.Start.Offset != 0 {
					t.Fatalf("%s in %s is placed at %+v", nowhere, source, place)
				}
			}
		}
	}
	if least := whole(2000, 2); tried < least {
		t.Errorf("only %d pointers, want %d", tried, least)
	}
}

// A document that cannot be read to its end is placed as far as it can.
func TestLocatorOfBrokenDocuments(t *testing.T) {
	source := []byte("{\n\"a\": 1,\n\"b\": [1, x")
	locator := importer.Locator("t.json", source)
	if place := locator.Locate(diag.Target{Pointer: "/a"}); place.Start.Line != 2 || place.Start.Column != 6 {
		t.Errorf("%+v", place)
	}
	if place := locator.Locate(diag.Target{Pointer: "/b/1"}); place.Start.Offset != 0 {
		t.Errorf("%+v", place)
	}
	for _, offset := range []int{0, 5, len(source), len(source) + 9} {
		target := diag.New(diag.CodeImportUnreadable, "").InText(offset, 1).Target
		if place := locator.Locate(target); place.Start.Offset != min(offset, len(source)) {
			t.Errorf("offset %d: %+v", offset, place)
		}
	}
}
