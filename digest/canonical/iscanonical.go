package canonical

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// IsCanonical makes sure that data is a JSON text within limits and is its own RFC 8785 form: no white space,
// members in order, every string and number in its one spelling. The error is an [*Error]; of kind not_canonical
// if the text is well-formed as far as it was read, and then about the first byte of the first token that stands
// or is spelled otherwise.
func IsCanonical(data []byte, limits Limits) error {
	s, err := newOrderedScanner(data, limits)
	if err != nil {
		return err
	}
	if err := checkForm(s); err == nil {
		return nil
	}
	// What is wrong is said by the scanner that knows duplicate members from members out of order.
	if s, err = newScanner(data, limits); err != nil {
		return err
	}
	return checkForm(s)
}

// newOrderedScanner makes a scanner that does not remember names, for a caller who holds the order of members with a
// [checker]: where each name comes after the one before it, none comes twice.
func newOrderedScanner(data []byte, limits Limits) (*scanner, error) {
	return newScanner(data, limits, jsontext.AllowDuplicateNames(true))
}

func checkForm(s *scanner) error {
	c := checker{scanner: s}
	for {
		fault := s.next()
		if fault == nil && !c.fits(&s.last) {
			fault = s.at(NotCanonical)
		}
		if fault != nil {
			return fault
		}
		if s.depth == 0 {
			break
		}
	}
	if fault := s.finish(); fault != nil {
		return fault
	}
	if c.end != len(s.data) {
		return &Error{Kind: NotCanonical, Offset: int64(c.end), First: -1}
	}
	return nil
}

// checker holds each token against the canonical form without building it.
type checker struct {
	*scanner
	end    int                  // of the last token
	before byte                 // kind of the last token; 0 before the first
	names  [MaxDepth + 1][]byte // the last name in the open object of that depth; nil before the first
	plain  []byte
	quoted []byte
}

func (c *checker) fits(l *lexeme) bool {
	separators := 1
	if c.before == 0 || c.before == '{' || c.before == '[' || l.kind == '}' || l.kind == ']' {
		separators = 0
	}
	// The grammar is settled: anything beyond the one separator is white space.
	if l.start-c.end != separators || !c.spelled(l) || l.name && !c.inOrder(l) {
		return false
	}
	if l.kind == '{' {
		c.names[l.depth+1] = nil
	}
	c.end, c.before = l.end, l.kind
	return true
}

func (c *checker) spelled(l *lexeme) bool {
	switch l.kind {
	case '"':
		return !hasEscape(l.raw) || c.escaped(l.raw)
	case '0':
		var wrong Kind
		c.quoted, wrong = appendNumber(c.quoted[:0], l.raw)
		return wrong == "" && bytes.Equal(c.quoted, l.raw)
	default:
		return true
	}
}

// escaped tells whether a string is escaped where it must be, as it must be, and nowhere else.
func (c *checker) escaped(raw []byte) bool {
	var err error
	if c.plain, err = jsontext.AppendUnquote(c.plain[:0], raw); err != nil {
		return false
	}
	c.quoted, err = jsontext.AppendQuote(c.quoted[:0], c.plain)
	return err == nil && bytes.Equal(c.quoted, raw)
}

func (c *checker) inOrder(l *lexeme) bool {
	name := l.raw[1 : len(l.raw)-1]
	if hasEscape(name) {
		name = []byte(unquote(l.raw))
	}
	last := c.names[l.depth]
	c.names[l.depth] = name
	return last == nil || compare(last, name) < 0
}
