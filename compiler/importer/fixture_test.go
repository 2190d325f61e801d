package importer_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/compiler/importer"
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/document"
	"github.com/seif-dev/seifc/manifest"
)

// allocations counts what work allocates. Work that grows with the square of its input allocates so, and unlike time
// this is the same on a busy machine.
func allocations(work func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return int(after.Mallocs - before.Mallocs)
}

// whole is a number of rounds or items, a part of it in a short run.
func whole(n, part int) int {
	if testing.Short() {
		return n / part
	}
	return n
}

func value(t testing.TB, text string) canonical.Value {
	t.Helper()
	v, err := canonical.Parse([]byte(text), canonical.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// told is what problems say: severity, code and pointer.
func told(problems []diag.Problem) []string {
	var all []string
	for _, p := range problems {
		all = append(all, p.Severity().String()+" "+string(p.Code)+" "+p.Target.Pointer)
	}
	return all
}

func message(p diag.Problem) string {
	return diag.At(diag.LocatorFunc(func(diag.Target) diag.Place { return diag.Place{} }), p)[0].Message()
}

// read reads tools that have no errors.
func read(t testing.TB, from importer.From, text string) []importer.Tool {
	t.Helper()
	tools, problems := importer.Read(from, []byte(text))
	if diag.Failed(problems) {
		t.Fatalf("problems: %v", problems)
	}
	return tools
}

// catalogue reads a catalogue file that is sound.
func catalogue(t testing.TB, data []byte) (*document.File, *manifest.Catalogue) {
	t.Helper()
	file, found := document.Parse("tools/c.yaml", data)
	if diag.HasErrors(found) {
		t.Fatalf("%v\n%s", found, head(data))
	}
	c, found := manifest.DecodeCatalogue(file)
	if c == nil || diag.HasErrors(found) {
		t.Fatalf("%v\n%s", found, head(data))
	}
	return file, c
}

func head(data []byte) []byte { return data[:min(len(data), 3000)] }

// same makes sure that a catalogue has exactly the given tools, each as it was published and undecided.
func same(t testing.TB, tools []importer.Tool, c *manifest.Catalogue) {
	t.Helper()
	if len(c.Contracts) != len(tools) {
		t.Fatalf("%d entries of %d tools", len(c.Contracts), len(tools))
	}
	for i, tool := range tools {
		entry := c.Contracts[i]
		got := entry.Value
		name := got.Name
		if name == "" {
			name = definition.DefaultName(entry.ID)
		}
		want := []any{tool.ID, tool.Name, tool.Description, "undecided", importer.FirstVersion}
		if diff := cmp.Diff(want, []any{entry.ID, name, got.Description, got.Effect, got.Version}); diff != "" {
			t.Fatalf("%s: %s", tool.ID, diff)
		}
		if !canonical.Equal(got.Schema.Inline, tool.Schema) || got.Result.Present() != (tool.Result != nil) || tool.Result != nil && !canonical.Equal(got.Result.Inline, tool.Result) {
			t.Fatalf("%s: another schema", tool.ID)
		}
		if len(tool.Claims) > 0 != (got.Claims != nil) || got.Claims != nil && !canonical.Equal(got.Claims, canonical.Value(tool.Claims)) {
			t.Fatalf("%s: other claims: %v", tool.ID, got.Claims)
		}
	}
}

// corpus gives the real tools of the open corpus as one tools/list document per source, of a short run
// every twelfth. It skips loudly without it.
func corpus(t testing.TB) map[string][]byte {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "..", "shared", "corpora", "tools-open.jsonl"))
	if err != nil {
		t.Skipf("SKIPPED, 0 real tools tried: the corpus is not here (%v)", err)
	}
	defer file.Close()
	bySource := map[string][]any{}
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 16<<20)
	for line := 0; scanner.Scan(); line++ {
		if testing.Short() && line%12 != 0 {
			continue
		}
		var record map[string]json.RawMessage
		if err := json.Unmarshal(scanner.Bytes(), &record); err != nil {
			t.Fatal(err)
		}
		if string(record["kind"]) != `"json-schema"` {
			continue
		}
		tool := map[string]any{}
		for _, name := range []string{"name", "description", "inputSchema", "outputSchema", "annotations"} {
			if raw, ok := record[name]; ok {
				tool[name] = raw
			}
		}
		bySource[string(record["source"])] = append(bySource[string(record["source"])], tool)
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for source, tools := range bySource {
		data, err := json.Marshal(map[string]any{"tools": tools})
		if err != nil {
			t.Fatal(err)
		}
		out[source] = data
	}
	return out
}

func sources(all map[string][]byte) []string {
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func mcpTool(name, description, properties string) string {
	return fmt.Sprintf(`{"name":%q,"description":%q,"inputSchema":{"type":"object","properties":{%s}}}`, name, description, properties)
}

func mcp(tools ...string) string { return `{"tools":[` + strings.Join(tools, ",") + `]}` }
