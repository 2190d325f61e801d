package canonical

import "fmt"

// Kind says what is wrong with a document or value.
type Kind string

const (
	Syntax          Kind = "syntax"
	DuplicateMember Kind = "duplicate_member"
	TrailingData    Kind = "trailing_data"
	TooDeep         Kind = "too_deep"
	TooLarge        Kind = "too_large"
	TooManyValues   Kind = "too_many_values"
	InvalidUTF8     Kind = "invalid_utf8"
	LoneSurrogate   Kind = "lone_surrogate"
	InexactNumber   Kind = "inexact_number"
	UnsupportedType Kind = "unsupported_type"
	NotCanonical    Kind = "not_canonical"
)

// Error is the one kind of error of this package.
type Error struct {
	Kind Kind
	// Offset is the byte offset of the offending token, -1 when there is none.
	Offset int64
	// Pointer is where in the document (RFC 6901).
	Pointer string
	// Name is the member's name, the number's text or what else was met; at most 100 bytes.
	Name string
	// First is the offset of the first of two equal members, -1 otherwise.
	First int64
}

// Error is a short English sentence; callers that need another read the members.
func (e *Error) Error() string {
	where := ""
	if e.Offset >= 0 {
		where = fmt.Sprintf(" at byte %d", e.Offset)
	}
	switch e.Kind {
	case DuplicateMember:
		return fmt.Sprintf("the member %q stands twice%s", e.Name, where)
	case TrailingData:
		return "something follows the value" + where
	case TooDeep:
		return "it is nested too deeply" + where
	case TooLarge:
		return "it is too large"
	case TooManyValues:
		return "it has too many values" + where
	case InvalidUTF8:
		return "it is not valid UTF-8" + where
	case LoneSurrogate:
		return "it has half of a surrogate pair" + where
	case InexactNumber:
		return fmt.Sprintf("the number %s has no exact canonical form%s", e.Name, where)
	case UnsupportedType:
		return fmt.Sprintf("a %s is not a JSON value", e.Name)
	case NotCanonical:
		return "it is not in canonical form" + where
	default:
		return "it is not JSON" + where
	}
}

func bounded(s string) string {
	const most = 100
	if len(s) > most {
		return s[:most]
	}
	return s
}
