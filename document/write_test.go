package document_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/document"
)

func TestWrite(t *testing.T) {
	value := document.Pairs{
		{"schema", "seif.tool-catalogue.v1"},
		{"name", "shop"},
		{"tool_contracts", document.Pairs{
			{"order.find", document.Pairs{
				{"version", "1.10"},
				{"description", "Find orders.\nNewest first.\n"},
				{"effect", "read"},
				{"schema", document.Flow{Value: map[string]any{"type": "object", "enum": []any{"no", "en", nil, true, json.Number("1e2")}}}},
				{"claims", map[string]any{}},
			}},
		}},
		{"list", []any{"a", []any{"b", document.Pairs{{"c", "d"}, {"e", []any{}}}}, document.Pairs{{"y", "it's: so"}}}},
		{"hidden\u200b", "x\U000E0020 \u0085"},
	}
	got, err := document.Write(value)
	if err != nil {
		t.Fatal(err)
	}
	want := `schema: seif.tool-catalogue.v1
name: shop
tool_contracts:
  order.find:
    version: "1.10"
    description: |
      Find orders.
      Newest first.
    effect: read
    schema: {enum: ["no", en, null, true, 100], type: object}
    claims: {}
list:
  - a
  - - b
    - c: d
      e: []
  - "y": "it's: so"
"hidden\u200b": "x\U000E0020 \u0085"
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWriteScalarsAndKeys(t *testing.T) {
	for value, want := range map[string]string{
		"":                        "\"\"\n",
		"a":                       "a\n",
		"a\nb":                    "|-\n  a\n  b\n",
		"a\n\n\n":                 "\"a\\n\\n\\n\"\n",
		" a":                      "\" a\"\n",
		"null":                    "\"null\"\n",
		"~":                       "\"~\"\n",
		"2026-11-02":              "\"2026-11-02\"\n",
		"sha256:00":               "sha256:00\n",
		"12:30":                   "\"12:30\"\n",
		"---":                     "\"---\"\n",
		"<<":                      "\"<<\"\n",
		"Português, é":            "\"Português, é\"\n",
		"!has(x)":                 "\"!has(x)\"\n",
		strings.Repeat("k", 2000): strings.Repeat("k", 2000) + "\n",
	} {
		got, err := document.Write(value)
		if err != nil || string(got) != want {
			t.Errorf("%q: %q, %v", value, got, err)
		}
	}
	long := strings.Repeat("k", 2000)
	if _, err := document.Write(map[string]any{long: map[string]any{long: []any{"x"}}}); err != nil {
		t.Error(err)
	}
	if _, err := document.Write(document.Flow{Value: map[string]any{long: "x"}}); err != nil {
		t.Error(err)
	}
}

func TestWriteRefuses(t *testing.T) {
	deep := any("x")
	for range 60 {
		deep = []any{deep}
	}
	for name, value := range map[string]any{
		"control": "a\x07", "not UTF-8": "a\xff", "inexact": json.Number("9007199254740993"), "no JSON": 3,
		"deep": deep, "too many": make([]any, document.MaxNodes+1), "same name twice": document.Pairs{{"a", "b"}, {"a", "c"}},
	} {
		if got, err := document.Write(value); err == nil {
			t.Errorf("%s: written as %.40q", name, got)
		}
	}
}
