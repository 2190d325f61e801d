package canonical

import (
	"encoding/json"
	"maps"
	"slices"
)

// Value is a JSON value: nil, bool, string, json.Number, []any or map[string]any, and nothing else. Numbers that
// this package returns are in RFC 8785 spelling.
type Value = any

// Limits bound what is read. A zero member means its default.
type Limits struct {
	Bytes  int
	Depth  int
	Values int
}

// The defaults of [Limits].
const (
	DefaultBytes  = 64 << 20
	DefaultDepth  = 64
	DefaultValues = 2_000_000
)

func (l Limits) withDefaults() Limits {
	if l.Bytes == 0 {
		l.Bytes = DefaultBytes
	}
	if l.Depth == 0 {
		l.Depth = DefaultDepth
	}
	if l.Values == 0 {
		l.Values = DefaultValues
	}
	return l
}

// Equal tells whether two values are the same JSON value. Numbers are compared by decimal value; a number that has
// no exact form is equal to nothing.
func Equal(a, b Value) bool {
	switch x := a.(type) {
	case json.Number:
		y, ok := b.(json.Number)
		if !ok {
			return false
		}
		if x == y {
			_, err := Number(string(x))
			return err == nil
		}
		nx, errX := Number(string(x))
		ny, errY := Number(string(y))
		return errX == nil && errY == nil && nx == ny
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, Equal)
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && maps.EqualFunc(x, y, Equal)
	case nil:
		return b == nil
	case bool:
		y, ok := b.(bool)
		return ok && x == y
	case string:
		y, ok := b.(string)
		return ok && x == y
	default:
		return false
	}
}
