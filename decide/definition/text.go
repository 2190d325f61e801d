package definition

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seif-dev/seifc/diag"
)

const (
	byteOrderMark = "\uFEFF"
	nextLine      = 0x85
)

// NormalizeText gives the text of a source as it is hashed (formats.md, rule 7): strict UTF-8, one leading byte order
// mark dropped, CRLF as LF. A lone CR and every other control character but tab, LF and NEL are refused, and so is
// an empty text. NEL, LS and PS stay, nothing is normalised as Unicode does, and the last line ends as it was
// written. The findings are about the raw bytes (InText); the text is "" if there is any.
func NormalizeText(raw []byte) (string, []diag.Problem) {
	if at := invalidUTF8(raw); at >= 0 {
		return "", []diag.Problem{diag.New(diag.CodeTextNotUTF8, "", "byte", fmt.Sprintf("0x%02X", raw[at])).InText(at, 1)}
	}
	start := 0
	if bytes.HasPrefix(raw, []byte(byteOrderMark)) {
		start = len(byteOrderMark)
	}
	if problems := controls(raw, start); len(problems) > 0 {
		return "", problems
	}
	text := strings.ReplaceAll(string(raw[start:]), "\r\n", "\n")
	if text == "" {
		return "", []diag.Problem{diag.New(diag.CodeTextEmpty, "").InText(0, 0)}
	}
	return text, nil
}

// invalidUTF8 is the offset of the first byte that is not UTF-8, -1 if all are.
func invalidUTF8(raw []byte) int {
	if utf8.Valid(raw) {
		return -1
	}
	at := 0
	for {
		r, size := utf8.DecodeRune(raw[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
}

// controls reports the control characters of a text that are refused, one by one up to a bound and then as a number.
func controls(raw []byte, start int) []diag.Problem {
	var problems []diag.Problem
	more, last := 0, 0
	for i := start; i < len(raw); {
		r, size := rune(raw[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(raw[i:])
		}
		if refusedControl(r) && !(r == '\r' && i+1 < len(raw) && raw[i+1] == '\n') {
			if len(problems) < maxTextProblems {
				problems = append(problems, diag.New(diag.CodeTextControl, "", "character", codePoint(r)).InText(i, size))
			} else {
				more, last = more+1, i
			}
		}
		i += size
	}
	if more > 0 {
		problems = append(problems, diag.New(diag.CodeMoreProblems, "", "count", strconv.Itoa(more)).InText(last, 0))
	}
	return problems
}

func refusedControl(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == nextLine:
		return false
	default:
		return r < 0x20 || r >= 0x7F && r <= 0x9F
	}
}

func codePoint(r rune) string { return fmt.Sprintf("U+%04X", r) }

// CheckText reports, once per class, the characters of a source's text that nobody sees and that the source does not
// declare (formats.md, rule 8). Joiners, variation selectors, byte order marks and right-to-left letters are ordinary
// text. The findings are about the normalised text (InText).
func CheckText(text string, allowed []AllowedCharacters) []diag.Problem {
	var found []hiddenRun
	declared := allowanceOf(allowed)
	for i, r := range text {
		if r < 0xAD {
			continue
		}
		if class, needs := needsDeclaration(r); needs && !declared.has(r) {
			found = noteHidden(found, class, r, i)
		}
	}
	var problems []diag.Problem
	for _, h := range found {
		problems = append(problems, diag.New(diag.CodeTextHidden, "",
			"class", h.class, "character", codePoint(h.first), "count", many(h.count)).InText(h.at, utf8.RuneLen(h.first)))
	}
	return problems
}

// CheckSource reports what [CheckText] does and the secrets of a source's text. The findings are about the normalised
// text (InText).
func CheckSource(text string, allowed []AllowedCharacters) []diag.Problem {
	problems := CheckText(text, allowed)
	for _, secret := range FindSecrets(text) {
		problems = append(problems, diag.New(diag.CodeSecret, "", "kind", secret.Kind).InText(secret.Offset, secret.Length))
	}
	return problems
}

// hiddenRun is where a class of characters stands first in a text, and how many of it there are.
type hiddenRun struct {
	class     string
	first     rune
	at, count int
}

func noteHidden(found []hiddenRun, class string, r rune, at int) []hiddenRun {
	for i := range found {
		if found[i].class == class {
			found[i].count++
			return found
		}
	}
	return append(found, hiddenRun{class: class, first: r, at: at, count: 1})
}

// many is a count that is worth saying.
func many(n int) string {
	if n < 2 {
		return ""
	}
	return strconv.Itoa(n)
}

// hiddenIn reports the first character of a name or a text of our own that nobody sees, and how many there are.
func hiddenIn(at, text string) (diag.Problem, bool) {
	first, offset, count := rune(0), 0, 0
	for i, r := range text {
		if r < 0xAD {
			continue
		}
		if _, hidden := diag.Hidden(r); hidden {
			if count == 0 {
				first, offset = r, i
			}
			count++
		}
	}
	if count == 0 {
		return diag.Problem{}, false
	}
	class, _ := diag.Hidden(first)
	problem := diag.New(diag.CodeHiddenCharacter, at, "class", class, "character", codePoint(first), "count", strconv.Itoa(count))
	return problem.Within(offset, utf8.RuneLen(first)), true
}
