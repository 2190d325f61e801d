package bindings

import (
	"maps"
	"slices"
	"strconv"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/schema"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Against reports what the Bindings say of a Build that is not so: profiles and inputs that it does not have, and
// fixed inputs that do not fit their schema. Pointers are into the Bindings. No finding holds the value of an input.
func (b *Bindings) Against(def *definition.Definition) []diag.Problem {
	var problems []diag.Problem
	known := slices.Sorted(maps.Keys(def.Profiles))
	for _, c := range b.Credentials {
		at := canonical.JoinPointer("/credentials", c.ID)
		for i, name := range c.Profiles {
			if _, ok := def.Profiles[name]; !ok {
				problems = append(problems, diag.New(diag.CodeBindingsProfile, canonical.JoinPointer(at, "profiles", strconv.Itoa(i)),
					"profile", name, "nearest", diag.Nearest(name, known)))
			}
		}
		problems = append(problems, fixedInputs(c, def.Inputs, canonical.JoinPointer(at, "inputs"))...)
	}
	return problems
}

// fixedInputs judges the fixed inputs of one credential, each by the Build's own schema of it.
func fixedInputs(c Credential, inputs canonical.Value, at string) []diag.Problem {
	properties, _ := canonical.Lookup(inputs, "/properties")
	declared, _ := properties.(map[string]any)
	known := slices.Sorted(maps.Keys(declared))
	var problems []diag.Problem
	given := map[string]canonical.Value{}
	for _, name := range slices.Sorted(maps.Keys(c.Inputs)) {
		if _, ok := declared[name]; ok {
			given[name] = c.Inputs[name]
			continue
		}
		problems = append(problems, diag.New(diag.CodeBindingsInput, canonical.JoinPointer(at, name),
			"input", name, "nearest", diag.Nearest(name, known)).AtKey())
	}
	if len(given) == 0 {
		return problems
	}
	compiled, found := schema.Compile(eachAlone(inputs), schema.Inputs)
	if diag.Failed(found) || compiled == nil {
		// The Build's schema as a whole was accepted, so this cannot be; if it is, nothing vouches for the values.
		return append(problems, diag.New(diag.CodeBindingsInputValue, at, "kind", "schema"))
	}
	for _, v := range compiled.Validate(given) {
		problems = append(problems, diag.New(diag.CodeBindingsInputValue, at+v.Pointer, "kind", v.Keyword))
	}
	return problems
}

// eachAlone is the schema of inputs as far as it is about each of them, whatever else a request brings.
func eachAlone(inputs canonical.Value) canonical.Value {
	out := map[string]any{}
	for _, keyword := range []string{"$defs", "additionalProperties", "properties", "type"} {
		if value, ok := canonical.Lookup(inputs, canonical.JoinPointer("", keyword)); ok {
			out[keyword] = value
		}
	}
	return out
}
