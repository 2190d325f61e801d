package compiler

import (
	"testing"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/document"
	"github.com/seif-dev/seifc/manifest"
)

func parsed(t *testing.T, name, text string) *document.File {
	t.Helper()
	file, found := document.Parse(name, []byte(text))
	if diag.HasErrors(found) {
		t.Fatal(found)
	}
	return file
}

// A member stands where its nearest bound ancestor was written, and the rest of its pointer below that.
func TestOriginsTakeTheLongestBoundPrefix(t *testing.T) {
	a := parsed(t, "a.yaml", "x: {y: {z: 1}}\n")
	b := parsed(t, "b.yaml", "w: {z: 2}\n")
	o := newOrigins(manifest.Origin{File: a, Pointer: "/x"})
	o.bind("/tools/t", manifest.Origin{File: a, Pointer: "/x"})
	o.bind("/tools/t/y", manifest.Origin{File: b, Pointer: "/w"})
	o.bind("/tools/nowhere", manifest.Origin{})
	for pointer, want := range map[string]manifest.Origin{
		"/tools/t":         {File: a, Pointer: "/x"},
		"/tools/t/y":       {File: b, Pointer: "/w"},
		"/tools/t/y/z":     {File: b, Pointer: "/w/z"},
		"/tools/t/yy":      {File: a, Pointer: "/x/yy"},
		"/tools/t/q/0":     {File: a, Pointer: "/x/q/0"},
		"/tools/tt":        {File: a, Pointer: "/x/tools/tt"},
		"/tools/nowhere/x": {File: a, Pointer: "/x/tools/nowhere/x"},
		"":                 {File: a, Pointer: "/x"},
		"/y/z":             {File: a, Pointer: "/x/y/z"},
	} {
		if got := o.resolve(pointer); got != want {
			t.Errorf("%q stands at %s in %s, want %s in %s", pointer, got.Pointer, got.File.Path, want.Pointer, want.File.Path)
		}
	}
	if place := o.Locate(diag.Target{Pointer: "/tools/t/y/z"}); place.Path != "b.yaml" || place.Start.Offset != 7 {
		t.Errorf("%+v", place)
	}
}

func TestOriginsOfNothing(t *testing.T) {
	o := newOrigins(manifest.Origin{})
	if place := o.Locate(diag.Target{Pointer: "/a"}); place.Path != "" || place.Pointer != "/a" {
		t.Errorf("%+v", place)
	}
}

// What is grafted brings its own origins, and its fallback for the rest.
func TestOriginsGraft(t *testing.T) {
	a, b := parsed(t, "a.yaml", "x: 1\n"), parsed(t, "b.yaml", "s: {definitions: {d: {}}}\n")
	inner := newOrigins(manifest.Origin{File: b, Pointer: "/s"})
	inner.bind("/$defs", manifest.Origin{File: b, Pointer: "/s/definitions"})
	outer := newOrigins(manifest.Origin{File: a})
	outer.graft("/schema", inner)
	for pointer, want := range map[string]manifest.Origin{
		"/schema/$defs/d": {File: b, Pointer: "/s/definitions/d"},
		"/schema/type":    {File: b, Pointer: "/s/type"},
		"/x":              {File: a, Pointer: "/x"},
	} {
		if got := outer.resolve(pointer); got != want {
			t.Errorf("%q stands at %+v", pointer, got)
		}
	}
}

// A finding within a text stands in the text's own file, or at the value that names the text if that is unknown.
func TestOriginsOfTexts(t *testing.T) {
	project := parsed(t, "seif.yaml", "tone: context/tone.md\n")
	o := newOrigins(manifest.Origin{File: project})
	o.bindText("/tone", document.TextFile("context/tone.md", []byte("one\ntwo\n")))
	target := diag.New(diag.CodeSecret, "/tone").InText(4, 3).Target
	if place := o.Locate(target); place.Path != "context/tone.md" || place.Start.Line != 2 || place.End.Column != 4 {
		t.Errorf("%+v", place)
	}
	delete(o.texts, "/tone")
	if place := o.Locate(target); place.Path != "seif.yaml" || place.Start.Column != 7 {
		t.Errorf("%+v", place)
	}
}
