package definition

import (
	"strconv"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

func (c *checker) profile(id string, p Profile) {
	at := canonical.JoinPointer("/profiles", id)
	if p.BudgetTokens < 1 || p.BudgetTokens > MaxBudgetTokens {
		c.add(diag.New(diag.CodeNumberOutOfRange, at+"/budget/tokens",
			"number", strconv.Itoa(p.BudgetTokens), "least", "1", "most", strconv.Itoa(MaxBudgetTokens)))
	}
	c.names(at+"/objectives", diag.CodeUnknownObjective, p.Objectives, c.sets.objectives)
	for i, name := range p.Requires {
		pointer := at + "/requires/" + strconv.Itoa(i)
		if c.known(pointer, diag.CodeUnknownInput, name, c.sets.inputs) && c.sets.requiredInputs.has[name] {
			c.add(diag.New(diag.CodeRequiresRequired, pointer, "name", name))
		}
	}
	objectives := setOf(p.Objectives)
	for i, entry := range p.Context {
		pointer := at + "/context/" + strconv.Itoa(i)
		c.known(pointer, diag.CodeUnknownSource, entry.Source, c.sets.sources)
		c.narrowed(pointer, entry.Objectives, objectives)
	}
	c.includes(at, p, objectives)
	for _, tool := range sortedKeys(p.Exclude) {
		pointer := canonical.JoinPointer(at+"/tools/exclude", tool)
		if !c.sets.tools.has[tool] {
			c.add(diag.New(diag.CodeUnknownTool, pointer, "name", tool, "nearest", c.nearest(tool, c.sets.tools)).AtKey())
		}
	}
	if len(p.Context) == 0 && len(p.Include) == 0 {
		c.add(diag.New(diag.CodeProfileEmpty, at, "profile", id).AtKey())
	}
}

// narrowed checks the objectives to which an entry of a profile is narrowed: they are the profile's own.
func (c *checker) narrowed(at string, names []string, own nameSet) {
	for i, name := range names {
		pointer := at + "/objectives/" + strconv.Itoa(i)
		switch {
		case own.has[name]:
		case c.sets.objectives.has[name]:
			c.add(diag.New(diag.CodeObjectiveNotInProfile, pointer, "name", name))
		default:
			c.known(pointer, diag.CodeUnknownObjective, name, c.sets.objectives)
		}
	}
}

func (c *checker) includes(at string, p Profile, objectives nameSet) {
	called := map[string]string{} // folded model-facing name -> tool
	for _, id := range sortedKeys(p.Include) {
		inclusion := p.Include[id]
		pointer := canonical.JoinPointer(at+"/tools/include", id)
		c.narrowed(pointer, inclusion.Objectives, objectives)
		excluded := canonical.JoinPointer(at+"/tools/exclude", id)
		if _, out := p.Exclude[id]; out && inclusion.Required {
			c.add(diag.New(diag.CodeRequiredExcluded, pointer, "tool", id).With(diag.NoteUsedHere, excluded))
		}
		tool, ok := c.def.Tools[id]
		if !ok {
			c.known(pointer, diag.CodeUnknownTool, id, c.sets.tools)
			continue
		}
		c.callLimit(pointer, id, inclusion, tool.Contract)
		key := FoldModelName(tool.Contract.Name)
		if other, clash := called[key]; clash {
			c.clash(at, id, other)
			continue
		}
		called[key] = id
	}
}

// callLimit holds that a profile only narrows what a contract grants.
func (c *checker) callLimit(at, tool string, inclusion Inclusion, contract Contract) {
	limit := strconv.Itoa(inclusion.CallLimit)
	switch {
	case inclusion.CallLimit < 0:
		c.add(diag.New(diag.CodeNumberOutOfRange, at+"/call_limit", "number", limit, "least", "1", "most", strconv.Itoa(MaxCallLimit)))
	case inclusion.CallLimit > contract.CallLimit && contract.CallLimit > 0:
		c.add(diag.New(diag.CodeCallLimitWidened, at+"/call_limit", "tool", tool, "limit", limit, "contract", strconv.Itoa(contract.CallLimit)).
			With(diag.NoteLimitedHere, canonical.JoinPointer("/tools", tool)+"/contract/call_limit"))
	}
}

// clash reports two tools of one profile that a model cannot tell apart by their names, and both places of each.
func (c *checker) clash(at, id, other string) {
	included := at + "/tools/include"
	name, otherName := c.def.Tools[id].Contract.Name, c.def.Tools[other].Contract.Name
	c.add(diag.New(diag.CodeModelNameClash, canonical.JoinPointer(included, id), "tool", id, "name", name, "other", other, "other_name", otherName).
		With(diag.NoteDefinedHere, canonical.JoinPointer("/tools", id)+"/contract/name", "text", name).
		With(diag.NoteIncludedHere, canonical.JoinPointer(included, other)).
		With(diag.NoteDefinedHere, canonical.JoinPointer("/tools", other)+"/contract/name", "text", otherName))
}
