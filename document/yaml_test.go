package document

import (
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/seif-dev/seifc/diag"
)

// The position of a syntax error stands in private fields of yaml.v3. This fails when they move.
func TestProblemMark(t *testing.T) {
	tests := []struct {
		source  string
		problem string
		at      mark
		context mark
	}{
		{"a: 1\nb: @c\n", "found character that cannot start any token", mark{1, 3}, mark{1, 3}},
		{"a: 1\nb: c: d\n", "mapping values are not allowed in this context", mark{1, 4}, mark{1, 4}},
		{"a: 1\n\nb: \"x\nc: d\n", "found unexpected end of stream", mark{4, 0}, mark{2, 3}},
		{"a: 1\nbb: *x\n", "unknown anchor", mark{1, 4}, mark{}},
	}
	for _, test := range tests {
		_, failed := decodeYAML([]byte(test.source))
		if failed == nil {
			t.Errorf("%q: no error", test.source)
			continue
		}
		if failed.problem != test.problem || failed.at != test.at || failed.contextAt != test.context {
			t.Errorf("%q: %+v", test.source, *failed)
		}
	}
}

// If the scanner and yaml.v3 ever differ on where a value ends, the file is refused.
func TestUnclear(t *testing.T) {
	source := []byte("a: bc\n")
	documents, failed := decodeYAML(source)
	if failed != nil {
		t.Fatal(failed.problem)
	}
	for name, change := range map[string]func([]token) []token{
		"shorter": func(all []token) []token { all[2].end--; return all },
		"missing": func(all []token) []token { return all[:2] },
		"style":   func(all []token) []token { all[2].style = uint8(StyleSingle); return all },
		"kind":    func(all []token) []token { all[2].kind = tokenAlias; return all },
	} {
		tokens, _ := scanTokens(source, 0)
		f := &File{Source: source, lines: newLineIndex(source)}
		b := &builder{reader: &reader{file: f}, tokens: change(tokens), marks: newMarkIndex(source, 0),
			built: map[*yaml.Node]*Node{}, open: map[*yaml.Node]bool{}}
		b.node(documents[0].Content[0], 1)
		if !b.stopped || len(b.found) != 1 || b.found[0].Code != diag.CodeUnclearYAML {
			t.Errorf("%s: stopped %v, %v", name, b.stopped, b.found)
		}
	}
}
