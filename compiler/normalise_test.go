package compiler

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/diag"
)

// tableOf normalises a Project.
func tableOf(t *testing.T, files map[string]string) (*table, []diag.Diagnostic) {
	t.Helper()
	var report []diag.Diagnostic
	in, err := load(context.Background(), treeOf(files), &report)
	if err != nil {
		t.Fatal(err)
	}
	out := normalise(in, &report)
	return out, report
}

// Ids that differ in `.`, `-` and `_` alone would be one name to a model: across catalogues, the first by the name of
// its file stays and the other is refused with the place of the first.
func TestFoldedIDsAreDuplicates(t *testing.T) {
	files := pinned(t)
	files["tools/more.yaml"] = `schema: seif.tool-catalogue.v1
name: more
tool_contracts:
  order_find: {version: 1.0.0, description: Find., effect: read, schema: {type: object}}
`
	table, report := tableOf(t, files)
	if len(table.contracts["order_find"]) != 1 || len(table.contracts["order.find"]) != 0 {
		t.Errorf("%v", keys(table.contracts))
	}
	var places []string
	for _, d := range report {
		if d.Code == diag.CodeContractDuplicate {
			places = append(places, d.Place.Path+" "+d.Data["id"])
			for _, note := range d.Notes {
				places = append(places, string(note.Kind)+" "+note.Place.Path+" "+d.Data["other"])
			}
		}
	}
	if d := cmp.Diff([]string{"tools/orders.yaml order.find", string(diag.NoteFirstHere) + " tools/more.yaml order_find"}, places); d != "" {
		t.Error(d)
	}
}

// A reference and the same schema written in place are one contract.
func TestSharedSchemasAreInlined(t *testing.T) {
	files := pinned(t)
	shared, _ := tableOf(t, files)
	change(t, files, "tools/orders.yaml", `{$ref: "tool_contract:query", fingerprint: `+pinOf(t, files, "tools/orders.yaml", "tool_contract:query")+`}`,
		"{type: object, properties: {q: {type: string}}}")
	inline, _ := tableOf(t, files)
	a, b := shared.contracts["order.find"][0], inline.contracts["order.find"][0]
	if a.fingerprint != b.fingerprint || !a.fingerprinted {
		t.Errorf("%s and %s", a.fingerprint, b.fingerprint)
	}
	// A finding within it stands where the schema was written.
	place := a.origins.Locate(diag.Target{Pointer: "/schema/properties/q"})
	if place.Pointer != "/tool_contracts/query/schema/properties/q" || place.Start.Line != 4 {
		t.Errorf("%+v", place)
	}
	if place := b.origins.Locate(diag.Target{Pointer: "/schema/properties/q"}); place.Start.Line != 9 {
		t.Errorf("%+v", place)
	}
}

// What a reference may not be.
func TestReferences(t *testing.T) {
	for name, test := range map[string]struct {
		old, new string
		want     diag.Code
	}{
		"unpinned":  {`fingerprint: sha256`, `x: sha256`, diag.CodePinMissing},
		"to a tool": {`"tool_contract:query"`, `"tool_contract:order.note"`, diag.CodeReferenceToTool},
		"to itself": {`"tool_contract:query"`, `"tool_contract:order.find"`, diag.CodeReferenceToTool},
		"unknown":   {`"tool_contract:query"`, `"tool_contract:quary"`, diag.CodeUnknownName},
		"changed":   {`{q: {type: string}}`, `{q: {type: number}}`, diag.CodeUnknownFingerprint},
		"to faults": {`{q: {type: string}}`, `{q: {type: strnig}}`, diag.CodeReferenceBroken},
	} {
		files := pinned(t)
		change(t, files, "tools/orders.yaml", test.old, test.new)
		table, report := tableOf(t, files)
		if !has(report, test.want) || len(table.contracts["order.find"]) > 0 || !table.broken["order.find"] {
			t.Errorf("%s: %v", name, report)
		}
	}
}

// `definitions` becomes `$defs` in a contract; what is found there stands where it was written.
func TestDefinitionsAreRenamed(t *testing.T) {
	files := pinned(t)
	const written = "schema: {type: object, properties: {text: {$ref: \"#/definitions/t\"}}, definitions: {t: {type: string}}}"
	change(t, files, "tools/orders.yaml", "schema: {type: object, properties: {text: {type: string}}}", written)
	table, report := tableOf(t, files)
	if diag.HasErrors(report) {
		t.Fatal(report)
	}
	c := table.contracts["order.note"][0]
	schema, _ := c.Schema.(map[string]any)
	if schema["$defs"] == nil || schema["definitions"] != nil {
		t.Errorf("%v", schema)
	}
	place := c.origins.Locate(diag.Target{Pointer: "/schema/$defs/t/type"})
	if place.Pointer != "/tool_contracts/order.note/schema/definitions/t/type" || place.Start.Line != 14 {
		t.Errorf("%+v", place)
	}
}
