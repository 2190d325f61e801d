package canonical_test

import (
	"testing"

	"github.com/seif-dev/seifc/digest/canonical"
)

func TestIsCanonical(t *testing.T) {
	for _, text := range []string{
		"null", "true", `""`, "[]", "{}", "0", "-1.5e-7", `{"":0,"a":[{"b":1,"c":2},{"a":3}],"b":{}}`, "{\"😀\":1,\"\ue000\":2}",
		`{"\n":1,"1":"\"\\\b\f\n\r\t\u0000"}`, `[{"z":1},{"a":1}]`, `{"a":{"z":1},"b":{"a":1}}`,
	} {
		if err := canonical.IsCanonical([]byte(text), canonical.Limits{}); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestWhatIsNotCanonical(t *testing.T) {
	tests := map[string]struct {
		text    string
		kind    canonical.Kind
		offset  int64
		pointer string
	}{
		"space before":               {" 1", canonical.NotCanonical, 1, ""},
		"newline after":              {"{}\n", canonical.NotCanonical, 2, ""},
		"space in an empty array":    {"[ ]", canonical.NotCanonical, 2, ""},
		"space before a comma":       {"[1 ,2]", canonical.NotCanonical, 4, "/1"},
		"space after a comma":        {"[1, 2]", canonical.NotCanonical, 4, "/1"},
		"space before a colon":       {`{"a" :1}`, canonical.NotCanonical, 6, "/a"},
		"space after a colon":        {`{"a": 1}`, canonical.NotCanonical, 6, "/a"},
		"space before a bracket":     {`{"a":1 }`, canonical.NotCanonical, 7, ""},
		"members out of order":       {`{"b":1,"a":2}`, canonical.NotCanonical, 7, "/a"},
		"order of code points":       {"{\"\ue000\":2,\"😀\":1}", canonical.NotCanonical, 9, "/😀"},
		"inner members out of order": {`{"a":1,"b":{"d":1,"c":2}}`, canonical.NotCanonical, 18, "/b/c"},
		"order after an inner one":   {`{"b":{"z":1},"a":2}`, canonical.NotCanonical, 13, "/a"},
		"order of an escaped name":   {`{"b":1,"\u0001":2}`, canonical.NotCanonical, 7, "/\x01"},
		"escape without need":        {`["\u0061"]`, canonical.NotCanonical, 1, "/0"},
		"escaped slash":              {`["a\/b"]`, canonical.NotCanonical, 1, "/0"},
		"upper-case escape":          {`["\u001F"]`, canonical.NotCanonical, 1, "/0"},
		"long escape of a newline":   {`["\u000a"]`, canonical.NotCanonical, 1, "/0"},
		"escaped surrogate pair":     {`["\ud83d\ude00"]`, canonical.NotCanonical, 1, "/0"},
		"escape in a name":           {`{"\u0061":1}`, canonical.NotCanonical, 1, "/a"},
		"number with a fraction":     {"[1.0]", canonical.NotCanonical, 1, "/0"},
		"negative zero":              {"[-0]", canonical.NotCanonical, 1, "/0"},
		"exponent without a sign":    {"[1e21]", canonical.NotCanonical, 1, "/0"},
		"two values":                 {"{}{}", canonical.TrailingData, 2, ""},
		"inexact number":             {"[1e400]", canonical.InexactNumber, 1, "/0"},
		"duplicate member":           {`{"a":1,"a":1}`, canonical.DuplicateMember, 7, "/a"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, parsing := canonical.ParseForm([]byte(test.text), canonical.Limits{})
			for _, err := range []error{canonical.IsCanonical([]byte(test.text), canonical.Limits{}), parsing} {
				got := failure(t, err)
				if got.Kind != test.kind || got.Offset != test.offset || got.Pointer != test.pointer {
					t.Errorf("got %+v, want %s at %d (%q)", got, test.kind, test.offset, test.pointer)
				}
			}
		})
	}
}

func TestIsCanonicalKeepsLimits(t *testing.T) {
	for _, limits := range []canonical.Limits{{Bytes: 4}, {Depth: 1}, {Values: 2}} {
		if err := canonical.IsCanonical([]byte("[[1]]"), limits); failure(t, err).Kind == canonical.NotCanonical {
			t.Errorf("%+v: got %v", limits, err)
		}
	}
}
