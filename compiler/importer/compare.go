package importer

import (
	"fmt"
	"strings"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/schema"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/manifest"
)

// known is a catalogue entry in the form in which it can be compared with what is published.
type known struct {
	entry  manifest.Entry[manifest.Contract]
	name   string
	schema canonical.Value
	result canonical.Value
}

// entriesOf lists the tool contracts of a catalogue by their effective model-facing name.
func entriesOf(catalogue *manifest.Catalogue) []known {
	shared := map[string]canonical.Value{}
	for _, entry := range catalogue.Contracts {
		if entry.Value.Shared() && entry.Value.Schema.HasInline {
			shared[entry.ID] = entry.Value.Schema.Inline
		}
	}
	var out []known
	for _, entry := range catalogue.Contracts {
		if entry.Value.Shared() {
			continue
		}
		k := known{entry: entry, name: entry.Value.Name}
		if k.name == "" {
			k.name = definition.DefaultName(entry.ID)
		}
		k.schema = comparable(entry.Value.Schema, shared)
		k.result = comparable(entry.Value.Result, shared)
		out = append(out, k)
	}
	return out
}

// comparable is a schema without what does not matter to a contract.
func comparable(ref manifest.SchemaRef, shared map[string]canonical.Value) canonical.Value {
	value := ref.Inline
	if ref.Ref != "" {
		value = shared[ref.Ref]
	}
	return stripped(value)
}

func stripped(value canonical.Value) canonical.Value {
	if value == nil {
		return nil
	}
	out, _ := schema.Strip(value)
	return out
}

// match finds the entry that a published tool belongs to: by model-facing name, then by id.
func match(entries []known, tool Tool) *known {
	for i := range entries {
		if entries[i].name == tool.Name {
			return &entries[i]
		}
	}
	for i := range entries {
		if entries[i].entry.ID == tool.ID {
			return &entries[i]
		}
	}
	return nil
}

// changes lists what differs between an entry and what is published now. The pointers are into the catalogue.
func changes(k *known, tool Tool) []diag.Problem {
	at, id := k.entry.Pointer, k.entry.ID
	var all []diag.Problem
	if k.name != tool.Name {
		all = append(all, diag.New(diag.CodeDriftName, at, "id", id, "old", k.name, "new", tool.Name))
	}
	if k.entry.Value.Description != tool.Description {
		all = append(all, diag.New(diag.CodeDriftDescription, at+"/description", "id", id,
			"difference", diag.WordDiff(k.entry.Value.Description, tool.Description)))
	}
	all = append(all, schemaChanges(at+"/schema", id, "argument", k.schema, stripped(tool.Schema))...)
	all = append(all, schemaChanges(at+"/result", id, "result", k.result, stripped(tool.Result))...)
	if !canonical.Equal(claimsValue(k.entry.Value.Claims), claimsValue(anyMap(tool.Claims))) {
		all = append(all, diag.New(diag.CodeDriftClaims, at, "id", id, "old", form(k.entry.Value.Claims), "new", form(anyMap(tool.Claims))))
	}
	return all
}

func anyMap(claims map[string]any) canonical.Value {
	if len(claims) == 0 {
		return nil
	}
	return claims
}

// claimsValue leaves out what an older import did not keep.
func claimsValue(value canonical.Value) canonical.Value {
	claims, _ := value.(map[string]any)
	if len(claims) == 0 {
		return nil
	}
	return claims
}

// schemaChanges compares two schemas member by member. A new property of an argument schema is a new way for data
// to leave, and has a code of its own.
func schemaChanges(at, id, what string, before, after canonical.Value) []diag.Problem {
	if canonical.Equal(before, after) {
		return nil
	}
	var all []diag.Problem
	for _, d := range diag.Differences(before, after) {
		pointer := at
		if !d.Added {
			pointer += d.Pointer
		}
		if what == "argument" && d.Added && isProperty(d.Pointer) {
			all = append(all, diag.New(diag.CodeDriftChannel, pointer, "id", id, "argument", lastToken(d.Pointer), "pointer", d.Pointer))
			continue
		}
		all = append(all, diag.New(diag.CodeDriftSchema, pointer, "id", id, "what", what, "pointer", d.Pointer, "difference", d.Text))
	}
	return all
}

func isProperty(pointer string) bool {
	tokens := strings.Split(pointer, "/")
	return len(tokens) >= 3 && tokens[len(tokens)-2] == "properties"
}

func lastToken(pointer string) string {
	tokens, err := canonical.SplitPointer(pointer)
	if err != nil || len(tokens) == 0 {
		return pointer
	}
	return tokens[len(tokens)-1]
}

// form is a value in one line, cut when it is long.
func form(value canonical.Value) string {
	if value == nil {
		return "nothing"
	}
	text, err := canonical.Marshal(value)
	if err != nil {
		return fmt.Sprintf("a %T", value)
	}
	const most = 160
	if runes := []rune(string(text)); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return string(text)
}
