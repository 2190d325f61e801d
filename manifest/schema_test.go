package manifest

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/document"
)

// The published schemas and the readers accept and refuse the same documents, as far as form goes.
func TestSchemasAgreeWithReaders(t *testing.T) {
	readers := map[string]func(*document.File) []diag.Diagnostic{
		"project":   func(f *document.File) []diag.Diagnostic { _, d := DecodeProject(f); return d },
		"catalogue": func(f *document.File) []diag.Diagnostic { _, d := DecodeCatalogue(f); return d },
		"tests":     func(f *document.File) []diag.Diagnostic { _, d := DecodeTests(f); return d },
		"lock":      func(f *document.File) []diag.Diagnostic { _, d := DecodeLock(f); return d },
	}
	for name, cases := range formCases() {
		compiled := compileSchema(t, name)
		for _, source := range cases {
			file, problems := document.Parse(name+".yaml", []byte(source.text))
			if file.Root == nil || len(problems) > 0 {
				t.Fatalf("%s: the case is no sound YAML: %v\n%s", name, problems, source.text)
			}
			found := readers[name](file)
			accepted := !diag.HasErrors(found)
			schemaError := compiled.Validate(decoded(t, file))
			if accepted != source.ok || (schemaError == nil) != source.ok {
				t.Errorf("%s: want ok=%v, the reader found %v, the schema %v:\n%s", name, source.ok, codes(found), schemaError, source.text)
			}
		}
	}
}

func codes(all []diag.Diagnostic) []diag.Code {
	var out []diag.Code
	for _, d := range all {
		out = append(out, d.Code)
	}
	return out
}

func compileSchema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(JSONSchema(name)))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(name, value); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// decoded gives the document as the validator's types.
func decoded(t *testing.T, file *document.File) any {
	t.Helper()
	return file.Root.Value()
}

type formCase struct {
	ok   bool
	text string
}
