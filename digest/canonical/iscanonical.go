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
	s, err := newScanner(data, limits)
	if err != nil {
		return err
	}
	c := checker{scanner: s}
	for {
		l, fault := s.next()
		if fault == nil && !c.fits(l) {
			fault = s.at(NotCanonical, l)
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
	if c.end != len(data) {
		return &Error{Kind: NotCanonical, Offset: int64(c.end), First: -1}
	}
	return nil
}

// checker holds each token against the canonical form without building it.
type checker struct {
	*scanner
	end     int  // of the last token
	before  byte // kind of the last token; 0 before the first
	names   [MaxDepth + 1]string
	named   [MaxDepth + 1]bool // whether names holds the last name of the open object of that depth
	scratch []byte
}

func (c *checker) fits(l lexeme) bool {
	separators := 1
	if c.before == 0 || c.before == '{' || c.before == '[' || l.kind == '}' || l.kind == ']' {
		separators = 0
	}
	// The grammar is settled: anything beyond the one separator is white space.
	if l.start-c.end != separators || !c.spelled(l) || l.name && !c.inOrder(l) {
		return false
	}
	if l.kind == '{' {
		c.named[l.depth+1] = false
	}
	c.end, c.before = l.end, l.kind
	return true
}

func (c *checker) spelled(l lexeme) bool {
	switch l.kind {
	case '"':
		if !hasEscape(l.raw) {
			return true
		}
		plain, err := jsontext.AppendUnquote(nil, l.raw)
		if err != nil {
			return false
		}
		c.scratch, err = jsontext.AppendQuote(c.scratch[:0], plain)
		return err == nil && bytes.Equal(c.scratch, l.raw)
	case '0':
		var wrong Kind
		c.scratch, wrong = appendNumber(c.scratch[:0], l.raw)
		return wrong == "" && bytes.Equal(c.scratch, l.raw)
	default:
		return true
	}
}

func (c *checker) inOrder(l lexeme) bool {
	name := unquote(l.raw)
	if c.named[l.depth] && Compare(c.names[l.depth], name) >= 0 {
		return false
	}
	c.names[l.depth], c.named[l.depth] = name, true
	return true
}
