package canonical

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Append appends the RFC 8785 form of a value to dst. It refuses a type outside [Value] (kind unsupported_type),
// text that is not UTF-8 (invalid_utf8), a json.Number that is no JSON number (syntax) or loses its decimal value
// (inexact_number, see [Number]), and more than [MaxDepth] arrays and objects within each other (too_deep). The
// error is an [*Error] with a pointer to the value; dst is then returned as it was given.
func Append(dst []byte, v Value) ([]byte, error) {
	w := writer{out: dst}
	if fault := w.value(v, 0); fault != nil {
		return dst, fault
	}
	return w.out, nil
}

// Marshal is the RFC 8785 form of a value; see [Append].
func Marshal(v Value) ([]byte, error) {
	out, err := Append(nil, v)
	if err != nil {
		return nil, err
	}
	return out, nil
}

type writer struct {
	out   []byte
	names []string // names of the open objects that are still to be written, innermost last
}

func (w *writer) value(v Value, depth int) *Error {
	switch v := v.(type) {
	case nil:
		w.out = append(w.out, "null"...)
	case bool:
		w.out = strconv.AppendBool(w.out, v)
	case string:
		return w.text(v)
	case json.Number:
		return w.number(v)
	case []any:
		return w.array(v, depth)
	case map[string]any:
		return w.object(v, depth)
	default:
		return fault(UnsupportedType, fmt.Sprintf("%T", v))
	}
	return nil
}

func (w *writer) text(s string) *Error {
	if isPlainText(s) {
		w.out = append(w.out, '"')
		w.out = append(w.out, s...)
		w.out = append(w.out, '"')
		return nil
	}
	out, err := jsontext.AppendQuote(w.out, s)
	if err != nil {
		return fault(InvalidUTF8, "")
	}
	w.out = out
	return nil
}

// isPlainText tells a text that stands in JSON as it is: printable ASCII that needs no escape.
func isPlainText(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

func (w *writer) number(n json.Number) *Error {
	out, wrong := appendNumber(w.out, n)
	if wrong != "" {
		return fault(wrong, string(n))
	}
	w.out = out
	return nil
}

func (w *writer) array(items []any, depth int) *Error {
	if depth >= MaxDepth {
		return fault(TooDeep, "")
	}
	w.out = append(w.out, '[')
	for i, item := range items {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		if e := w.value(item, depth+1); e != nil {
			return within(e, strconv.Itoa(i))
		}
	}
	w.out = append(w.out, ']')
	return nil
}

func (w *writer) object(members map[string]any, depth int) *Error {
	if depth >= MaxDepth {
		return fault(TooDeep, "")
	}
	first := len(w.names)
	for name := range members {
		w.names = append(w.names, name)
	}
	slices.SortFunc(w.names[first:], Compare)
	w.out = append(w.out, '{')
	for i := range len(members) {
		// Inner objects append to names; the slice may move, the members of this object stay where they are in it.
		name := w.names[first+i]
		if i > 0 {
			w.out = append(w.out, ',')
		}
		if e := w.text(name); e != nil {
			return within(e, name)
		}
		w.out = append(w.out, ':')
		if e := w.value(members[name], depth+1); e != nil {
			return within(e, name)
		}
	}
	w.names = w.names[:first]
	w.out = append(w.out, '}')
	return nil
}

// within adds the outer reference token to an error's pointer.
func within(e *Error, token string) *Error {
	e.Pointer = JoinPointer("", token) + e.Pointer
	return e
}

func validText(s string) bool { return utf8.ValidString(s) }
