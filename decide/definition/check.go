package definition

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/decide/schema"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Check reports everything that is wrong with a definition by itself: forms of names, names that lead nowhere,
// contracts that are not sound, texts with characters that nobody sees, secrets. The pointers are into the
// definition and the findings are in order. Expressions, placeholders and budgets are judged where they are used.
func (d *Definition) Check() []diag.Problem {
	c := &checker{def: d}
	c.ids()
	c.inputs()
	c.sources()
	c.tools()
	for _, id := range sortedKeys(d.Policies) {
		c.policy(id, d.Policies[id])
	}
	for _, id := range sortedKeys(d.Profiles) {
		c.profile(id, d.Profiles[id])
	}
	if len(d.Profiles) == 0 {
		c.add(diag.New(diag.CodeNoProfile, "/profiles"))
	}
	if d.Version == V1 && (len(d.Policies) > 0 || len(d.Forward) > 0) {
		c.withoutTools()
	}
	c.texts()
	return c.problems
}

type checker struct {
	def      *Definition
	problems []diag.Problem
}

func (c *checker) add(p ...diag.Problem) { c.problems = append(c.problems, p...) }

func sortedKeys[V any](m map[string]V) []string {
	keys := slices.Collect(maps.Keys(m))
	slices.SortFunc(keys, canonical.Compare)
	return keys
}

// The forms of names (formats.md, rule 15).
var (
	idForm    = regexp.MustCompile(`^[a-z][a-z0-9._-]{0,63}$`)
	inputForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)
)

// FoldID is an id with `.` and `-` as `_`: ids that fold to the same cannot stand beside each other.
func FoldID(id string) string { return strings.NewReplacer("-", "_", ".", "_").Replace(id) }

func (c *checker) ids() {
	c.id("/project", "Project", c.def.Project)
	c.idMap("/objectives", "objective", sortedKeys(c.def.Objectives))
	c.idMap("/sources", "source", sortedKeys(c.def.Sources))
	c.idMap("/tools", "tool", sortedKeys(c.def.Tools))
	c.idMap("/policies", "policy", sortedKeys(c.def.Policies))
	c.idMap("/profiles", "profile", sortedKeys(c.def.Profiles))
	for _, id := range sortedKeys(c.def.Sources) {
		if WindowsDevice(id) {
			c.add(diag.New(diag.CodeIDReserved, canonical.JoinPointer("/sources", id), "id", id).AtKey())
		}
	}
}

func (c *checker) id(at, what, id string) {
	if !idForm.MatchString(id) {
		c.add(diag.New(diag.CodeIDForm, at, "what", what, "id", id, "form", idForm.String()))
	}
}

func (c *checker) idMap(at, what string, ids []string) {
	folded := map[string]string{}
	for _, id := range ids {
		pointer := canonical.JoinPointer(at, id)
		if !idForm.MatchString(id) {
			c.add(diag.New(diag.CodeIDForm, pointer, "what", what, "id", id, "form", idForm.String()).AtKey())
		}
		if other, clash := folded[FoldID(id)]; clash {
			c.add(diag.New(diag.CodeIDClash, pointer, "what", what, "id", id, "other", other).AtKey().With(diag.NoteFirstHere, canonical.JoinPointer(at, other)))
			continue
		}
		folded[FoldID(id)] = id
	}
}

// WindowsDevice tells a name that Windows takes for a device, with any extension.
func WindowsDevice(name string) bool {
	base, _, _ := strings.Cut(strings.ToLower(name), ".")
	switch base {
	case "con", "prn", "aux", "nul":
		return true
	}
	if len(base) == 4 && (strings.HasPrefix(base, "com") || strings.HasPrefix(base, "lpt")) {
		return base[3] >= '0' && base[3] <= '9'
	}
	return false
}

// declaredInputs are the members of the inputs schema's `properties`, and which of them are required.
func (d *Definition) declaredInputs() (names []string, required map[string]bool) {
	value, _ := canonical.Lookup(d.Inputs, "/properties")
	properties, _ := value.(map[string]any)
	required = map[string]bool{}
	list, _ := canonical.Lookup(d.Inputs, "/required")
	items, _ := list.([]any)
	for _, item := range items {
		if name, ok := item.(string); ok {
			required[name] = true
		}
	}
	return sortedKeys(properties), required
}

func (c *checker) inputs() {
	if c.def.Inputs == nil {
		c.forward(nil)
		return
	}
	_, problems := schema.Compile(c.def.Inputs, schema.Inputs)
	for _, p := range problems {
		c.add(p.Under("/inputs"))
	}
	names, _ := c.def.declaredInputs()
	for _, name := range names {
		at := canonical.JoinPointer("/inputs/properties", name)
		switch {
		case !inputForm.MatchString(name):
			c.add(diag.New(diag.CodeIDForm, at, "what", "input", "id", name, "form", inputForm.String()).AtKey())
		case slices.Contains(ReservedWords(), name):
			c.add(diag.New(diag.CodeInputReserved, at, "name", name).AtKey())
		}
	}
	c.forward(names)
}

func (c *checker) forward(names []string) {
	for i, name := range c.def.Forward {
		c.known("/forward/"+strconv.Itoa(i), diag.CodeUnknownInput, name, names)
	}
}

// known reports a name that is not among those that exist.
func (c *checker) known(at string, code diag.Code, name string, names []string) bool {
	if slices.Contains(names, name) {
		return true
	}
	c.add(diag.New(code, at, "name", name, "nearest", diag.Nearest(name, names)))
	return false
}

func (c *checker) sources() {
	names, _ := c.def.declaredInputs()
	for _, id := range sortedKeys(c.def.Sources) {
		if input := c.def.Sources[id].Input; input != "" {
			c.known(canonical.JoinPointer("/sources", id)+"/input", diag.CodeUnknownInput, input, names)
		}
	}
}

// withoutTools reports members that only mean something with tools (formats.md, rule 2).
func (c *checker) withoutTools() {
	if len(c.def.Policies) > 0 {
		c.add(diag.New(diag.CodeNeedsTools, "/policies", "member", "policies").AtKey())
	}
	if len(c.def.Forward) > 0 {
		c.add(diag.New(diag.CodeNeedsTools, "/forward", "member", "forward").AtKey())
	}
}

func (c *checker) tools() {
	for _, id := range sortedKeys(c.def.Tools) {
		contract := c.def.Tools[id].Contract
		for _, p := range contract.Check() {
			c.add(p.Under(canonical.JoinPointer("/tools", id) + "/contract"))
		}
	}
}

func (c *checker) policy(id string, p Policy) {
	at := canonical.JoinPointer("/policies", id)
	c.names(at+"/profiles", diag.CodeUnknownProfile, p.Profiles, sortedKeys(c.def.Profiles))
	c.names(at+"/objectives", diag.CodeUnknownObjective, p.Objectives, sortedKeys(c.def.Objectives))
	c.names(at+"/tools", diag.CodeUnknownTool, p.Tools, sortedKeys(c.def.Tools))
}

func (c *checker) names(at string, code diag.Code, names, known []string) {
	for i, name := range names {
		c.known(at+"/"+strconv.Itoa(i), code, name, known)
	}
}

func (c *checker) profile(id string, p Profile) {
	at := canonical.JoinPointer("/profiles", id)
	c.names(at+"/objectives", diag.CodeUnknownObjective, p.Objectives, sortedKeys(c.def.Objectives))
	declared, required := c.def.declaredInputs()
	for i, name := range p.Requires {
		pointer := at + "/requires/" + strconv.Itoa(i)
		if c.known(pointer, diag.CodeUnknownInput, name, declared) && required[name] {
			c.add(diag.New(diag.CodeRequiresRequired, pointer, "name", name))
		}
	}
	sources := sortedKeys(c.def.Sources)
	for i, entry := range p.Context {
		pointer := at + "/context/" + strconv.Itoa(i)
		c.known(pointer, diag.CodeUnknownSource, entry.Source, sources)
		c.names(pointer+"/objectives", diag.CodeUnknownObjective, entry.Objectives, p.Objectives)
	}
	c.includes(at, p)
	if len(p.Context) == 0 && len(p.Include) == 0 {
		c.add(diag.New(diag.CodeProfileEmpty, at, "profile", id).AtKey())
	}
}

func (c *checker) includes(at string, p Profile) {
	tools := sortedKeys(c.def.Tools)
	named := map[string]string{} // folded model-facing name -> tool
	for _, id := range sortedKeys(p.Include) {
		inclusion := p.Include[id]
		pointer := canonical.JoinPointer(at+"/tools/include", id)
		tool, ok := c.def.Tools[id]
		if !ok {
			c.known(pointer, diag.CodeUnknownTool, id, tools)
			continue
		}
		c.names(pointer+"/objectives", diag.CodeUnknownObjective, inclusion.Objectives, p.Objectives)
		if inclusion.CallLimit > tool.Contract.CallLimit {
			c.add(diag.New(diag.CodeCallLimitWidened, pointer+"/call_limit", "tool", id,
				"limit", strconv.Itoa(inclusion.CallLimit), "contract", strconv.Itoa(tool.Contract.CallLimit)))
		}
		folded := strings.ToLower(strings.ReplaceAll(tool.Contract.Name, "-", "_"))
		if other, clash := named[folded]; clash {
			c.add(diag.New(diag.CodeModelNameClash, pointer, "tool", id, "name", tool.Contract.Name, "other", other, "other_name", c.def.Tools[other].Contract.Name).
				With(diag.NoteIncludedHere, canonical.JoinPointer(at+"/tools/include", other)).
				With(diag.NoteDefinedHere, canonical.JoinPointer("/tools", id)+"/contract").
				With(diag.NoteDefinedHere, canonical.JoinPointer("/tools", other)+"/contract"))
			continue
		}
		named[folded] = id
	}
	for _, id := range sortedKeys(p.Exclude) {
		pointer := canonical.JoinPointer(at+"/tools/exclude", id)
		if _, ok := c.def.Tools[id]; !ok {
			c.add(diag.New(diag.CodeUnknownTool, pointer, "name", id, "nearest", diag.Nearest(id, tools)).AtKey())
		}
	}
}
