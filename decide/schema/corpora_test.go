package schema_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/decide/schema"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// moduleRoot walks up to go.mod.
func moduleRoot(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = parent
	}
}

// corpus reads a file of the open corpora beside the module, or skips and says how much is not checked.
func corpus(t testing.TB, name, extent string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(moduleRoot(t), "..", "shared", "corpora", name))
	if os.IsNotExist(err) {
		t.Skipf("NOT CHECKED: %s (%s) is not beside the module", name, extent)
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// loose reads JSON and keeps numbers as they are written, exact or not.
func loose(t testing.TB, data []byte, into any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		t.Fatal(err)
	}
}

type suiteGroup struct {
	File        string
	Group       int
	Description string
	Schema      canonical.Value
	Reason, At  string
	Tests       []struct {
		Description string
		Data        canonical.Value
		Valid       bool
	}
}

func (g suiteGroup) name() string { return fmt.Sprintf("%s/%d", g.File, g.Group) }

// Numbers that a double does not hold exactly are refused before anything is compared.
var inexactGroups = []string{
	"optional/bignum.json/0", "optional/bignum.json/1", "optional/bignum.json/2", "optional/bignum.json/3", "optional/bignum.json/5",
}

func TestOfficialSuite(t *testing.T) {
	var suite struct{ Groups []suiteGroup }
	loose(t, corpus(t, "jsonschema-suite-subset.json", "198 groups, 1,066 tests"), &suite)
	groups, tests, inexact := 0, 0, 0
	for _, group := range suite.Groups {
		compiled, problems := schema.Compile(group.Schema, schema.Result)
		if slices.Contains(inexactGroups, group.name()) {
			inexact++
			refused := slices.Contains(codes(problems), diag.CodeSchemaNumber)
			for _, test := range group.Tests {
				if compiled == nil {
					break
				}
				for _, violation := range compiled.Validate(test.Data) {
					refused = refused || violation.Keyword == schema.KindNumber
				}
			}
			if !refused {
				t.Errorf("%s: inexact numbers are not refused as such", group.name())
			}
			continue
		}
		groups++
		if compiled == nil {
			t.Errorf("%s (%s): does not compile: %v", group.name(), group.Description, problems)
			continue
		}
		for _, test := range group.Tests {
			tests++
			if violations := compiled.Validate(test.Data); (len(violations) == 0) != test.Valid {
				t.Errorf("%s (%s) / %s: valid is %v, got %v", group.name(), group.Description, test.Description, test.Valid, violations)
			}
		}
	}
	if groups != 193 || inexact != 5 {
		t.Errorf("%d groups decided and %d refused, want 193 and 5", groups, inexact)
	}
	t.Logf("%d groups, %d tests decide as the suite says; %d groups with inexact numbers are refused", groups, tests, inexact)
}

func TestOfficialSuiteRefused(t *testing.T) {
	var suite struct{ Groups []suiteGroup }
	loose(t, corpus(t, "jsonschema-suite-refused.json", "254 schemas"), &suite)
	counts := map[diag.Code]int{}
	for _, group := range suite.Groups {
		compiled, problems := schema.Compile(group.Schema, schema.Result)
		if compiled != nil || !diag.Failed(problems) {
			t.Errorf("%s (%s): compiles, want a refusal for %s", group.name(), group.Description, group.Reason)
			continue
		}
		for _, code := range errorCodes(problems) {
			counts[code]++
		}
		if !slices.ContainsFunc(problems, func(p diag.Problem) bool {
			// The suite's list joins pointers without escaping.
			return strings.HasPrefix(unescaped(p.Target.Pointer), group.At)
		}) {
			t.Errorf("%s (%s): want a finding at %s (%s), got %v", group.name(), group.Description, group.At, group.Reason, problems)
		}
	}
	if len(suite.Groups) != 254 {
		t.Errorf("%d schemas, want 254", len(suite.Groups))
	}
	logCounts(t, counts)
}

func unescaped(pointer string) string {
	return strings.ReplaceAll(strings.ReplaceAll(pointer, "~1", "/"), "~0", "~")
}

type toolRecord struct {
	ID                        string
	InputSchema, OutputSchema canonical.Value
	ProfileVerdict            struct {
		OK               bool
		Code, Schema, At string
	}
}

func toolRecords(t testing.TB) []toolRecord {
	t.Helper()
	lines := bufio.NewScanner(bytes.NewReader(corpus(t, "tools-open.jsonl", "3,960 tools")))
	lines.Buffer(nil, 8<<20)
	var out []toolRecord
	for lines.Scan() {
		var record toolRecord
		loose(t, lines.Bytes(), &record)
		out = append(out, record)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func (r toolRecord) compile() []diag.Problem {
	_, problems := schema.Compile(r.InputSchema, schema.Arguments)
	if r.OutputSchema != nil {
		_, more := schema.Compile(r.OutputSchema, schema.Result)
		problems = append(problems, more...)
	}
	return problems
}

func TestPublishedTools(t *testing.T) {
	counts := map[diag.Code]int{}
	accepted, tried := 0, 0
	records := toolRecords(t)
	for i, record := range records {
		if testing.Short() && i%4 != 0 {
			continue
		}
		if i%11 == 0 {
			checkStripLaws(t, record.ID, record.InputSchema, schema.Arguments)
		}
		tried++
		problems := record.compile()
		if ok := !diag.Failed(problems); ok != record.ProfileVerdict.OK {
			t.Errorf("%s: ok is %v, want %+v: %v", record.ID, ok, record.ProfileVerdict, problems)
		}
		if !diag.Failed(problems) {
			accepted++
			continue
		}
		codes := errorCodes(problems)
		for _, code := range codes {
			counts[code]++
		}
		want := codeOfVerdict(record.ProfileVerdict.Code)
		if !slices.Contains(codes, want) {
			t.Errorf("%s: want %s (%s), got %v", record.ID, want, record.ProfileVerdict.Code, problems)
		}
	}
	t.Logf("%d of %d tools compile unchanged", accepted, tried)
	logCounts(t, counts)
}

// codeOfVerdict maps the words of the corpus to ours.
func codeOfVerdict(verdict string) diag.Code {
	family, _, _ := strings.Cut(verdict, ":")
	switch family {
	case "keyword":
		if verdict == "keyword:optional" || verdict == "keyword:types" {
			return diag.CodeUnknownKeyword
		}
		return diag.CodeUnsupportedKeyword
	case "recursive-ref":
		return diag.CodeSchemaReferenceRecursive
	case "format":
		return diag.CodeUnsupportedFormat
	case "too-large":
		return diag.CodeSchemaLimit
	case "root-combinator":
		return diag.CodeSchemaRoot
	case "pattern":
		return diag.CodeUnsupportedPattern
	case "items-array-form", "bad-type", "draft4-exclusive":
		return diag.CodeSchemaValue
	}
	return diag.Code("no code for " + verdict)
}

func logCounts(t *testing.T, counts map[diag.Code]int) {
	t.Helper()
	for _, code := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%6d %s", counts[code], code)
	}
}

func codes(problems []diag.Problem) []diag.Code {
	var out []diag.Code
	for _, p := range problems {
		out = append(out, p.Code)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func errorCodes(problems []diag.Problem) []diag.Code {
	return slices.DeleteFunc(codes(problems), func(c diag.Code) bool { return c.Severity() != diag.Error })
}

// TestMutatedTools breaks sound schemas in ways that must never pass.
func TestMutatedTools(t *testing.T) {
	mutated, every := 0, 37
	if testing.Short() {
		every *= 5
	}
	for i, record := range toolRecords(t) {
		if !record.ProfileVerdict.OK || i%every != 0 {
			continue
		}
		for _, mutation := range mutations(record.InputSchema) {
			mutated++
			compiled, problems := schema.Compile(mutation.schema, schema.Arguments)
			if compiled != nil || !slices.Contains(codes(problems), mutation.want) {
				t.Errorf("%s with %s: want %s, got %v", record.ID, mutation.name, mutation.want, problems)
			}
		}
	}
	t.Logf("%d mutated schemas are refused", mutated)
}

type mutation struct {
	name   string
	schema canonical.Value
	want   diag.Code
}

func mutations(sound canonical.Value) []mutation {
	with := func(name string, member canonical.Value) canonical.Value {
		root := copyOf(sound).(map[string]any)
		properties, ok := root["properties"].(map[string]any)
		if !ok {
			properties = map[string]any{}
			root["properties"] = properties
		}
		properties[name] = member
		return root
	}
	out := []mutation{
		{"a remote reference", with("zz", object("$ref", "https://example.com/s.json")), diag.CodeSchemaReferenceRemote},
		{"depth 17", with("zz", nested(16)), diag.CodeSchemaLimit},
		{"65 KiB", with("zz", object("examples", []any{strings.Repeat("x", 65<<10)})), diag.CodeSchemaLimit},
		{"an enum with 1 and 1.0", with("zz", object("enum", []any{json.Number("1"), json.Number("1.0")})), diag.CodeSchemaRepeated},
		{"a hidden character", with("zz", object("description", "a\u200bb")), diag.CodeHiddenCharacter},
	}
	bomb := with("zz", object("$ref", "#/$defs/zz9")).(map[string]any)
	if _, old := bomb["definitions"]; !old {
		defs, ok := bomb["$defs"].(map[string]any)
		if !ok {
			defs = map[string]any{}
			bomb["$defs"] = defs
		}
		defs["zz0"] = object("type", "string")
		for level := 1; level <= 9; level++ {
			ref := object("$ref", fmt.Sprintf("#/$defs/zz%d", level-1))
			defs[fmt.Sprintf("zz%d", level)] = object("prefixItems", []any{ref, copyOf(ref), copyOf(ref)})
		}
		out = append(out, mutation{"a reference bomb", bomb, diag.CodeSchemaLimit})
	}
	for depth := range schemasOf(copyOf(sound), nil) {
		broken := copyOf(sound)
		schemasOf(broken, nil)[depth]["requird"] = []any{}
		out = append(out, mutation{fmt.Sprintf("an unknown keyword in schema %d", depth), broken, diag.CodeUnknownKeyword})
	}
	return out
}

func object(name string, value canonical.Value) map[string]any { return map[string]any{name: value} }

// nested makes a schema with so many levels of schemas below it.
func nested(levels int) canonical.Value {
	inner := canonical.Value(map[string]any{"type": "string"})
	for range levels {
		inner = map[string]any{"type": "array", "items": inner}
	}
	return inner
}

func copyOf(v canonical.Value) canonical.Value {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, member := range v {
			out[name] = copyOf(member)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = copyOf(item)
		}
		return out
	}
	return v
}

// schemasOf lists the object schemas within a schema, in a fixed order.
func schemasOf(v canonical.Value, out []map[string]any) []map[string]any {
	schemaObject, ok := v.(map[string]any)
	if !ok {
		return out
	}
	out = append(out, schemaObject)
	for _, name := range slices.Sorted(maps.Keys(schemaObject)) {
		switch name {
		case "items", "additionalProperties", "propertyNames":
			out = schemasOf(schemaObject[name], out)
		case "properties", "$defs", "definitions":
			members, _ := schemaObject[name].(map[string]any)
			for _, key := range slices.Sorted(maps.Keys(members)) {
				out = schemasOf(members[key], out)
			}
		case "anyOf", "oneOf", "allOf", "prefixItems":
			branches, _ := schemaObject[name].([]any)
			for _, branch := range branches {
				out = schemasOf(branch, out)
			}
		}
	}
	return out
}

func BenchmarkCompile(b *testing.B) {
	records := toolRecords(b)
	for b.Loop() {
		for i := range 10_000 {
			schema.Compile(records[i%len(records)].InputSchema, schema.Arguments)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/10000tools")
}

// The costliest evaluations that the budget lets through.
func BenchmarkValidateAtTheBudget(b *testing.B) {
	names := map[string]any{}
	for i := range 70_000 {
		names[fmt.Sprint(i)] = true
	}
	for _, c := range []struct {
		name, schema string
		value        canonical.Value
	}{
		{"pattern", `{"pattern": "(?:.{0,90}){11}z"}`, strings.Repeat("a", 13_500)},
		{"failures", `{"propertyNames": {"pattern": "^b"}, "additionalProperties": {"type": "string"}}`, names},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := compile(b, c.schema, schema.Result)
			for b.Loop() {
				if got := s.Validate(c.value); len(got) == 0 || got[0].Keyword == schema.KindLimit {
					b.Fatalf("not evaluated: %v", got)
				}
			}
		})
	}
}
