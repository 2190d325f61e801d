package importer

import (
	"strconv"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// readOpenAI reads a tool array of either OpenAI form, or a request that has one under `tools`.
func readOpenAI(value canonical.Value) ([]Tool, []diag.Problem) {
	at := ""
	list, ok := value.([]any)
	if members, isRequest := value.(map[string]any); isRequest {
		at = "/tools"
		list, ok = members["tools"].([]any)
	}
	if !ok {
		return nil, []diag.Problem{shape(FromOpenAI, "", "an array of functions, or a request with `tools`,")}
	}
	c := newCollector(FromOpenAI)
	skipped := 0
	for i, item := range list {
		pointer := at + "/" + strconv.Itoa(i)
		members, isObject := item.(map[string]any)
		if !isObject {
			c.report(shape(FromOpenAI, pointer, "a function"))
			continue
		}
		if members["type"] != "function" && members["function"] == nil && members["parameters"] == nil {
			skipped++
			c.report(diag.New(diag.CodeImportSkipped, pointer, "what", "a tool of type "+text(members["type"]), "why", "only functions have a contract"))
			continue
		}
		if function, nested := members["function"].(map[string]any); nested {
			members, pointer = function, pointer+"/function"
		}
		schema := members["parameters"]
		if schema == nil {
			schema = map[string]any{"type": "object", "properties": map[string]any{}, "additionalProperties": false}
		}
		c.add(Tool{Published: text(members["name"]), Description: text(members["description"]), Schema: schema, Pointer: pointer})
	}
	if skipped > 0 && skipped == len(list) {
		// A document of another kind, most likely: an empty catalogue would say that there are no tools.
		c.report(shape(FromOpenAI, at, "at least one function"))
	}
	return c.finish()
}
