package document_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/document"
)

// fixtures trigger one code each, and nothing else. Files are read as a tool of decode_test.go.
var fixtures = map[diag.Code]string{
	diag.CodeFileTooLarge:     strings.Repeat("#", document.MaxBytes+1),
	diag.CodeNotUTF8:          "name: \xff\n",
	diag.CodeMisplacedMark:    "name: a\uFEFF\n",
	diag.CodeControlCharacter: "name: \"\\0\"\n",
	diag.CodeLineSeparator:    "name: a # \u2028 # b\n",
	diag.CodeTooManyNodes:     "[" + strings.Repeat("a,", 300_000) + "]",
	diag.CodeTooDeep:          strings.Repeat("[", 49),
	diag.CodeAliasExpansion:   "a: &a [" + strings.Repeat("x,", 1000) + "]\nb: &b [" + strings.Repeat("*a,", 100) + "]\nc: [*b, *b, *b]\n",
	diag.CodeAliasCycle:       "a: &a [*a]\n",
	diag.CodeUnknownAnchor:    "name: *a\n",
	diag.CodeYAMLSyntax:       "name: a: b\n",
	diag.CodeSeveralDocuments: "name: a\n---\nname: b\n",
	diag.CodeYAMLDirective:    "%YAML 1.2\n---\nname: a\n",
	diag.CodeEmptyDocument:    "# nothing\n",
	diag.CodeDuplicateKey:     "name: a\nname: b\n",
	diag.CodeKeyNotString:     "name: a\nexclude: {1: x}\n",
	diag.CodeMergeKey:         "name: a\nexclude: {<<: {}}\n",
	diag.CodeYAMLTag:          "name: !x a\n",
	diag.CodeTagExpression:    "name: a\nschema: !has(x)\n",
	diag.CodeInexactNumber:    "name: a\nschema: 1e400\n",
	diag.CodeNotFinite:        "name: a\nschema: {a: .inf}\n",
	diag.CodeUnquotedScalar:   "name: 1.10\n",
	diag.CodeAmbiguousScalar:  "name: a\nschema: {enum: [no]}\n",
	diag.CodeWrongType:        "name: [a]\n",
	diag.CodeUnexpectedNull:   "name:\n",
	diag.CodeMissingField:     "effect: read\n",
	diag.CodeUnknownField:     "name: a\neffekt: read\n",
	diag.CodeUnknownWord:      "name: a\neffect: reads\n",
	diag.CodeNumberOutOfRange: "name: a\ncall_limit: 1001\n",
}

// elsewhere are the codes that need another test: a JSON file, many problems at once, a defect.
var elsewhere = map[diag.Code]string{
	diag.CodeJSONSyntax:   "TestParseJSONProblems",
	diag.CodeMoreProblems: "TestManyProblems",
	diag.CodeUnclearYAML:  "TestUnclear",
}

// R81: every code has a fixture that triggers it and only it; its texts lack no datum.
func TestEveryCodeHasAFixture(t *testing.T) {
	for _, e := range diag.Entries() {
		if e.Room != "document" || elsewhere[e.Code] != "" {
			continue
		}
		t.Run(string(e.Code), func(t *testing.T) {
			source, ok := fixtures[e.Code]
			if !ok {
				t.Fatal("no fixture")
			}
			f, found := document.Parse("a.yaml", []byte(source))
			if !diag.HasErrors(found) {
				var d document.Decoder
				readTool(&d, f)
				found = f.Diagnose(d.Problems()...)
			}
			var got []diag.Code
			for _, d := range found {
				got = append(got, d.Code)
				if text := d.Message() + d.Help(); strings.Contains(text, "[[") || strings.Contains(text, "{") {
					t.Errorf("a datum is missing: %s", text)
				}
			}
			if diff := cmp.Diff([]diag.Code{e.Code}, got); diff != "" {
				t.Error(diff)
			}
			if e.Explain == "" {
				t.Error("no explanation")
			}
		})
	}
}
