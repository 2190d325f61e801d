// Package provider writes disclosed tools in the form that a model provider's API takes.
//
// It guarantees that an export carries the model-facing name, the description and the argument schema of exactly
// the given contracts, unchanged and in the given order: what a provider would not take is reported, never bent
// or dropped. What providers take is dated knowledge ([Advice]); it never decides whether a Project compiles.
package provider

import (
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Format is the shape of a tool array.
type Format string

const (
	OpenAIChat      Format = "openai-chat"
	OpenAIResponses Format = "openai-responses"
	Anthropic       Format = "anthropic"
	Gemini          Format = "gemini"
	Bedrock         Format = "bedrock"
	Mistral         Format = "mistral"
	MCP             Format = "mcp"
	JSONSchema      Format = "json-schema"
)

// Formats lists every format in the order of the command line's usage.
func Formats() []Format {
	return []Format{OpenAIChat, OpenAIResponses, Anthropic, Gemini, Bedrock, Mistral, MCP, JSONSchema}
}

// Export writes the contracts as the value that the provider's request takes under its `tools` member; for MCP it
// is the result of tools/list. An unknown format gives nil and false.
func Export(format Format, contracts []*definition.Contract) (canonical.Value, bool) {
	var one func(*definition.Contract) canonical.Value
	switch format {
	case OpenAIChat, Mistral:
		one = chatFunction
	case OpenAIResponses:
		one = responsesFunction
	case Anthropic:
		one = anthropicTool
	case Gemini:
		return []any{map[string]any{"functionDeclarations": each(contracts, geminiDeclaration)}}, true
	case Bedrock:
		one = bedrockTool
	case MCP:
		return map[string]any{"tools": each(contracts, mcpTool)}, true
	case JSONSchema:
		one = plainTool
	default:
		return nil, false
	}
	return each(contracts, one), true
}

func each(contracts []*definition.Contract, one func(*definition.Contract) canonical.Value) []any {
	out := make([]any, len(contracts))
	for i, c := range contracts {
		out[i] = one(c)
	}
	return out
}

// chatFunction is the nested function form of OpenAI's chat completions, which Mistral shares. `strict` is left
// out: its absence means what the schema says, and strict mode rewrites what is required.
func chatFunction(c *definition.Contract) canonical.Value {
	return map[string]any{"type": "function", "function": map[string]any{
		"name": c.Name, "description": c.Description, "parameters": c.Schema,
	}}
}

// responsesFunction is the flat form of OpenAI's responses. There strict mode is on unless it is turned off.
func responsesFunction(c *definition.Contract) canonical.Value {
	return map[string]any{
		"type": "function", "name": c.Name, "description": c.Description, "parameters": c.Schema, "strict": false,
	}
}

func anthropicTool(c *definition.Contract) canonical.Value {
	return map[string]any{"name": c.Name, "description": c.Description, "input_schema": c.Schema}
}

// geminiDeclaration uses the JSON Schema member; the older `parameters` takes an OpenAPI dialect that lacks type
// arrays and const.
func geminiDeclaration(c *definition.Contract) canonical.Value {
	return map[string]any{"name": c.Name, "description": c.Description, "parametersJsonSchema": c.Schema}
}

func bedrockTool(c *definition.Contract) canonical.Value {
	return map[string]any{"toolSpec": map[string]any{
		"name": c.Name, "description": c.Description, "inputSchema": map[string]any{"json": c.Schema},
	}}
}

// mcpTool is an entry of tools/list. A write is announced as destructive and not idempotent, because nothing in
// the contract promises otherwise.
func mcpTool(c *definition.Contract) canonical.Value {
	write := c.Effect == definition.Write
	out := map[string]any{
		"name": c.Name, "description": c.Description, "inputSchema": c.Schema,
		"annotations": map[string]any{"readOnlyHint": !write, "destructiveHint": write, "idempotentHint": !write},
	}
	if c.Result != nil {
		out["outputSchema"] = c.Result
	}
	return out
}

func plainTool(c *definition.Contract) canonical.Value {
	return map[string]any{"name": c.Name, "description": c.Description, "schema": c.Schema}
}
