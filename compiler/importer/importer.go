// Package importer turns what others publish about their tools into entries of a catalogue: MCP tools/list
// results, OpenAPI documents and OpenAI tool arrays.
//
// It guarantees that an import decides nothing about authority: every new entry has `effect: undecided`, and what
// the publisher claims about itself is kept as a claim. A second import keeps every decision that a person made
// and reports everything that changed. Nothing is fetched; the input is bytes.
package importer

import (
	"slices"
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// MaxBytes bounds an input.
const MaxBytes = 64 << 20

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

// Read reads the tools of a document. Findings have pointers into it; a tool with an error is left out.
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

// collector gathers tools and keeps their proposed ids apart.
type collector struct {
	tools    []Tool
	taken    map[string]string // folded id -> published name
	problems []diag.Problem
}

func newCollector() *collector { return &collector{taken: map[string]string{}} }

// add proposes id and name for a published tool. Two tools that would share an id are kept apart by a number,
// which is reported.
func (c *collector) add(t Tool) {
	if t.Published == "" {
		c.problems = append(c.problems, diag.New(diag.CodeImportNameMissing, t.Pointer))
		return
	}
	t.ID = ProposeID(t.Published)
	t.Name = ProposeName(t.Published)
	for n := 2; ; n++ {
		other, clash := c.taken[fold(t.ID)]
		if !clash {
			break
		}
		if other == t.Published {
			c.problems = append(c.problems, diag.New(diag.CodeImportNameTwice, t.Pointer, "name", t.Published))
			return
		}
		t.ID = numbered(ProposeID(t.Published), n)
	}
	c.taken[fold(t.ID)] = t.Published
	if t.ID != t.Published && t.ID != strings.ReplaceAll(t.Published, "_", ".") {
		c.problems = append(c.problems, diag.New(diag.CodeImportIDProposed, t.Pointer, "name", t.Published, "id", t.ID))
	}
	if t.Name != t.Published {
		c.problems = append(c.problems, diag.New(diag.CodeImportNameProposed, t.Pointer, "name", t.Published, "proposed", t.Name))
	}
	c.tools = append(c.tools, t)
}

// sorted gives the tools by id.
func (c *collector) sorted() ([]Tool, []diag.Problem) {
	slices.SortFunc(c.tools, func(a, b Tool) int { return canonical.Compare(a.ID, b.ID) })
	return c.tools, c.problems
}
