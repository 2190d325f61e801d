package resolve

import (
	"strings"

	"github.com/seif-dev/seifc/diag"
)

// piece is a part of an author's text: either literal, or the place of an input.
type piece struct {
	literal string
	input   string // the input's name; empty for a literal
	// offset and length are where the piece stands in the text.
	offset, length int
}

const (
	maxInputName = 64
	// maxPlaceholder is how far the end of a placeholder is looked for.
	maxPlaceholder = 256
	// maxMalformed is how many problems of one text are reported.
	maxMalformed = 100
)

// parsePlaceholders splits a text at its placeholders.
//
//	{{ inputs.NAME }}   the value of an input; spaces inside the braces are free
//	\{{                 the two characters {{
//
// Any other {{ is a problem with its span in the text.
func parsePlaceholders(text, pointer string) ([]piece, []diag.Problem) {
	var pieces []piece
	var problems []diag.Problem
	var literal strings.Builder
	from := 0
	flush := func(end int) {
		if literal.Len() > 0 {
			pieces = append(pieces, piece{literal: literal.String(), offset: from, length: end - from})
			literal.Reset()
		}
		from = end
	}
	for at := 0; at < len(text); {
		next := strings.Index(text[at:], "{{")
		if next < 0 {
			literal.WriteString(text[at:])
			break
		}
		open := at + next
		if open > at && text[open-1] == '\\' {
			literal.WriteString(text[at : open-1])
			literal.WriteString("{{")
			at = open + 2
			continue
		}
		literal.WriteString(text[at:open])
		name, length, why := placeholder(text[open:])
		at = open + length
		if why != "" {
			literal.WriteString(text[open:at])
			if len(problems) == maxMalformed {
				return nil, problems
			}
			problems = append(problems, diag.New(diag.CodePlaceholderMalformed, pointer, "why", why).InText(open, length))
			continue
		}
		flush(open)
		pieces = append(pieces, piece{input: name, offset: open, length: length})
		from = at
	}
	flush(len(text))
	return pieces, problems
}

// placeholder reads the placeholder that text begins with. If it is none, why says so and length is that of what
// looks like one, or of the two braces.
func placeholder(text string) (name string, length int, why string) {
	line, _, _ := strings.Cut(text[:min(len(text), maxPlaceholder)], "\n")
	end := strings.Index(line, "}}")
	if end < 0 {
		return "", 2, "it is not closed on its line"
	}
	length = end + 2
	inner := strings.Trim(line[2:end], " ")
	rest, ok := strings.CutPrefix(inner, "inputs.")
	switch {
	case inner == "":
		return "", length, "it is empty"
	case !ok:
		return "", length, "it does not name an input"
	case !isInputName(rest):
		return "", length, "it holds more than the name of an input"
	}
	return rest, length, ""
}

func isInputName(name string) bool {
	if name == "" || len(name) > maxInputName || name[0] >= '0' && name[0] <= '9' {
		return false
	}
	for i := range len(name) {
		c := name[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// refusedClass names the first kind of character in a value that must not stand amid an author's words; empty when
// there is none.
func refusedClass(value string) string {
	for _, r := range value {
		switch {
		case r == '\n' || r == '\r' || r == 0x85 || r == 0x2028 || r == 0x2029:
			return "line end"
		case r < 0x20 || r >= 0x7f && r <= 0x9f:
			return "control"
		}
		if class, hidden := diag.Hidden(r); hidden {
			return class
		}
	}
	return ""
}
