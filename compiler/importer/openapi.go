package importer

import (
	"maps"
	"slices"
	"strconv"
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
	paths, ok := document["paths"].(map[string]any)
	if !ok || !strings.HasPrefix(text(document["openapi"]), "3.") {
		return nil, []diag.Problem{shape(FromOpenAPI, "", "an OpenAPI 3 document with `paths`")}
	}
	c := newCollector(FromOpenAPI)
	components := newComponents(document)
	for _, path := range sorted(paths) {
		at := canonical.JoinPointer("/paths", path)
		item, ok := paths[path].(map[string]any)
		if !ok {
			c.report(shape(FromOpenAPI, at, "a path item"))
			continue
		}
		if item["$ref"] != nil {
			c.report(diag.New(diag.CodeImportSkipped, at, "what", "the path "+path, "why", "it is a reference to another document"))
		}
		for _, method := range methods {
			if item[method] == nil || c.full {
				continue
			}
			operation, ok := item[method].(map[string]any)
			if !ok {
				c.report(shape(FromOpenAPI, at+"/"+method, "an operation"))
				continue
			}
			o := &operationReader{components: components, collector: c, at: at + "/" + method, path: path, method: method}
			o.read(item, operation)
		}
	}
	return c.finish()
}

// operationReader makes one tool of one operation.
type operationReader struct {
	components *components
	collector  *collector
	at         string
	path       string
	method     string

	properties map[string]any
	required   map[string]bool
	// used are the component schemas that the tool's schemas refer to, by name.
	used map[string]bool
}

func (o *operationReader) read(item, operation map[string]any) {
	o.properties, o.required, o.used = map[string]any{}, map[string]bool{}, map[string]bool{}
	o.parameters(item["parameters"], operation["parameters"])
	o.body(operation["requestBody"])
	schema := map[string]any{"type": "object", "properties": o.properties, "additionalProperties": false}
	if len(o.required) > 0 {
		required := []any{}
		for _, name := range sorted(o.required) {
			required = append(required, name)
		}
		schema["required"] = required
	}
	if defs := o.components.closure(o.used); len(defs) > 0 {
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

// parameters reads the parameters of a path and of an operation. One of the operation takes the place of the path's
// with the same name and place.
func (o *operationReader) parameters(ofPath, ofOperation canonical.Value) {
	type key struct{ in, name string }
	var order []key
	all := map[key]map[string]any{}
	for _, list := range []canonical.Value{ofPath, ofOperation} {
		items, _ := list.([]any)
		for i, item := range items {
			parameter, ok := o.components.follow(item).(map[string]any)
			if !ok || text(parameter["name"]) == "" {
				o.skip("parameter "+strconv.Itoa(i+1), "it has no name, or is a reference that leads nowhere in this document")
				continue
			}
			k := key{text(parameter["in"]), text(parameter["name"])}
			if all[k] == nil {
				order = append(order, k)
			}
			all[k] = parameter
		}
	}
	for _, k := range order {
		switch {
		case k.in != "path" && k.in != "query":
			o.skip("the "+k.in+" parameter "+k.name, "headers and cookies belong to the deployment")
		case o.properties[k.name] != nil:
			o.skip("the "+k.in+" parameter "+k.name, "another parameter has the same name")
		default:
			o.parameter(k.name, all[k])
		}
	}
}

func (o *operationReader) parameter(name string, parameter map[string]any) {
	raw, ok := parameter["schema"]
	if !ok {
		media, found := jsonMedia(parameter["content"])
		if !found {
			o.skip("the parameter "+name, "it has no schema")
			return
		}
		raw = media["schema"]
	}
	schema := o.schema(raw)
	if described := text(parameter["description"]); described != "" {
		schema = withDescription(schema, described)
	}
	o.properties[name] = schema
	if parameter["required"] == true {
		o.required[name] = true
	}
}

func (o *operationReader) body(value canonical.Value) {
	if value == nil {
		return
	}
	body, ok := o.components.follow(value).(map[string]any)
	if !ok {
		o.skip("the body", "it is a reference that leads nowhere in this document")
		return
	}
	media, ok := jsonMedia(body["content"])
	switch content, _ := body["content"].(map[string]any); {
	case !ok && len(content) > 0:
		o.skip("the body as "+strings.Join(sorted(content), ", "), "only JSON bodies become arguments")
	case !ok:
	case o.properties["body"] != nil:
		o.skip("the body", "a parameter is called body too")
	default:
		o.properties["body"] = o.schema(media["schema"])
		if body["required"] == true {
			o.required["body"] = true
		}
	}
}

// jsonMedia is the JSON member of a content map: application/json, with parameters too.
func jsonMedia(value canonical.Value) (map[string]any, bool) {
	content, _ := value.(map[string]any)
	for _, name := range sorted(content) {
		bare, _, _ := strings.Cut(name, ";")
		if strings.EqualFold(strings.TrimSpace(bare), "application/json") {
			media, ok := content[name].(map[string]any)
			return media, ok
		}
	}
	return nil, false
}

func (o *operationReader) schema(value canonical.Value) canonical.Value {
	return schemaReader{o.used}.schema(value)
}

func (o *operationReader) skip(what, why string) {
	o.collector.report(diag.New(diag.CodeImportSkipped, o.at, "what", what, "why", why))
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
