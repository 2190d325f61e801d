package schema

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// span is a range of code points, both ends included.
type span struct{ low, high rune }

var (
	asciiSpans = []span{{0, 0x7F}}
	digitSpans = []span{{'0', '9'}}
	wordSpans  = []span{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}
	// WhiteSpace and LineTerminator of ECMA-262: more than RE2's \s, which is ASCII.
	spaceSpans = []span{
		{'\t', '\r'}, {' ', ' '}, {0xA0, 0xA0}, {0x1680, 0x1680}, {0x2000, 0x200A}, {0x2028, 0x2029},
		{0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF},
	}
)

// complement gives the code points that sorted spans leave.
func complement(spans []span) []span {
	var out []span
	next := rune(0)
	for _, s := range spans {
		if s.low > next {
			out = append(out, span{next, s.low - 1})
		}
		next = s.high + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, span{next, unicode.MaxRune})
	}
	return out
}

func writeSpans(out *strings.Builder, spans []span) {
	for _, s := range spans {
		writeCodePoint(out, s.low)
		if s.high > s.low {
			out.WriteByte('-')
			writeCodePoint(out, s.high)
		}
	}
}

// classEscape reads \d, \D, \s, \S, \w, \W, \p{..} or \P{..}. Where none stands it reads nothing.
func (t *translation) classEscape() (spans []span, property string, ok bool) {
	if t.at+1 >= len(t.source) {
		return nil, "", false
	}
	switch t.source[t.at+1] {
	case 'd':
		spans = digitSpans
	case 'D':
		spans = complement(digitSpans)
	case 's':
		spans = spaceSpans
	case 'S':
		spans = complement(spaceSpans)
	case 'w':
		spans = wordSpans
	case 'W':
		spans = complement(wordSpans)
	case 'p', 'P':
		spans, property = t.property()
		return spans, property, true
	default:
		return nil, "", false
	}
	t.at += 2
	return spans, "", true
}

// class translates a bracketed class.
func (t *translation) class() int {
	start := t.at
	t.at++
	negated := t.more() && t.peek() == '^'
	if negated {
		t.at++
	}
	var body strings.Builder
	for {
		if !t.more() {
			t.fail(start, 1, "an opening bracket without a closing one")
		}
		if t.peek() == ']' {
			t.at++
			break
		}
		t.classItem(&body)
	}
	switch {
	case body.Len() == 0 && negated:
		t.out.WriteString(`[\x{0}-\x{10FFFF}]`)
	case body.Len() == 0:
		t.out.WriteString(`[^\x{0}-\x{10FFFF}]`)
	case negated:
		t.out.WriteString("[^" + body.String() + "]")
	default:
		t.out.WriteString("[" + body.String() + "]")
	}
	return 1
}

// classItem translates one member or range of a class.
func (t *translation) classItem(body *strings.Builder) {
	start := t.at
	low, single := t.classMember(body)
	if !single || t.at+1 >= len(t.source) || t.peek() != '-' || t.source[t.at+1] == ']' {
		if single {
			writeCodePoint(body, low)
		}
		return
	}
	t.at++
	var end strings.Builder
	high, single := t.classMember(&end)
	if !single { // [a-\d]: the hyphen is itself
		writeSpans(body, []span{{low, low}, {'-', '-'}})
		body.WriteString(end.String())
		return
	}
	if low > high {
		t.fail(start, t.at-start, "a range out of order")
	}
	writeSpans(body, []span{{low, high}})
}

// classMember reads one character, or writes a class such as \d to out and reports that it is no single character.
func (t *translation) classMember(out *strings.Builder) (r rune, single bool) {
	if t.peek() != '\\' {
		r, width := utf8.DecodeRuneInString(t.source[t.at:])
		t.at += width
		return r, true
	}
	if spans, property, ok := t.classEscape(); ok {
		writeSpans(out, spans)
		out.WriteString(property)
		return 0, false
	}
	if t.looking(`\b`) {
		t.at += 2
		return '\b', true
	}
	return t.character(), true
}

// escape translates an escape outside of a class.
func (t *translation) escape() int {
	if spans, property, ok := t.classEscape(); ok {
		if property != "" {
			t.out.WriteString(property)
			return 1
		}
		t.out.WriteByte('[')
		writeSpans(&t.out, spans)
		t.out.WriteByte(']')
		return 1
	}
	t.literal(t.character())
	return 1
}

// character reads an escape that stands for one character.
func (t *translation) character() rune {
	start := t.at
	if t.at+1 >= len(t.source) {
		t.fail(start, 1, "a backslash at the end")
	}
	c := t.source[t.at+1]
	if i := strings.IndexByte("tnvfr", c); i >= 0 {
		t.at += 2
		return rune("\t\n\v\f\r"[i])
	}
	switch {
	case c == '0' && (t.at+2 >= len(t.source) || t.source[t.at+2] < '0' || t.source[t.at+2] > '9'):
		t.at += 2
		return 0
	case c >= '0' && c <= '9':
		t.refuse(start, 2, "a backreference or octal escape")
	case c == 'k':
		t.refuse(start, 2, "a backreference")
	case c == 'c':
		t.refuse(start, 2, `a control escape (\c)`)
	case c == 'x':
		return t.hex(start, 2, 2)
	case c == 'u':
		return t.unicode(start)
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		t.fail(start, 2, `\`+string(rune(c))+" is no escape of ECMA-262")
	}
	t.at++
	r, width := utf8.DecodeRuneInString(t.source[t.at:])
	t.at += width
	return r
}

// hex reads so many hexadecimal digits after a prefix.
func (t *translation) hex(start, prefix, digits int) rune {
	end := start + prefix + digits
	if end > len(t.source) {
		t.fail(start, prefix+digits, "an escape with too few hexadecimal digits")
	}
	n, err := strconv.ParseUint(t.source[start+prefix:end], 16, 32)
	if err != nil {
		t.fail(start, prefix+digits, "an escape with too few hexadecimal digits")
	}
	t.at = end
	return rune(n)
}

// unicode reads \uXXXX, a pair of surrogates, or \u{...}.
func (t *translation) unicode(start int) rune {
	if strings.HasPrefix(t.source[start:], `\u{`) {
		end := strings.IndexByte(t.source[start:], '}')
		if end < 4 {
			t.fail(start, 3, `\u{ without a code point`)
		}
		n, err := strconv.ParseUint(t.source[start+3:start+end], 16, 64)
		if err != nil || n > unicode.MaxRune {
			t.fail(start, end+1, `\u{...} beyond U+10FFFF`)
		}
		t.at = start + end + 1
		return t.scalar(rune(n), start)
	}
	r := t.hex(start, 2, 4)
	if r >= 0xD800 && r <= 0xDBFF && strings.HasPrefix(t.source[t.at:], `\u`) && !strings.HasPrefix(t.source[t.at:], `\u{`) {
		low := t.hex(t.at, 2, 4)
		if low >= 0xDC00 && low <= 0xDFFF {
			return (r-0xD800)<<10 + (low - 0xDC00) + 0x10000
		}
	}
	return t.scalar(r, start)
}

func (t *translation) scalar(r rune, start int) rune {
	if r >= 0xD800 && r <= 0xDFFF {
		t.refuse(start, t.at-start, "half a surrogate pair, which no JSON text holds")
	}
	return r
}

// property translates \p{..} and \P{..}: to a class of RE2, or to spans for the one that it does not know.
func (t *translation) property() (spans []span, class string) {
	start := t.at
	end := strings.IndexByte(t.source[start:], '}')
	if !strings.HasPrefix(t.source[start+2:], "{") || end < 0 {
		t.fail(start, 2, `\p without a property in braces`)
	}
	escape, name := t.source[start:start+2], t.source[start+3:start+end]
	t.at = start + end + 1
	kind, value, given := strings.Cut(name, "=")
	if !given {
		kind, value = "gc", name
	}
	switch kind {
	case "gc", "General_Category":
		if short, ok := categories[value]; ok {
			return nil, escape + "{" + short + "}"
		}
		if !given && value == "ASCII" {
			if escape == `\P` {
				return complement(asciiSpans), ""
			}
			return asciiSpans, ""
		}
	case "sc", "Script":
		if _, ok := unicode.Scripts[value]; ok {
			return nil, escape + "{" + value + "}"
		}
	}
	t.refuse(start, end+1, "a Unicode property that is not a general category or script")
	return nil, ""
}
