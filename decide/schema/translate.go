package schema

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// translate turns an ECMA-262 regular expression (with Unicode semantics, as JSON Schema core section 6.4 asks for)
// into RE2 syntax with the same matches, and says how many matching instructions it takes at most.
//
// Beyond the strict Unicode grammar it takes what every engine takes without the u flag and what published schemas
// hold: escaped punctuation, literal braces and brackets. Lookaround, backreferences, control escapes and inline
// flags are refused.
func translate(source string) (re2 string, size int, err error) {
	t := &translation{source: source}
	defer func() {
		switch failure := recover().(type) {
		case nil:
		case *patternError:
			re2, size, err = "", 0, failure
		default:
			panic(failure)
		}
	}()
	size = t.alternatives()
	if t.at < len(source) {
		t.fail(t.at, 1, "a closing parenthesis without an opening one")
	}
	return t.out.String(), size, nil
}

// patternError says what is wrong with a pattern and where.
type patternError struct {
	what           string
	unsupported    bool // a construct of ECMA-262 that RE2 lacks
	offset, length int
}

func (e *patternError) Error() string { return e.what }

type translation struct {
	source string
	at     int
	out    strings.Builder
	groups map[string]bool
}

func (t *translation) fail(offset, length int, what string) {
	panic(&patternError{what: what, offset: offset, length: min(length, len(t.source)-offset)})
}

func (t *translation) refuse(offset, length int, construct string) {
	panic(&patternError{what: construct, unsupported: true, offset: offset, length: min(length, len(t.source)-offset)})
}

func (t *translation) more() bool { return t.at < len(t.source) }

func (t *translation) peek() byte { return t.source[t.at] }

func (t *translation) looking(prefix string) bool { return strings.HasPrefix(t.source[t.at:], prefix) }

// alternatives translates up to a closing parenthesis or the end.
func (t *translation) alternatives() int {
	size := t.sequence()
	for t.more() && t.peek() == '|' {
		t.at++
		t.out.WriteByte('|')
		size += t.sequence() + 1
	}
	return size
}

func (t *translation) sequence() int {
	size := 1
	for t.more() && t.peek() != '|' && t.peek() != ')' {
		size = saturate(size + t.term())
	}
	return size
}

const hugePattern = 1 << 30

func saturate(size int) int { return min(size, hugePattern) }

// term translates an assertion, or an atom with its quantifier.
func (t *translation) term() int {
	start := t.at
	switch c := t.peek(); {
	case c == '^' || c == '$':
		t.at++
		t.out.WriteByte(c)
		t.noQuantifier(start)
		return 1
	case t.looking(`\b`) || t.looking(`\B`):
		t.out.WriteString(t.source[t.at : t.at+2])
		t.at += 2
		t.noQuantifier(start)
		return 1
	}
	size := t.atom()
	least, most, ok := t.quantifier()
	if !ok {
		return size
	}
	if t.more() && t.peek() == '?' {
		t.at++
		t.out.WriteByte('?')
	}
	t.noQuantifier(start)
	if most < 0 {
		return saturate(size*max(least, 1) + 1)
	}
	return saturate(saturate(size+1) * max(most, 1))
}

// noQuantifier refuses a quantifier where nothing can be repeated.
func (t *translation) noQuantifier(start int) {
	if !t.more() {
		return
	}
	if c := t.peek(); c == '*' || c == '+' || c == '?' {
		t.fail(start, t.at+1-start, "a repetition without something to repeat")
	}
	if _, _, length := t.braces(); length > 0 {
		t.fail(start, t.at+length-start, "a repetition without something to repeat")
	}
}

func (t *translation) atom() int {
	start := t.at
	switch c := t.peek(); c {
	case '(':
		return t.group()
	case '[':
		return t.class()
	case '.':
		t.at++
		t.out.WriteString(`[^\n\r\x{2028}\x{2029}]`)
		return 1
	case '\\':
		return t.escape()
	case '*', '+', '?':
		t.fail(start, 1, "a repetition without something to repeat")
	case '{':
		if _, _, length := t.braces(); length > 0 {
			t.fail(start, length, "a repetition without something to repeat")
		}
		if t.looking("{,") {
			t.refuse(start, 2, "a repetition without a lower bound, which counts as plain text")
		}
	}
	r, width := utf8.DecodeRuneInString(t.source[t.at:])
	t.at += width
	t.literal(r)
	return 1
}

// literal writes one character that stands for itself.
func (t *translation) literal(r rune) {
	if r < utf8.RuneSelf && (r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r == ' ') {
		t.out.WriteRune(r)
		return
	}
	writeCodePoint(&t.out, r)
}

func writeCodePoint(out *strings.Builder, r rune) {
	out.WriteString(`\x{`)
	out.WriteString(strconv.FormatInt(int64(r), 16))
	out.WriteByte('}')
}

func (t *translation) group() int {
	start := t.at
	switch {
	case t.looking("(?:"):
		t.at += 3
	case t.looking("(?="), t.looking("(?!"):
		t.refuse(start, 3, "lookahead")
	case t.looking("(?<="), t.looking("(?<!"):
		t.refuse(start, 4, "lookbehind")
	case t.looking("(?<"):
		t.at += 3
		t.groupName(start)
	case t.looking("(?"):
		t.refuse(start, 3, "inline flags")
	default:
		t.at++
	}
	t.out.WriteString("(?:")
	size := t.alternatives()
	if !t.more() {
		t.fail(start, 1, "an opening parenthesis without a closing one")
	}
	t.at++
	t.out.WriteByte(')')
	return size
}

// groupName reads "name>". The name has no effect without references to it.
func (t *translation) groupName(start int) {
	end := strings.IndexByte(t.source[t.at:], '>')
	name := ""
	if end > 0 {
		name = t.source[t.at : t.at+end]
	}
	if !isGroupName(name) || t.groups[name] {
		t.fail(start, 3, "a group name that is not an identifier of its own")
	}
	if t.groups == nil {
		t.groups = map[string]bool{}
	}
	t.groups[name] = true
	t.at += end + 1
}

func isGroupName(name string) bool {
	for i, c := range name {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

// quantifier translates what repeats the atom before it. most is -1 without an upper bound.
func (t *translation) quantifier() (least, most int, ok bool) {
	if !t.more() {
		return 0, 0, false
	}
	switch c := t.peek(); c {
	case '*', '+', '?':
		t.at++
		t.out.WriteByte(c)
		switch c {
		case '*':
			return 0, -1, true
		case '+':
			return 1, -1, true
		}
		return 0, 1, true
	}
	least, most, length := t.braces()
	if length == 0 {
		return 0, 0, false
	}
	if least > 1000 || most > 1000 {
		t.refuse(t.at, length, "a repetition of more than 1000")
	}
	if most >= 0 && least > most {
		t.fail(t.at, length, "a repetition whose bounds are out of order")
	}
	t.out.WriteString(t.source[t.at : t.at+length])
	t.at += length
	return least, most, true
}

// braces reads {n}, {n,} or {n,m} at the current place; length is 0 where none stands.
func (t *translation) braces() (least, most, length int) {
	if !t.looking("{") {
		return 0, 0, 0
	}
	rest := t.source[t.at+1:]
	end := strings.IndexByte(rest, '}')
	if end < 0 {
		return 0, 0, 0
	}
	low, high, ranged := strings.Cut(rest[:end], ",")
	least, ok := repetitions(low)
	if !ok {
		return 0, 0, 0
	}
	switch {
	case !ranged:
		most = least
	case high == "":
		most = -1
	default:
		if most, ok = repetitions(high); !ok {
			return 0, 0, 0
		}
	}
	return least, most, end + 2
}

// repetitions reads digits; a number with more than six is as good as a million.
func repetitions(s string) (int, bool) {
	if s == "" {
		return 0, false
	}
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	s = strings.TrimLeft(s, "0")
	if len(s) > 6 {
		return 1_000_000, true
	}
	n, _ := strconv.Atoi("0" + s)
	return n, true
}
