package importer

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/document"
)

// collector gathers the tools of one document and what is wrong with them.
type collector struct {
	from      From
	tools     []Tool
	published map[string]bool
	values    int
	full      bool
	problems  []diag.Problem
}

func newCollector(from From) *collector { return &collector{from: from, published: map[string]bool{}} }

func (c *collector) report(problems ...diag.Problem) { c.problems = append(c.problems, problems...) }

// add takes a tool, or says why it cannot be one.
func (c *collector) add(t Tool) {
	switch {
	case c.full:
		return
	case t.Published == "":
		c.report(diag.New(diag.CodeImportNameMissing, t.Pointer))
		return
	case c.published[t.Published]:
		c.report(diag.New(diag.CodeImportNameTwice, t.Pointer, "name", t.Published))
		return
	}
	c.published[t.Published] = true
	if _, ok := t.Schema.(map[string]any); !ok {
		c.report(shape(c.from, t.Pointer, "an argument schema, which is an object,"))
		return
	}
	if _, ok := t.Result.(map[string]any); t.Result != nil && !ok {
		c.report(shape(c.from, t.Pointer, "a result schema that is an object"))
		return
	}
	if c.values += count(t.Schema) + count(t.Result); c.values > MaxValues {
		c.full = true
		c.report(diag.New(diag.CodeImportTooLarge, t.Pointer, "most", strconv.Itoa(MaxValues)))
		return
	}
	c.tools = append(c.tools, t)
}

// finish proposes ids and names and gives the tools by id. Tools that need no change get theirs first, the others in
// the order of their published names, so that what is proposed does not depend on the order of publication.
func (c *collector) finish() ([]Tool, []diag.Problem) {
	slices.SortFunc(c.tools, func(a, b Tool) int {
		return cmp.Or(changesName(a)-changesName(b), canonical.Compare(a.Published, b.Published))
	})
	ids, names := newProposals(maxID, "-", fold), newProposals(maxName, "_", func(name string) string { return name })
	kept := c.tools[:0]
	for _, t := range c.tools {
		t.ID = ids.propose(ProposeID(t.Published))
		t.Name = names.propose(ProposeName(t.Published))
		if _, err := document.Write(entryOf(t)); err != nil {
			c.report(diag.New(diag.CodeImportUnwritable, t.Pointer, "name", t.Published))
			continue
		}
		if t.ID != t.Published {
			c.report(diag.New(diag.CodeImportIDProposed, t.Pointer, "name", t.Published, "id", t.ID))
		}
		if t.Name != t.Published {
			c.report(diag.New(diag.CodeImportNameProposed, t.Pointer, "name", t.Published, "proposed", t.Name))
		}
		if t.Description == "" {
			c.report(diag.New(diag.CodeImportDescriptionMissing, t.Pointer, "name", t.Published, "id", t.ID))
		}
		kept = append(kept, t)
	}
	slices.SortFunc(kept, func(a, b Tool) int { return canonical.Compare(a.ID, b.ID) })
	return kept, c.problems
}

// changesName is 0 for a tool whose id and name are as published, 1 where only its name is, else 2.
func changesName(t Tool) int {
	switch {
	case ProposeName(t.Published) != t.Published:
		return 2
	case ProposeID(t.Published) != t.Published:
		return 1
	default:
		return 0
	}
}

// count is how many values a value has.
func count(value canonical.Value) int {
	n := 1
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			n += count(item)
		}
	case map[string]any:
		for _, member := range v {
			n += count(member)
		}
	case nil, bool, string, json.Number:
	}
	return n
}
