package document

import (
	"testing"
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
