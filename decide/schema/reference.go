package schema

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/digest/canonical"
)

// referenceTokens gives the unescaped tokens of a reference "#/a/b": a JSON pointer in a URI fragment (RFC 6901
// section 6), so percent-encoded bytes are decoded first.
func referenceTokens(ref string) ([]string, bool) {
	fragment, err := url.PathUnescape(strings.TrimPrefix(ref, "#"))
	if err != nil || !strings.HasPrefix(fragment, "/") {
		return nil, false
	}
	raw := strings.Split(ref[2:], "/")
	tokens := make([]string, len(raw))
	for i, part := range raw {
		decoded, err := url.PathUnescape(part)
		if err != nil {
			return nil, false
		}
		token, ok := unescapeToken(decoded)
		if !ok || strings.Contains(decoded, "/") {
			return nil, false
		}
		tokens[i] = token
	}
	return tokens, true
}

func unescapeToken(s string) (string, bool) {
	for i := 0; i < len(s); i++ {
		if s[i] == '~' && (i+1 == len(s) || s[i+1] != '0' && s[i+1] != '1') {
			return "", false
		}
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "~1", "/"), "~0", "~"), true
}

// child is the member of an object or array that a pointer token names.
func child(v canonical.Value, token string) (canonical.Value, bool) {
	switch v := v.(type) {
	case map[string]any:
		next, ok := v[token]
		return next, ok
	case []any:
		i, err := strconv.Atoi(token)
		if err != nil || i < 0 || i >= len(v) || strconv.Itoa(i) != token {
			return nil, false
		}
		return v[i], true
	}
	return nil, false
}

func indexPointer(at string, i int) string { return at + "/" + strconv.Itoa(i) }

// pointerOf joins the tokens of a pointer.
func pointerOf(tokens []string) string {
	pointer := ""
	for _, token := range tokens {
		pointer = canonical.JoinPointer(pointer, token)
	}
	return pointer
}

// lastToken is the unescaped last token of a pointer, "schema" for the root.
func lastToken(pointer string) string {
	i := strings.LastIndexByte(pointer, '/')
	if i < 0 {
		return "schema"
	}
	token, _ := unescapeToken(pointer[i+1:])
	return token
}
