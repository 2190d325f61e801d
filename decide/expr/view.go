package expr

import (
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/seif-dev/seifc/decide/schema"
)

// field finds a declared member of an object type.
func field(t *schema.Type, name string) (of *schema.Type, required, ok bool) {
	if t == nil {
		return nil, false, false
	}
	p, ok := t.Properties[name]
	if !ok {
		return nil, false, false
	}
	return p.Type, p.Required, true
}

// fields lists the declared members of an object type.
func fields(t *schema.Type) []string {
	if t == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(t.Properties))
}

// items is the type of a list's elements, nil when nothing is known of them.
func items(t *schema.Type) *schema.Type {
	if t == nil {
		return nil
	}
	return t.Items
}

// kindOf is what an expression may take a value of a type for.
func kindOf(t *schema.Type) kind {
	if t == nil || t.Dynamic {
		return union
	}
	switch t.Kinds {
	case schema.Boolean:
		return boolean
	case schema.Integer:
		return integer
	case schema.Number, schema.Number | schema.Integer:
		return double
	case schema.String:
		return text
	case schema.Array:
		return list
	case schema.Object:
		return object
	}
	return union
}

// longest bounds the strings of a type in code points, from maxLength and from the listed values.
func longest(t *schema.Type) int64 {
	most := bound(t.MaxLength)
	if t.Enum == nil {
		return most
	}
	var listed int64
	for _, value := range t.Enum {
		if s, ok := value.(string); ok {
			listed = max(listed, int64(utf8.RuneCountInString(s)))
		}
	}
	return least(most, listed)
}

func bound(most *int64) int64 {
	if most == nil {
		return unbounded
	}
	return *most
}
