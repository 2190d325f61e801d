package provider_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/provider"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

var update = flag.Bool("update", false, "write the golden files anew")

func value(t testing.TB, text string) canonical.Value {
	t.Helper()
	v, err := canonical.Parse([]byte(text), canonical.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// tools are a read with a result schema, a write, and a tool whose words are not ASCII.
func tools(t testing.TB) []*definition.Contract {
	t.Helper()
	return []*definition.Contract{
		{
			ID: "order.find", Name: "find_Orders", Version: "1.2.0", Description: "Find orders.\nAt most ten.", Effect: definition.Read,
			Approval: definition.NoApproval, TimeoutMS: 10000, CallLimit: 10,
			Schema: value(t, `{"type":"object","required":["q"],"properties":{"q":{"type":"string","maxLength":40},"limit":{"type":["integer","null"],"const":3}},"additionalProperties":false,"$defs":{"unused":{"type":"string"}}}`),
			Result: value(t, `{"type":"object","properties":{"orders":{"type":"array","items":{"type":"string"}}}}`),
		},
		{
			ID: "refund.issue", Name: "refund-issue", Version: "1.0.0", Description: "Refund.", Effect: definition.Write,
			Approval: definition.OperatorApproval, TimeoutMS: 5000, CallLimit: 1, Schema: value(t, `{"type":"object","properties":{"cents":{"type":"integer","exclusiveMinimum":0}}}`),
		},
		{
			ID: "notiz", Name: "notiz", Version: "1.0.0", Description: "Schreibt „Größe“ & <b>メモ</b> \U0001F600.", Effect: definition.Write,
			Approval: definition.OperatorApproval, TimeoutMS: 5000, CallLimit: 1, Schema: value(t, `{"type":"object","properties":{"größe":{"enum":["klein","groß",null]}}}`),
		},
	}
}

func TestExportGolden(t *testing.T) {
	for _, format := range provider.Formats() {
		t.Run(string(format), func(t *testing.T) {
			exported, ok := provider.Export(format, tools(t))
			if !ok {
				t.Fatal("unknown")
			}
			form, err := canonical.Marshal(exported)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := json.Indent(&got, form, "", "  "); err != nil {
				t.Fatal(err)
			}
			got.WriteByte('\n')
			path := filepath.Join("testdata", string(format)+".json")
			if *update {
				if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The formats are those of the command line, in its order.
func TestFormats(t *testing.T) {
	want := strings.Split("openai-chat openai-responses anthropic gemini bedrock mistral mcp json-schema", " ")
	var got []string
	for _, format := range provider.Formats() {
		got = append(got, string(format))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, unknown := range []provider.Format{"", "openai", "OPENAI-CHAT"} {
		if exported, ok := provider.Export(unknown, tools(t)); ok || exported != nil {
			t.Errorf("%q: %v", unknown, exported)
		}
		if advice := provider.Advice(unknown, tools(t)); len(advice) != 0 {
			t.Errorf("%q: %v", unknown, advice)
		}
	}
}

// where says, for each format, where the list of tools stands and where a tool has its parts.
var where = map[provider.Format]struct{ list, name, description, schema string }{
	provider.OpenAIChat:      {"", "/function/name", "/function/description", "/function/parameters"},
	provider.Mistral:         {"", "/function/name", "/function/description", "/function/parameters"},
	provider.OpenAIResponses: {"", "/name", "/description", "/parameters"},
	provider.Anthropic:       {"", "/name", "/description", "/input_schema"},
	provider.Gemini:          {"/0/functionDeclarations", "/name", "/description", "/parametersJsonSchema"},
	provider.Bedrock:         {"", "/toolSpec/name", "/toolSpec/description", "/toolSpec/inputSchema/json"},
	provider.MCP:             {"/tools", "/name", "/description", "/inputSchema"},
	provider.JSONSchema:      {"", "/name", "/description", "/schema"},
}

// What a model is shown is the contract's, to the byte, in the given order, whatever it holds.
func TestExportsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{"a", "Ünï", "\u2028", "\x00", "<>&", "日本", "\U0001F600", "_-."}
	word := func() string { return words[r.IntN(len(words))] + words[r.IntN(len(words))] + fmt.Sprint(r.IntN(10)) }
	for range 200 {
		var contracts []*definition.Contract
		for range r.IntN(6) {
			contracts = append(contracts, &definition.Contract{
				ID: word(), Name: word(), Description: strings.Repeat(word(), r.IntN(500)), Effect: definition.Effect([]string{"read", "write"}[r.IntN(2)]),
				Schema: map[string]any{"type": "object", "properties": map[string]any{word(): map[string]any{"const": json.Number("1e+21"), "description": word()}}},
			})
		}
		for _, format := range provider.Formats() {
			exported, _ := provider.Export(format, contracts)
			at := where[format]
			list, ok := canonical.Lookup(exported, at.list)
			if items, isList := list.([]any); !ok || !isList || len(items) != len(contracts) {
				t.Fatalf("%s: %v", format, list)
			}
			for i, c := range contracts {
				item := list.([]any)[i]
				for pointer, want := range map[string]canonical.Value{at.name: c.Name, at.description: c.Description, at.schema: c.Schema} {
					if got, ok := canonical.Lookup(item, pointer); !ok || !canonical.Equal(got, want) {
						t.Fatalf("%s: %s is %v, want %v", format, pointer, got, want)
					}
				}
			}
		}
	}
}

// A write never calls itself read-only, and strict mode, which would rewrite what is required, is never on.
func TestExportsPromiseNothingMore(t *testing.T) {
	mcp, _ := provider.Export(provider.MCP, tools(t))
	for i, write := range []bool{false, true, true} {
		readOnly, _ := canonical.Lookup(mcp, fmt.Sprintf("/tools/%d/annotations/readOnlyHint", i))
		if readOnly != !write {
			t.Errorf("tool %d: readOnlyHint %v", i, readOnly)
		}
	}
	for _, format := range provider.Formats() {
		exported, _ := provider.Export(format, tools(t))
		form, err := canonical.Marshal(exported)
		if err != nil || bytes.Contains(form, []byte(`"strict":true`)) {
			t.Errorf("%s: %s %v", format, form, err)
		}
	}
}

func TestAdvice(t *testing.T) {
	long := strings.Repeat("é", 1024)
	contract := func(change func(*definition.Contract)) []*definition.Contract {
		c := &definition.Contract{ID: "a", Name: "a", Description: "A.", Schema: map[string]any{"type": "object"}}
		change(c)
		return []*definition.Contract{tools(t)[1], c}
	}
	property := func(name string) []*definition.Contract {
		return contract(func(c *definition.Contract) {
			c.Schema = map[string]any{"type": "object", "properties": map[string]any{name: true}}
		})
	}
	name := func(name string) []*definition.Contract {
		return contract(func(c *definition.Contract) { c.Name = name })
	}
	all := provider.Formats()
	for what, c := range map[string]struct {
		contracts []*definition.Contract
		at        string
		formats   []provider.Format
	}{
		"nothing":                      {contract(func(*definition.Contract) {}), "", nil},
		"a description at the limit":   {contract(func(c *definition.Contract) { c.Description = long }), "", nil},
		"a long description":           {contract(func(c *definition.Contract) { c.Description = long + "é" }), "/1/description", []provider.Format{provider.OpenAIChat, provider.OpenAIResponses}},
		"a property with a dot":        {property("a.b"), "/1/schema/properties/a.b", []provider.Format{provider.Gemini}},
		"a property with a slash":      {property("a/b"), "/1/schema/properties/a~1b", []provider.Format{provider.Anthropic, provider.Gemini}},
		"the longest property":         {property(strings.Repeat("a", 64)), "", nil},
		"a property that is too long":  {property(strings.Repeat("a", 65)), "/1/schema/properties/" + strings.Repeat("a", 65), []provider.Format{provider.Anthropic, provider.Gemini}},
		"a name that begins with 1":    {name("1a"), "/1/name", []provider.Format{provider.Gemini}},
		"a name with a dot":            {name("a.b"), "/1/name", []provider.Format{provider.OpenAIChat, provider.OpenAIResponses, provider.Anthropic, provider.Bedrock, provider.Mistral}},
		"the longest name":             {name(strings.Repeat("a", 64)), "", nil},
		"a name that is too long":      {name(strings.Repeat("a", 65)), "/1/name", all[:6]},
		"a result that is no object":   {contract(func(c *definition.Contract) { c.Result = map[string]any{"type": "array"} }), "/1/result", []provider.Format{provider.MCP}},
		"a result that is an object":   {contract(func(c *definition.Contract) { c.Result = map[string]any{"type": "object"} }), "", nil},
		"a schema without properties":  {contract(func(c *definition.Contract) { c.Schema = true }), "", nil},
		"properties that are not some": {contract(func(c *definition.Contract) { c.Schema = map[string]any{"properties": 1} }), "", nil},
	} {
		t.Run(what, func(t *testing.T) {
			for _, format := range all {
				advice := provider.Advice(format, c.contracts)
				if !slices.Contains(c.formats, format) {
					if len(advice) != 0 {
						t.Errorf("%s: %v", format, advice)
					}
					continue
				}
				if len(advice) != 1 || advice[0].Target.Pointer != c.at || advice[0].Code != diag.CodeProviderAdvice {
					t.Errorf("%s: %v", format, advice)
					continue
				}
				if advice[0].Severity() == diag.Error || advice[0].Data["date"] != provider.AdviceDate || advice[0].Data["provider"] != string(format) || advice[0].Data["tool"] != "a" {
					t.Errorf("%s: %v", format, advice[0].Data)
				}
			}
		})
	}
}

// Advice comes in the order of the contracts and of the names in them.
func TestAdviceIsInOrder(t *testing.T) {
	properties := map[string]any{}
	for i := range 50 {
		properties[fmt.Sprintf("a/%02d", i)] = true
	}
	contracts := []*definition.Contract{{ID: "a", Name: "a", Schema: map[string]any{"properties": properties}}, {ID: "b", Name: "1.", Schema: nil}}
	want := provider.Advice(provider.Gemini, contracts)
	if len(want) != 51 || want[0].Target.Pointer != "/0/schema/properties/a~100" || want[50].Target.Pointer != "/1/name" {
		t.Fatal(want)
	}
	for range 20 {
		if diff := cmp.Diff(want, provider.Advice(provider.Gemini, contracts)); diff != "" {
			t.Fatal(diff)
		}
	}
}
