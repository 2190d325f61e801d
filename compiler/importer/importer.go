// Package importer turns what others publish about their tools into entries of a catalogue: MCP tools/list
// results, OpenAPI documents and OpenAI tool arrays.
//
// It guarantees that an import decides nothing about authority: every new entry has `effect: undecided`, and what
// the publisher claims about itself is kept as a claim. A second import keeps every decision that a person made
// and reports everything that changed. Nothing is fetched; the input is bytes.
package importer

import (
	"errors"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Bounds of an input. MaxValues is how many JSON values all tools of a document may have together, more than twice
// what a catalogue can hold: an OpenAPI document repeats its components in every tool.
const (
	MaxBytes  = 64 << 20
	MaxValues = 500_000
)

// From is the kind of document that tools are read from.
type From string

const (
	FromMCP     From = "mcp"
	FromOpenAPI From = "openapi"
	FromOpenAI  From = "openai"
)

// Tool is one tool as its publisher describes it.
type Tool struct {
	// ID is the proposed contract id: the name in lower case with what an id cannot hold replaced.
	ID string
	// Name is the model-facing name: as published where that is a legal name.
	Name string
	// Published is the name as published.
	Published   string
	Description string
	Schema      canonical.Value
	Result      canonical.Value // nil when none is published
	// Claims is what the publisher says about effects; it decides nothing.
	Claims map[string]any
	// Pointer leads to the tool in the input.
	Pointer string
}

// Read reads the tools of a document, in the order of their ids. Findings have pointers into it; a tool with an
// error is left out.
func Read(from From, data []byte) ([]Tool, []diag.Problem) {
	value, err := canonical.Parse(data, canonical.Limits{Bytes: MaxBytes})
	if err != nil {
		return nil, []diag.Problem{unreadable(err)}
	}
	switch from {
	case FromOpenAPI:
		return readOpenAPI(value)
	case FromOpenAI:
		return readOpenAI(value)
	default:
		return readMCP(value)
	}
}

// unreadable points to the byte at which a document is wrong.
func unreadable(err error) diag.Problem {
	problem := diag.New(diag.CodeImportUnreadable, "", "why", err.Error())
	var wrong *canonical.Error
	if errors.As(err, &wrong) && wrong.Offset >= 0 {
		return problem.InText(int(wrong.Offset), 1)
	}
	return problem
}

func shape(from From, pointer, want string) diag.Problem {
	return diag.New(diag.CodeImportShape, pointer, "from", string(from), "want", want)
}

func text(value canonical.Value) string {
	s, _ := value.(string)
	return s
}
