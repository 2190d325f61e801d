package canonical

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Token is one step of a scan.
type Token struct {
	// Kind is one of { } [ ] " 0 t f n: the first byte of what it stands for, 0 for any number.
	Kind byte
	// Name is set on the string that names a member.
	Name bool
	// Text is the decoded string; Number the number in RFC 8785 spelling.
	Text   string
	Number json.Number
	// Start and End delimit the token's bytes.
	Start, End int
}

// Scan reads a document in one strict pass and shows each token to visit. An error of visit ends the scan and is
// returned as it is; every other error is an [*Error].
func Scan(data []byte, limits Limits, visit func(Token) error) error {
	limits = limits.withDefaults()
	if len(data) > limits.Bytes {
		return &Error{Kind: TooLarge, Offset: -1, First: -1}
	}
	s := &scanner{data: data, limits: limits, decoder: jsontext.NewDecoder(bytes.NewBuffer(data))}
	if !utf8.Valid(data) {
		return &Error{Kind: InvalidUTF8, Offset: invalidUTF8(data), First: -1}
	}
	for {
		token, err := s.next()
		if err != nil {
			return err
		}
		if err := visit(token); err != nil {
			return err
		}
		if s.decoder.StackDepth() == 0 {
			break
		}
	}
	if _, err := s.decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return &Error{Kind: TrailingData, Offset: int64(skipSpace(data, int(s.decoder.InputOffset()))), First: -1}
	}
	return nil
}

type scanner struct {
	data    []byte
	limits  Limits
	decoder *jsontext.Decoder
	values  int
}

func (s *scanner) next() (Token, error) {
	before := int(s.decoder.InputOffset())
	token, err := s.decoder.ReadToken()
	if err != nil {
		return Token{}, s.failure(err, before)
	}
	out := Token{Kind: byte(token.Kind()), Start: skipSpace(s.data, before), End: int(s.decoder.InputOffset())}
	if s.decoder.StackDepth() > s.limits.Depth {
		return Token{}, s.at(TooDeep, out, "")
	}
	if s.values++; s.values > s.limits.Values {
		return Token{}, s.at(TooManyValues, out, "")
	}
	switch out.Kind {
	case '"':
		out.Text = token.String()
		kind, length := s.decoder.StackIndex(s.decoder.StackDepth())
		out.Name = kind == '{' && length%2 == 1
	case '0':
		text := string(s.data[out.Start:out.End])
		number, err := Number(text)
		if err != nil {
			return Token{}, s.at(InexactNumber, out, text)
		}
		out.Number = number
	}
	return out, nil
}

func (s *scanner) at(kind Kind, token Token, name string) error {
	return &Error{Kind: kind, Offset: int64(token.Start), First: -1, Pointer: string(s.decoder.StackPointer()), Name: bounded(name)}
}

// failure turns an error of the decoder into ours.
func (s *scanner) failure(err error, before int) error {
	out := &Error{Kind: Syntax, Offset: int64(skipSpace(s.data, before)), First: -1}
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		out.Pointer = string(syntactic.JSONPointer)
		if syntactic.ByteOffset > out.Offset {
			out.Offset = syntactic.ByteOffset
		}
	}
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		out.Kind = DuplicateMember
		out.Offset = int64(skipSpace(s.data, before))
		s.duplicate(out)
	case strings.Contains(err.Error(), "surrogate"), strings.Contains(err.Error(), "invalid UTF-8"):
		// The bytes were checked before, so what is left is an escape.
		out.Kind = LoneSurrogate
	case strings.Contains(err.Error(), "exceeded max depth"):
		out.Kind = TooDeep
	}
	return out
}

// duplicate names the member that stands twice and finds the first of the two.
func (s *scanner) duplicate(out *Error) {
	if tokens, err := SplitPointer(out.Pointer); err == nil && len(tokens) > 0 {
		out.Name = bounded(tokens[len(tokens)-1])
	}
	again := jsontext.NewDecoder(bytes.NewBuffer(s.data), jsontext.AllowDuplicateNames(true))
	for {
		before := int(again.InputOffset())
		token, err := again.ReadToken()
		if err != nil {
			return
		}
		start := int64(skipSpace(s.data, before))
		if start >= out.Offset {
			return
		}
		if token.Kind() == '"' && string(again.StackPointer()) == out.Pointer {
			kind, length := again.StackIndex(again.StackDepth())
			if kind == '{' && length%2 == 1 {
				out.First = start
				return
			}
		}
	}
}

func skipSpace(data []byte, at int) int {
	for at < len(data) {
		switch data[at] {
		case ' ', '\t', '\r', '\n', ',', ':':
			at++
		default:
			return at
		}
	}
	return at
}

func invalidUTF8(data []byte) int64 {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size <= 1 {
			return int64(i)
		}
		i += size
	}
	return -1
}
