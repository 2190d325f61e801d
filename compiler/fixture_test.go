package compiler

import (
	"context"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/seif-dev/seifc/diag"
)

// project is a small sound Project whose pins are missing.
func project() map[string]string {
	return map[string]string{
		"seif.yaml": `schema: seif.context-project.v1
name: shop
catalogues: [tools/*.yaml]
objectives:
  ask: Answer a question.
sources:
  tone: context/tone.md
tools:
  order.find:
  order.note:
profiles:
  customer:
    budget: {tokens: 3000}
    objectives: [ask]
    context: [tone]
    tools:
      include: [order.find]
      exclude:
        order.note: Notes are internal.
`,
		"context/tone.md": "Be kind.\n",
		"tools/orders.yaml": `schema: seif.tool-catalogue.v1
name: orders
tool_contracts:
  query: {schema: {type: object, properties: {q: {type: string}}}}
  order.find:
    version: 1.0.0
    description: Find orders.
    effect: read
    schema: {$ref: "tool_contract:query"}
  order.note:
    version: 1.0.0
    description: Add a note.
    effect: write
    schema: {type: object, properties: {text: {type: string}}}
`,
	}
}

// treeOf is a Project in memory.
func treeOf(files map[string]string) Tree {
	memory := fstest.MapFS{}
	for name, text := range files {
		memory[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return Tree{Files: memory, Project: ProjectFile}
}

func compiled(t *testing.T, tree Tree) *Result {
	t.Helper()
	result, err := Compile(context.Background(), tree)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// errorsOf lists the codes of errors, each once, in order of code.
func errorsOf(found []diag.Diagnostic) []diag.Code {
	var codes []diag.Code
	for _, d := range found {
		if d.Severity == diag.Error {
			codes = append(codes, d.Code)
		}
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// pin pins a Project, in place, and gives what was done.
func pin(t *testing.T, files map[string]string, options PinOptions) *PinResult {
	t.Helper()
	result, err := Pin(context.Background(), treeOf(files), options)
	if err != nil {
		t.Fatal(err)
	}
	for _, edit := range result.Edits {
		files[edit.Name] = string(edit.Data)
	}
	return result
}

// pinned is the small Project with its pins, changed by what is given.
func pinned(t *testing.T) map[string]string {
	t.Helper()
	files := project()
	if result := pin(t, files, PinOptions{}); diag.HasErrors(result.Findings) {
		t.Fatalf("%v", result.Findings)
	}
	if found := compiled(t, treeOf(files)).Findings; diag.HasErrors(found) {
		t.Fatalf("the fixture is not sound: %v", found)
	}
	return files
}

// editNames lists the files that would be written, in the order of writing.
func editNames(r *PinResult) []string {
	var names []string
	for _, edit := range r.Edits {
		names = append(names, edit.Name)
	}
	return names
}

// backwards lists every folder in the opposite order.
type backwards struct{ fs.FS }

func (b backwards) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(b.FS, name)
	slices.Reverse(entries)
	return entries, err
}

// change replaces one piece of text of a file, which must be there.
func change(t *testing.T, files map[string]string, name, old, new string) {
	t.Helper()
	if !strings.Contains(files[name], old) {
		t.Fatalf("%s has no %q", name, old)
	}
	files[name] = strings.Replace(files[name], old, new, 1)
}

// has tells whether a code is among findings.
func has(found []diag.Diagnostic, code diag.Code) bool {
	return slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == code })
}
