package seifc_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/compiler"
	"github.com/seif-dev/seifc/compiler/importer"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/testsuite"
)

// corpus is where tool definitions that others published lie beside a work tree; they are read, never kept.
const corpus = "../shared/corpora/tools-open.jsonl"

// golden is what the Builds of the Projects in this tree are, once and for all: a change of a digest is a change of
// the format and is reviewed as one.
const golden = "testdata/golden.json"

// goldenBuild names a Build.
type goldenBuild struct {
	Build      string `json:"build"`
	Definition string `json:"definition"`
}

// The Projects of this tree compile without an error, their tests pass and reach everything that tests can reach,
// and their Builds are what they always were.
func TestProjects(t *testing.T) {
	got := map[string]goldenBuild{}
	for _, dir := range []string{"examples/estuda", "examples/repo-triage", "examples/style-guide", "testdata/shop"} {
		t.Run(dir, func(t *testing.T) {
			result, report := compileAndTest(t, dir)
			if report.Failed() > 0 || len(report.Results) == 0 {
				t.Errorf("%d tests ran, failures: %v", len(report.Results), report.Problems())
			}
			if missed := report.Coverage.Missed; len(missed) > 0 {
				t.Errorf("no test reaches %v", missed)
			}
			build, findings, err := result.Seal()
			if build == nil || err != nil {
				t.Fatalf("sealing: %v, %v", findings, err)
			}
			got[dir] = goldenBuild{Build: build.Digest().String(), Definition: build.DefinitionDigest().String()}
		})
	}
	if *update {
		data, err := json.MarshalIndent(got, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		writeFiles(t, ".", map[string]string{golden: string(data) + "\n"})
	}
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]goldenBuild{}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the Builds changed (-want +got):\n%s", diff)
	}
}

// A code-hosting service as it is really published: everything imported, few tools used, the write tool with many
// methods narrowed by a policy.
func TestTriageOnARealCatalogue(t *testing.T) {
	dir := t.TempDir()
	tools := publishedTools(t, "github-mcp-server")
	catalogue, err := importer.New("hosting", tools)
	if err != nil {
		t.Fatal(err)
	}
	text := string(catalogue)
	for id, effect := range map[string]string{"issue_write": "write", "issue_read": "read", "search_issues": "read", "list_issues": "read"} {
		text = decide(t, text, id, effect)
	}
	writeFiles(t, dir, map[string]string{"tools/hosting.yaml": text, "seif.yaml": triageProject, "context/triage.md": "Sort the issues.\n", "tests/triage.yaml": triageTests})
	pinAll(t, dir)
	_, report := compileAndTest(t, dir)
	if report.Failed() > 0 || len(report.Results) != 3 {
		t.Errorf("%d tests ran, failures: %v", len(report.Results), report.Problems())
	}
}

const triageProject = `schema: seif.context-project.v1
name: real-triage
catalogues: [tools/*.yaml]
tests: [tests/*.yaml]
inputs:
  type: object
  required: [owner, repo]
  properties:
    owner: {type: string, maxLength: 40}
    repo: {type: string, maxLength: 100}
sources:
  triage: context/triage.md
tools:
  issue_read:
  issue_write:
  list_issues:
  search_issues:
policies:
  update-only:
    tools: [issue_write]
    deny: args.method != 'update' || has(args.state)
    message: Triage updates issues; people open and close them.
  this-repository-only:
    tools: [issue_read, issue_write, list_issues]
    deny: args.owner != inputs.owner || args.repo != inputs.repo
    message: Only the repository at hand.
profiles:
  triage:
    budget: {tokens: 12000}
    context: [triage]
    tools:
      include: [issue_read, issue_write, list_issues, search_issues]
`

const triageTests = `schema: seif.context-tests.v1
defaults:
  profile: triage
  inputs: {owner: acme, repo: app}
tests:
  four-of-many:
    expect: {disclosed: [issue_read, issue_write, list_issues, search_issues]}
  narrowed:
    calls:
      - {tool: issue_write, arguments: {method: create, owner: acme, repo: app, title: x}, approval: valid, expect: policy_denied, policy: update-only}
      - {tool: issue_write, arguments: {method: update, owner: acme, repo: app, issue_number: 1, state: closed}, approval: valid, expect: policy_denied, policy: update-only}
      - {tool: issue_write, arguments: {method: update, owner: acme, repo: app, issue_number: 1, labels: [bug]}, expect: approval_required}
      - {tool: issue_write, arguments: {method: merge, owner: acme, repo: app}, expect: arguments_invalid, pointer: /method}
  elsewhere:
    calls:
      - {tool: issue_write, arguments: {method: update, owner: evil, repo: app, issue_number: 1}, approval: valid, expect: policy_denied, policy: this-repository-only}
      - {tool: list_issues, arguments: {owner: acme, repo: app}, expect: allowed}
`

// compileAndTest compiles a Project that must have no errors and runs its tests.
func compileAndTest(t *testing.T, dir string) (*compiler.Result, *testsuite.Report) {
	t.Helper()
	result, err := compiler.Compile(context.Background(), tree(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	if diag.HasErrors(result.Findings) {
		t.Fatal(messages(result.Findings))
	}
	report, err := result.Run(context.Background(), testsuite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return result, report
}

func tree(t *testing.T, dir string) compiler.Tree {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return compiler.Tree{Files: root.FS(), Project: compiler.ProjectFile}
}

func messages(all []diag.Diagnostic) string {
	var lines []string
	for _, d := range all {
		lines = append(lines, string(d.Code)+": "+d.Message())
	}
	return strings.Join(lines, "\n")
}

func pinAll(t *testing.T, dir string) {
	t.Helper()
	result, err := compiler.Pin(context.Background(), tree(t, dir), compiler.PinOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diag.HasErrors(result.Findings) {
		t.Fatal(messages(result.Findings))
	}
	for _, edit := range result.Edits {
		writeFiles(t, dir, map[string]string{edit.Name: string(edit.Data)})
	}
}

func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// decide writes the effect of one contract of an imported catalogue, as a person would.
func decide(t *testing.T, catalogue, id, effect string) string {
	t.Helper()
	const undecided = "effect: undecided"
	start := strings.Index(catalogue, "\n  "+id+":\n")
	if start < 0 {
		t.Fatalf("the catalogue has no %s", id)
	}
	at := strings.Index(catalogue[start:], undecided)
	return catalogue[:start+at] + "effect: " + effect + catalogue[start+at+len(undecided):]
}

// publishedTools reads the tools of one source of the corpus as a tools/list result.
func publishedTools(t *testing.T, source string) []importer.Tool {
	t.Helper()
	file, err := os.Open(corpus)
	if err != nil {
		t.Skipf("SKIPPED-CORPORA: %v", err)
	}
	defer file.Close()
	list := []any{}
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<24)
	for scanner.Scan() {
		var record map[string]json.RawMessage
		if err := json.Unmarshal(scanner.Bytes(), &record); err != nil {
			t.Fatal(err)
		}
		if string(record["source"]) != `"`+source+`"` {
			continue
		}
		tool := map[string]json.RawMessage{}
		for _, name := range []string{"name", "description", "inputSchema", "outputSchema", "annotations"} {
			if value, ok := record[name]; ok && string(value) != "null" {
				tool[name] = value
			}
		}
		list = append(list, tool)
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(map[string]any{"tools": list})
	if err != nil {
		t.Fatal(err)
	}
	tools, problems := importer.Read(importer.FromMCP, data)
	if len(tools) < 30 || diag.Failed(problems) {
		t.Fatalf("%d tools, %v", len(tools), problems)
	}
	if !slices.ContainsFunc(tools, func(tool importer.Tool) bool { return tool.ID == "issue_write" }) {
		t.Fatal("the source has no issue_write")
	}
	return tools
}
