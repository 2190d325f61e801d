package canonical

import (
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Marshal gives the RFC 8785 form of a value.
func Marshal(v Value) ([]byte, error) { return Append(nil, v) }

// Append appends the RFC 8785 form of a value to dst. The error is an [*Error]: a type that is no [Value], a string
// that is not valid UTF-8, or a number without an exact form.
func Append(dst []byte, v Value) ([]byte, error) { return appendValue(dst, v, 0) }

// maxWriteDepth bounds values that were built in memory; what was read is bounded already.
const maxWriteDepth = 1000

func appendValue(dst []byte, v Value, depth int) ([]byte, error) {
	if depth > maxWriteDepth {
		return dst, &Error{Kind: TooDeep, Offset: -1, First: -1}
	}
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		if v {
			return append(dst, "true"...), nil
		}
		return append(dst, "false"...), nil
	case string:
		return appendString(dst, v)
	case json.Number:
		number, err := Number(string(v))
		return append(dst, number...), err
	case []any:
		return appendArray(dst, v, depth)
	case map[string]any:
		return appendObject(dst, v, depth)
	default:
		return dst, &Error{Kind: UnsupportedType, Offset: -1, First: -1, Name: fmt.Sprintf("%T", v)}
	}
}

func appendArray(dst []byte, items []any, depth int) ([]byte, error) {
	dst = append(dst, '[')
	for i, item := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendValue(dst, item, depth+1); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

func appendObject(dst []byte, members map[string]any, depth int) ([]byte, error) {
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	slices.SortFunc(names, Compare)
	dst = append(dst, '{')
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendString(dst, name); err != nil {
			return dst, err
		}
		dst = append(dst, ':')
		if dst, err = appendValue(dst, members[name], depth+1); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

const hexDigits = "0123456789abcdef"

// appendString writes a string with the shortest escapes (RFC 8785, section 3.2.2.2).
func appendString(dst []byte, s string) ([]byte, error) {
	if !utf8.ValidString(s) {
		return dst, &Error{Kind: InvalidUTF8, Offset: -1, First: -1}
	}
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\r':
			dst = append(dst, '\\', 'r')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return append(append(dst, s[start:]...), '"'), nil
}

// Compare orders member names as RFC 8785 does: by UTF-16 code units (section 3.2.3). It differs from the order of
// bytes only where a surrogate pair meets a code unit from U+E000 on.
func Compare(a, b string) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] == b[i] {
			continue
		}
		ra, rb := a[i], b[i]
		// A lead byte from 0xF0 on is of a code point above U+FFFF, whose first unit is a surrogate (U+D800 on);
		// 0xEE and 0xEF lead to U+E000 and above, which come after surrogates.
		if ra >= 0xF0 && rb >= 0xEE && rb < 0xF0 {
			return -1
		}
		if rb >= 0xF0 && ra >= 0xEE && ra < 0xF0 {
			return 1
		}
		if ra < rb {
			return -1
		}
		return 1
	}
	switch {
	case len(a) < len(b):
		return -1
	case len(a) > len(b):
		return 1
	}
	return 0
}
