package definition

import (
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Form is what a name must look like. Forms are looked at by hand: compiling an expression with a bounded repetition
// takes longer than the rest of the start of a program.
type Form string

// The forms of names (formats.md, rule 15), and of what a model calls a tool.
const (
	IDForm        Form = `[a-z][a-z0-9._-]{0,63}`
	InputForm     Form = `[A-Za-z_][A-Za-z0-9_]{0,63}`
	ModelNameForm Form = `[a-zA-Z_][a-zA-Z0-9_-]{0,63}`
)

// Fits tells whether a name has the form, which must be one of the constants.
func (f Form) Fits(name string) bool {
	switch f {
	case IDForm:
		return named(name, isLower, func(b byte) bool { return isLower(b) || isDigit(b) || b == '.' || b == '_' || b == '-' })
	case InputForm:
		return named(name, letterOrLine, func(b byte) bool { return isAlphanumeric(b) || b == '_' })
	case ModelNameForm:
		return named(name, letterOrLine, func(b byte) bool { return isAlphanumeric(b) || b == '_' || b == '-' })
	default:
		return false
	}
}

func letterOrLine(b byte) bool { return isLetter(b) || b == '_' }

func named(name string, first, other func(byte) bool) bool {
	if name == "" || len(name) > MaxIDBytes || !first(name[0]) {
		return false
	}
	for i := 1; i < len(name); i++ {
		if !other(name[i]) {
			return false
		}
	}
	return true
}

func isLower(b byte) bool  { return b >= 'a' && b <= 'z' }
func isLetter(b byte) bool { return isLower(b) || b >= 'A' && b <= 'Z' }

// FoldID is an id with `.` and `-` as `_`: ids that fold to the same cannot stand beside each other.
func FoldID(id string) string { return strings.NewReplacer("-", "_", ".", "_").Replace(id) }

// FoldModelName is a model-facing name without the differences that a model or a provider may not see: case, `-` and
// `_`. Names that fold to the same cannot stand in one profile (formats.md, rule 16).
func FoldModelName(name string) string { return strings.ToLower(strings.ReplaceAll(name, "-", "_")) }

func (c *checker) ids() {
	if !IDForm.Fits(c.def.Project) {
		c.add(diag.New(diag.CodeIDForm, "/project", "what", "Project", "id", c.def.Project, "form", string(IDForm)))
	}
	c.idMap("/objectives", "objective", c.sets.objectives)
	c.idMap("/sources", "source", c.sets.sources)
	c.idMap("/tools", "tool", c.sets.tools)
	c.idMap("/policies", "policy", c.sets.policies)
	c.idMap("/profiles", "profile", c.sets.profiles)
	for _, id := range c.sets.sources.sorted {
		if WindowsDevice(id) {
			c.add(diag.New(diag.CodeIDReserved, canonical.JoinPointer("/sources", id), "id", id).AtKey())
		}
	}
}

func (c *checker) idMap(at, what string, ids nameSet) {
	folded := map[string]string{}
	for _, id := range ids.sorted {
		pointer := canonical.JoinPointer(at, id)
		if !IDForm.Fits(id) {
			c.add(diag.New(diag.CodeIDForm, pointer, "what", what, "id", id, "form", string(IDForm)).AtKey())
		}
		key := FoldID(id)
		if other, clash := folded[key]; clash {
			first := diag.Note{Kind: diag.NoteFirstHere, Target: diag.Target{Pointer: canonical.JoinPointer(at, other), Part: diag.PartKey}}
			problem := diag.New(diag.CodeIDClash, pointer, "what", what, "id", id, "other", other).AtKey()
			problem.Notes = append(problem.Notes, first)
			c.add(problem)
			continue
		}
		folded[key] = id
	}
}

// WindowsDevice tells a name that Windows takes for a device, with any ending (formats.md, rule 15).
func WindowsDevice(name string) bool {
	base, _, _ := strings.Cut(strings.ToLower(name), ".")
	switch base {
	case "con", "prn", "aux", "nul":
		return true
	}
	if len(base) == 4 && (strings.HasPrefix(base, "com") || strings.HasPrefix(base, "lpt")) {
		return isDigit(base[3])
	}
	return false
}
