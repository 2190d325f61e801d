package schema

import (
	"encoding/json"
	"slices"

	"github.com/seif-dev/seifc/digest/canonical"
)

// meet is the type of values that are of both types.
func meet(a, b *Type) *Type {
	out := &Type{
		Kinds:         meetKinds(a.Kinds, b.Kinds),
		Closed:        a.Closed || b.Closed,
		MinLength:     larger(a.MinLength, b.MinLength),
		MaxLength:     smaller(a.MaxLength, b.MaxLength),
		MinItems:      larger(a.MinItems, b.MinItems),
		MaxItems:      smaller(a.MaxItems, b.MaxItems),
		MinProperties: larger(a.MinProperties, b.MinProperties),
		MaxProperties: smaller(a.MaxProperties, b.MaxProperties),
		Minimum:       tighter(string(a.Minimum), string(b.Minimum), 1),
		Maximum:       tighter(string(a.Maximum), string(b.Maximum), -1),
		Items:         meetOptional(a.Items, b.Items),
		Additional:    meetOptional(a.Additional, b.Additional),
		Format:        a.Format,
	}
	if out.Format == "" {
		out.Format = b.Format
	}
	if out.Closed {
		out.Additional = nil
	}
	out.Properties = meetProperties(a, b)
	switch {
	case a.Enum != nil && b.Enum != nil:
		out.Enum = slices.DeleteFunc(slices.Clone(a.Enum), func(v canonical.Value) bool {
			return !slices.ContainsFunc(b.Enum, func(w canonical.Value) bool { return canonical.Equal(v, w) })
		})
		out = narrow(out, out.Enum)
	case a.Enum != nil:
		out = narrow(out, a.Enum)
	case b.Enum != nil:
		out = narrow(out, b.Enum)
	}
	// Objects of which one side knows only at run time which members they have stay so; scalars are decided by kind.
	branching := a.Dynamic && a.Kinds == Object || b.Dynamic && b.Kinds == Object
	out.Dynamic = out.Kinds != 0 && (!out.Kinds.single() || branching && out.Kinds == Object)
	return out
}

func meetKinds(a, b Kinds) Kinds {
	both := a & b
	if a.Has(Number) && b.Has(Integer) || b.Has(Number) && a.Has(Integer) {
		both |= Integer
	}
	return both
}

func meetOptional(a, b *Type) *Type {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return meet(a, b)
}

// meetProperties gives the members that either side names.
func meetProperties(a, b *Type) map[string]*Property {
	if a.Properties == nil && b.Properties == nil {
		return nil
	}
	out := make(map[string]*Property, max(len(a.Properties), len(b.Properties)))
	for name, one := range a.Properties {
		if two, both := b.Properties[name]; both {
			out[name] = &Property{Type: meet(one.Type, two.Type), Required: one.Required || two.Required}
		} else if !b.Closed {
			out[name] = &Property{Type: meetOptional(one.Type, b.Additional), Required: one.Required}
		}
	}
	for name, two := range b.Properties {
		if _, both := a.Properties[name]; !both && !a.Closed {
			out[name] = &Property{Type: meetOptional(two.Type, a.Additional), Required: two.Required}
		}
	}
	return out
}

func larger(a, b *int64) *int64 {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}

func smaller(a, b *int64) *int64 {
	if a == nil || b != nil && *b < *a {
		return b
	}
	return a
}

// tighter is the larger (sign 1) or smaller (sign -1) of two bounds.
func tighter(a, b string, sign int) json.Number {
	if a == "" || b != "" && rational(b).Cmp(rational(a))*sign > 0 {
		return json.Number(b)
	}
	return json.Number(a)
}
