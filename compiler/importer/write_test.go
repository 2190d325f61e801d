package importer_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/compiler/importer"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/document"
	"github.com/seif-dev/seifc/manifest"
)

func TestNew(t *testing.T) {
	tools := read(t, importer.FromMCP, mcp(
		`{"name":"getUser","description":"Get a user.\nNo secrets.","inputSchema":{"type":"object","required":["id"],"properties":{"id":{"type":"string","default":"no"}}},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`,
		`{"name":"now","inputSchema":{"type":"object"}}`))
	data, err := importer.New("users", tools)
	if err != nil {
		t.Fatal(err)
	}
	want := `schema: seif.tool-catalogue.v1
name: users
tool_contracts:
  getuser:
    name: getUser
    version: 1.0.0
    description: |-
      Get a user.
      No secrets.
    effect: undecided
    claims: {readOnlyHint: true}
    schema:
      properties:
        id:
          default: "no"
          type: string
      required:
        - id
      type: object
    result:
      type: object
  now:
    version: 1.0.0
    effect: undecided
    schema:
      type: object
`
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Error(diff)
	}
	_, c := catalogue(t, data)
	same(t, tools, c)
	if data, err := importer.New("empty", nil); err != nil {
		t.Errorf("no tools: %s %v", data, err)
	}
}

// Every tool that is read is written, read back and compared as itself: the real ones, source by source; in a short run every
// twelfth.
func TestRealTools(t *testing.T) {
	all := corpus(t)
	tried, missing := 0, 0
	for _, source := range sources(all) {
		tools, problems := importer.Read(importer.FromMCP, all[source])
		for _, p := range problems {
			if p.Severity() == diag.Error && p.Code != diag.CodeImportNameTwice {
				t.Errorf("%s: %v", source, p)
			}
			if p.Code == diag.CodeImportDescriptionMissing {
				missing++
			}
		}
		data, err := importer.New("real", tools)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		file, c := catalogue(t, data)
		same(t, tools, c)
		drift := importer.Compare(c, tools)
		merged, err := importer.Merge(file, tools, drift)
		if !drift.Empty() || err != nil || string(merged) != string(data) {
			t.Errorf("%s: it drifts from itself: %v", source, told(drift.InCatalogue))
		}
		tried += len(tools)
	}
	if least := whole(500, 5); tried < least {
		t.Errorf("only %d tools, want %d", tried, least)
	}
	t.Logf("%d real tools of %d sources, %d without a description", tried, len(all), missing)
}

// generated makes tools of any shape that can be published.
func generated(r *rand.Rand, n int) []any {
	words := []string{"get", "Set", "user", "no", "on", "1.0", "2026-11-02", "~", "null", "a: b", "#x", "日本", "é", "'", `"`, "- a", "{{", "\n", "  ", "&a", "*a", "!t", "%", "\\"}
	word := func() string {
		out := ""
		for range 1 + r.IntN(4) {
			out += words[r.IntN(len(words))]
		}
		return out
	}
	var schema func(depth int) any
	schema = func(depth int) any {
		out := map[string]any{"description": word()}
		switch r.IntN(5) {
		case 0:
			out["type"], out["default"] = "string", word()
		case 1:
			out["enum"] = []any{word(), json.Number("1e+21"), nil, true, json.Number("-0.5")}
		case 2:
			out["type"] = []any{"array", "null"}
			if depth > 0 {
				out["items"] = schema(depth - 1)
			}
		default:
			properties := map[string]any{}
			for range r.IntN(4) {
				if depth > 0 {
					properties[word()] = schema(depth - 1)
				}
			}
			out["type"], out["properties"] = "object", properties
		}
		return out
	}
	var tools []any
	seen := map[string]bool{}
	for len(tools) < n {
		name := word()
		if seen[name] {
			name += fmt.Sprint(len(tools))
		}
		seen[name] = true
		tool := map[string]any{"name": name, "description": word(), "inputSchema": schema(3)}
		if r.IntN(3) == 0 {
			tool["outputSchema"] = schema(2)
		}
		if r.IntN(3) == 0 {
			tool["annotations"] = map[string]any{"readOnlyHint": r.IntN(2) == 0}
		}
		tools = append(tools, tool)
	}
	return tools
}

func published(t testing.TB, tools []any) []importer.Tool {
	t.Helper()
	data, err := canonical.Marshal(map[string]any{"tools": tools})
	if err != nil {
		t.Fatal(err)
	}
	return read(t, importer.FromMCP, string(data))
}

// What is written reads back as the same contracts, and what is published now is what a merge leaves, whatever was
// there before: a second merge changes nothing and finds nothing.
func TestImportsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for round := range whole(60, 5) {
		before, after := generated(r, 1+r.IntN(6)), generated(r, 1+r.IntN(6))
		// Some tools stay, changed in part.
		for i := range min(len(before), len(after)) {
			if r.IntN(2) == 0 {
				after[i].(map[string]any)["name"] = before[i].(map[string]any)["name"]
				if r.IntN(2) == 0 {
					after[i].(map[string]any)["inputSchema"] = before[i].(map[string]any)["inputSchema"]
				}
			}
		}
		seen := map[any]bool{}
		unique := after[:0:0]
		for _, tool := range after {
			if name := tool.(map[string]any)["name"]; !seen[name] {
				seen[name] = true
				unique = append(unique, tool)
			}
		}
		first, second := published(t, before), published(t, unique)
		data, err := importer.New("generated", first)
		if err != nil {
			t.Fatal(err)
		}
		file, c := catalogue(t, data)
		same(t, first, c)
		merged, err := importer.Merge(file, second, importer.Compare(c, second))
		if err != nil {
			t.Fatalf("round %d: %v\n%s", round, err, data)
		}
		file, c = catalogue(t, merged)
		drift := importer.Compare(c, second)
		for _, p := range append(drift.InCatalogue, drift.InSource...) {
			if p.Code != diag.CodeDriftGone {
				t.Fatalf("round %d: after a merge: %s\n%s", round, message(p), merged)
			}
		}
		again, err := importer.Merge(file, second, drift)
		if err != nil || string(again) != string(merged) {
			t.Fatalf("round %d: a second merge changes something: %v\n%s", round, err, cmp.Diff(string(merged), string(again)))
		}
		if c := importer.Compare(c, first); c == nil {
			t.Fatal("no drift")
		}
	}
}

// A second import follows the publisher and keeps what a person decided, the comments and the layout.
func TestMergeKeepsDecisions(t *testing.T) {
	before := fixture(t, "grades.yaml")
	file, c := catalogue(t, before)
	tools := read(t, importer.FromMCP, string(fixture(t, "server-later.json")))
	drift := importer.Compare(c, tools)
	merged, err := importer.Merge(file, tools, drift)
	if err != nil {
		t.Fatal(err)
	}
	_, after := catalogue(t, merged)
	if len(after.Contracts) != 3 || len(drift.NamesNewTools()) != 1 {
		t.Fatalf("%s", merged)
	}
	got, was := after.Contracts[0].Value, c.Contracts[0].Value
	if got.Effect != was.Effect || got.Approval != was.Approval || got.TimeoutMS != was.TimeoutMS || got.CallLimit != was.CallLimit ||
		got.Version != was.Version || got.EffectReason != was.EffectReason || got.Status != was.Status || got.Name != was.Name {
		t.Errorf("%+v became %+v", was, got)
	}
	if got.Description != tools[0].Description || !canonical.Equal(got.Schema.Inline, tools[0].Schema) {
		t.Errorf("it does not follow the publisher:\n%s", merged)
	}
	if added := after.Contracts[2]; added.ID != "lookup_grade_v2" || added.Value.Effect != "undecided" {
		t.Errorf("%+v", added)
	}
	for _, comment := range []string{"# The catalogue of the grades service", "# asked for by the tutors", "# decided on 2026-10-01", "# the student's id"} {
		if !strings.Contains(string(merged), comment) {
			t.Errorf("lost: %s\n%s", comment, merged)
		}
	}
	// What is not published any more stays as it is, byte for byte.
	_, tail, _ := strings.Cut(string(before), "  notes.export:")
	if !strings.Contains(string(merged), tail) {
		t.Errorf("notes.export was changed:\n%s", merged)
	}
}

// A claim that nobody makes any more goes, and a description that nobody publishes stays.
func TestMergeOfWhatIsGone(t *testing.T) {
	file, c := catalogue(t, []byte(strings.Replace(base, "SCHEMA", "{type: object}", 1)))
	tools := read(t, importer.FromMCP, mcp(`{"name":"a","inputSchema":{"type":"object"}}`))
	merged, err := importer.Merge(file, tools, importer.Compare(c, tools))
	if err != nil {
		t.Fatal(err)
	}
	_, after := catalogue(t, merged)
	if got := after.Contracts[0].Value; got.Claims != nil || got.Result.Present() || got.Description != "Does a." || got.Effect != "read" {
		t.Errorf("%s", merged)
	}
	if drift := importer.Compare(after, tools); len(drift.InCatalogue) != 1 || drift.InCatalogue[0].Code != diag.CodeDriftGone {
		t.Error(told(drift.InCatalogue))
	}
}

// A catalogue in JSON stays one.
func TestMergeOfJSON(t *testing.T) {
	source := `{"schema": "seif.tool-catalogue.v1", "name": "c", "tool_contracts": {"a": {"version": "1.0.0", "description": "Old.", "effect": "read", "schema": {"type": "object"}}}}`
	file, found := document.Parse("c.json", []byte(source))
	c, more := manifest.DecodeCatalogue(file)
	if c == nil || diag.HasErrors(found) || diag.HasErrors(more) {
		t.Fatal(found, more)
	}
	tools := read(t, importer.FromMCP, mcp(mcpTool("a", "A.", ""), mcpTool("b", "B.", "")))
	merged, err := importer.Merge(file, tools, importer.Compare(c, tools))
	if err != nil {
		t.Fatal(err)
	}
	file, _ = document.Parse("c.json", merged)
	c, more = manifest.DecodeCatalogue(file)
	if c == nil || diag.HasErrors(more) || c.Contracts[0].Value.Effect != "read" || len(c.Contracts) != 2 || !importer.Compare(c, tools).Empty() {
		t.Errorf("%s %v", merged, more)
	}
}

// A catalogue of hundreds of tools, all of which changed, is brought up to date by work in proportion to the text that
// is written, not to that and the number of tools.
func TestMergeOfManyTools(t *testing.T) {
	var before, after []string
	for i := range whole(250, 5) {
		properties := ""
		for p := range 20 {
			properties += fmt.Sprintf(`"p%d":{"type":"string","description":"The %d. of all."},`, p, p)
		}
		before = append(before, mcpTool(fmt.Sprint("tool_", i), "Does it.", strings.TrimSuffix(properties, ",")))
		after = append(after, mcpTool(fmt.Sprint("tool_", i), "Does it well.", properties+`"n":{"type":"string"}`))
	}
	data, err := importer.New("many", read(t, importer.FromMCP, mcp(before...)))
	if err != nil {
		t.Fatal(err)
	}
	file, c := catalogue(t, data)
	tools := read(t, importer.FromMCP, mcp(after...))
	var merged []byte
	allocated := allocations(func() { merged, err = importer.Merge(file, tools, importer.Compare(c, tools)) })
	if err != nil {
		t.Fatal(err)
	}
	if allocated > 20*len(merged) {
		t.Errorf("%d bytes allocate %d times", len(merged), allocated)
	}
	_, c = catalogue(t, merged)
	if drift := importer.Compare(c, tools); !drift.Empty() {
		t.Error(told(drift.InCatalogue))
	}
}

// A file without a last line end, comments at the end, CRLF, flow style: a merge
// brings each to what is published, and twice is once.
func TestMergeOfUnusualFiles(t *testing.T) {
	entry := "version: 1.0.0, description: Old., effect: read, schema: "
	for name, source := range map[string]string{
		"no last line end": "tool_contracts:\n  a: {" + entry + "{type: object}}",
		"comments":         "tool_contracts:\n  # first\n  a: {" + entry + "{type: object}} # behind\n\n  # last\n# end\n",
		"something behind": "tool_contracts:\n  a:\n    version: 1.0.0\n    description: |\n      Old.\n    effect: read\n    schema: {type: object}\n\n# old ones\nrevisions: {}\n",
		"CRLF":             "tool_contracts:\r\n  a: {" + entry + "{type: object}}\r\n  # last\r\n",
		"flow":             "tool_contracts: {a: {" + entry + "{type: object}}}\n",
		"four spaces":      "tool_contracts:\n    a:\n        version: 1.0.0\n        description: Old.\n        effect: read\n        schema:\n            type: object\n",
		"empty":            "tool_contracts: {}\n",
		"a quoted id":      "tool_contracts:\n  \"a\": {" + entry + "{type: object}}\n",
	} {
		t.Run(name, func(t *testing.T) {
			ending := "\n"
			if strings.Contains(source, "\r") {
				ending = "\r\n"
			}
			data := []byte("schema: seif.tool-catalogue.v1" + ending + "name: c" + ending + source)
			file, c := catalogue(t, data)
			tools := read(t, importer.FromMCP, mcp(mcpTool("a", "A.", `"q":{}`), mcpTool("c", "C.\nMore.", `"q":{}`), mcpTool("d", "D.", ""), mcpTool("e", "E.", "")))
			merged, err := importer.Merge(file, tools, importer.Compare(c, tools))
			if err != nil {
				t.Fatal(err)
			}
			file, c = catalogue(t, merged)
			drift := importer.Compare(c, tools)
			for _, p := range append(drift.InCatalogue, drift.InSource...) {
				if p.Code != diag.CodeDriftGone {
					t.Errorf("%s\n%s", message(p), merged)
				}
			}
			again, err := importer.Merge(file, tools, drift)
			if err != nil || string(again) != string(merged) {
				t.Errorf("twice is not once: %v\n%s", err, again)
			}
			for line := range strings.Lines(source) {
				if _, comment, ok := strings.Cut(line, "#"); ok && !strings.Contains(string(merged), "#"+strings.TrimSpace(comment)) && !strings.Contains(string(merged), "# "+strings.TrimSpace(comment)) {
					t.Errorf("lost: %s\n%s", line, merged)
				}
			}
			if ending == "\r\n" && strings.Contains(strings.ReplaceAll(string(merged), "\r\n", ""), "\n") {
				t.Errorf("line ends are mixed: %q", merged)
			}
		})
	}
}

// Text that entries share by an anchor cannot change for one of them alone: nothing is written, and the error names
// the tool.
func TestMergeOfSharedText(t *testing.T) {
	file, c := catalogue(t, []byte(`schema: seif.tool-catalogue.v1
name: c
tool_contracts:
  a: {version: 1.0.0, description: A., effect: read, schema: &s {type: object}}
  b: {version: 1.0.0, description: B., effect: read, schema: *s}
`))
	tools := read(t, importer.FromMCP, mcp(mcpTool("a", "A.", `"q":{}`), mcpTool("b", "B.", "")))
	merged, err := importer.Merge(file, tools, importer.Compare(c, tools))
	if merged != nil || err == nil || !strings.Contains(err.Error(), "updating a: ") {
		t.Errorf("%s %v", merged, err)
	}
}
