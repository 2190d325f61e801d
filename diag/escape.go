package diag

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Escape makes any string safe to show on one line of a terminal or report. What a reader would not see, or what
// would act on his terminal, is written out: control characters (C0 with LF and tab, DEL, C1), the line separators
// U+2028 and U+2029, every character that [Hidden] gives a class (variation selectors too) and noncharacters as
// \u{XXXX} with at least four upper-case hex digits; a byte that is not part of valid UTF-8 as \xNN. All else is
// kept as it is.
//
// It guarantees that the result is valid UTF-8 of visible characters, that a safe string is its own result, and so
// that Escape(Escape(s)) == Escape(s). It is not reversible: a backslash is kept, so that text which already
// reads \u{202E} looks like an escaped character. Nothing may be decided by the result.
func Escape(s string) string { return escape(s, false) }

// EscapeLines is [Escape] for text of several lines: LF is kept, and nothing else is different.
func EscapeLines(s string) string { return escape(s, true) }

// EscapeXML makes any string safe as XML 1.0 character data or as a quoted attribute value. What Escape writes out
// is written out, which covers all that XML 1.0 does not allow; the five markup characters become entities. A
// reader of the XML gets exactly Escape(s).
func EscapeXML(s string) string { return markup.Replace(Escape(s)) }

var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;")

func escape(s string, lines bool) string {
	clean := 0
	for clean < len(s) {
		r, size := utf8.DecodeRuneInString(s[clean:])
		if unsafeToShow(r, size) && !(lines && r == '\n') {
			break
		}
		clean += size
	}
	if clean == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	b.WriteString(s[:clean])
	for rest := s[clean:]; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		if unsafeToShow(r, size) && !(lines && r == '\n') {
			b.WriteString(written(r, rest[0], size))
		} else {
			b.WriteString(rest[:size])
		}
		rest = rest[size:]
	}
	return b.String()
}

// unsafeToShow tells whether a decoded character must be written out; size 1 with RuneError is an invalid byte.
func unsafeToShow(r rune, size int) bool {
	switch {
	case r < 0x20, r >= 0x7F && r <= 0x9F, r == utf8.RuneError && size == 1:
		return true
	case r < 0xA0:
		return false
	case r == 0x2028, r == 0x2029, r&0xFFFE == 0xFFFE, r >= 0xFDD0 && r <= 0xFDEF:
		return true
	}
	class, _ := Hidden(r)
	return class != ""
}

func written(r rune, first byte, size int) string {
	if r == utf8.RuneError && size == 1 {
		return fmt.Sprintf(`\x%02X`, first)
	}
	return fmt.Sprintf(`\u{%04X}`, r)
}

// Bounds of what one printed value may take, in code points of the input. Reporters keep their data short; these
// hold when one does not.
const (
	mostOfText = 2000
	mostOfData = 4000
)

// clipped cuts a string after most code points and says how much is missing.
func clipped(s string, most int) string {
	if len(s) <= most {
		return s
	}
	count := 0
	for i := range s {
		if count == most {
			return fmt.Sprintf("%s... (%d more bytes)", s[:i], len(s)-i)
		}
		count++
	}
	return s
}

// oneLine is how printers show a sentence.
func oneLine(s string) string { return Escape(clipped(s, mostOfText)) }
