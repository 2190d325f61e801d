package schema_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/decide/schema"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

type vector struct {
	Name, Use  string
	Schema     canonical.Value
	SchemaText string `json:"schema_text"` // where the schema is no strict JSON
	Errors     []place
	Notes      []place
	Stripped   canonical.Value
	Valid      []canonical.Value
	Invalid    []struct {
		Value         canonical.Value
		Pointer       string
		SchemaPointer string `json:"schema_pointer"`
		Keyword       string
	}
}

type place struct {
	Code    diag.Code
	Pointer string
}

func vectors(t testing.TB) []vector {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(moduleRoot(t), "conformance", "schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := canonical.Parse(data, canonical.Limits{}); err != nil {
		t.Fatalf("the vectors are no strict JSON: %v", err)
	}
	var file struct {
		Profile string
		Cases   []vector
	}
	loose(t, data, &file)
	if file.Profile != schema.Profile {
		t.Fatalf("vectors of %s", file.Profile)
	}
	for i, v := range file.Cases {
		if v.SchemaText != "" {
			loose(t, []byte(v.SchemaText), &file.Cases[i].Schema)
		}
	}
	return file.Cases
}

func useOf(t testing.TB, name string) schema.Use {
	t.Helper()
	use, ok := map[string]schema.Use{"arguments": schema.Arguments, "result": schema.Result, "inputs": schema.Inputs}[name]
	if !ok {
		t.Fatalf("unknown use %q", name)
	}
	return use
}

// R82 and R72: what is not enforced is refused, by name and place.
func TestVectors(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			compiled, problems := schema.Compile(v.Schema, useOf(t, v.Use))
			var errors, notes []place
			for _, p := range problems {
				found := place{p.Code, p.Target.Pointer}
				if p.Severity() == diag.Error {
					errors = append(errors, found)
				} else {
					notes = append(notes, found)
				}
			}
			if v.Notes == nil { // cases about something else do not list what is stripped
				notes = nil
			}
			if diff := cmp.Diff(sorted(v.Errors), sorted(errors)); diff != "" {
				t.Fatalf("errors (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(sorted(v.Notes), sorted(notes)); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
			if (compiled == nil) != (len(errors) > 0) {
				t.Fatalf("schema is %v with errors %v", compiled, errors)
			}
			if stripped, _ := schema.Strip(v.Schema); v.Stripped != nil && !canonical.Equal(stripped, v.Stripped) {
				t.Errorf("stripped to %v", stripped)
			}
			for _, value := range v.Valid {
				if violations := compiled.Validate(value); violations != nil {
					t.Errorf("%v: %v", value, violations)
				}
			}
			for _, one := range v.Invalid {
				want := []schema.Violation{{Pointer: one.Pointer, SchemaPointer: one.SchemaPointer, Keyword: one.Keyword}}
				if diff := cmp.Diff(want, compiled.Validate(one.Value)); diff != "" {
					t.Errorf("%v (-want +got):\n%s", one.Value, diff)
				}
			}
		})
	}
}

func sorted(places []place) []place {
	out := slices.Clone(places)
	slices.SortFunc(out, func(a, b place) int {
		return canonical.Compare(a.Pointer+" "+string(a.Code), b.Pointer+" "+string(b.Code))
	})
	return out
}

// Every code of the room is shown by a vector.
func TestVectorsCoverEveryCode(t *testing.T) {
	shown := map[diag.Code]bool{
		diag.CodeSchemaText: true, // no JSON text leads there: see TestCompileRefusesWhatIsNotJSON
	}
	for _, v := range vectors(t) {
		for _, p := range append(v.Errors, v.Notes...) {
			shown[p.Code] = true
		}
	}
	for _, entry := range diag.Entries() {
		if entry.Room == "decide/schema" && !shown[entry.Code] {
			t.Errorf("no vector shows %s", entry.Code)
		}
	}
}

// The same verdict, with and without stripping before, and from the value that was stripped.
func TestStripKeepsTheVerdict(t *testing.T) {
	for _, v := range vectors(t) {
		checkStripLaws(t, v.Name, v.Schema, useOf(t, v.Use))
	}
}

func checkStripLaws(t *testing.T, name string, v canonical.Value, use schema.Use) {
	t.Helper()
	before := copyOf(v)
	stripped, problems := schema.Strip(v)
	if !cmp.Equal(before, v) {
		t.Fatalf("%s: Strip changed its argument", name)
	}
	again, more := schema.Strip(stripped)
	if !cmp.Equal(stripped, again) {
		t.Fatalf("%s: stripping again changes %v to %v", name, stripped, again)
	}
	if diag.Failed(more) && !diag.Failed(problems) {
		t.Fatalf("%s: stripping again fails: %v", name, more)
	}
	direct, found := schema.Compile(v, use)
	indirect, _ := schema.Compile(stripped, use)
	if (direct != nil) != (indirect != nil && !diag.Failed(problems)) {
		t.Fatalf("%s: compiles %v, after stripping %v: %v", name, direct != nil, indirect != nil, found)
	}
	if direct != nil && !cmp.Equal(direct.Value(), indirect.Value()) {
		t.Fatalf("%s: two values for one schema", name)
	}
}
