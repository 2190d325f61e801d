package compiler

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/diag"
)

// faulty is a Project with several catalogues and a finding of many a kind in each.
func faulty(t *testing.T) map[string]string {
	t.Helper()
	files := pinned(t)
	for _, name := range []string{"b", "a", "z"} {
		files["tools/"+name+".yaml"] = strings.ReplaceAll(`schema: seif.tool-catalogue.v1
name: c-NAME
tool_contracts:
  order-find: {version: 1.0.0, description: Twice., effect: read, schema: {type: object}}
  one.NAME: {version: x, effect: write, schema: {type: object, properties: {text: {type: string}}}}
  two.NAME: {version: 1.0.0, description: "Hidden\u200b.", effect: read, schema: {type: objekt}}
`, "NAME", name)
	}
	change(t, files, "seif.yaml", "[order.find]", "[order.fnd]")
	return files
}

// The same files give the same findings in the same order, whatever the order in which a folder lists them. R80
func TestFindingsAreDeterministic(t *testing.T) {
	files := faulty(t)
	tree := treeOf(files)
	first := compiled(t, tree)
	if len(first.Findings) < 8 {
		t.Fatalf("only %v", first.Findings)
	}
	reversed := tree
	reversed.Files = backwards{tree.Files}
	for range 5 {
		for _, tree := range []Tree{tree, reversed} {
			again := compiled(t, tree)
			if d := cmp.Diff(first.Findings, again.Findings); d != "" || again.Files != first.Files {
				t.Fatal(d)
			}
		}
	}
}

// The same files seal into the same Build.
func TestBuildsAreDeterministic(t *testing.T) {
	tree := treeOf(pinned(t))
	reversed := tree
	reversed.Files = backwards{tree.Files}
	seal := func(tree Tree) string {
		build, found, err := compiled(t, tree).Seal()
		if err != nil || diag.HasErrors(found) {
			t.Fatal(found, err)
		}
		return build.Digest().String()
	}
	if a, b := seal(tree), seal(reversed); a != b {
		t.Errorf("%s and %s", a, b)
	}
}

// Shown stands before every name in findings and nowhere else.
func TestShownNames(t *testing.T) {
	files := faulty(t)
	tree := treeOf(files)
	plain := compiled(t, tree).Findings
	tree.Shown = "some/where/"
	shown := compiled(t, tree).Findings
	if len(plain) != len(shown) {
		t.Fatalf("%d and %d findings", len(plain), len(shown))
	}
	for i, d := range shown {
		if d.Place.Path != "some/where/"+plain[i].Place.Path || d.Code != plain[i].Code {
			t.Errorf("%s at %s, %s at %s", d.Code, d.Place.Path, plain[i].Code, plain[i].Place.Path)
		}
	}
}

// What is interrupted gives no result.
func TestCompilingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if result, err := Compile(ctx, treeOf(pinned(t))); result != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v %v", result, err)
	}
	if result, err := Pin(ctx, treeOf(project()), PinOptions{}); result != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v %v", result, err)
	}
}

// A Project that does not compile, or is none, has findings and can neither be run nor sealed.
func TestNothingIsMadeOfAFaultyProject(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"faults":       faulty(t),
		"no project":   {"seif.yaml": "schema: seif.tool-catalogue.v1\nname: x\n"},
		"no document":  {"seif.yaml": "a: [\n"},
		"an empty one": {"seif.yaml": ""},
	} {
		result := compiled(t, treeOf(files))
		if !diag.HasErrors(result.Findings) || result.Plan != nil {
			t.Errorf("%s: %v", name, result.Findings)
		}
		if build, _, err := result.Seal(); build != nil || err == nil {
			t.Errorf("%s is sealed", name)
		}
	}
	if _, err := Compile(context.Background(), Tree{Files: fstest.MapFS{}, Project: ProjectFile}); err == nil || !strings.Contains(err.Error(), "seif.yaml") {
		t.Errorf("no file: %v", err)
	}
}
