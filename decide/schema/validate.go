package schema

import (
	"cmp"
	"encoding/json"
	"slices"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/seif-dev/seifc/digest/canonical"
)

// Violation is one way in which a value does not fit. It never holds a value of the instance; a pointer does hold
// the names of members.
type Violation struct {
	// Pointer is where in the instance (RFC 6901).
	Pointer string
	// SchemaPointer is the keyword in the stripped schema that the instance violates; "" with KindLimit, KindNumber
	// and KindValue.
	SchemaPointer string
	// Keyword is the keyword's name, KindFalse where the schema is `false`, or one of the kinds below.
	Keyword string
}

// Kinds of violations beside the names of keywords.
const (
	KindFalse  = "false"  // the schema `false` lets nothing through
	KindLimit  = "limit"  // the value is too large, too deep, or too much work; it was not evaluated
	KindNumber = "number" // a number that cannot be kept exactly; the value was not evaluated
	KindValue  = "value"  // no JSON value, or a text that is not valid UTF-8; the value was not evaluated
)

// Validate tells how a value fails the schema; nil when it fits. The answer is sorted by pointer, schema pointer and
// keyword and holds at most [MaxViolations] entries. Of anyOf and oneOf the keyword is named, not what each branch
// misses. A missing property is told at the object that lacks it, with the schema pointer of its name in `required`.
//
// A value over the limits of this package, with an inexact number or with anything that is no JSON is a violation
// without evaluation: in doubt the answer is no.
func (s *Schema) Validate(v canonical.Value) []Violation {
	bytes, nodes := MaxOtherValueBytes, MaxOtherValueNodes
	if s.use == Arguments {
		bytes, nodes = MaxValueBytes, MaxValueNodes
	}
	s.lowered.Do(func() { lower(s.root) })
	return s.root.validate(v, bytes, nodes, &budget{left: MaxSteps})
}

func (n *node) validate(v canonical.Value, bytes, nodes int, b *budget) []Violation {
	extent := measure(v, MaxValueDepth, bytes)
	if extent.depth > MaxValueDepth || extent.bytes > bytes || extent.nodes > nodes {
		return []Violation{{Keyword: KindLimit}}
	}
	if improper := impropriety(v, ""); improper != nil {
		return []Violation{*improper}
	}
	if !b.spend(n, v) {
		return []Violation{{Keyword: KindLimit}}
	}
	err := n.compiled.Validate(v)
	if err == nil {
		return nil
	}
	failure, ok := err.(*jsonschema.ValidationError)
	if !ok {
		return []Violation{{Keyword: KindValue}}
	}
	var out []Violation
	for _, cause := range failure.Causes {
		out = appendViolations(out, cause)
	}
	slices.SortFunc(out, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.SchemaPointer, b.SchemaPointer), cmp.Compare(a.Keyword, b.Keyword))
	})
	out = slices.Compact(out)
	if len(out) == 0 { // a failure without a cause is a failure all the same
		return []Violation{{Keyword: KindValue}}
	}
	return slices.Clip(out[:min(len(out), MaxViolations)])
}

// impropriety finds the first place, in the order of names, that is not plain JSON.
func impropriety(v canonical.Value, at string) *Violation {
	switch v := v.(type) {
	case nil, bool:
		return nil
	case string:
		if utf8.ValidString(v) {
			return nil
		}
	case json.Number:
		if _, ok := exact(v); ok {
			return nil
		}
		return &Violation{Pointer: at, Keyword: KindNumber}
	case []any:
		for i, item := range v {
			if found := impropriety(item, indexPointer(at, i)); found != nil {
				return found
			}
		}
		return nil
	case map[string]any:
		for _, name := range sortedKeys(v) {
			if !utf8.ValidString(name) {
				return &Violation{Pointer: at, Keyword: KindValue}
			}
			if found := impropriety(v[name], canonical.JoinPointer(at, name)); found != nil {
				return found
			}
		}
		return nil
	}
	return &Violation{Pointer: at, Keyword: KindValue}
}

// appendViolations flattens what the validator found.
func appendViolations(out []Violation, e *jsonschema.ValidationError) []Violation {
	at := pointerOf(e.InstanceLocation)
	add := func(at, keyword string) {
		out = append(out, Violation{Pointer: at, SchemaPointer: canonical.JoinPointer(e.SchemaURL, keyword), Keyword: keyword})
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Group, *kind.Schema, *kind.Reference, *kind.AllOf:
		for _, cause := range e.Causes {
			out = appendViolations(out, cause)
		}
	case *kind.FalseSchema:
		out = append(out, Violation{Pointer: at, SchemaPointer: e.SchemaURL, Keyword: KindFalse})
	case *kind.Required:
		for _, index := range k.Missing { // indexes, see [extension]
			out = append(out, Violation{Pointer: at, SchemaPointer: canonical.JoinPointer(e.SchemaURL, "required", index), Keyword: "required"})
		}
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			add(canonical.JoinPointer(at, name), "additionalProperties")
		}
	case *kind.PropertyNames:
		add(canonical.JoinPointer(at, k.Property), "propertyNames")
	case nil:
		add(at, KindValue)
	default:
		path := k.KeywordPath()
		if len(path) == 0 {
			add(at, KindValue)
			break
		}
		add(at, path[0])
	}
	return out
}
