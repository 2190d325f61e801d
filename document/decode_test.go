package document_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/document"
)

// toolShape is what the decoder tests read: one field of each kind.
type toolShape struct {
	Name, Effect string
	Limit        int
	Active       bool
	Tags         []string
	Schema       canonical.Value
	Exclude      map[string]string
}

func readTool(d *document.Decoder, f *document.File) toolShape {
	var t toolShape
	o := d.Root(f).Object()
	t.Name = o.Required("name").String()
	t.Effect = o.Optional("effect").Word("read", "write", "undecided")
	t.Limit = o.Optional("call_limit").Int(1, 1000)
	t.Active = o.Optional("active").Bool()
	t.Tags = o.Optional("tags").Strings()
	t.Schema = o.Optional("schema").Value()
	o.Optional("exclude").Map(func(key string, value document.Field) {
		if t.Exclude == nil {
			t.Exclude = map[string]string{}
		}
		t.Exclude[key] = value.String()
	})
	o.Done()
	return t
}

func TestDecode(t *testing.T) {
	f, found := document.Parse("a.yaml", []byte(`
name: lesson.find
effect: read
call_limit: 3
active: true
tags: [a, "no"]
schema: {type: object, maximum: 1e2, default: null, enum: ["yes", true]}
exclude: {x: reason}
`))
	if len(found) > 0 {
		t.Fatal(findings(found))
	}
	var d document.Decoder
	got := readTool(&d, f)
	if len(d.Problems()) > 0 {
		t.Errorf("problems: %v", findings(f.Diagnose(d.Problems()...)))
	}
	want := toolShape{Name: "lesson.find", Effect: "read", Limit: 3, Active: true, Tags: []string{"a", "no"},
		Exclude: map[string]string{"x": "reason"}}
	schema := got.Schema
	got.Schema = nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("value (-want +got):\n%s", diff)
	}
	text, err := canonical.Marshal(schema)
	if err != nil || string(text) != `{"default":null,"enum":["yes",true],"maximum":100,"type":"object"}` {
		t.Errorf("schema %s, %v", text, err)
	}
}

// R82, R80: each wrong field is one problem at its own place.
func TestDecodeProblems(t *testing.T) {
	tests := []struct {
		name, source string
		want         []string
		help         string
	}{
		{"version loses a digit", "name: 1.10\n", []string{"1:7-1:11 unquoted_scalar"}, `quote it: "1.10"`},
		{"word", "name: no\n", []string{"1:7-1:9 unquoted_scalar"}, `quote it: "no"`},
		{"letter", "name: y\n", []string{"1:7-1:8 unquoted_scalar"}, `quote it: "y"`},
		{"octal", "name: 0o17\n", []string{"1:7-1:11 unquoted_scalar"}, `quote it: "0o17"`},
		{"leading zero", "name: 017\n", []string{"1:7-1:10 unquoted_scalar"}, `quote it: "017"`},
		{"date", "name: 2026-11-02\n", []string{"1:7-1:17 unquoted_scalar"}, `quote it: "2026-11-02"`},
		{"time", "name: 12:30\n", []string{"1:7-1:12 unquoted_scalar"}, `quote it: "12:30"`},
		{"boolean", "name: true\n", []string{"1:7-1:11 unquoted_scalar"}, `quote it: "true"`},
		{"null word", "name: null\n", []string{"1:7-1:11 unquoted_scalar"}, `quote it: "null"`},
		{"tilde", "name: ~\n", []string{"1:7-1:8 unquoted_scalar"}, `quote it: "~"`},
		{"no value", "name:\n", []string{"1:1-1:5 unexpected_null"}, "write a string, or remove the field"},
		{"list", "name: [a]\n", []string{"1:7-1:10 wrong_type"}, "write a string"},
		{"block list", "name:\n  - a\n", []string{"1:1-1:5 wrong_type"}, "write a string"},
		{"missing", "effect: read\n", []string{"1:1-1:1 missing_field"}, "add `name:`"},
		{"unknown", "name: a\ncall_limt: 3\n", []string{"2:1-2:10 unknown_field"},
			"known fields: active, call_limit, effect, exclude, name, schema, tags"},
		{"unknown word", "name: a\neffect: raed\n", []string{"2:9-2:13 unknown_word"}, "write one of: read, write, undecided"},
		{"empty word", "name: a\neffect: ''\n", []string{"2:9-2:11 unknown_word"}, "write one of: read, write, undecided"},
		{"leading zero as a number", "name: a\ncall_limit: 017\n", []string{"2:13-2:16 ambiguous_scalar"},
			"quote it, or write 17 (15 if octal is meant)"},
		{"octal as a number", "name: a\ncall_limit: 0o17\n", []string{"2:13-2:17 ambiguous_scalar"}, "quote it, or write 15"},
		{"underscore", "name: a\ncall_limit: 1_000\n", []string{"2:13-2:18 ambiguous_scalar"}, "quote it, or write 1000"},
		{"out of range", "name: a\ncall_limit: 0\n", []string{"2:13-2:14 number_out_of_range"}, "write a whole number from 1 to 1000"},
		{"fraction", "name: a\ncall_limit: 1.5\n", []string{"2:13-2:16 number_out_of_range"}, "write a whole number from 1 to 1000"},
		{"text for a number", "name: a\ncall_limit: \"3\"\n", []string{"2:13-2:16 wrong_type"}, "write a number"},
		{"word for a boolean", "name: a\nactive: yes\n", []string{"2:9-2:12 ambiguous_scalar"}, "write true or false"},
		{"text for a boolean", "name: a\nactive: \"true\"\n", []string{"2:9-2:15 wrong_type"}, "write a boolean"},
		{"text for a list", "name: a\ntags: x\n", []string{"2:7-2:8 wrong_type"}, "write a list"},
		{"word in a list", "name: a\ntags: [en, no]\n", []string{"2:12-2:14 unquoted_scalar"}, `quote it: "no"`},
		{"list for a map", "name: a\nexclude: [x]\n", []string{"2:10-2:13 wrong_type"}, "write a map"},
		{"word in a schema", "name: a\nschema: {enum: [en, no]}\n", []string{"2:21-2:23 ambiguous_scalar"},
			"quote it, or write true or false"},
		{"date in a schema", "name: a\nschema: {default: 2026-11-02}\n", []string{"2:19-2:29 ambiguous_scalar"}, "quote it"},
		{"tilde in a schema", "name: a\nschema: {default: ~}\n", []string{"2:19-2:20 ambiguous_scalar"}, "quote it, or write null"},
		{"hex in a schema", "name: a\nschema: {maximum: 0xFF}\n", []string{"2:19-2:23 ambiguous_scalar"}, "quote it, or write 255"},
		{"not a map", "- a\n", []string{"1:1-1:1 wrong_type"}, "write a map"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, found := document.Parse("a.yaml", []byte(test.source))
			if len(found) > 0 {
				t.Fatal(findings(found))
			}
			var d document.Decoder
			readTool(&d, f)
			placed := f.Diagnose(d.Problems()...)
			if diff := cmp.Diff(test.want, findings(placed)); diff != "" {
				t.Fatalf("findings (-want +got):\n%s", diff)
			}
			if got := placed[0].Help(); got != test.help {
				t.Errorf("help %q, want %q", got, test.help)
			}
		})
	}
}

// A document that could not be read at all gives zero values and no further problems.
func TestDecodeNothing(t *testing.T) {
	f, _ := document.Parse("a.yaml", []byte("a: [\n"))
	var d document.Decoder
	o := d.Root(f).Object()
	o.Required("x").Object().Required("y").Each(func(document.Field) { t.Error("called") })
	o.Done()
	if len(d.Problems()) > 0 {
		t.Errorf("problems: %v", d.Problems())
	}
}
