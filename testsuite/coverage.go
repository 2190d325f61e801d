package testsuite

import (
	"cmp"
	"slices"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Kind is what a coverage item is about.
type Kind string

const (
	CoversProfile   Kind = "profile"
	CoversObjective Kind = "objective"
	CoversTool      Kind = "tool"     // a profile discloses it
	CoversPolicy    Kind = "policy"   // it denied a call
	CoversWithheld  Kind = "withheld" // a profile withheld it for the reason
)

// Item is one thing that a test can reach.
type Item struct {
	Kind    Kind
	Profile string         // for objectives, tools and withheld reasons
	Name    string         // of the profile, objective, tool or policy
	Reason  resolve.Reason // for withheld reasons
	// Pointer leads to it in the definition.
	Pointer string
}

// Coverage says what the tests reached.
type Coverage struct {
	Items   int
	Reached int
	// Missed lists what no test reached, in a stable order.
	Missed []Item
}

// coverage collects what a run reaches.
type coverage struct {
	def     *definition.Definition
	reached map[Item]bool
	// disclosed are the tool sets whose tools are marked: most tests of a profile see the same one.
	disclosed map[toolSet]bool
}

// toolSet names what a profile disclosed.
type toolSet struct {
	profile string
	tools   digest.Digest
}

func newCoverage(def *definition.Definition) *coverage {
	return &coverage{def: def, reached: map[Item]bool{}, disclosed: map[toolSet]bool{}}
}

// mark notes an item without its pointer, which is not part of what it is.
func (c *coverage) mark(item Item) { c.reached[item] = true }

func (c *coverage) resolved(r *resolve.Resolution) {
	c.mark(Item{Kind: CoversProfile, Name: r.Profile})
	if r.Objective != "" {
		c.mark(Item{Kind: CoversObjective, Profile: r.Profile, Name: r.Objective})
	}
	if set := (toolSet{r.Profile, r.ToolsDigest}); !c.disclosed[set] {
		c.disclosed[set] = true
		for _, tool := range r.Disclosed {
			c.mark(Item{Kind: CoversTool, Profile: r.Profile, Name: tool.ID})
		}
	}
	for id, reason := range r.Withheld {
		c.mark(Item{Kind: CoversWithheld, Profile: r.Profile, Name: id, Reason: reason})
	}
}

func (c *coverage) decided(d resolve.Decision) {
	for _, id := range d.Policies {
		c.mark(Item{Kind: CoversPolicy, Name: id})
	}
}

// report compares what was reached with all that the definition has. Readiness is a fact of a deployment, so
// withheld reasons are those that the definition itself can give.
func (c *coverage) report() *Coverage {
	out := &Coverage{}
	for _, item := range items(c.def) {
		out.Items++
		bare := item
		bare.Pointer = ""
		if c.reached[bare] {
			out.Reached++
		} else {
			out.Missed = append(out.Missed, item)
		}
	}
	return out
}

func items(def *definition.Definition) []Item {
	var all []Item
	for id, profile := range def.Profiles {
		at := canonical.JoinPointer("/profiles", id)
		all = append(all, Item{Kind: CoversProfile, Name: id, Pointer: at})
		for _, objective := range profile.Objectives {
			all = append(all, Item{Kind: CoversObjective, Profile: id, Name: objective, Pointer: at + "/objectives"})
		}
		for tool, inclusion := range profile.Include {
			if _, excluded := profile.Exclude[tool]; excluded {
				continue
			}
			all = append(all, inclusionItems(id, at, tool, profile, inclusion)...)
		}
		for tool := range profile.Exclude {
			all = append(all, Item{Kind: CoversWithheld, Profile: id, Name: tool, Reason: resolve.Excluded, Pointer: canonical.JoinPointer(at+"/tools/exclude", tool)})
		}
	}
	for id := range def.Policies {
		all = append(all, Item{Kind: CoversPolicy, Name: id, Pointer: canonical.JoinPointer("/policies", id)})
	}
	slices.SortFunc(all, func(a, b Item) int {
		return cmp.Or(cmp.Compare(a.Profile, b.Profile), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Reason, b.Reason))
	})
	return all
}

func inclusionItems(profileID, at, tool string, profile definition.Profile, inclusion definition.Inclusion) []Item {
	pointer := canonical.JoinPointer(at+"/tools/include", tool)
	all := []Item{{Kind: CoversTool, Profile: profileID, Name: tool, Pointer: pointer}}
	if len(inclusion.Objectives) > 0 && len(inclusion.Objectives) < len(profile.Objectives) {
		all = append(all, Item{Kind: CoversWithheld, Profile: profileID, Name: tool, Reason: resolve.OffObjective, Pointer: pointer})
	}
	if inclusion.When != "" {
		all = append(all, Item{Kind: CoversWithheld, Profile: profileID, Name: tool, Reason: resolve.Condition, Pointer: pointer})
	}
	return all
}
