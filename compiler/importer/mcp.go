package importer

import (
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// readMCP reads a tools/list result: the result itself, a JSON-RPC response around it, or a plain array of tools.
func readMCP(value canonical.Value) ([]Tool, []diag.Problem) {
	at, list, found := mcpTools(value)
	if !found {
		return nil, []diag.Problem{shape(FromMCP, "", "an object with a `tools` array, as a tools/list result is,")}
	}
	c := newCollector(FromMCP)
	if next, ok := canonical.Lookup(value, strings.TrimSuffix(at, "tools")+"nextCursor"); ok && next != nil && next != "" {
		c.report(diag.New(diag.CodeImportIncomplete, strings.TrimSuffix(at, "tools")+"nextCursor"))
	}
	for i, item := range list {
		pointer := at + "/" + strconv.Itoa(i)
		members, ok := item.(map[string]any)
		if !ok {
			c.report(shape(FromMCP, pointer, "a tool object"))
			continue
		}
		c.add(Tool{
			Published: text(members["name"]), Description: describe(members), Schema: members["inputSchema"],
			Result: members["outputSchema"], Claims: mcpClaims(members["annotations"]), Pointer: pointer,
		})
	}
	return c.finish()
}

func mcpTools(value canonical.Value) (string, []any, bool) {
	if list, ok := value.([]any); ok {
		return "", list, true
	}
	members, _ := value.(map[string]any)
	if list, ok := members["tools"].([]any); ok {
		return "/tools", list, true
	}
	if result, ok := members["result"].(map[string]any); ok {
		if list, ok := result["tools"].([]any); ok {
			return "/result/tools", list, true
		}
	}
	return "", nil, false
}

// mcpClaims keeps the hints that say something about effects.
func mcpClaims(value canonical.Value) map[string]any {
	annotations, _ := value.(map[string]any)
	claims := map[string]any{}
	for _, name := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
		if hint, ok := annotations[name].(bool); ok {
			claims[name] = hint
		}
	}
	if len(claims) == 0 {
		return nil
	}
	return claims
}

// describe is the description, or the title where a tool has only that.
func describe(members map[string]any) string {
	if description := text(members["description"]); description != "" {
		return description
	}
	return text(members["title"])
}
