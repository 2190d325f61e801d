package schema_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/seif-dev/seifc/decide/schema"
	"github.com/seif-dev/seifc/digest/canonical"
)

func TestTypes(t *testing.T) {
	for text, want := range map[string]string{
		`true`:                                 "null|boolean|number|string|array|object dynamic",
		`false`:                                "",
		`{"type": "string", "maxLength": 5}`:   "string max 5",
		`{"type": ["string", "null"]}`:         "null|string dynamic",
		`{"type": ["integer", "number"]}`:      "number",
		`{"enum": ["a", "bb"]}`:                "string enum 2",
		`{"type": "string", "enum": ["a", 1]}`: "string enum 1",
		`{"const": 1.5}`:                       "number enum 1",
		`{"enum": [1, 2.0]}`:                   "integer enum 2",
		`{"anyOf": [{"type": "string", "maxLength": 5}, {"type": "string", "maxLength": 9}]}`: "string max 9",
		`{"anyOf": [{"type": "string", "maxLength": 5}, {"type": "string"}]}`:                 "string",
		`{"anyOf": [{"type": "string", "maxLength": 5}, {"type": "null"}]}`:                   "null|string max 5 dynamic",
		`{"allOf": [{"type": "string", "maxLength": 5}, {"maxLength": 3}]}`:                   "string max 3",
		`{"allOf": [{"type": "number"}, {"type": "integer"}]}`:                                "integer",
		`{"$defs": {"a": {"type": "integer"}}, "$ref": "#/$defs/a", "minimum": 0}`:            "integer from 0",
		`{"type": "integer", "exclusiveMinimum": 1, "minimum": 2, "maximum": 9}`:              "integer from 2 to 9",
		`{"anyOf": [{"type": "object", "properties": {"a": true}}, {"type": "object"}]}`:      "object dynamic",
	} {
		if got := describe(compile(t, text, schema.Result).Type()); got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
}

func describe(t *schema.Type) string {
	out := t.Kinds.String()
	if t.MaxLength != nil {
		out += fmt.Sprintf(" max %d", *t.MaxLength)
	}
	if t.Minimum != "" {
		out += " from " + string(t.Minimum)
	}
	if t.Maximum != "" {
		out += " to " + string(t.Maximum)
	}
	if t.Enum != nil {
		out += fmt.Sprintf(" enum %d", len(t.Enum))
	}
	if t.Dynamic {
		out += " dynamic"
	}
	return out
}

func TestTypeOfObjects(t *testing.T) {
	s := compile(t, `{"type": "object", "required": ["a", "z"], "properties": {"a": {"type": "string"}, "b": {"$ref": "#/$defs/list"}},
		"allOf": [{"required": ["b"], "properties": {"a": {"maxLength": 3}}}],
		"additionalProperties": {"type": "integer"}, "$defs": {"list": {"type": "array", "maxItems": 2, "items": {"type": "null"}}}}`, schema.Result)
	got := s.Type()
	for name, want := range map[string]string{"a": "string max 3 required", "b": "array required", "z": "integer required"} {
		property := got.Properties[name]
		text := describe(property.Type)
		if property.Required {
			text += " required"
		}
		if text != want {
			t.Errorf("%s is %q, want %q", name, text, want)
		}
	}
	if got.Closed || describe(got.Additional) != "integer" || describe(got.Properties["b"].Type.Items) != "null" || *got.Properties["b"].Type.MaxItems != 2 {
		t.Errorf("got %+v", got)
	}
	if inputs := compile(t, `{"type": "object"}`, schema.Inputs).Type(); !inputs.Closed {
		t.Errorf("inputs are closed: %+v", inputs)
	}
}

// Every value that fits a schema is of the schema's type.
func TestTypeHoldsForWhatFits(t *testing.T) {
	for _, v := range vectors(t) {
		compiled, _ := schema.Compile(v.Schema, useOf(t, v.Use))
		if compiled == nil {
			continue
		}
		for _, value := range v.Valid {
			checkTyped(t, compiled.Type(), value, "")
		}
	}
}

func checkTyped(t *testing.T, typ *schema.Type, v canonical.Value, at string) {
	t.Helper()
	fits := true
	switch v := v.(type) {
	case nil:
		fits = typ.Kinds.Has(schema.Null)
	case bool:
		fits = typ.Kinds.Has(schema.Boolean)
	case json.Number:
		fits = typ.Kinds&(schema.Number|schema.Integer) != 0
	case string:
		length := int64(utf8.RuneCountInString(v))
		fits = typ.Kinds.Has(schema.String) && (typ.MaxLength == nil || length <= *typ.MaxLength) && (typ.MinLength == nil || length >= *typ.MinLength)
	case []any:
		fits = typ.Kinds.Has(schema.Array) && (typ.MaxItems == nil || int64(len(v)) <= *typ.MaxItems)
		for i, item := range v {
			if typ.Items != nil {
				checkTyped(t, typ.Items, item, fmt.Sprint(at, "/", i))
			}
		}
	case map[string]any:
		fits = typ.Kinds.Has(schema.Object)
		for name, member := range v {
			property, named := typ.Properties[name]
			switch {
			case named:
				checkTyped(t, property.Type, member, at+"/"+name)
			case typ.Additional != nil:
				checkTyped(t, typ.Additional, member, at+"/"+name)
			case typ.Closed:
				t.Errorf("%s: %q is not in a closed type", at, name)
			}
		}
	}
	if typ.Enum != nil && !slices.ContainsFunc(typ.Enum, func(w canonical.Value) bool { return canonical.Equal(v, w) }) {
		fits = false
	}
	if !fits {
		t.Errorf("%s: %v is not of the type %s", at, v, describe(typ))
	}
}
