package definition

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// decoder reads canonical values and collects what does not fit.
type decoder struct {
	problems []diag.Problem
	// forms are the contracts in canonical form by the pointer of their tool. One that is not among them is written anew.
	forms map[string][]byte
}

func (d *decoder) add(p diag.Problem) {
	if len(d.problems) < maxDecodeProblems {
		d.problems = append(d.problems, p)
	}
}

func (d *decoder) wrong(at, want string) {
	d.add(diag.New(diag.CodeDefinitionMalformed, at, "want", want))
}

// sorted gives the problems by pointer; of several at one place in the order in which they were found.
func (d *decoder) sorted() []diag.Problem { return sortProblems(d.problems) }

func sortProblems(problems []diag.Problem) []diag.Problem {
	slices.SortStableFunc(problems, func(a, b diag.Problem) int { return cmp.Compare(a.Target.Pointer, b.Target.Pointer) })
	return problems
}

// known refuses every member that is none of the names.
func (d *decoder) known(at string, members map[string]any, names ...string) {
	var unknown []string
	for name := range members {
		if !slices.Contains(names, name) {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	for _, name := range unknown {
		d.add(diag.New(diag.CodeDefinitionMember, canonical.JoinPointer(at, name), "name", name).AtKey())
	}
}

// object gives the members of an object that has no other than the named ones; nil if the value is no object.
func (d *decoder) object(at string, value canonical.Value, names ...string) map[string]any {
	members, ok := value.(map[string]any)
	if !ok {
		d.wrong(at, "an object")
		return nil
	}
	d.known(at, members, names...)
	return members
}

// required reports a member that is not there.
func (d *decoder) required(at string, members map[string]any, name string) bool {
	_, ok := members[name]
	if !ok {
		d.add(diag.New(diag.CodeDefinitionMissing, at, "name", name))
	}
	return ok
}

// text reads a required string, which is not empty.
func (d *decoder) text(at string, members map[string]any, name string) string {
	if !d.required(at, members, name) {
		return ""
	}
	return d.string(canonical.JoinPointer(at, name), members[name])
}

// optional reads a string that may be absent but not empty.
func (d *decoder) optional(at string, members map[string]any, name string) string {
	value, ok := members[name]
	if !ok {
		return ""
	}
	return d.string(canonical.JoinPointer(at, name), value)
}

func (d *decoder) string(at string, value canonical.Value) string {
	text, ok := value.(string)
	if !ok || text == "" {
		d.wrong(at, "a string that is not empty")
	}
	return text
}

// number reads a required whole number from 1 to most.
func (d *decoder) number(at string, members map[string]any, name string, most int) int {
	if !d.required(at, members, name) {
		return 0
	}
	n, ok := whole(members[name], 1, most)
	if !ok {
		d.wrong(canonical.JoinPointer(at, name), "a whole number from 1 to "+strconv.Itoa(most))
	}
	return n
}

// only tells whether a member is there. It has one value, because the other is the default, which is left out
// (formats.md, rule 3).
func (d *decoder) only(at string, members map[string]any, name string, value canonical.Value) bool {
	found, ok := members[name]
	if ok && found != value {
		d.add(diag.New(diag.CodeDefinitionDefault, canonical.JoinPointer(at, name), "name", name))
	}
	return ok
}

// list gives an optional array, which is not empty.
func (d *decoder) list(at string, members map[string]any, name string) []any {
	value, ok := members[name]
	if !ok {
		return nil
	}
	list, ok := value.([]any)
	if !ok || len(list) == 0 {
		d.wrong(canonical.JoinPointer(at, name), "an array that is not empty")
	}
	return list
}

// set gives an optional array of distinct strings in canonical order.
func (d *decoder) set(at string, members map[string]any, name string) []string {
	var out []string
	for i, item := range d.list(at, members, name) {
		itemAt := canonical.JoinPointer(at, name, strconv.Itoa(i))
		text := d.string(itemAt, item)
		if i > 0 && canonical.Compare(out[i-1], text) >= 0 {
			d.add(diag.New(diag.CodeDefinitionOrder, itemAt, "name", text, "other", out[i-1]))
		}
		out = append(out, text)
	}
	return out
}

// readMap reads an optional object by id, which is not empty.
func readMap[T any](d *decoder, at string, members map[string]any, name string, one func(string, canonical.Value) T) map[string]T {
	value, ok := members[name]
	if !ok {
		return nil
	}
	at = canonical.JoinPointer(at, name)
	named, ok := value.(map[string]any)
	if !ok || len(named) == 0 {
		d.wrong(at, "an object that is not empty")
		return nil
	}
	out := make(map[string]T, len(named))
	for _, id := range sortedKeys(named) {
		out[id] = one(canonical.JoinPointer(at, id), named[id])
	}
	return out
}
