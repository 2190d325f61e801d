package schema

import (
	"encoding/json"

	"github.com/seif-dev/seifc/digest/canonical"
)

// Type is what can be said of a schema's values without a value: the types that expressions are checked against.
// Every value that the schema lets through is of the type; not every value of the type fits the schema.
type Type struct {
	// Kinds are the JSON types that a value may have; 0 when no value fits. Number stands without Integer when
	// fractions are possible.
	Kinds Kinds
	// Dynamic says that the type of a value is known only at run time: values of several kinds, or of an object
	// whose members depend on which branch fits. Bounds and members below may still hold.
	Dynamic bool

	// Properties are the named members of an object; Closed says that there are no others.
	Properties map[string]*Property
	Closed     bool
	// Additional is the type of members that are not named; nil when nothing is said of them or Closed.
	Additional *Type
	// Items is the type of every element of an array; nil when nothing is said.
	Items *Type

	// Bounds that every value keeps; nil is none. Lengths count code points.
	MinLength, MaxLength         *int64
	MinItems, MaxItems           *int64
	MinProperties, MaxProperties *int64
	// Minimum and Maximum are bounds in canonical form, "" is none; an exclusive bound is given as it is.
	Minimum, Maximum json.Number
	// Enum lists all possible values in order, nil when they are not listed.
	Enum []canonical.Value
	// Format is the asserted format of a text or number; "" is none.
	Format string
}

// Property is a named member.
type Property struct {
	Type     *Type
	Required bool
}

// Type gives the static type of the values that s lets through, references followed and allOf merged. The result
// must not be changed: parts of it may be shared.
func (s *Schema) Type() *Type { return typeOf(s.root) }

func typeOf(n *node) *Type {
	if n.verdict != nil {
		if *n.verdict {
			return anyType()
		}
		return &Type{}
	}
	t := ownType(n)
	if n.target != nil {
		t = meet(t, typeOf(n.target))
	}
	for _, branch := range n.allOf {
		t = meet(t, typeOf(branch))
	}
	for _, branches := range [][]*node{n.anyOf, n.oneOf} {
		if len(branches) == 0 {
			continue
		}
		joined := typeOf(branches[0])
		for _, branch := range branches[1:] {
			joined = join(joined, typeOf(branch))
		}
		t = meet(t, joined)
	}
	return t
}

func anyType() *Type { return &Type{Kinds: allKinds &^ Integer, Dynamic: true} }

// ownType is what a node says by its own keywords.
func ownType(n *node) *Type {
	t := &Type{
		Kinds:     n.types,
		MinLength: n.counts[minLength], MaxLength: n.counts[maxLength],
		MinItems: n.counts[minItems], MaxItems: n.counts[maxItems],
		MinProperties: n.counts[minProperties], MaxProperties: n.counts[maxProperties],
		Minimum: tighter(n.bounds[minimum], n.bounds[exclusiveMinimum], 1),
		Maximum: tighter(n.bounds[maximum], n.bounds[exclusiveMaximum], -1),
	}
	if t.Kinds == 0 {
		t.Kinds = allKinds
	}
	if t.Kinds.Has(Number) {
		t.Kinds &^= Integer
	}
	if f, ok := findFormat(n.format); ok && f.asserted() {
		t.Format = f.name
	}
	t.Closed = n.additional.refuses()
	if n.additional != nil && !t.Closed {
		t.Additional = typeOf(n.additional)
	}
	if n.properties != nil || len(n.required) > 0 {
		t.Properties = ownProperties(n, t.Additional)
	}
	t.Items = itemsOf(n)
	if n.enum != nil {
		t = narrow(t, n.enum)
	}
	if n.hasConst {
		t = narrow(t, []canonical.Value{n.constant})
	}
	t.Dynamic = !t.Kinds.single() && t.Kinds != 0
	return t
}

func ownProperties(n *node, other *Type) map[string]*Property {
	if other == nil {
		other = anyType()
	}
	out := make(map[string]*Property, len(n.names))
	for _, name := range n.names {
		out[name] = &Property{Type: typeOf(n.properties[name])}
	}
	for _, name := range n.required {
		if out[name] == nil {
			out[name] = &Property{Type: other}
		}
		out[name].Required = true
	}
	return out
}

// itemsOf joins what is said of the elements.
func itemsOf(n *node) *Type {
	var t *Type
	for _, one := range n.prefix {
		if t == nil {
			t = typeOf(one)
		} else {
			t = join(t, typeOf(one))
		}
	}
	switch {
	case n.items == nil && t == nil:
		return nil
	case n.items == nil:
		return join(t, anyType())
	case t == nil:
		return typeOf(n.items)
	case n.items.refuses():
		return t
	}
	return join(t, typeOf(n.items))
}

// narrow keeps the listed values whose kind is possible.
func narrow(t *Type, values []canonical.Value) *Type {
	out := *t
	out.Kinds = 0
	out.Enum = []canonical.Value{}
	for _, value := range values {
		kind := kindOfValue(value)
		if t.Kinds.Has(kind) || kind == Integer && t.Kinds.Has(Number) {
			out.Enum = append(out.Enum, value)
			out.Kinds |= kind
		}
	}
	if out.Kinds.Has(Number) {
		out.Kinds &^= Integer
	}
	return &out
}

func kindOfValue(v canonical.Value) Kinds {
	switch v := v.(type) {
	case nil:
		return Null
	case bool:
		return Boolean
	case string:
		return String
	case []any:
		return Array
	case map[string]any:
		return Object
	case json.Number:
		if text, ok := exact(v); ok && !rational(text).IsInt() {
			return Number
		}
		return Integer
	}
	return 0
}
