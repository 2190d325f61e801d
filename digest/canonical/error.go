package canonical

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Kind is what is wrong with a JSON text or a value.
type Kind string

// The kinds of [Error].
const (
	// Syntax: the bytes are not JSON. A byte order mark is one such case.
	Syntax Kind = "syntax"
	// DuplicateMember: an object has two members of one name.
	DuplicateMember Kind = "duplicate_member"
	// TrailingData: something other than white space follows the value.
	TrailingData Kind = "trailing_data"
	// TooDeep: more arrays and objects stand within each other than allowed.
	TooDeep Kind = "too_deep"
	// TooLarge: the text is longer than allowed.
	TooLarge Kind = "too_large"
	// TooManyValues: the text holds more values than allowed.
	TooManyValues Kind = "too_many_values"
	// InvalidUTF8: a byte sequence is not UTF-8.
	InvalidUTF8 Kind = "invalid_utf8"
	// LoneSurrogate: an escape names half of a surrogate pair.
	LoneSurrogate Kind = "lone_surrogate"
	// InexactNumber: the RFC 8785 form of a number has another decimal value than the number.
	InexactNumber Kind = "inexact_number"
	// UnsupportedType: a Go value is none of those that [Value] lists.
	UnsupportedType Kind = "unsupported_type"
	// NotCanonical: the text is well-formed but is not its own RFC 8785 form; only [IsCanonical] says so.
	NotCanonical Kind = "not_canonical"
)

// Error says what is wrong and where. Every error of this package is one, but for those that a visitor of [Scan]
// returns itself.
type Error struct {
	Kind Kind
	// Offset is the byte at which the text is wrong: the start of a number, a member name or a bracket that is
	// refused, else the first byte that cannot stand where it stands (the length of the text if it ends too
	// early). It is -1 where there is no text.
	Offset int64
	// Pointer is the RFC 6901 pointer to the value or member concerned, as far as it was read.
	Pointer string
	// Name is the name of the duplicate member, the text of the number, or the Go type. It is at most 64 bytes
	// long and hostile.
	Name string
	// First is the offset of the first of two members of one name, else -1.
	First int64
}

// maxName bounds Error.Name; maxShownPointer the pointer in an error's text.
const (
	maxName         = 64
	maxShownPointer = 200
)

// Error is a bounded English sentence in which nothing of the input stands unquoted. Messages that need other
// words are made from the members.
func (e *Error) Error() string {
	text := e.what()
	if e.Offset >= 0 {
		text += " at byte " + strconv.FormatInt(e.Offset, 10)
	}
	if e.Pointer != "" {
		text += " (" + strconv.QuoteToASCII(bounded(e.Pointer, maxShownPointer)) + ")"
	}
	return text
}

func (e *Error) what() string {
	switch e.Kind {
	case DuplicateMember:
		return "the member " + strconv.QuoteToASCII(e.Name) + " stands twice"
	case TrailingData:
		return "something follows the value"
	case TooDeep:
		return "it is nested too deeply"
	case TooLarge:
		return "it is too large"
	case TooManyValues:
		return "it has too many values"
	case InvalidUTF8:
		return "it is not valid UTF-8"
	case LoneSurrogate:
		return "it has half of a surrogate pair"
	case InexactNumber:
		return "the number " + strconv.QuoteToASCII(e.Name) + " has no exact canonical form"
	case UnsupportedType:
		return "a Go " + strconv.QuoteToASCII(e.Name) + " is not a JSON value"
	case NotCanonical:
		return "it is not in canonical form"
	default:
		return "it is not JSON"
	}
}

// fault is an error without a place in a text.
func fault(kind Kind, name string) *Error {
	return &Error{Kind: kind, Offset: -1, First: -1, Name: bounded(name, maxName)}
}

// bounded cuts a text to at most size bytes, at the border of a character.
func bounded(text string, size int) string {
	if len(text) <= size {
		return text
	}
	const mark = "..."
	end := size - len(mark)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return strings.Clone(text[:end]) + mark
}
