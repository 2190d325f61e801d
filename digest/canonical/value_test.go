package canonical_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/digest/canonical"
)

func TestMarshalOfValues(t *testing.T) {
	tests := map[string]struct {
		value canonical.Value
		want  string
	}{
		"null":                   {nil, "null"},
		"true":                   {true, "true"},
		"false":                  {false, "false"},
		"text":                   {"a\u2028\"\x1f\x7f", "\"a\u2028\\\"\\u001f\x7f\""},
		"nothing is HTML":        {"<&>", `"<&>"`},
		"number in another form": {json.Number("1.50e1"), "15"},
		"nil array":              {[]any(nil), "[]"},
		"nil object":             {map[string]any(nil), "{}"},
		"objects within each other": {
			map[string]any{"b": map[string]any{"d": nil, "c": []any{map[string]any{"z": true, "y": false}}}, "a": json.Number("0")},
			`{"a":0,"b":{"c":[{"y":false,"z":true}],"d":null}}`,
		},
		"UTF-16 order": {map[string]any{"\ue000": json.Number("2"), "😀": json.Number("1")}, "{\"😀\":1,\"\ue000\":2}"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := canonical.Marshal(test.value)
			if err != nil || string(got) != test.want {
				t.Errorf("got %s, %v, want %s", got, err, test.want)
			}
			if got, err := canonical.Append([]byte("before"), test.value); err != nil || string(got) != "before"+test.want {
				t.Errorf("Append gives %s, %v", got, err)
			}
			if !canonical.Equal(test.value, test.value) {
				t.Error("it does not equal itself")
			}
		})
	}
}

func TestValuesWithoutACanonicalForm(t *testing.T) {
	loop := []any{nil}
	loop[0] = loop
	own := map[string]any{}
	own["own"] = own
	type named string
	tests := map[string]struct {
		value canonical.Value
		want  canonical.Error
	}{
		"Go int":            {[]any{true, 1}, canonical.Error{Kind: canonical.UnsupportedType, Offset: -1, First: -1, Pointer: "/1", Name: "int"}},
		"Go float":          {map[string]any{"a/b": 1.5}, canonical.Error{Kind: canonical.UnsupportedType, Offset: -1, First: -1, Pointer: "/a~1b", Name: "float64"}},
		"array of strings":  {[]string{"a"}, canonical.Error{Kind: canonical.UnsupportedType, Offset: -1, First: -1, Name: "[]string"}},
		"named string":      {named("a"), canonical.Error{Kind: canonical.UnsupportedType, Offset: -1, First: -1, Name: "canonical_test.named"}},
		"raw message":       {json.RawMessage("1"), canonical.Error{Kind: canonical.UnsupportedType, Offset: -1, First: -1, Name: "json.RawMessage"}},
		"text not in UTF-8": {[]any{"\xff"}, canonical.Error{Kind: canonical.InvalidUTF8, Offset: -1, First: -1, Pointer: "/0"}},
		"surrogate in text": {"\xed\xa0\x80", canonical.Error{Kind: canonical.InvalidUTF8, Offset: -1, First: -1}},
		"name not in UTF-8": {map[string]any{"\xff": nil}, canonical.Error{Kind: canonical.InvalidUTF8, Offset: -1, First: -1, Pointer: "/\xff"}},
		"no number":         {map[string]any{"n": json.Number("")}, canonical.Error{Kind: canonical.Syntax, Offset: -1, First: -1, Pointer: "/n"}},
		"NaN":               {json.Number("NaN"), canonical.Error{Kind: canonical.Syntax, Offset: -1, First: -1, Name: "NaN"}},
		"inexact number":    {[]any{nil, []any{json.Number("1e400")}}, canonical.Error{Kind: canonical.InexactNumber, Offset: -1, First: -1, Pointer: "/1/0", Name: "1e400"}},
		"array in itself":   {loop, canonical.Error{Kind: canonical.TooDeep, Offset: -1, First: -1, Pointer: strings.Repeat("/0", 64)}},
		"object in itself":  {own, canonical.Error{Kind: canonical.TooDeep, Offset: -1, First: -1, Pointer: strings.Repeat("/own", 64)}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := canonical.Append([]byte("kept"), test.value)
			if diff := cmp.Diff(test.want, failure(t, err)); diff != "" {
				t.Errorf("wrong error (-want +got):\n%s", diff)
			}
			if string(got) != "kept" {
				t.Errorf("dst became %q", got)
			}
			if canonical.Equal(test.value, test.value) {
				t.Error("it equals itself")
			}
			if out, err := canonical.Marshal(test.value); err == nil || out != nil {
				t.Errorf("Marshal gives %q, %v", out, err)
			}
		})
	}
}

func TestEqual(t *testing.T) {
	// Each line holds spellings of one value, and no two lines hold the same.
	lines := [][]string{
		{"null"}, {"true"}, {"false"}, {`""`}, {`"1"`, `"\u0031"`}, {"1", "1.0", "1e0", "10e-1"}, {"0", "-0", "0e9"}, {"[]"}, {"{}", " { } "},
		{"[null]"}, {"[[]]"}, {"[1,2]", "[1.0, 2]"}, {"[2,1]"}, {"[1,2,3]"},
		{`{"a":1,"b":2}`, `{"b":2,"a":1.0}`}, {`{"a":2,"b":1}`}, {`{"a":1}`}, {`{"a":null}`}, {`{"b":null}`}, {`{"a":{"b":[1]}}`}, {`{"a":{"b":[2]}}`},
		{`"é"`}, {`"e\u0301"`},
	}
	type spelling struct {
		line int
		text string
		v    canonical.Value
	}
	var all []spelling
	for i, line := range lines {
		for _, text := range line {
			v, err := canonical.Parse([]byte(text), canonical.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, spelling{i, text, v})
		}
	}
	for _, a := range all {
		for _, b := range all {
			if got, want := canonical.Equal(a.v, b.v), a.line == b.line; got != want {
				t.Errorf("%s and %s: got %t, want %t", a.text, b.text, got, want)
			}
		}
	}
}

func TestEqualComparesNumbersThatWereNotRead(t *testing.T) {
	if !canonical.Equal(json.Number("100e-2"), json.Number("1.0")) {
		t.Error("two spellings of 1 are not equal")
	}
	if canonical.Equal(json.Number("9007199254740993"), json.Number("9007199254740992")) {
		t.Error("2^53+1 equals 2^53")
	}
	if canonical.Equal(json.Number("x"), json.Number("x")) {
		t.Error("what is no number equals itself")
	}
}

func TestErrorTextsShowNothingUnquoted(t *testing.T) {
	for _, text := range []string{"{\"\\u001b[31m\\u202e\":1,\"\\u001b[31m\\u202e\":2}", "{\"\\u001b[31m\\u202e\":[1e400]}", "{\"\x1b\":1}"} {
		_, err := canonical.Parse([]byte(text), canonical.Limits{})
		failed := failure(t, err)
		for _, r := range failed.Error() {
			if r < ' ' || r > '~' {
				t.Errorf("the text %q holds %U", err.Error(), r)
			}
		}
	}
}
