package canonical_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seif-dev/seifc/digest/canonical"
)

func TestErrorTexts(t *testing.T) {
	read := func(text string, limits canonical.Limits) error {
		_, err := canonical.Parse([]byte(text), limits)
		return err
	}
	write := func(v canonical.Value) error {
		_, err := canonical.Marshal(v)
		return err
	}
	tests := map[string]error{
		`it is not JSON at byte 1`:                                         read("[", canonical.Limits{}),
		`the member "a" stands twice at byte 7 ("/a")`:                     read(`{"a":1,"a":2}`, canonical.Limits{}),
		`something follows the value at byte 2`:                            read("1 2", canonical.Limits{}),
		`it is nested too deeply at byte 1 ("/0")`:                         read("[[]]", canonical.Limits{Depth: 1}),
		`it is too large at byte 1`:                                        read("[]", canonical.Limits{Bytes: 1}),
		`it has too many values at byte 1 ("/0")`:                          read("[1]", canonical.Limits{Values: 1}),
		`it is not valid UTF-8 at byte 1`:                                  read("\"\xff\"", canonical.Limits{}),
		`it has half of a surrogate pair at byte 1`:                        read(`"\udead"`, canonical.Limits{}),
		`the number "1e400" has no exact canonical form ("/n")`:            write(map[string]any{"n": json.Number("1e400")}),
		`a Go "int" is not a JSON value ("/0")`:                            write([]any{1}),
		`it is not in canonical form at byte 1`:                            canonical.IsCanonical([]byte(" 1"), canonical.Limits{}),
		`the number "1e-400" has no exact canonical form at byte 1 ("/0")`: read("[1e-400]", canonical.Limits{}),
	}
	for want, err := range tests {
		failed := failure(t, err)
		if got := failed.Error(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestErrorsAreBounded(t *testing.T) {
	name := strings.Repeat("é", 1<<19)
	_, err := canonical.Parse([]byte(`{"`+name+`":1,"`+name+`":2}`), canonical.Limits{})
	got := failure(t, err)
	if len(got.Name) > 64 || !utf8.ValidString(got.Name) || !strings.HasPrefix(name, strings.TrimSuffix(got.Name, "...")) {
		t.Errorf("the name in the error is %q", got.Name)
	}
	if text := got.Error(); len(text) > 2000 {
		t.Errorf("the error's text has %d bytes", len(text))
	}
	if got.Pointer != "/"+name {
		t.Error("the pointer does not lead to the member")
	}
}
