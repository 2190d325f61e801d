package canonical_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/digest/canonical"
)

func TestJoinAndSplitPointer(t *testing.T) {
	tests := map[string][]string{
		"":              nil,
		"/":             {""},
		"//":            {"", ""},
		"/a/b":          {"a", "b"},
		"/a~1b/~0":      {"a/b", "~"},
		"/~01":          {"~1"},
		"/~10":          {"/0"},
		"/0/-/é ":       {"0", "-", "é "},
		"/~1~0~1~0//~0": {"/~/~", "", "~"},
	}
	for pointer, tokens := range tests {
		if got := canonical.JoinPointer("", tokens...); got != pointer {
			t.Errorf("%q: got %q, want %q", tokens, got, pointer)
		}
		if got := canonical.JoinPointer("/base~1", tokens...); got != "/base~1"+pointer {
			t.Errorf("%q: got %q, want %q", tokens, got, "/base~1"+pointer)
		}
		got, err := canonical.SplitPointer(pointer)
		if err != nil {
			t.Errorf("%q: %v", pointer, err)
		}
		if diff := cmp.Diff(tokens, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", pointer, diff)
		}
	}
}

func TestMalformedPointers(t *testing.T) {
	for _, pointer := range []string{"a", "a/b", "#/a", " /a", "/~", "/a~", "/~2", "/a/~x/b", "/~/0", "/~~0"} {
		if got, err := canonical.SplitPointer(pointer); !errors.Is(err, canonical.ErrPointer) || got != nil {
			t.Errorf("%q: got %q, %v", pointer, got, err)
		}
		if v, ok := canonical.Lookup(map[string]any{}, pointer); ok || v != nil {
			t.Errorf("%q: found %v", pointer, v)
		}
	}
}

// The examples of RFC 6901 section 5, and what its section 4 says about indexes.
func TestLookup(t *testing.T) {
	document, err := canonical.Parse([]byte(`{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8,"null":null,"00":9}`), canonical.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{
		"/foo/0": `"bar"`, "/foo": `["bar","baz"]`, "/": "0", "/a~1b": "1", "/c%d": "2", "/e^f": "3", "/g|h": "4",
		`/i\j`: "5", `/k"l`: "6", "/ ": "7", "/m~0n": "8", "/null": "null", "/00": "9",
	}
	for pointer, want := range found {
		v, ok := canonical.Lookup(document, pointer)
		got, err := canonical.Marshal(v)
		if !ok || err != nil || string(got) != want {
			t.Errorf("%q: got %s, %t, %v, want %s", pointer, got, ok, err, want)
		}
	}
	if v, ok := canonical.Lookup(document, ""); !ok || !canonical.Equal(v, document) {
		t.Error("the empty pointer is not the root")
	}
	for _, pointer := range []string{
		"/absent", "/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/-1", "/foo/+1", "/foo/1.0", "/foo/1e0", "/foo/ 1", "/foo/",
		"/foo/99999999999999999999999", "/foo/0/0", "/null/x", "/m~n",
	} {
		if v, ok := canonical.Lookup(document, pointer); ok {
			t.Errorf("%q: found %v", pointer, v)
		}
	}
}

func FuzzPointer(f *testing.F) {
	f.Add("/a~1b", "x~/", "")
	f.Add("", "~0", "~1")
	f.Fuzz(func(t *testing.T, pointer, a, b string) {
		tokens, err := canonical.SplitPointer(pointer)
		if err == nil && canonical.JoinPointer("", tokens...) != pointer {
			t.Errorf("%q is split into %q", pointer, tokens)
		}
		joined := canonical.JoinPointer("", a, b)
		if back, err := canonical.SplitPointer(joined); err != nil || !slices.Equal(back, []string{a, b}) {
			t.Errorf("%q, %q become %q and then %q, %v", a, b, joined, back, err)
		}
		if v, ok := canonical.Lookup(map[string]any{a: map[string]any{b: "here"}}, joined); !ok || v != "here" {
			t.Errorf("%q does not lead where it was made for", joined)
		}
	})
}
