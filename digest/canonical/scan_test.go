package canonical_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/digest/canonical"
)

// failure is the canonical.Error of an error; a test fails without one.
func failure(t *testing.T, err error) canonical.Error {
	t.Helper()
	var failed *canonical.Error
	if !errors.As(err, &failed) {
		t.Fatalf("got error %v, want a *canonical.Error", err)
	}
	return *failed
}

func TestRefusedTexts(t *testing.T) {
	bom := "\xef\xbb\xbf"
	deep := strings.Repeat("[", 65) + strings.Repeat("]", 65)
	pointer64 := strings.Repeat("/0", 64)
	tests := map[string]struct {
		text string
		want canonical.Error
	}{
		"empty":                       {"", canonical.Error{Kind: canonical.Syntax, Offset: 0, First: -1}},
		"white space only":            {" \n", canonical.Error{Kind: canonical.Syntax, Offset: 2, First: -1}},
		"byte order mark":             {bom + "1", canonical.Error{Kind: canonical.Syntax, Offset: 0, First: -1}},
		"UTF-16":                      {"\xff\xfe1\x00", canonical.Error{Kind: canonical.InvalidUTF8, Offset: 0, First: -1}},
		"ends in an array":            {"[1,", canonical.Error{Kind: canonical.Syntax, Offset: 3, First: -1}},
		"ends in a string":            {`{"a":"b`, canonical.Error{Kind: canonical.Syntax, Offset: 7, Pointer: "/a", First: -1}},
		"ends after a name":           {`{"a"`, canonical.Error{Kind: canonical.Syntax, Offset: 4, Pointer: "/a", First: -1}},
		"comment":                     {"[1 // x\n]", canonical.Error{Kind: canonical.Syntax, Offset: 3, First: -1}},
		"trailing comma in an array":  {"[1,]", canonical.Error{Kind: canonical.Syntax, Offset: 2, First: -1}},
		"trailing comma in an object": {`{"a":1,}`, canonical.Error{Kind: canonical.Syntax, Offset: 6, First: -1}},
		"missing comma":               {"[1 2]", canonical.Error{Kind: canonical.Syntax, Offset: 3, First: -1}},
		"missing colon":               {`{"a" 1}`, canonical.Error{Kind: canonical.Syntax, Offset: 5, First: -1}},
		"number as a name":            {`{1:1}`, canonical.Error{Kind: canonical.Syntax, Offset: 1, First: -1}},
		"wrong bracket":               {`[1}`, canonical.Error{Kind: canonical.Syntax, Offset: 2, First: -1}},
		"single quotes":               {`['a']`, canonical.Error{Kind: canonical.Syntax, Offset: 1, First: -1}},
		"misspelled literal":          {`[nul]`, canonical.Error{Kind: canonical.Syntax, Offset: 4, First: -1}},
		"upper-case literal":          {`True`, canonical.Error{Kind: canonical.Syntax, Offset: 0, First: -1}},
		"NaN":                         {`NaN`, canonical.Error{Kind: canonical.Syntax, Offset: 0, First: -1}},
		"Infinity":                    {`-Infinity`, canonical.Error{Kind: canonical.Syntax, Offset: 1, First: -1}},
		"leading zero":                {`[01]`, canonical.Error{Kind: canonical.Syntax, Offset: 2, First: -1}},
		"plus sign":                   {`[+1]`, canonical.Error{Kind: canonical.Syntax, Offset: 1, First: -1}},
		"underscore":                  {`[1_000]`, canonical.Error{Kind: canonical.Syntax, Offset: 2, First: -1}},
		"no fraction":                 {`[1.]`, canonical.Error{Kind: canonical.Syntax, Offset: 3, First: -1}},
		"no whole part":               {`[.5]`, canonical.Error{Kind: canonical.Syntax, Offset: 1, First: -1}},
		"hexadecimal":                 {`[0x1p-2]`, canonical.Error{Kind: canonical.Syntax, Offset: 2, First: -1}},
		"control character":           {"[\"a\nb\"]", canonical.Error{Kind: canonical.Syntax, Offset: 3, First: -1}},
		"unknown escape":              {`["a\x41"]`, canonical.Error{Kind: canonical.Syntax, Offset: 3, First: -1}},
		"vertical tab between tokens": {"[\v1]", canonical.Error{Kind: canonical.Syntax, Offset: 1, First: -1}},
		"no-break space":              {"[\u00a01]", canonical.Error{Kind: canonical.Syntax, Offset: 1, First: -1}},
		"second value":                {"1 2", canonical.Error{Kind: canonical.TrailingData, Offset: 2, First: -1}},
		"second object":               {"{}\n{}", canonical.Error{Kind: canonical.TrailingData, Offset: 3, First: -1}},
		"zero byte at the end":        {"{}\x00", canonical.Error{Kind: canonical.TrailingData, Offset: 2, First: -1}},
		"invalid UTF-8":               {"{\"a\":\"x\xff\"}", canonical.Error{Kind: canonical.InvalidUTF8, Offset: 7, Pointer: "/a", First: -1}},
		"overlong UTF-8":              {"\"\xc0\xaf\"", canonical.Error{Kind: canonical.InvalidUTF8, Offset: 1, First: -1}},
		"surrogate in UTF-8":          {"\"\xed\xa0\x80\"", canonical.Error{Kind: canonical.InvalidUTF8, Offset: 1, First: -1}},
		"cut UTF-8":                   {"\"\xe2\x82", canonical.Error{Kind: canonical.InvalidUTF8, Offset: 1, First: -1}},
		"high surrogate alone":        {`["a\ud800b"]`, canonical.Error{Kind: canonical.LoneSurrogate, Offset: 3, Pointer: "/0", First: -1}},
		"high surrogate at the end":   {`["\uD800"]`, canonical.Error{Kind: canonical.LoneSurrogate, Offset: 2, Pointer: "/0", First: -1}},
		"low surrogate alone":         {`["\udc00"]`, canonical.Error{Kind: canonical.LoneSurrogate, Offset: 2, Pointer: "/0", First: -1}},
		"two high surrogates":         {`["\ud800\ud800"]`, canonical.Error{Kind: canonical.LoneSurrogate, Offset: 2, Pointer: "/0", First: -1}},
		"surrogate and a character":   {`["\ud800\u0041"]`, canonical.Error{Kind: canonical.LoneSurrogate, Offset: 2, Pointer: "/0", First: -1}},
		"surrogate in a name":         {`{"\udfff":1}`, canonical.Error{Kind: canonical.LoneSurrogate, Offset: 2, First: -1}},
		"duplicate member":            {`{"a":1,"b":2,"a":3}`, canonical.Error{Kind: canonical.DuplicateMember, Offset: 13, Pointer: "/a", Name: "a", First: 1}},
		"duplicate by escape":         {`{"o":[{"x":{}, "a":1, "\u0061":2}]}`, canonical.Error{Kind: canonical.DuplicateMember, Offset: 22, Pointer: "/o/0/a", Name: "a", First: 15}},
		"duplicate with a slash":      {`{"a/~":1,"a/~":1}`, canonical.Error{Kind: canonical.DuplicateMember, Offset: 9, Pointer: "/a~1~0", Name: "a/~", First: 1}},
		"duplicate empty name":        {`{"":1,"":1}`, canonical.Error{Kind: canonical.DuplicateMember, Offset: 6, Pointer: "/", Name: "", First: 1}},
		"inexact integer":             {`{"id": 9007199254740993}`, canonical.Error{Kind: canonical.InexactNumber, Offset: 7, Pointer: "/id", Name: "9007199254740993", First: -1}},
		"too deep":                    {deep, canonical.Error{Kind: canonical.TooDeep, Offset: 64, Pointer: pointer64, First: -1}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := canonical.Parse([]byte(test.text), canonical.Limits{})
			got := failure(t, err)
			if got.Kind == canonical.Syntax && test.want.Pointer == "" {
				got.Pointer = "" // as far as it was read
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("wrong error (-want +got):\n%s", diff)
			}
			if err := canonical.Scan([]byte(test.text), canonical.Limits{}, nil); failure(t, err).Kind != test.want.Kind {
				t.Errorf("Scan says %v", err)
			}
			if err := canonical.IsCanonical([]byte(test.text), canonical.Limits{}); err == nil {
				t.Error("IsCanonical accepts it")
			}
		})
	}
}

func TestTokens(t *testing.T) {
	text := ` {"a\u0062" : [ 1.50, -0, "\ud83d\ude00", true,false ,null] , "o":{}} `
	want := []string{
		`0 { 1-2`, `1 " 2-11 name "ab"`, `1 [ 14-15`, `2 0 16-20 1.5`, `2 0 22-24 0`, `2 " 26-40 "😀"`, `2 t 42-46`,
		`2 f 47-52`, `2 n 54-58`, `1 ] 58-59`, `1 " 62-65 name "o"`, `1 { 66-67`, `1 } 67-68`, `0 } 68-69`,
	}
	var got []string
	err := canonical.Scan([]byte(text), canonical.Limits{}, func(token canonical.Token) error {
		line := fmt.Sprintf("%d %c %d-%d", token.Depth, token.Kind, token.Start, token.End)
		if token.Name {
			line += " name"
		}
		if token.Kind == '"' {
			line += fmt.Sprintf(" %q", token.Text)
		}
		if token.Kind == '0' {
			line += " " + string(token.Number)
		}
		got = append(got, line)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("wrong tokens (-want +got):\n%s", diff)
	}
}

func TestAnErrorOfTheVisitorEndsTheScan(t *testing.T) {
	stop := errors.New("stop")
	seen := 0
	err := canonical.Scan([]byte("[1,2,3]"), canonical.Limits{}, func(canonical.Token) error {
		if seen++; seen == 2 {
			return stop
		}
		return nil
	})
	if err != stop || seen != 2 {
		t.Errorf("got %v after %d tokens, want the visitor's own error after 2", err, seen)
	}
}

func TestLimits(t *testing.T) {
	tests := map[string]struct {
		text   string
		limits canonical.Limits
		kind   canonical.Kind // of the error, "" for none
		offset int64
	}{
		"bytes, at the limit":         {"[1,2]", canonical.Limits{Bytes: 5}, "", 0},
		"bytes, beyond":               {"[1,2]", canonical.Limits{Bytes: 4}, canonical.TooLarge, 4},
		"depth, at the limit":         {"[[1]]", canonical.Limits{Depth: 2}, "", 0},
		"depth, beyond":               {"[[[]]]", canonical.Limits{Depth: 2}, canonical.TooDeep, 2},
		"depth, object beyond":        {`[{"a":{}}]`, canonical.Limits{Depth: 2}, canonical.TooDeep, 6},
		"depth counts nesting only":   {"[[],[],[[]]]", canonical.Limits{Depth: 3}, "", 0},
		"values, at the limit":        {`{"a":1,"b":[2]}`, canonical.Limits{Values: 4}, "", 0},
		"values, beyond by a scalar":  {`{"a":1,"b":[2]}`, canonical.Limits{Values: 3}, canonical.TooManyValues, 12},
		"values, beyond by an array":  {`{"a":1,"b":[2]}`, canonical.Limits{Values: 2}, canonical.TooManyValues, 11},
		"a negative limit is default": {`{"a":1,"b":[2]}`, canonical.Limits{Bytes: -1, Depth: -1, Values: -1}, "", 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := canonical.Parse([]byte(test.text), test.limits)
			if test.kind == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if got := failure(t, err); got.Kind != test.kind || got.Offset != test.offset {
				t.Errorf("got %+v, want %s at %d", got, test.kind, test.offset)
			}
		})
	}
}

func TestTheDepthCeilingCannotBeRaised(t *testing.T) {
	nested := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	high := canonical.Limits{Depth: 100_000}
	v, err := canonical.Parse(nested(canonical.MaxDepth), high)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := canonical.Marshal(v); err != nil || string(out) != string(nested(canonical.MaxDepth)) {
		t.Errorf("what was read cannot be written: %v", err)
	}
	if _, err := canonical.Parse(nested(canonical.MaxDepth+1), high); failure(t, err).Kind != canonical.TooDeep {
		t.Errorf("got %v, want too deep", err)
	}
	if _, err := canonical.Marshal([]any{v}); failure(t, err).Kind != canonical.TooDeep {
		t.Errorf("got %v, want too deep", err)
	}
}

// A bomb of brackets is refused after as many tokens as the depth allows, whatever its length.
func TestDepthBombs(t *testing.T) {
	for _, open := range []string{"[", `{"a":`, `[{"":`} {
		bomb := []byte(strings.Repeat(open, 200_000/len(open)))
		tokens := 0
		err := canonical.Scan(bomb, canonical.Limits{}, func(canonical.Token) error { tokens++; return nil })
		if got := failure(t, err); got.Kind != canonical.TooDeep || got.Offset > 400 {
			t.Errorf("%q: got %s at byte %d, want too_deep near the start", open, got.Kind, got.Offset)
		}
		if tokens > 2*canonical.MaxDepth {
			t.Errorf("%q: %d tokens were read", open, tokens)
		}
	}
}
