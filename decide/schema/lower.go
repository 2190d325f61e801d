package schema

import (
	"encoding/json"
	"errors"
	"math/big"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/seif-dev/seifc/digest/canonical"
)

// lower turns a checked node into the validator's own form. It is built directly: the validator's compiler, which
// resolves URLs and may load files, is never used. Enumerations, required names, unique items and property names are
// decided by [extension], which is exact, linear, repeatable and names indexes where the validator does not.
func lower(n *node) *jsonschema.Schema {
	if n.compiled != nil {
		return n.compiled
	}
	s := &jsonschema.Schema{DraftVersion: 2020, Location: n.pointer, Bool: n.verdict}
	n.compiled = s
	if n.verdict != nil {
		return s
	}
	if n.types != 0 {
		var types jsonschema.Types
		for _, name := range n.types.Names() {
			types.Add(name)
		}
		s.Types = &types
	}
	if n.hasConst {
		constant := any(n.constant)
		s.Const = &constant
	}
	lowerObject(n, s)
	s.MinItems, s.MaxItems = plainInt(n.counts[minItems]), plainInt(n.counts[maxItems])
	s.MinLength, s.MaxLength = plainInt(n.counts[minLength]), plainInt(n.counts[maxLength])
	if n.items != nil {
		s.Items2020 = lower(n.items)
	}
	s.PrefixItems = lowerAll(n.prefix)
	s.AnyOf, s.OneOf, s.AllOf = lowerAll(n.anyOf), lowerAll(n.oneOf), lowerAll(n.allOf)
	if n.target != nil {
		s.Ref = lower(n.target)
	}
	s.Minimum, s.Maximum = bound(n, minimum), bound(n, maximum)
	s.ExclusiveMinimum, s.ExclusiveMaximum = bound(n, exclusiveMinimum), bound(n, exclusiveMaximum)
	s.MultipleOf = bound(n, multipleOf)
	if n.pattern != nil {
		s.Pattern = n.pattern
	}
	s.Format = lowerFormat(n.format)
	if n.members != nil || n.unique || n.propertyNames != nil || len(n.required) > 0 {
		s.Extensions = []jsonschema.SchemaExt{&extension{node: n}}
	}
	return s
}

func lowerObject(n *node, s *jsonschema.Schema) {
	s.MinProperties, s.MaxProperties = plainInt(n.counts[minProperties]), plainInt(n.counts[maxProperties])
	if n.properties != nil {
		s.Properties = make(map[string]*jsonschema.Schema, len(n.properties))
		for _, name := range n.names {
			s.Properties[name] = lower(n.properties[name])
		}
	}
	switch {
	case n.additional == nil:
	case n.additional.verdict != nil:
		s.AdditionalProperties = *n.additional.verdict
	default:
		s.AdditionalProperties = lower(n.additional)
	}
	if n.propertyNames != nil {
		lower(n.propertyNames)
	}
}

func lowerAll(nodes []*node) []*jsonschema.Schema {
	var out []*jsonschema.Schema
	for _, n := range nodes {
		out = append(out, lower(n))
	}
	return out
}

func plainInt(n *int64) *int {
	if n == nil {
		return nil
	}
	i := int(*n)
	return &i
}

func bound(n *node, index int) *big.Rat {
	if n.bounds[index] == "" {
		return nil
	}
	return rational(n.bounds[index])
}

var errFormat = errors.New("does not have the format")

func lowerFormat(name string) *jsonschema.Format {
	f, ok := findFormat(name)
	if !ok || !f.asserted() {
		return nil
	}
	return &jsonschema.Format{Name: f.name, Validate: func(v any) error {
		switch v := v.(type) {
		case string:
			if f.text != nil && !f.text(v) {
				return errFormat
			}
		case json.Number:
			if f.whole == nil {
				return nil
			}
			if text, ok := exact(v); !ok || !f.whole(rational(text)) {
				return errFormat
			}
		}
		return nil
	}}
}

// extension decides what the validator would decide slowly or in no fixed order.
type extension struct{ node *node }

// Validate reports to the validator.
func (e *extension) Validate(ctx *jsonschema.ValidatorContext, v any) {
	if e.node.members != nil {
		key, ok := canonicalKey(v)
		if _, member := e.node.members[key]; !ok || !member {
			ctx.AddError(&kind.Enum{})
		}
	}
	if items, ok := v.([]any); ok && e.node.unique && !distinct(items) {
		ctx.AddError(&kind.UniqueItems{})
	}
	if object, ok := v.(map[string]any); ok {
		e.object(ctx, object)
	}
}

func (e *extension) object(ctx *jsonschema.ValidatorContext, object map[string]any) {
	var missing []string
	for i, name := range e.node.required {
		if _, ok := object[name]; !ok {
			missing = append(missing, strconv.Itoa(i))
		}
	}
	if missing != nil {
		ctx.AddError(&kind.Required{Missing: missing})
	}
	if e.node.propertyNames == nil {
		return
	}
	for _, name := range sortedKeys(object) {
		if e.node.propertyNames.compiled.Validate(name) != nil {
			ctx.AddError(&kind.PropertyNames{Property: name})
		}
	}
}

// distinct tells whether no two values are equal, in one pass.
func distinct(values []canonical.Value) bool {
	seen := make(set, len(values))
	for _, value := range values {
		key, ok := canonicalKey(value)
		if _, twice := seen[key]; !ok || twice {
			return false
		}
		seen[key] = struct{}{}
	}
	return true
}
