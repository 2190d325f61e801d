package definition_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
)

// formats.md, rule 7; need 15.
func TestNormalizeText(t *testing.T) {
	for raw, want := range map[string]string{
		"a":                         "a",
		"a\n":                       "a\n",
		"a\n\n":                     "a\n\n",
		"a\r\nb\r\n":                "a\nb\n",
		"a\r\n\r\n":                 "a\n\n",
		"\ufeffa":                   "a",
		"\ufeff\ufeffa":             "\ufeffa",
		"a\ufeffb":                  "a\ufeffb",
		"\ta\u0085b\u2028c\u2029":   "\ta\u0085b\u2028c\u2029",
		"e\u0301 \u00e9":            "e\u0301 \u00e9",
		"\n":                        "\n",
		"שלום عالم \u200d\u200c ❤️": "שלום عالم \u200d\u200c ❤️",
		"\u202e":                    "\u202e",
	} {
		got, problems := definition.NormalizeText([]byte(raw))
		if got != want || len(problems) > 0 {
			t.Errorf("%q: got %q, %v", raw, got, places(problems))
		}
		if again, problems := definition.NormalizeText([]byte(got)); again != got && !strings.HasPrefix(got, "\ufeff") || len(problems) > 0 {
			t.Errorf("%q: not settled by once: %q, %v", raw, again, places(problems))
		}
	}
}

func TestNormalizeTextRefuses(t *testing.T) {
	control := func(character string, at, length int) diag.Problem {
		return diag.New(diag.CodeTextControl, "", "character", character).InText(at, length)
	}
	for raw, want := range map[string][]diag.Problem{
		"":             {diag.New(diag.CodeTextEmpty, "").InText(0, 0)},
		"\ufeff":       {diag.New(diag.CodeTextEmpty, "").InText(0, 0)},
		"ab\xff":       {diag.New(diag.CodeTextNotUTF8, "", "byte", "0xFF").InText(2, 1)},
		"é\xc3":        {diag.New(diag.CodeTextNotUTF8, "", "byte", "0xC3").InText(2, 1)},
		"\xed\xa0\x80": {diag.New(diag.CodeTextNotUTF8, "", "byte", "0xED").InText(0, 1)},
		"\xc0\x80":     {diag.New(diag.CodeTextNotUTF8, "", "byte", "0xC0").InText(0, 1)},
		"a\rb":         {control("U+000D", 1, 1)},
		"a\r":          {control("U+000D", 1, 1)},
		"a\r\r\n":      {control("U+000D", 1, 1)},
		"\x00":         {control("U+0000", 0, 1)},
		"\x1b[2J":      {control("U+001B", 0, 1)},
		"a\x7f":        {control("U+007F", 1, 1)},
		"\u0080\u009f": {control("U+0080", 0, 2), control("U+009F", 2, 2)},
		"\ufeffa\x00":  {control("U+0000", 4, 1)},
		"\v\f":         {control("U+000B", 0, 1), control("U+000C", 1, 1)},
	} {
		text, problems := definition.NormalizeText([]byte(raw))
		if d := cmp.Diff(want, problems); d != "" || text != "" {
			t.Errorf("%q: %q %s", raw, text, d)
		}
		for _, p := range problems {
			codeRow(t, p)
		}
	}
}

func TestNormalizeTextSaysHowMuchItLeavesOut(t *testing.T) {
	_, problems := definition.NormalizeText(bytes.Repeat([]byte("\x00"), 120))
	last := problems[len(problems)-1]
	if len(problems) != 21 || last.Code != diag.CodeMoreProblems || last.Data["count"] != "100" {
		t.Errorf("%d problems, the last is %v", len(problems), last)
	}
}

// formats.md, rule 8; needs 13 and 15; case 07.
func TestCheckText(t *testing.T) {
	all := []definition.AllowedCharacters{{Characters: "U+E0020..U+E007F U+202E", Reason: "r"}, {Characters: "\u00ad", Reason: "r"}}
	hidden := func(class, character, count string, at, length int) diag.Problem {
		return diag.New(diag.CodeTextHidden, "", "class", class, "character", character, "count", count).InText(at, length)
	}
	for _, test := range []struct {
		text    string
		allowed []definition.AllowedCharacters
		want    []diag.Problem
	}{
		{"plain", nil, nil},
		{"\ufeffשלום \u05b0 عالم \u200c\u200d \ufe0f \U000e0100", nil, nil},
		{"a\u200b\u200bb\u2060", nil, []diag.Problem{hidden(diag.ClassZeroWidth, "U+200B", "3", 1, 3)}},
		{"a\u2064", nil, []diag.Problem{hidden(diag.ClassZeroWidth, "U+2064", "", 1, 3)}},
		{"\u202ea\U000e0041\u00ad", nil, []diag.Problem{
			hidden(diag.ClassBidi, "U+202E", "", 0, 3), hidden(diag.ClassTag, "U+E0041", "", 4, 4), hidden(diag.ClassSoftHyphen, "U+00AD", "", 8, 2),
		}},
		{"\u2067\u200f\u061c", nil, []diag.Problem{hidden(diag.ClassBidi, "U+2067", "3", 0, 3)}},
		{"\u3164", nil, []diag.Problem{hidden(diag.ClassInvisible, "U+3164", "", 0, 3)}},
		{"\u202ea\U000e0041\u00ad", all, nil},
		{"\u202d\U000e0001", all, []diag.Problem{hidden(diag.ClassBidi, "U+202D", "", 0, 3), hidden(diag.ClassTag, "U+E0001", "", 3, 4)}},
	} {
		if d := cmp.Diff(test.want, definition.CheckText(test.text, test.allowed)); d != "" {
			t.Errorf("%+q: %s", test.text, d)
		}
	}
}

func TestAllows(t *testing.T) {
	for characters, want := range map[string]string{
		"U+200B":                 "\u200b",
		"U+200B,U+2060":          "\u200b\u2060",
		"U+200B..U+200D":         "\u200b\u200c\u200d",
		"U+2060..U+2060":         "\u2060",
		" U+200B , U+e0020":      "\u200b\U000e0020",
		"\u200b\u2060":           "\u200b\u2060",
		"U+200B..U+200D, U+200C": "\u200b\u200c\u200d",
		"U+200B..U+2060 U+200C":  "\u200b\u200d\u2060",
		"U+200":                  "",
		"U+110000":               "",
		"U+200B...U+2060":        "",
		"U+":                     "",
		"U+200B..200D":           "",
		"U+200B U+x U+2060":      "\u200b",
		"U+0000200B":             "",
	} {
		a := definition.AllowedCharacters{Characters: characters}
		for _, r := range want {
			if !a.Allows(r) {
				t.Errorf("%q does not allow %U", characters, r)
			}
		}
		for _, r := range "\u200b\u2060\U000e0020a" {
			if a.Allows(r) && !strings.ContainsRune(want, r) {
				t.Errorf("%q allows %U", characters, r)
			}
		}
	}
}

func FuzzNormalizeText(f *testing.F) {
	for _, seed := range []string{"", "a\r\nb", "\ufeffa", "\x00", "a\rb", "\xff", "\u202e\u0085"} {
		f.Add([]byte(seed), "U+200B..U+2060 a")
	}
	f.Fuzz(func(t *testing.T, raw []byte, characters string) {
		text, problems := definition.NormalizeText(raw)
		for _, p := range problems {
			if p.Target.Offset < 0 || p.Target.Offset+p.Target.Length > len(raw) {
				t.Fatalf("%v lies outside of the text", p)
			}
		}
		if (text == "") != (len(problems) > 0) {
			t.Fatalf("%q beside %v", text, places(problems))
		}
		if text == "" {
			return
		}
		if !utf8.ValidString(text) || strings.Contains(text, "\r") {
			t.Fatalf("%q is not in its normal form", text)
		}
		allowed := []definition.AllowedCharacters{{Characters: characters}}
		for _, p := range definition.CheckText(text, allowed) {
			hidden, _ := utf8.DecodeRuneInString(text[p.Target.Offset:])
			if allowed[0].Allows(hidden) {
				t.Fatalf("%U is allowed and refused", hidden)
			}
		}
	})
}
