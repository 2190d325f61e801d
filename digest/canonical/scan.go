package canonical

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Token is one token of a text that is being scanned. Separators are none.
type Token struct {
	// Kind is one of { } [ ] " 0 t f n: the first byte of what the token stands for, 0 for any number.
	Kind byte
	// Name is set for a string that names a member; the member's value follows.
	Name bool
	// Text is the decoded text of a string or name, Number the RFC 8785 spelling of a number.
	Text   string
	Number json.Number
	// Start and End delimit the token's bytes in the text, quotation marks included.
	Start, End int
	// Depth is how many arrays and objects the token stands in, which is also how many reference tokens the
	// pointer to its value has. The two brackets of a container have the depth of the container itself.
	Depth int
}

// Scan reads data strictly (see the package comment) and calls visit with each token in order; a nil visit only
// checks. It stops at the first error. An error of visit is returned as it is; any other is an [*Error]. What
// visit has seen before an error, it has seen of a text that is refused.
func Scan(data []byte, limits Limits, visit func(Token) error) error {
	s, err := newScanner(data, limits)
	if err != nil {
		return err
	}
	for {
		if fault := s.next(); fault != nil {
			return fault
		}
		if visit != nil {
			if err := visit(s.last.token()); err != nil {
				return err
			}
		}
		if s.depth == 0 {
			break
		}
	}
	if fault := s.finish(); fault != nil {
		return fault
	}
	return nil
}

// lexeme is a token as it stands in the text, not decoded yet.
type lexeme struct {
	kind       byte
	name       bool
	start, end int
	depth      int
	raw        []byte
}

func (l *lexeme) token() Token {
	t := Token{Kind: l.kind, Name: l.name, Start: l.start, End: l.end, Depth: l.depth}
	switch l.kind {
	case '"':
		t.Text = unquote(l.raw)
	case '0':
		t.Number = l.number()
	}
	return t
}

// number is the spelling of a number that the scanner has accepted.
func (l *lexeme) number() json.Number {
	if isPlainInteger(l.raw) {
		return json.Number(l.raw)
	}
	var room [32]byte
	spelling, _ := appendNumber(room[:0], l.raw)
	return json.Number(spelling)
}

// unquote decodes a string that the scanner has accepted.
func unquote(raw []byte) string {
	inner := raw[1 : len(raw)-1]
	if !hasEscape(inner) {
		return string(inner)
	}
	decoded, err := jsontext.AppendUnquote(make([]byte, 0, len(inner)), raw)
	if err != nil {
		panic("canonical: an accepted string cannot be decoded: " + err.Error())
	}
	return string(decoded)
}

func hasEscape(inner []byte) bool { return bytes.IndexByte(inner, '\\') >= 0 }

// scanner is the one strict pass.
type scanner struct {
	data    []byte
	limits  Limits
	decoder *jsontext.Decoder
	last    lexeme // the token that was read last
	depth   int
	values  int
	opened  [MaxDepth]int      // where each open array or object begins
	object  [MaxDepth + 1]bool // whether the innermost of that many is an object
	naming  bool               // whether the next string of an open object is a name
}

// newScanner makes a scanner. Options of the decoder are for a caller who makes sure in another way of what they allow.
func newScanner(data []byte, limits Limits, options ...jsontext.Options) (*scanner, error) {
	limits = limits.settled()
	if len(data) > limits.Bytes {
		e := fault(TooLarge, "")
		e.Offset = int64(limits.Bytes)
		return nil, e
	}
	// A bytes.Buffer is read in place: nothing is copied and nothing is written to it.
	return &scanner{data: data, limits: limits, decoder: jsontext.NewDecoder(bytes.NewBuffer(data), options...)}, nil
}

// next reads one token into last. It must not be called after the value is complete.
func (s *scanner) next() *Error {
	switch kind := s.decoder.PeekKind(); kind {
	case jsontext.KindBeginObject, jsontext.KindBeginArray:
		return s.open(kind)
	case jsontext.KindEndObject, jsontext.KindEndArray:
		return s.close(kind)
	default:
		return s.scalar(kind)
	}
}

func (s *scanner) open(kind jsontext.Kind) *Error {
	if _, err := s.decoder.ReadToken(); err != nil {
		return s.refused(err)
	}
	s.read(kind, 1)
	if s.depth >= s.limits.Depth {
		return s.at(TooDeep)
	}
	if s.values++; s.values > s.limits.Values {
		return s.at(TooManyValues)
	}
	s.opened[s.depth] = s.last.start
	s.depth++
	s.object[s.depth] = kind == jsontext.KindBeginObject
	s.naming = s.object[s.depth]
	return nil
}

func (s *scanner) close(kind jsontext.Kind) *Error {
	if _, err := s.decoder.ReadToken(); err != nil {
		return s.refused(err)
	}
	s.depth--
	s.read(kind, 1)
	s.naming = s.object[s.depth]
	return nil
}

func (s *scanner) scalar(kind jsontext.Kind) *Error {
	raw, err := s.decoder.ReadValue()
	if err != nil {
		return s.refused(err)
	}
	s.read(kind, len(raw))
	if s.naming {
		// The decoder refuses anything but a string here.
		s.last.name, s.naming = true, false
		return nil
	}
	s.naming = s.object[s.depth]
	if s.values++; s.values > s.limits.Values {
		return s.at(TooManyValues)
	}
	if kind == jsontext.KindNumber && !isPlainInteger(raw) {
		var room [32]byte
		if _, wrong := appendNumber(room[:0], raw); wrong != "" {
			e := s.at(wrong)
			e.Name = bounded(string(raw[:min(len(raw), maxName+1)]), maxName)
			return e
		}
	}
	return nil
}

// read makes last the token of size bytes that the decoder has just read.
func (s *scanner) read(kind jsontext.Kind, size int) {
	end := int(s.decoder.InputOffset())
	l := &s.last
	l.kind, l.name, l.start, l.end, l.depth, l.raw = byte(kind), false, end-size, end, s.depth, s.data[end-size:end:end]
}

// finish makes sure that nothing follows the value.
func (s *scanner) finish() *Error {
	rest := bytes.TrimLeft(s.data[s.decoder.InputOffset():], " \t\r\n")
	if len(rest) == 0 {
		return nil
	}
	return &Error{Kind: TrailingData, Offset: int64(len(s.data) - len(rest)), First: -1}
}

// at is an error about the token that was just read.
func (s *scanner) at(kind Kind) *Error {
	return &Error{Kind: kind, Offset: int64(s.last.start), Pointer: string(s.decoder.StackPointer()), First: -1}
}

// refused says why the decoder refused the text.
func (s *scanner) refused(err error) *Error {
	e := &Error{Kind: Syntax, Offset: int64(len(s.data)), First: -1}
	var syntactic *jsontext.SyntacticError
	if !errors.As(err, &syntactic) {
		// Only io.EOF: the text holds no value.
		return e
	}
	e.Pointer = string(syntactic.JSONPointer)
	if errors.Is(err, jsontext.ErrDuplicateName) {
		e.Kind = DuplicateMember
		e.Offset = syntactic.ByteOffset
		e.First, e.Name = s.firstOf(int(syntactic.ByteOffset), syntactic.JSONPointer.LastToken())
		return e
	}
	offset := min(max(int(syntactic.ByteOffset), 0), len(s.data))
	rest := s.data[offset:]
	if r, size := utf8.DecodeRune(rest); r == utf8.RuneError && size == 1 {
		e.Kind, e.Offset = InvalidUTF8, int64(offset)
		return e
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return e
	}
	e.Offset = int64(offset)
	if isSurrogateEscape(rest) {
		e.Kind = LoneSurrogate
	}
	return e
}

// firstOf finds the first member of that name in the innermost open object. It reads that object once more, and
// only up to the second member, at offset.
func (s *scanner) firstOf(offset int, name string) (int64, string) {
	shown := bounded(name, maxName)
	start := s.opened[s.depth-1]
	d := jsontext.NewDecoder(bytes.NewBuffer(s.data[start:offset]), jsontext.AllowDuplicateNames(true))
	if _, err := d.ReadToken(); err != nil {
		return -1, shown
	}
	for {
		raw, err := d.ReadValue()
		if err != nil {
			return -1, shown
		}
		if unquote(raw) == name {
			return int64(start) + d.InputOffset() - int64(len(raw)), shown
		}
		if err := d.SkipValue(); err != nil {
			return -1, shown
		}
	}
}

// isSurrogateEscape tells whether a text begins with an escape of a surrogate.
func isSurrogateEscape(text []byte) bool {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' || text[2]|0x20 != 'd' {
		return false
	}
	c := text[3] | 0x20
	if c != '8' && c != '9' && (c < 'a' || c > 'f') {
		return false
	}
	return isHex(text[4]) && isHex(text[5])
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }
