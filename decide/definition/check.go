package definition

import (
	"slices"
	"strconv"

	"github.com/seif-dev/seifc/decide/schema"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Check reports everything that is wrong with a definition by itself: forms of names, names that lead nowhere,
// contracts that are not sound, rules that contradict each other or are without effect, texts with characters that
// nobody sees, secrets. The pointers are into the definition and the findings are sorted by them. Expressions,
// placeholders and budgets are judged where they are used.
//
// Check works on any definition, also on one that could not be linked as a whole, and takes time that is linear in the
// definition but for sorting.
func (d *Definition) Check() []diag.Problem {
	c := &checker{def: d, sets: setsOf(d)}
	c.version()
	c.ids()
	c.inputs()
	c.sources()
	c.tools()
	for _, id := range c.sets.policies.sorted {
		c.policy(id, d.Policies[id])
	}
	for _, id := range c.sets.profiles.sorted {
		c.profile(id, d.Profiles[id])
	}
	c.texts()
	return sortProblems(c.problems)
}

type checker struct {
	def      *Definition
	sets     sets
	problems []diag.Problem
	// compared counts how often an unknown name was compared with a known one.
	compared int
}

func (c *checker) add(p ...diag.Problem) { c.problems = append(c.problems, p...) }

// sets are the names that a definition declares.
type sets struct {
	inputs, requiredInputs, sources, tools, objectives, profiles, policies nameSet
}

// nameSet is a set of names, also in order.
type nameSet struct {
	sorted []string
	has    map[string]bool
}

func setOf(names []string) nameSet {
	s := nameSet{sorted: names, has: make(map[string]bool, len(names))}
	for _, name := range names {
		s.has[name] = true
	}
	return s
}

func setsOf(d *Definition) sets {
	names, required := d.declaredInputs()
	return sets{
		inputs: setOf(names), requiredInputs: setOf(required), sources: setOf(sortedKeys(d.Sources)), tools: setOf(sortedKeys(d.Tools)),
		objectives: setOf(sortedKeys(d.Objectives)), profiles: setOf(sortedKeys(d.Profiles)), policies: setOf(sortedKeys(d.Policies)),
	}
}

func sortedKeys[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.SortFunc(names, canonical.Compare)
	return names
}

// declaredInputs are the members of the inputs schema's `properties`, and those that every request must bring.
func (d *Definition) declaredInputs() (names, required []string) {
	properties, _ := canonical.Lookup(d.Inputs, "/properties")
	members, _ := properties.(map[string]any)
	list, _ := canonical.Lookup(d.Inputs, "/required")
	items, _ := list.([]any)
	for _, item := range items {
		if name, ok := item.(string); ok {
			required = append(required, name)
		}
	}
	return sortedKeys(members), required
}

// known reports a name that is not among those that exist, and tells whether it is.
func (c *checker) known(at string, code diag.Code, name string, among nameSet) bool {
	if among.has[name] {
		return true
	}
	c.add(diag.New(code, at, "name", name, "nearest", c.nearest(name, among)))
	return false
}

// nearest is a name that was probably meant. Where very many names are unknown only the first are compared.
func (c *checker) nearest(name string, among nameSet) string {
	if c.compared += len(among.sorted); c.compared > maxComparisons {
		return ""
	}
	return diag.Nearest(name, among.sorted)
}

func (c *checker) names(at string, code diag.Code, names []string, among nameSet) {
	for i, name := range names {
		c.known(at+"/"+strconv.Itoa(i), code, name, among)
	}
}

// version holds what depends on whether there are tools, and on what this version can judge.
func (c *checker) version() {
	d := c.def
	if d.Version == V1 {
		if len(d.Policies) > 0 {
			c.add(diag.New(diag.CodeNeedsTools, "/policies", "member", "policies").AtKey())
		}
		if len(d.Forward) > 0 {
			c.add(diag.New(diag.CodeNeedsTools, "/forward", "member", "forward").AtKey())
		}
	}
	if len(d.Profiles) == 0 {
		c.add(diag.New(diag.CodeNoProfile, "/profiles"))
	}
	if d.Estimator != Estimator {
		c.add(diag.New(diag.CodeEstimatorUnknown, "/estimator", "estimator", d.Estimator, "known", Estimator))
	}
	if p := d.ToolSchemaProfile; p != "" && p != ToolSchemaProfile {
		c.add(diag.New(diag.CodeDialectUnknown, "/tool_schema_profile", "dialect", p, "known", ToolSchemaProfile))
	}
	if e := d.Expressions; e != "" && e != ExpressionDialect {
		c.add(diag.New(diag.CodeDialectUnknown, "/expressions", "dialect", e, "known", ExpressionDialect))
	}
}

func (c *checker) inputs() {
	if c.def.Inputs != nil {
		_, problems := schema.Compile(c.def.Inputs, schema.Inputs)
		for _, p := range notStripped(c.def.Inputs, problems) {
			c.add(p.Under("/inputs"))
		}
	}
	for _, name := range c.sets.inputs.sorted {
		at := canonical.JoinPointer("/inputs/properties", name)
		switch {
		case !InputForm.Fits(name):
			c.add(diag.New(diag.CodeIDForm, at, "what", "input", "id", name, "form", string(InputForm)).AtKey())
		case slices.Contains(ReservedWords(), name):
			c.add(diag.New(diag.CodeInputReserved, at, "name", name).AtKey())
		}
	}
	c.names("/forward", diag.CodeUnknownInput, c.def.Forward, c.sets.inputs)
}

func (c *checker) sources() {
	for _, id := range c.sets.sources.sorted {
		source, at := c.def.Sources[id], canonical.JoinPointer("/sources", id)
		if source.Input != "" {
			c.known(at+"/input", diag.CodeUnknownInput, source.Input, c.sets.inputs)
		}
		c.allowed(at, source.AllowCharacters)
	}
}

func (c *checker) tools() {
	for _, id := range c.sets.tools.sorted {
		at := canonical.JoinPointer("/tools", id)
		contract := c.def.Tools[id].Contract
		for _, p := range contract.check(c.def.compileOnce(id)) {
			c.add(p.Under(at + "/contract"))
		}
		if contract.Effect == Undecided {
			c.add(diag.New(diag.CodeEffectUndecided, at+"/contract/effect", "id", contract.ID, "tool", id))
		}
	}
}

func (c *checker) policy(id string, p Policy) {
	at := canonical.JoinPointer("/policies", id)
	before := len(c.problems)
	c.names(at+"/profiles", diag.CodeUnknownProfile, p.Profiles, c.sets.profiles)
	c.names(at+"/objectives", diag.CodeUnknownObjective, p.Objectives, c.sets.objectives)
	c.names(at+"/tools", diag.CodeUnknownTool, p.Tools, c.sets.tools)
	if len(c.problems) == before && len(c.def.Tools) > 0 && !c.reaches(p) {
		c.add(diag.New(diag.CodePolicyWithoutEffect, at, "id", id).AtKey())
	}
}

// reaches tells whether any profile discloses a tool that the policy is about, under an objective that it is about.
func (c *checker) reaches(p Policy) bool {
	profiles := p.Profiles
	if len(profiles) == 0 {
		profiles = c.sets.profiles.sorted
	}
	for _, id := range profiles {
		profile := c.def.Profiles[id]
		if len(p.Objectives) > 0 && !slices.ContainsFunc(p.Objectives, func(o string) bool { return slices.Contains(profile.Objectives, o) }) {
			continue
		}
		if p.AllTools && len(profile.Include) > 0 {
			return true
		}
		for _, tool := range p.Tools {
			if _, ok := profile.Include[tool]; ok {
				return true
			}
		}
	}
	return false
}
