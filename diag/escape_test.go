package diag_test

import (
	"encoding/xml"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/seif-dev/seifc/diag"
)

func TestEscapeWritesOutWhatNobodySees(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"ordinary text", `a "quoted" \ back\slash`, `a "quoted" \ back\slash`},
		{"other scripts", "café 日本語 שלום 😀", "café 日本語 שלום 😀"},
		{"replacement character", "\uFFFD", "\uFFFD"},
		{"escape sequence", "\x1b[31mred\x1b[0m", `\u{001B}[31mred\u{001B}[0m`},
		{"one line", "a\nb\tc\rd\x00", `a\u{000A}b\u{0009}c\u{000D}d\u{0000}`},
		{"C1 and DEL", "\u0085\u009b31m\x7f", `\u{0085}\u{009B}31m\u{007F}`},
		{"line separators", "a\u2028b\u2029", `a\u{2028}b\u{2029}`},
		{"bidi override", "a\u202Eb\u2069", `a\u{202E}b\u{2069}`},
		{"zero width", "a\u200Bb\u2060\uFEFF", `a\u{200B}b\u{2060}\u{FEFF}`},
		{"joiner", "a\u200Db", `a\u{200D}b`},
		{"soft hyphen", "a\u00ADb", `a\u{00AD}b`},
		{"tag characters", "a\U000E0041\U000E007F", `a\u{E0041}\u{E007F}`},
		{"variation selectors", "\u2764\uFE0F\U000E0101", "\u2764" + `\u{FE0F}\u{E0101}`},
		{"noncharacters", "\uFFFE\uFFFF\uFDD0\U0010FFFF", `\u{FFFE}\u{FFFF}\u{FDD0}\u{10FFFF}`},
		{"invalid bytes", "a\xff\xc3(", `a\xFF\xC3(`},
		{"surrogate in UTF-8", "\xed\xa0\x80", `\xED\xA0\x80`},
		{"overlong", "\xc0\xaf", `\xC0\xAF`},
		{"cut off", "a\xe2\x80", `a\xE2\x80`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := diag.Escape(c.in); got != c.want {
				t.Errorf("Escape(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestEscapeLinesKeepsLFAndNothingElse(t *testing.T) {
	if got, want := diag.EscapeLines("a\nb\r\n\tc\u202E"), "a\nb\\u{000D}\n\\u{0009}c\\u{202E}"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Every character of every class is written out, so that no class is forgotten when one is added.
func TestEscapeCoversEveryHiddenCharacter(t *testing.T) {
	written := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r >= 0xD800 && r <= 0xDFFF {
			continue
		}
		class, _ := diag.Hidden(r)
		if class != "" || unicode.IsControl(r) {
			written++
			if got := diag.Escape(string(r)); strings.ContainsRune(got, r) {
				t.Errorf("U+%04X reaches the output", r)
			}
		}
	}
	if written < 65+128 {
		t.Errorf("only %d characters looked at", written)
	}
}

// shown fails when a text has a character that a printer must not let through.
func shown(t *testing.T, text string, lines bool) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("not UTF-8: %q", text)
	}
	for i, r := range text {
		class, _ := diag.Hidden(r)
		if lines && r == '\n' {
			continue
		}
		if unicode.IsControl(r) || class != "" || r == 0x2028 || r == 0x2029 {
			t.Errorf("U+%04X (%s) at byte %d of %q", r, class, i, text)
			return
		}
	}
}

func FuzzEscape(f *testing.F) {
	for _, seed := range []string{"", "plain", "\x1b]0;x\a", "\u202E\U000E0041", "\xff\xfe", `\u{202E}`, "a\r\nb", "]]>", "\uFFFE"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		one, many := diag.Escape(s), diag.EscapeLines(s)
		shown(t, one, false)
		shown(t, many, true)
		// What is safe stays, so escaping twice is escaping once.
		if again := diag.Escape(one); again != one {
			t.Errorf("Escape is not idempotent: %q, then %q", one, again)
		}
		if again := diag.EscapeLines(many); again != many {
			t.Errorf("EscapeLines is not idempotent: %q, then %q", many, again)
		}
		// The two differ in LF alone.
		if diag.Escape(many) != one {
			t.Errorf("Escape(EscapeLines(s)) = %q, want %q", diag.Escape(many), one)
		}
		if strings.Count(many, "\n") != strings.Count(s, "\n") {
			t.Errorf("EscapeLines changed the number of lines of %q", s)
		}
	})
}

// Needs 43: any code point in a name leaves an XML report that parses.
func FuzzEscapeXML(f *testing.F) {
	for _, seed := range []string{"", "ctl\x01 <a> & \"b\" ]]>", "'\t\r\n", "\uFFFE\uFFFF", "\xff", "&amp;", "\U000E0041"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var back struct {
			Name string `xml:"name,attr"`
			Text string `xml:",chardata"`
		}
		document := `<?xml version="1.0" encoding="UTF-8"?><t name="` + diag.EscapeXML(s) + `">` + diag.EscapeXML(s) + `</t>`
		if err := xml.Unmarshal([]byte(document), &back); err != nil {
			t.Fatalf("%q: %v", document, err)
		}
		if want := diag.Escape(s); back.Name != want || back.Text != want {
			t.Errorf("%q comes back as %q and %q", want, back.Name, back.Text)
		}
	})
}
