package schema

import (
	"encoding/json"
	"slices"

	"github.com/seif-dev/seifc/digest/canonical"
)

// join is a type of values that are of one type or the other.
func join(a, b *Type) *Type {
	switch {
	case a.Kinds == 0:
		return b
	case b.Kinds == 0:
		return a
	}
	out := &Type{
		Kinds:     a.Kinds | b.Kinds,
		MinLength: least(a, b, String, func(t *Type) *int64 { return t.MinLength }),
		MaxLength: most(a, b, String, func(t *Type) *int64 { return t.MaxLength }),
		MinItems:  least(a, b, Array, func(t *Type) *int64 { return t.MinItems }),
		MaxItems:  most(a, b, Array, func(t *Type) *int64 { return t.MaxItems }),
	}
	if out.Kinds.Has(Number) {
		out.Kinds &^= Integer
	}
	if numeric(a) && numeric(b) {
		out.Minimum = looser(a.Minimum, b.Minimum, -1)
		out.Maximum = looser(a.Maximum, b.Maximum, 1)
	} else if numeric(a) {
		out.Minimum, out.Maximum = a.Minimum, a.Maximum
	} else if numeric(b) {
		out.Minimum, out.Maximum = b.Minimum, b.Maximum
	}
	if a.Enum != nil && b.Enum != nil {
		out.Enum = slices.Clone(a.Enum)
		for _, value := range b.Enum {
			if !slices.ContainsFunc(a.Enum, func(v canonical.Value) bool { return canonical.Equal(v, value) }) {
				out.Enum = append(out.Enum, value)
			}
		}
	}
	if a.Format == b.Format && a.Kinds == b.Kinds {
		out.Format = a.Format
	}
	if a.Kinds == Array && b.Kinds == Array && a.Items != nil && b.Items != nil {
		out.Items = join(a.Items, b.Items)
	}
	out.Dynamic = a.Dynamic || b.Dynamic || !out.Kinds.single() || out.Kinds == Object
	return out
}

func numeric(t *Type) bool { return t.Kinds&(Integer|Number) != 0 }

// least and most give the bound of either type that holds for both; a type without the kind has no say.
func least(a, b *Type, kind Kinds, of func(*Type) *int64) *int64 {
	return either(a, b, kind, of, func(x, y int64) bool { return x < y })
}

func most(a, b *Type, kind Kinds, of func(*Type) *int64) *int64 {
	return either(a, b, kind, of, func(x, y int64) bool { return x > y })
}

func either(a, b *Type, kind Kinds, of func(*Type) *int64, better func(x, y int64) bool) *int64 {
	switch {
	case a.Kinds&kind == 0:
		return of(b)
	case b.Kinds&kind == 0:
		return of(a)
	case of(a) == nil || of(b) == nil:
		return nil
	case better(*of(b), *of(a)):
		return of(b)
	}
	return of(a)
}

// looser is the larger (sign 1) or smaller (sign -1) of two bounds, none if one is missing.
func looser(a, b json.Number, sign int) json.Number {
	if a == "" || b == "" {
		return ""
	}
	if rational(string(b)).Cmp(rational(string(a)))*sign > 0 {
		return b
	}
	return a
}
