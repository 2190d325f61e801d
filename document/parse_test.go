package document_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/document"
)

// findings writes diagnostics as "line:column-line:column code".
func findings(all []diag.Diagnostic) []string {
	var out []string
	for _, d := range all {
		out = append(out, fmt.Sprintf("%d:%d-%d:%d %s",
			d.Place.Start.Line, d.Place.Start.Column, d.Place.End.Line, d.Place.End.Column, d.Code))
	}
	return out
}

// R80, R81, R82: every problem of reading has one code at one place.
func TestParseProblems(t *testing.T) {
	tests := []struct {
		name, source string
		want         []string
	}{
		{"not UTF-8", "a: \xff\n", []string{"1:4-1:5 not_utf8"}},
		{"UTF-16", "\xff\xfea\x00", []string{"1:1-1:2 not_utf8"}},
		{"second mark", "\uFEFF\uFEFFa: b\n", []string{"1:1-1:2 misplaced_byte_order_mark"}},
		{"raw control", "a: x\x07y\n", []string{"1:5-1:6 control_character"}},
		{"raw delete", "a: x\x7f\n", []string{"1:5-1:6 control_character"}},
		{"raw C1", "a: x\u009b\n", []string{"1:5-1:6 control_character"}},
		{"escaped control", "a: \"x\\u001by\"\n", []string{"1:6-1:12 control_character"}},
		{"short escaped control", "a: \"x\\e\"\n", []string{"1:6-1:8 control_character"}},
		{"escaped carriage return", "a: \"x\\r\"\n", []string{"1:6-1:8 control_character"}},
		{"NEL", "# a\u0085b: c\n", []string{"1:4-1:5 line_separator"}},
		{"LS in a text", "a: \"x\u2028y\"\n", []string{"1:6-1:7 line_separator"}},
		{"PS", "a: x\u2029\n", []string{"1:5-1:6 line_separator"}},
		{"lone CR", "a: b\rc: d\n", []string{"1:5-1:6 line_separator"}},
		{"alias cycle", "a: &x\n  b: *x\n", []string{"2:6-2:8 alias_cycle"}},
		{"self alias", "&x [*x]\n", []string{"1:5-1:7 alias_cycle"}},
		{"unknown anchor", "a: 1\nb: *nope\n", []string{"2:4-2:9 unknown_anchor"}},
		{"second document", "a: b\n---\nc: d\n", []string{"2:1-2:4 several_documents"}},
		{"second document after an end", "a: b\n...\nc: d\n", []string{"3:1-3:2 several_documents"}},
		{"empty first document", "---\n---\na: b\n", []string{"2:1-2:4 several_documents"}},
		{"directive", "%YAML 1.2\n---\na: b\n", []string{"1:1-1:10 yaml_directive"}},
		{"empty", "", []string{"1:1-1:1 empty_document"}},
		{"comment only", "# nothing\n", []string{"2:1-2:1 empty_document"}},
		{"mark only", "---\n", []string{"2:1-2:1 empty_document"}},
		{"duplicate key", "effect: write\nx: 1\neffect: read\n", []string{"3:1-3:7 duplicate_key"}},
		{"duplicate after decoding", "{\"a\": 1, \"\\x61\": 2, 'a': 3}\n",
			[]string{"1:10-1:16 duplicate_key", "1:21-1:24 duplicate_key"}},
		{"number key", "200: x\n", []string{"1:1-1:4 key_not_string"}},
		{"boolean key", "true: x\n", []string{"1:1-1:5 key_not_string"}},
		{"null key", "~: x\n", []string{"1:1-1:2 key_not_string"}},
		{"missing key", ": x\n", []string{"1:1-1:2 yaml_syntax"}},
		{"list key", "? [a]\n: x\n", []string{"1:3-1:6 key_not_string"}},
		{"word key", "on: x\n", []string{"1:1-1:3 key_not_string"}},
		{"date key", "2026-11-02: x\n", []string{"1:1-1:11 key_not_string"}},
		{"merge key", "a: &a {x: y}\nb:\n  <<: *a\n", []string{"3:3-3:5 merge_key"}},
		{"tag", "a: !x y\n", []string{"1:4-1:6 yaml_tag"}},
		{"binary", "a: !!binary aGk=\n", []string{"1:4-1:12 yaml_tag"}},
		{"standard tag that does not fit", "a: !!int x\n", []string{"1:4-1:9 yaml_tag"}},
		{"expression read as a tag", "deny: !has(args.x)\n", []string{"1:7-1:19 tag_expression"}},
		{"expression with more behind it", "deny: !has(args.x) && args.y > 1\nz: 1\n", []string{"1:7-1:19 tag_expression"}},
		{"negation with a space", "deny: ! has(args.x)\n", []string{"1:7-1:8 tag_expression"}},
		{"infinity", "a: .inf\n", []string{"1:4-1:8 not_finite"}},
		{"not a number", "a: [.NaN]\n", []string{"1:5-1:9 not_finite"}},
		{"inexact integer", "a: 9007199254740993\n", []string{"1:4-1:20 inexact_number"}},
		{"overflow", "a: 1e400\n", []string{"1:4-1:9 inexact_number"}},
		{"underflow", "a: 1e-400\n", []string{"1:4-1:10 inexact_number"}},
		{"huge exponent", "a: 1e99999999999999999999\n", []string{"1:4-1:26 inexact_number"}},
		{"tab", "a:\n\tb: c\n", []string{"2:1-2:2 yaml_syntax"}},
		{"second colon", "a: b: c\n", []string{"1:5-1:6 yaml_syntax"}},
		{"open quote", "a: 1\nb: \"x\nc: d\n", []string{"2:4-2:5 yaml_syntax"}},
		{"open bracket", "a: 1\nb: [x\nc: d\n", []string{"3:2-3:3 yaml_syntax"}},
		{"at sign", "a: @b\n", []string{"1:4-1:5 yaml_syntax"}},
		{"key without colon", "a: 1\nb\nc: 2\n", []string{"2:1-2:2 yaml_syntax"}},
		{"bad indentation", "a:\n  b: 1\n c: 2\n", []string{"3:2-3:3 yaml_syntax"}},
		{"unknown escape", "a: \"\\d\"\n", []string{"1:5-1:6 yaml_syntax"}},
		{"too deep flow", strings.Repeat("[", 49) + strings.Repeat("]", 49), []string{"1:49-1:50 too_deep"}},
		{"deep enough flow", strings.Repeat("[", 48) + strings.Repeat("]", 48), nil},
		{"several problems", "a: 1\na: 2\n<<: 3\n4: 5\n",
			[]string{"2:1-2:2 duplicate_key", "3:1-3:3 merge_key", "4:1-4:2 key_not_string"}},
		{"positions behind other line ends", "a: x # \u2028\r\nb: y\r\nb: z\r\n",
			[]string{"1:8-1:9 line_separator", "3:1-3:2 duplicate_key"}},
		{"fine", "---\na: b\nt: \"\\t\\n\\N\\L\"\nd: {y: 1, n: 2}\nq: \"<<\"\ns: !!str 1.10\n...\n", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, found := document.Parse("a.yaml", []byte(test.source))
			if diff := cmp.Diff(test.want, findings(found)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseJSONProblems(t *testing.T) {
	tests := []struct {
		name, source string
		want         []string
	}{
		{"duplicate member", "{\"a\": 1,\n \"\\u0061\": 2}", []string{"2:2-2:10 duplicate_key"}},
		{"inexact", "{\"a\": 9007199254740993}", []string{"1:7-1:23 inexact_number"}},
		{"comment", "{\"a\": 1 // x\n}", []string{"1:9-1:10 json_syntax"}},
		{"trailing comma", "[1,]", []string{"1:3-1:4 json_syntax"}},
		{"second value", "{} {}", []string{"1:4-1:5 json_syntax"}},
		{"too early", "{\"a\": ", []string{"1:7-1:7 json_syntax"}},
		{"empty", " \n", []string{"2:1-2:1 empty_document"}},
		{"escaped control", "{\"a\": \"\\u0007\"}", []string{"1:8-1:14 control_character"}},
		{"half a pair", `{"a": "\ud800"}`, []string{"1:8-1:14 json_syntax"}},
		{"too deep", strings.Repeat("[", 49) + strings.Repeat("]", 49), []string{"1:49-1:49 too_deep"}},
		{"fine", "\uFEFF{\"a\": [1, 2.50, true, null, \"\\ud83d\\ude00\u2028\"]}\r\n", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, found := document.Parse("a.json", []byte(test.source))
			if diff := cmp.Diff(test.want, findings(found)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFileTooLarge(t *testing.T) {
	_, found := document.Parse("a.yaml", make([]byte, document.MaxBytes+1))
	if len(found) != 1 || found[0].Code != diag.CodeFileTooLarge {
		t.Errorf("findings: %v", findings(found))
	}
}

// The mistakes that are made often get a remedy that mends them.
func TestSyntaxRemedies(t *testing.T) {
	tests := []struct{ name, source, place, remedy, began string }{
		{"expression that begins with a quote", "deny: \"a\" == args.x\n", "1:11",
			"quote the whole value, with the other kind of quotes around it", "1:7"},
		{"apostrophe", "message: 'It's\n", "1:14", "quote the whole value, with the other kind of quotes around it", "1:10"},
		{"no space behind the colon", "a:b\nc: d\n", "2:2",
			"write a space behind the colon where it began, or indent this line like its neighbours", "1:1"},
		{"colon in a text", "a: Say \"hi\": now\n", "1:12",
			"quote the value if the colon belongs to it, or put the inner map on its own lines", ""},
		{"tab", "a:\n  b: c\n\td: e\n", "3:1", "indent by spaces", "2:6"},
		{"bracket", "a: [b]]\n", "1:7", "remove it", ""},
		{"open list", "a: [b, c\nd: e\n", "2:2", "separate the items by `, ` and close it by `]`", "1:4"},
		{"open quote", "x: 1\na: \"b\nc: d\n", "2:4", "close the quote", ""},
		{"bare asterisk", "a: *\n", "1:5", "quote the value", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, found := document.Parse("a.yaml", []byte(test.source))
			if len(found) != 1 || found[0].Code != diag.CodeYAMLSyntax {
				t.Fatal(findings(found))
			}
			place, began := found[0].Place.Start, ""
			for _, n := range found[0].Notes {
				began = fmt.Sprintf("%d:%d", n.Place.Start.Line, n.Place.Start.Column)
			}
			got := []string{fmt.Sprintf("%d:%d", place.Line, place.Column), found[0].Help(), began}
			if diff := cmp.Diff([]string{test.place, test.remedy, test.began}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
