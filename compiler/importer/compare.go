package importer

import (
	"fmt"
	"slices"
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

// entriesOf lists the tool contracts of a catalogue with their effective model-facing names.
func entriesOf(catalogue *manifest.Catalogue) []*known {
	shared := map[string]canonical.Value{}
	for _, entry := range catalogue.Contracts {
		if entry.Value.Shared() && entry.Value.Schema.HasInline {
			shared[entry.ID] = entry.Value.Schema.Inline
		}
	}
	var out []*known
	for _, entry := range catalogue.Contracts {
		if entry.Value.Shared() {
			continue
		}
		k := &known{entry: entry, name: entry.Value.Name}
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

// distinctive is the form of an argument schema, if it is not one that many tools share by chance.
func distinctive(schema canonical.Value) (string, bool) {
	value, _ := canonical.Lookup(schema, "/properties")
	if properties, _ := value.(map[string]any); len(properties) < 2 {
		return "", false
	}
	form, err := canonical.Marshal(schema)
	return string(form), err == nil
}

// changes lists what differs between an entry and what is published now. The pointers are into the catalogue. A
// description that is not published any more is no difference: the catalogue keeps its own, which a person may have
// written.
func changes(k *known, tool Tool, names map[string]bool) []diag.Problem {
	at, id := k.entry.Pointer, k.entry.ID
	var all []diag.Problem
	if k.name != tool.Name {
		pointer := at
		if k.entry.Value.Name != "" {
			pointer += "/name"
		}
		all = append(all, diag.New(diag.CodeDriftName, pointer, "id", id, "old", k.name, "new", tool.Name))
	}
	if before := k.entry.Value.Description; before != tool.Description && tool.Description != "" {
		all = append(all, diag.New(diag.CodeDriftDescription, at+"/description", "id", id,
			"difference", diag.WordDiff(before, tool.Description), "mentions", strings.Join(mentioned(before, tool, names), ", ")))
	}
	all = append(all, schemaChanges(at+"/schema", id, "argument", k.schema, stripped(tool.Schema))...)
	all = append(all, schemaChanges(at+"/result", id, "result", k.result, stripped(tool.Result))...)
	if before, now := claims(k.entry.Value.Claims), claims(tool.Claims); !canonical.Equal(before, now) {
		all = append(all, diag.New(diag.CodeDriftClaims, at, "id", id, "old", form(before), "new", form(now)))
	}
	return all
}

// claims is nil where nothing is claimed.
func claims(value canonical.Value) canonical.Value {
	members, _ := value.(map[string]any)
	if len(members) == 0 {
		return nil
	}
	return members
}

// namesOf are the words by which a text can name a tool of the catalogue.
func namesOf(entries []*known) map[string]bool {
	names := map[string]bool{}
	for _, k := range entries {
		names[k.name], names[k.entry.ID] = true, true
	}
	return names
}

// mentioned lists the other tools that a new description names and the old one did not: what sends a model from one
// tool to another deserves a look. A tool whose name is an everyday word is told only if it has a mark in it.
func mentioned(before string, tool Tool, names map[string]bool) []string {
	old := map[string]bool{}
	for _, word := range wordsOf(before) {
		old[word] = true
	}
	var all []string
	for _, word := range wordsOf(tool.Description) {
		if names[word] && !old[word] && word != tool.Name && word != tool.ID && strings.ContainsAny(word, "_-.") {
			all = append(all, word)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func wordsOf(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.')
	})
	for i, word := range words {
		words[i] = strings.TrimRight(word, ".-")
	}
	return words
}

// schemaChanges compares two schemas member by member. A new property of an argument schema is a new way for data
// to leave, and has a code of its own, however deep it stands and whatever brought it.
func schemaChanges(at, id, what string, before, after canonical.Value) []diag.Problem {
	if canonical.Equal(before, after) {
		return nil
	}
	var all []diag.Problem
	channels := map[string]bool{}
	if what == "argument" {
		for _, c := range newArguments(before, after) {
			channels[c.pointer] = true
			all = append(all, diag.New(diag.CodeDriftChannel, at, "id", id, "argument", c.name, "pointer", c.pointer))
		}
	}
	for _, d := range diag.Differences(before, after) {
		if channels[d.Pointer] {
			continue
		}
		pointer := at
		if !d.Added {
			pointer += d.Pointer
		}
		all = append(all, diag.New(diag.CodeDriftSchema, pointer, "id", id, "what", what, "pointer", d.Pointer, "difference", d.Text))
	}
	return all
}

// argument is a property of an argument schema, at any depth.
type argument struct{ name, pointer string }

// newArguments lists the properties of a schema that stand in none of the same place before. Moving a property from
// one branch of anyOf to another does not make it new.
func newArguments(before, after canonical.Value) []argument {
	old, now := map[string]argument{}, map[string]argument{}
	collectArguments(before, "", "", old)
	collectArguments(after, "", "", now)
	var all []argument
	for _, path := range sorted(now) {
		if _, known := old[path]; !known {
			all = append(all, now[path])
		}
	}
	return all
}

// collectArguments walks a schema. The path says where in the data a property stands, the pointer where in the schema.
func collectArguments(value canonical.Value, path, pointer string, all map[string]argument) {
	members, ok := value.(map[string]any)
	if !ok {
		return
	}
	for _, keyword := range sorted(members) {
		at := pointer + "/" + keyword
		switch keyword {
		case "properties", "$defs":
			named, _ := members[keyword].(map[string]any)
			for _, name := range sorted(named) {
				below, where := canonical.JoinPointer(path+"/"+keyword, name), canonical.JoinPointer(at, name)
				if _, first := all[below]; keyword == "properties" && !first {
					all[below] = argument{name, where}
				}
				collectArguments(named[name], below, where, all)
			}
		case "items", "additionalProperties":
			collectArguments(members[keyword], path+"/*", at, all)
		case "prefixItems", "anyOf", "oneOf", "allOf":
			branches, _ := members[keyword].([]any)
			below := path
			if keyword == "prefixItems" {
				below += "/*"
			}
			for i, branch := range branches {
				collectArguments(branch, below, fmt.Sprintf("%s/%d", at, i), all)
			}
		}
	}
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
