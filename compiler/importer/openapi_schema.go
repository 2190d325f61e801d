package importer

import (
	"maps"
	"slices"
	"strings"

	"github.com/seif-dev/seifc/digest/canonical"
)

const componentPrefix = "#/components/schemas/"

// components are the parts of an OpenAPI document that its operations share. Each schema is turned once.
type components struct {
	document map[string]any
	schemas  map[string]any
	turned   map[string]turnedSchema
}

// turnedSchema is a component as a JSON Schema, with the names of the components that it refers to.
type turnedSchema struct {
	schema canonical.Value
	used   map[string]bool
}

func newComponents(document map[string]any) *components {
	found, _ := canonical.Lookup(document, "/components/schemas")
	schemas, _ := found.(map[string]any)
	return &components{document: document, schemas: schemas, turned: map[string]turnedSchema{}}
}

// follow resolves references inside of the document, a few in a row at most; anything else is itself.
func (c *components) follow(value canonical.Value) canonical.Value {
	for range 8 {
		members, _ := value.(map[string]any)
		ref := text(members["$ref"])
		if ref == "" {
			return value
		}
		pointer, local := strings.CutPrefix(ref, "#")
		if !local {
			return nil
		}
		value, _ = canonical.Lookup(c.document, pointer)
	}
	return nil
}

// closure gathers the named components and all that they refer to. A component that the document lacks is left out;
// compiling the schema names the reference that leads nowhere.
func (c *components) closure(used map[string]bool) map[string]any {
	defs := map[string]any{}
	for open := sorted(used); len(open) > 0; {
		name := open[len(open)-1]
		open = open[:len(open)-1]
		raw, known := c.schemas[name]
		if _, done := defs[name]; done || !known {
			continue
		}
		turned, ok := c.turned[name]
		if !ok {
			turned.used = map[string]bool{}
			turned.schema = schemaReader{turned.used}.schema(raw)
			c.turned[name] = turned
		}
		defs[name] = turned.schema
		open = append(open, sorted(turned.used)...)
	}
	return defs
}

// schemaReader turns an OpenAPI schema into a JSON Schema: references to components point into $defs, nullable becomes
// a type array, boolean exclusive bounds become numeric ones, and words that only document are dropped. Words that
// constrain are kept even if no profile takes them, so that nothing is silently left unenforced.
type schemaReader struct{ used map[string]bool }

func (s schemaReader) schema(value canonical.Value) canonical.Value {
	switch v := value.(type) {
	case nil:
		return map[string]any{}
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = s.schema(item)
		}
		return out
	case map[string]any:
		return s.object(v)
	default:
		return v
	}
}

func (s schemaReader) object(in map[string]any) canonical.Value {
	out := make(map[string]any, len(in))
	for name, value := range in {
		switch name {
		case "example", "xml", "externalDocs", "discriminator", "nullable":
		case "$ref":
			out[name] = s.reference(value)
		case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
			out[name] = s.named(value)
		case "items", "prefixItems", "additionalProperties", "propertyNames", "contains", "unevaluatedItems", "unevaluatedProperties",
			"not", "if", "then", "else", "allOf", "anyOf", "oneOf":
			out[name] = s.schema(value)
		default:
			out[name] = value
		}
	}
	nullable(in, out)
	exclusive(out, "minimum", "exclusiveMinimum")
	exclusive(out, "maximum", "exclusiveMaximum")
	return out
}

func (s schemaReader) named(value canonical.Value) canonical.Value {
	members, ok := value.(map[string]any)
	if !ok {
		return value
	}
	out := make(map[string]any, len(members))
	for name, member := range members {
		out[name] = s.schema(member)
	}
	return out
}

// reference rewrites a reference to a component schema and remembers the component.
func (s schemaReader) reference(value canonical.Value) canonical.Value {
	name, ok := strings.CutPrefix(text(value), componentPrefix)
	if !ok {
		return value
	}
	first, _, _ := strings.Cut(name, "/")
	s.used[unescape(first)] = true
	return "#/$defs/" + name
}

// unescape gives the name that a token of a JSON pointer stands for.
func unescape(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}

func nullable(in, out map[string]any) {
	if in["nullable"] != true {
		return
	}
	if name, ok := out["type"].(string); ok {
		out["type"] = []any{name, "null"}
	}
	if enum, ok := out["enum"].([]any); ok && !slices.Contains(enum, nil) {
		out["enum"] = append(slices.Clone(enum), nil)
	}
}

// exclusive turns OpenAPI 3.0's boolean exclusive bound into the numeric one.
func exclusive(out map[string]any, bound, exclusiveBound string) {
	flag, ok := out[exclusiveBound].(bool)
	if !ok {
		return
	}
	delete(out, exclusiveBound)
	if limit, has := out[bound]; flag && has {
		out[exclusiveBound] = limit
		delete(out, bound)
	}
}

func withDescription(schema canonical.Value, description string) canonical.Value {
	members, ok := schema.(map[string]any)
	if !ok || members["description"] != nil {
		return schema
	}
	out := maps.Clone(members)
	out["description"] = description
	return out
}
