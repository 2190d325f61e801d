package canonical

import (
	"fmt"
	"strconv"
	"strings"
)

// JoinPointer appends member names or indexes to an RFC 6901 pointer.
func JoinPointer(base string, tokens ...string) string {
	for _, token := range tokens {
		if strings.ContainsAny(token, "~/") {
			token = strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
		}
		base += "/" + token
	}
	return base
}

// SplitPointer gives the names and indexes of an RFC 6901 pointer.
func SplitPointer(pointer string) ([]string, error) {
	if pointer == "" {
		return nil, nil
	}
	if pointer[0] != '/' {
		return nil, fmt.Errorf("the JSON pointer %q does not begin with a slash", bounded(pointer))
	}
	tokens := strings.Split(pointer[1:], "/")
	for i, token := range tokens {
		if !strings.Contains(token, "~") {
			continue
		}
		plain := strings.NewReplacer("~0", "", "~1", "").Replace(token)
		if strings.Contains(plain, "~") {
			return nil, fmt.Errorf("the JSON pointer %q has a ~ that escapes nothing", bounded(pointer))
		}
		tokens[i] = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
	}
	return tokens, nil
}

// Lookup finds the value that a pointer leads to.
func Lookup(v Value, pointer string) (Value, bool) {
	tokens, err := SplitPointer(pointer)
	if err != nil {
		return nil, false
	}
	for _, token := range tokens {
		switch parent := v.(type) {
		case map[string]any:
			child, ok := parent[token]
			if !ok {
				return nil, false
			}
			v = child
		case []any:
			index, err := strconv.Atoi(token)
			if err != nil || index < 0 || index >= len(parent) || strconv.Itoa(index) != token {
				return nil, false
			}
			v = parent[index]
		default:
			return nil, false
		}
	}
	return v, true
}
