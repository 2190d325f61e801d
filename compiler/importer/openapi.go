package importer

import (
	"maps"
	"slices"
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// methods are the operations of a path item, in the order in which tools are made of them.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}

// readOpenAPI makes one tool of each operation of an OpenAPI 3 document: path and query parameters by name, a JSON
// body as `body`. Headers and cookies belong to a deployment and are left out with a finding.
func readOpenAPI(value canonical.Value) ([]Tool, []diag.Problem) {
	document, _ := value.(map[string]any)
	version := text(document["openapi"])
	paths, ok := document["paths"].(map[string]any)
	if !ok || !strings.HasPrefix(version, "3.") {
		return nil, []diag.Problem{diag.New(diag.CodeImportShape, "", "from", string(FromOpenAPI), "want", "an OpenAPI 3 document with `paths`")}
	}
	c := newCollector()
	for _, path := range sorted(paths) {
		item, ok := paths[path].(map[string]any)
		if !ok {
			continue
		}
		pathAt := canonical.JoinPointer("/paths", path)
		for _, method := range methods {
			operation, ok := item[method].(map[string]any)
			if !ok {
				continue
			}
			o := &operationReader{document: document, collector: c, at: pathAt + "/" + method, path: path, method: method}
			o.read(item, operation)
		}
	}
	return c.sorted()
}

// operationReader makes one tool of one operation.
type operationReader struct {
	document  map[string]any
	collector *collector
	at        string
	path      string
	method    string

	properties map[string]any
	required   []any
	// used are the component schemas that the tool's schemas refer to.
	used map[string]bool
}

func (o *operationReader) read(item, operation map[string]any) {
	o.properties = map[string]any{}
	o.used = map[string]bool{}
	o.parameters(item["parameters"])
	o.parameters(operation["parameters"])
	o.body(operation["requestBody"])
	schema := map[string]any{"type": "object", "properties": o.properties, "additionalProperties": false}
	if len(o.required) > 0 {
		schema["required"] = o.required
	}
	if defs := o.definitions(); len(defs) > 0 {
		schema["$defs"] = defs
	}
	name := text(operation["operationId"])
	if name == "" {
		name = o.method + "_" + strings.Trim(strings.NewReplacer("/", "_", "{", "", "}", "").Replace(o.path), "_")
	}
	description := text(operation["description"])
	if description == "" {
		description = text(operation["summary"])
	}
	o.collector.add(Tool{Published: name, Description: description, Schema: schema, Claims: o.claims(), Pointer: o.at})
}

// claims is what the method says about effects by the HTTP standard (RFC 9110, section 9.2.1); a service may do
// otherwise.
func (o *operationReader) claims() map[string]any {
	safe := slices.Contains([]string{"get", "head", "options", "trace"}, o.method)
	return map[string]any{"readOnlyHint": safe, "method": strings.ToUpper(o.method)}
}

func (o *operationReader) parameters(value canonical.Value) {
	list, _ := value.([]any)
	for _, item := range list {
		parameter, ok := o.follow(item).(map[string]any)
		if !ok {
			continue
		}
		name, in := text(parameter["name"]), text(parameter["in"])
		if in != "path" && in != "query" {
			o.skip("the "+in+" parameter "+name, "headers and cookies belong to the deployment")
			continue
		}
		schema := o.schema(parameter["schema"])
		if described := text(parameter["description"]); described != "" {
			schema = withDescription(schema, described)
		}
		o.properties[name] = schema
		if parameter["required"] == true {
			o.require(name)
		}
	}
}

func (o *operationReader) require(name string) {
	if !slices.Contains(o.required, any(name)) {
		o.required = append(o.required, name)
	}
}

func (o *operationReader) body(value canonical.Value) {
	body, ok := o.follow(value).(map[string]any)
	if !ok {
		return
	}
	content, _ := body["content"].(map[string]any)
	media, ok := content["application/json"].(map[string]any)
	if !ok {
		if len(content) > 0 {
			o.skip("the body as "+strings.Join(sorted(content), ", "), "only JSON bodies become arguments")
		}
		return
	}
	o.properties["body"] = o.schema(media["schema"])
	if body["required"] == true {
		o.require("body")
	}
}

func (o *operationReader) skip(what, why string) {
	o.collector.problems = append(o.collector.problems, diag.New(diag.CodeImportSkipped, o.at, "what", what, "why", why))
}

// follow resolves a reference to a component, one level; anything else is itself.
func (o *operationReader) follow(value canonical.Value) canonical.Value {
	members, ok := value.(map[string]any)
	if !ok {
		return value
	}
	ref := text(members["$ref"])
	if pointer, local := strings.CutPrefix(ref, "#"); local && ref != "" {
		found, _ := canonical.Lookup(o.document, pointer)
		return found
	}
	return value
}

const componentPrefix = "#/components/schemas/"

// schema turns an OpenAPI schema into a JSON Schema: references to components point into $defs, nullable becomes a
// type array, boolean exclusive bounds become numeric ones, and words that only document are dropped. Words that
// constrain are kept even if no profile takes them, so that nothing is silently left unenforced.
func (o *operationReader) schema(value canonical.Value) canonical.Value {
	switch v := value.(type) {
	case nil:
		return map[string]any{}
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = o.schema(item)
		}
		return out
	case map[string]any:
		return o.schemaObject(v)
	default:
		return v
	}
}

func (o *operationReader) schemaObject(in map[string]any) canonical.Value {
	out := map[string]any{}
	for _, name := range sorted(in) {
		value := in[name]
		switch name {
		case "example", "xml", "externalDocs", "discriminator", "nullable":
		case "$ref":
			out[name] = o.reference(text(value))
		case "properties", "patternProperties", "$defs":
			named, _ := value.(map[string]any)
			members := map[string]any{}
			for _, key := range sorted(named) {
				members[key] = o.schema(named[key])
			}
			out[name] = members
		case "items", "additionalProperties", "not", "allOf", "anyOf", "oneOf":
			out[name] = o.schema(value)
		default:
			out[name] = value
		}
	}
	nullable(in, out)
	exclusive(out, "minimum", "exclusiveMinimum")
	exclusive(out, "maximum", "exclusiveMaximum")
	return out
}

// reference rewrites a reference to a component schema and remembers the component.
func (o *operationReader) reference(ref string) string {
	name, ok := strings.CutPrefix(ref, componentPrefix)
	if !ok {
		return ref
	}
	first, _, _ := strings.Cut(name, "/")
	o.used[first] = true
	return "#/$defs/" + name
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

// definitions gathers the components that the tool uses, directly or through each other.
func (o *operationReader) definitions() map[string]any {
	components, _ := canonical.Lookup(o.document, "/components/schemas")
	named, _ := components.(map[string]any)
	defs := map[string]any{}
	for {
		missing := ""
		for _, name := range slices.Sorted(maps.Keys(o.used)) {
			if _, done := defs[unescape(name)]; !done {
				missing = name
				break
			}
		}
		if missing == "" {
			return defs
		}
		schema, ok := named[unescape(missing)]
		if !ok {
			// A dangling reference stays one; compiling the schema names it.
			delete(o.used, missing)
			continue
		}
		defs[unescape(missing)] = o.schema(schema)
	}
}

// unescape gives the name that a token of a JSON pointer stands for.
func unescape(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
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

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
