package canonical

import "encoding/json"

// Value is a JSON value: nil, bool, string, json.Number, []any or map[string]any, and nothing else at any depth.
// A nil slice or map of these types is an empty array or object. [Parse] returns numbers in their RFC 8785
// spelling, so that such values can be compared by [Equal] and printed as they are.
type Value = any

// MaxDepth is how many arrays and objects may stand within each other, for reading and for writing alike, so
// that what is written can be read back.
const MaxDepth = 64

// Bounds that hold where [Limits] says nothing.
const (
	DefaultBytes  = 64 << 20
	DefaultValues = 2_000_000
)

// Limits bounds what a reader accepts. A member that is not positive stands for the package's default.
type Limits struct {
	// Bytes is the greatest length of the text.
	Bytes int
	// Depth is the greatest number of arrays and objects within each other; it cannot exceed [MaxDepth].
	Depth int
	// Values is the greatest number of values: scalars, arrays and objects, member names not counted.
	Values int
}

func (l Limits) settled() Limits {
	if l.Bytes <= 0 {
		l.Bytes = DefaultBytes
	}
	if l.Depth <= 0 || l.Depth > MaxDepth {
		l.Depth = MaxDepth
	}
	if l.Values <= 0 {
		l.Values = DefaultValues
	}
	return l
}

// Equal tells whether a and b are the same JSON value: members in any order, numbers by decimal value. A value
// that has no canonical form (see [Append]) equals nothing, itself included.
func Equal(a, b Value) bool { return equal(a, b, 0) }

func equal(a, b Value, depth int) bool {
	if depth > MaxDepth {
		return false
	}
	switch a := a.(type) {
	case nil:
		return b == nil
	case bool:
		other, ok := b.(bool)
		return ok && a == other
	case string:
		other, ok := b.(string)
		return ok && a == other && validText(a)
	case json.Number:
		other, ok := b.(json.Number)
		return ok && equalNumbers(a, other)
	case []any:
		other, ok := b.([]any)
		return ok && equalArrays(a, other, depth+1)
	case map[string]any:
		other, ok := b.(map[string]any)
		return ok && equalObjects(a, other, depth+1)
	default:
		return false
	}
}

func equalNumbers(a, b json.Number) bool {
	x, err := Number(string(a))
	if err != nil {
		return false
	}
	y, err := Number(string(b))
	return err == nil && x == y
}

func equalArrays(a, b []any, depth int) bool {
	if len(a) != len(b) || depth > MaxDepth {
		return false
	}
	for i := range a {
		if !equal(a[i], b[i], depth) {
			return false
		}
	}
	return true
}

func equalObjects(a, b map[string]any, depth int) bool {
	if len(a) != len(b) || depth > MaxDepth {
		return false
	}
	for name, value := range a {
		other, ok := b[name]
		if !ok || !validText(name) || !equal(value, other, depth) {
			return false
		}
	}
	return true
}
