package schema

import (
	"encoding/json"

	"github.com/seif-dev/seifc/digest/canonical"
)

// exact gives the canonical form of a number and whether it keeps the number's decimal value. Only such numbers
// reach any arithmetic.
func exact(number json.Number) (string, bool) {
	text, err := canonical.Number(string(number))
	if err != nil {
		return "", false
	}
	return string(text), true
}

// canonicalKey is the RFC 8785 form of a value: equal for values that are equal as JSON values.
func canonicalKey(v canonical.Value) (string, bool) {
	text, err := canonical.Marshal(v)
	if err != nil {
		return "", false
	}
	return string(text), true
}
