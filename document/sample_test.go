package document_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/document"
)

// shared is the folder of samples and cases beside the module.
const shared = "../../shared"

func sampleFiles(t testing.TB) []string {
	t.Helper()
	var names []string
	for _, pattern := range []string{"format-sample/*/*.yaml", "format-sample/*/*/*.yaml", "cases/05*/*/*.yaml"} {
		found, err := filepath.Glob(filepath.Join(shared, pattern))
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	if len(names) == 0 {
		t.Skip("0 sample files: the folder beside the module is absent")
	}
	return names
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	source, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return source
}

func walk(n *document.Node, visit func(*document.Node)) {
	if n == nil {
		return
	}
	visit(n)
	for _, item := range n.Items {
		walk(item, visit)
	}
	for _, m := range n.Members {
		walk(m.Key, visit)
		walk(m.Value, visit)
	}
}

// The source of every scalar is the scalar: read alone, it gives the same node.
func TestScalarSpans(t *testing.T) {
	scalars := 0
	for _, name := range sampleFiles(t) {
		f, found := document.Parse(name, read(t, name))
		if len(found) > 0 {
			t.Errorf("%s: %v", name, findings(found))
		}
		walk(f.Root, func(n *document.Node) {
			if n.Kind == document.Sequence || n.Kind == document.Mapping {
				return
			}
			scalars++
			text := f.Source[n.Start:n.End]
			alone, _ := document.Parse("a.yaml", text)
			if alone.Root == nil || alone.Root.Kind != n.Kind || alone.Root.Text != n.Text || alone.Root.Number() != n.Number() {
				t.Errorf("%s:%d: %q does not read as %q", name, n.Start, text, n.Text)
			}
		})
	}
	if scalars < 500 {
		t.Errorf("only %d scalars", scalars)
	}
}

// CRLF and a byte order mark change no value.
func TestLineEndsChangeNothing(t *testing.T) {
	for _, name := range sampleFiles(t) {
		source := strings.ReplaceAll(string(read(t, name)), "\r\n", "\n")
		plain, _ := document.Parse(name, []byte(source))
		for _, other := range []string{strings.ReplaceAll(source, "\n", "\r\n"), "\uFEFF" + source} {
			f, found := document.Parse(name, []byte(other))
			if len(found) > 0 {
				t.Errorf("%s: %v", name, findings(found))
			}
			if diff := cmp.Diff(plain.Root.Value(), f.Root.Value()); diff != "" {
				t.Errorf("%s: (-plain +other):\n%s", name, diff)
			}
		}
	}
}

func parseCase(t *testing.T, name string) (*document.File, []diag.Diagnostic) {
	t.Helper()
	file := filepath.Join(shared, "cases", name)
	if _, err := os.Stat(file); err != nil {
		t.Skip("0 cases: the folder beside the module is absent")
	}
	return document.Parse(file, read(t, file))
}

func TestCaseDuplicateKey(t *testing.T) {
	_, found := parseCase(t, "01-yaml-duplicate-key/tools.yaml")
	want := []string{"9:5-9:11 duplicate_key", "10:5-10:13 duplicate_key"}
	if diff := cmp.Diff(want, findings(found)); diff != "" {
		t.Fatal(diff)
	}
	if d := found[0]; d.Message() != `the key "effect" stands twice in one map` || len(d.Notes) != 1 ||
		d.Notes[0].Kind != diag.NoteFirstHere || d.Notes[0].Place.Start.Line != 7 {
		t.Errorf("%q, notes %+v", d.Message(), d.Notes)
	}
}

func TestCaseMergeOverride(t *testing.T) {
	_, found := parseCase(t, "02-yaml-merge-override/tools.yaml")
	if diff := cmp.Diff([]string{"21:5-21:7 merge_key"}, findings(found)); diff != "" {
		t.Error(diff)
	}
}

// The hidden characters are judged by other rooms; here their places must be exact.
func TestCaseInvisibleCharacters(t *testing.T) {
	f, found := parseCase(t, "07-invisible-tag-characters/tools.yaml")
	if len(found) > 0 {
		t.Fatal(findings(found))
	}
	text := f.At("/tools/0/description").Text
	first := strings.IndexRune(text, 0xE0020)
	place := f.Locate(diag.New("x", "/tools/0/description").Within(first, 4).Target)
	if got := string(f.Source[place.Start.Offset:place.End.Offset]); got != "\U000E0020" {
		t.Errorf("%q at %+v", got, place.Start)
	}
	if place.Start.Line != 5 || place.Start.Column != 61 || place.End.Column != 62 {
		t.Errorf("place %+v %+v", place.Start, place.End)
	}
}

func TestCaseNumbers(t *testing.T) {
	_, found := parseCase(t, "12-number-canonical-form/args-a.json")
	if diff := cmp.Diff([]string{"1:24-1:40 inexact_number"}, findings(found)); diff != "" {
		t.Error(diff)
	}
	f, found := parseCase(t, "12-number-canonical-form/args-b.json")
	text, err := canonical.Marshal(f.Root.Value())
	if len(found) > 0 || err != nil || string(text) != `{"amount":10,"e":1e-7,"id":9007199254740992,"z":0}` {
		t.Errorf("%s, %v, %v", text, err, findings(found))
	}
}
