package canonical

import (
	"errors"
	"strconv"
	"strings"
)

// ErrPointer is the error of [SplitPointer].
var ErrPointer = errors.New("not an RFC 6901 JSON pointer")

// JoinPointer appends reference tokens to an RFC 6901 pointer, escaping "~" and "/". The empty base is the root.
func JoinPointer(base string, tokens ...string) string {
	if len(tokens) == 1 && strings.IndexByte(tokens[0], '~') < 0 && strings.IndexByte(tokens[0], '/') < 0 {
		return base + "/" + tokens[0]
	}
	size := len(base)
	escaped := 0
	for _, token := range tokens {
		size += 1 + len(token)
		escaped += strings.Count(token, "~") + strings.Count(token, "/")
	}
	var b strings.Builder
	b.Grow(size + escaped)
	b.WriteString(base)
	for _, token := range tokens {
		b.WriteByte('/')
		writeToken(&b, token)
	}
	return b.String()
}

func writeToken(b *strings.Builder, token string) {
	for {
		i := strings.IndexAny(token, "~/")
		if i < 0 {
			b.WriteString(token)
			return
		}
		b.WriteString(token[:i])
		if token[i] == '~' {
			b.WriteString("~0")
		} else {
			b.WriteString("~1")
		}
		token = token[i+1:]
	}
}

// SplitPointer gives the unescaped reference tokens of a pointer; none for the empty pointer, which is the root.
// It refuses a pointer that does not begin with "/" and a "~" that is not followed by 0 or 1.
func SplitPointer(p string) ([]string, error) {
	if p == "" {
		return nil, nil
	}
	if p[0] != '/' {
		return nil, ErrPointer
	}
	tokens := strings.Split(p[1:], "/")
	for i, token := range tokens {
		plain, ok := unescapeToken(token)
		if !ok {
			return nil, ErrPointer
		}
		tokens[i] = plain
	}
	return tokens, nil
}

func unescapeToken(token string) (string, bool) {
	if !strings.Contains(token, "~") {
		return token, true
	}
	var b strings.Builder
	b.Grow(len(token))
	for {
		i := strings.IndexByte(token, '~')
		if i < 0 {
			b.WriteString(token)
			return b.String(), true
		}
		b.WriteString(token[:i])
		switch rest := token[i+1:]; {
		case strings.HasPrefix(rest, "0"):
			b.WriteByte('~')
		case strings.HasPrefix(rest, "1"):
			b.WriteByte('/')
		default:
			return "", false
		}
		token = token[i+2:]
	}
}

// Lookup finds what a pointer names. It is false for a malformed pointer, an absent member, an index that is not
// written as RFC 6901 section 4 demands (digits without a leading zero) or is out of range, and for "-".
func Lookup(v Value, pointer string) (Value, bool) {
	tokens, err := SplitPointer(pointer)
	if err != nil {
		return nil, false
	}
	for _, token := range tokens {
		switch container := v.(type) {
		case map[string]any:
			member, ok := container[token]
			if !ok {
				return nil, false
			}
			v = member
		case []any:
			i, ok := arrayIndex(token)
			if !ok || i >= len(container) {
				return nil, false
			}
			v = container[i]
		default:
			return nil, false
		}
	}
	return v, true
}

func arrayIndex(token string) (int, bool) {
	if token == "" || countDigits(token) != len(token) || token[0] == '0' && len(token) > 1 {
		return 0, false
	}
	i, err := strconv.Atoi(token)
	return i, err == nil
}
