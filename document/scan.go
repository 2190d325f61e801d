package document

import (
	"bytes"
	"unicode/utf8"
)

// The scanner finds the tokens of a YAML text with their exact bytes. It never judges grammar: yaml.v3 does that
// later, on a text that the scanner has found to be of bounded size, and tree.go refuses a file on which the two
// differ. It follows the tokenisation of libyaml, which yaml.v3 is a port of.

type tokenKind uint8

const (
	tokenScalar tokenKind = iota
	tokenAlias
	tokenAnchor
	tokenTag
	tokenOpen  // [ {
	tokenClose // ] }
	tokenComma
	tokenDash
	tokenQuestion
	tokenColon
	tokenDirective
	tokenDocument // --- and ...
)

type token struct {
	start, end int32
	indent     int32 // of a block scalar: columns of its content's indentation
	kind       tokenKind
	style      uint8
	comment    bool // a comment follows on the same line
}

// maxTokens bounds what is kept of a text that yaml.v3 has not seen yet; twice MaxNodes for the nodes with their
// indicators, and as many again for anchors.
const maxTokens = 3 * MaxNodes

type scanStop int

const (
	scanDone scanStop = iota
	scanTooMany
	scanTooDeep
	scanBroken // not YAML; yaml.v3 says why
)

type scanner struct {
	source []byte
	pos    int
	tokens []token
	nodes  int

	flow       int
	indent     int
	indents    []int
	keyAllowed bool
	key        bool // a simple key may have started
	keyColumn  int
	keyLine    int

	line       int // counts the lines of YAML 1.1
	lineStart  int
	columnAt   int // column is that of this offset
	columnSeen int
}

// scanTokens scans the source from an offset on.
func scanTokens(source []byte, from int) ([]token, scanStop) {
	s := &scanner{
		source: source, pos: from, indent: -1, keyAllowed: true, lineStart: from, columnAt: from,
		tokens: make([]token, 0, expectedTokens(source)),
	}
	for {
		s.skipBlank()
		if s.pos >= len(s.source) {
			return s.tokens, scanDone
		}
		if s.flow == 0 {
			s.unroll(s.column())
		}
		if !s.next() {
			return s.tokens, scanBroken
		}
		if len(s.tokens) > maxTokens || s.nodes > MaxNodes {
			return s.tokens, scanTooMany
		}
		if s.flow+len(s.indents) > MaxDepth {
			return s.tokens, scanTooDeep
		}
	}
}

// expectedTokens guesses how many tokens a text has, so that few have to be copied: a key, its colon and its value, and
// an item with its comma or dash.
func expectedTokens(source []byte) int {
	guess := 3*bytes.Count(source, []byte{':'}) + 2*bytes.Count(source, []byte{','}) + 2*bytes.Count(source, []byte("- "))
	return min(guess, len(source), maxTokens) + 1
}

func (s *scanner) next() bool {
	start := s.pos
	c := s.source[start]
	blank := s.blankAt(start + 1)
	switch {
	case s.column() == 0 && c == '%':
		s.pos = s.lineEnd(start)
		s.add(tokenDirective, start)
	case s.column() == 0 && s.documentMark(start):
		s.unroll(-1)
		s.key, s.keyAllowed = false, false
		s.pos += 3
		s.add(tokenDocument, start)
	case c == '[' || c == '{':
		s.mayStartKey()
		s.flow++
		s.keyAllowed = true
		s.pos++
		s.nodes++
		s.add(tokenOpen, start)
	case c == ']' || c == '}':
		if s.flow > 0 {
			s.flow--
		}
		s.keyAllowed = false
		s.pos++
		s.add(tokenClose, start)
	case c == ',':
		s.keyAllowed = true
		s.pos++
		s.add(tokenComma, start)
	case c == '-' && blank:
		s.indicator(tokenDash, start)
	case c == '?' && (s.flow > 0 || blank):
		s.indicator(tokenQuestion, start)
	case c == ':' && (s.flow > 0 || blank):
		s.colon(start)
	default:
		return s.content(c)
	}
	return true
}

// content scans what stands for a node or belongs to one.
func (s *scanner) content(c byte) bool {
	start := s.pos
	switch c {
	case '*', '&':
		s.mayStartKey()
		s.keyAllowed = false
		s.pos++
		for s.pos < len(s.source) && nameByte(s.source[s.pos]) {
			s.pos++
		}
		if c == '*' {
			s.nodes++
			s.add(tokenAlias, start)
		} else {
			s.add(tokenAnchor, start)
		}
		return s.pos > start+1
	case '!':
		s.mayStartKey()
		s.keyAllowed = false
		s.pos++
		for s.pos < len(s.source) && !s.blankAt(s.pos) && (s.flow == 0 || !flowByte(s.source[s.pos])) {
			s.pos++
		}
		s.add(tokenTag, start)
		return true
	case '\'', '"':
		s.mayStartKey()
		s.keyAllowed = false
		if c == '"' {
			return s.double()
		}
		return s.single()
	case '|', '>':
		if s.flow == 0 {
			s.key, s.keyAllowed = false, true
			return s.block(c)
		}
		return false
	case '%', '@', '`', '#', '\t':
		return false
	}
	s.mayStartKey()
	s.keyAllowed = false
	return s.plain()
}

func (s *scanner) add(kind tokenKind, start int) {
	s.tokens = append(s.tokens, token{kind: kind, start: int32(start), end: int32(s.pos)})
}

func (s *scanner) scalar(style Style, start, end int) {
	s.nodes++
	s.tokens = append(s.tokens, token{kind: tokenScalar, style: uint8(style), start: int32(start), end: int32(end)})
}

// indicator scans `-` and `?`, which open a block collection at their column.
func (s *scanner) indicator(kind tokenKind, start int) {
	if s.flow == 0 {
		s.roll(s.column())
	}
	s.key, s.keyAllowed = false, s.flow == 0 || kind == tokenDash
	s.pos++
	s.add(kind, start)
}

func (s *scanner) colon(start int) {
	switch {
	case s.flow > 0:
		s.keyAllowed = false
	case s.key && s.keyLine == s.line:
		s.roll(s.keyColumn)
		s.keyAllowed = false
	default:
		s.roll(s.column())
		s.keyAllowed = true
	}
	s.key = false
	s.pos++
	s.add(tokenColon, start)
}

func (s *scanner) mayStartKey() {
	if s.flow == 0 && s.keyAllowed {
		s.key, s.keyColumn, s.keyLine = true, s.column(), s.line
	}
}

func (s *scanner) roll(column int) {
	if s.indent < column {
		s.indents = append(s.indents, s.indent)
		s.indent = column
		s.nodes++
	}
}

func (s *scanner) unroll(column int) {
	for s.indent > column {
		s.indent = s.indents[len(s.indents)-1]
		s.indents = s.indents[:len(s.indents)-1]
	}
}

// skipBlank skips blanks, comments and line ends.
func (s *scanner) skipBlank() {
	for s.pos < len(s.source) {
		switch c := s.source[s.pos]; {
		case c == ' ' || c == '\t' && (s.flow > 0 || !s.keyAllowed):
			s.pos++
		case c == '#':
			s.noteComment()
			s.pos = s.lineEnd(s.pos)
		default:
			n := breakLength(s.source, s.pos)
			if n == 0 {
				return
			}
			s.newLine(n)
			if s.flow == 0 {
				s.keyAllowed = true
			}
		}
	}
}

// noteComment marks the token before a comment on the same line.
func (s *scanner) noteComment() {
	if n := len(s.tokens); n > 0 && int(s.tokens[n-1].end) >= s.lineStart {
		s.tokens[n-1].comment = true
	}
}

func (s *scanner) newLine(length int) {
	s.pos += length
	s.line++
	s.lineStart, s.columnAt, s.columnSeen = s.pos, s.pos, 0
}

// column is the number of characters before the current position on its line.
func (s *scanner) column() int {
	s.columnSeen += utf8.RuneCount(s.source[s.columnAt:s.pos])
	s.columnAt = s.pos
	return s.columnSeen
}

func (s *scanner) lineEnd(from int) int {
	for from < len(s.source) && breakLength(s.source, from) == 0 {
		from++
	}
	return from
}

func (s *scanner) blankAt(i int) bool {
	return i >= len(s.source) || s.source[i] == ' ' || s.source[i] == '\t' || breakLength(s.source, i) > 0
}

func (s *scanner) documentMark(i int) bool {
	rest := s.source[i:]
	return (bytes.HasPrefix(rest, []byte("---")) || bytes.HasPrefix(rest, []byte("..."))) && s.blankAt(i+3)
}

// breakLength is the length of the line end at i as YAML 1.1 has it (LF, CR, CRLF, NEL, LS, PS), or 0.
func breakLength(source []byte, i int) int {
	if i >= len(source) {
		return 0
	}
	switch source[i] {
	case '\n':
		return 1
	case '\r':
		if i+1 < len(source) && source[i+1] == '\n' {
			return 2
		}
		return 1
	case 0xC2:
		if i+1 < len(source) && source[i+1] == 0x85 {
			return 2
		}
	case 0xE2:
		if i+2 < len(source) && source[i+1] == 0x80 && (source[i+2] == 0xA8 || source[i+2] == 0xA9) {
			return 3
		}
	}
	return 0
}

func nameByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '_' || c == '-'
}

func flowByte(c byte) bool {
	switch c {
	case ',', '[', ']', '{', '}':
		return true
	}
	return false
}
