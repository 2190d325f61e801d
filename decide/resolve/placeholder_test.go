package resolve

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/diag"
)

// written shows pieces in one line: literals quoted by bars, inputs by angle brackets.
func written(pieces []piece) string {
	var b strings.Builder
	for _, p := range pieces {
		if p.input != "" {
			b.WriteString("<" + p.input + ">")
		} else {
			b.WriteString("|" + p.literal + "|")
		}
	}
	return b.String()
}

func TestPlaceholderGrammar(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "",
		"plain":                          "|plain|",
		"{{inputs.a}}":                   "<a>",
		"{{    inputs.a   }}":            "<a>",
		"x {{ inputs.a }} y":             "|x |<a>| y|",
		"{{ inputs.a }}{{ inputs._B9 }}": "<a><_B9>",
		`\{{ inputs.a }}`:                "|{{ inputs.a }}|",
		`\\{{ inputs.a }}`:               `|\{{ inputs.a }}|`,
		`\{{{{ inputs.a }}`:              "|{{|<a>",
		"} }} { single {":                "|} }} { single {|",
		"é{{ inputs.a }}é":               "|é|<a>|é|",
		"{{ inputs.a }}}}":               "<a>|}}|",
		"{{ inputs." + strings.Repeat("a", 64) + " }}": "<" + strings.Repeat("a", 64) + ">",
	} {
		pieces, problems := parsePlaceholders(text, "")
		if len(problems) > 0 || written(pieces) != want {
			t.Errorf("%q: %s, %v; want %s", text, written(pieces), problems, want)
		}
	}
}

func TestPlaceholdersThatAreNone(t *testing.T) {
	for text, span := range map[string]string{
		"a {{":                                 "{{",
		"a {{ inputs.a":                        "{{",
		"a {{ inputs.a }":                      "{{",
		"a {{ inputs.a\n}}":                    "{{",
		"{{}}":                                 "{{}}",
		"{{ a }}":                              "{{ a }}",
		"{{ inputs }}":                         "{{ inputs }}",
		"{{ inputs. }}":                        "{{ inputs. }}",
		"{{ inputs.a.b }}":                     "{{ inputs.a.b }}",
		"{{ inputs.9 }}":                       "{{ inputs.9 }}",
		"{{ inputs.é }}":                       "{{ inputs.é }}",
		"{{ inputs .a }}":                      "{{ inputs .a }}",
		"{{\tinputs.a }}":                      "{{\tinputs.a }}",
		"{{ INPUTS.a }}":                       "{{ INPUTS.a }}",
		"{{ #if inputs.a }}":                   "{{ #if inputs.a }}",
		"{{" + strings.Repeat(" ", 300) + "}}": "{{",
		"{{ inputs." + strings.Repeat("a", 65) + " }}": "{{ inputs." + strings.Repeat("a", 65) + " }}",
	} {
		_, problems := parsePlaceholders(text, "/sources/s")
		if len(problems) != 1 || problems[0].Code != diag.CodePlaceholderMalformed {
			t.Errorf("%q: %v", text, problems)
			continue
		}
		at := problems[0].Target
		if got := text[at.Offset : at.Offset+at.Length]; got != span || at.Part != diag.PartText {
			t.Errorf("%q: points at %q, want %q", text, got, span)
		}
	}
	if _, problems := parsePlaceholders(strings.Repeat("{{ ", 100_000), ""); len(problems) != maxMalformed {
		t.Errorf("%d problems of a hostile text", len(problems))
	}
}

func TestCharactersThatCannotBeInserted(t *testing.T) {
	for value, want := range map[string]string{
		"Ana María": "", "O'Brien, 3rd; é 漢字 עברית 😀": "", "❤\uFE0F": "", "": "",
		"a\nb": "line end", "a\rb": "line end", "a\u2028b": "line end", "a\u0085b": "line end",
		"a\tb": "control", "a\x00": "control", "a\u009f": "control", "\x7f": "control",
		"a\u202eb": diag.ClassBidi, "a\u200bb": diag.ClassZeroWidth, "a\U000E0041": diag.ClassTag, "\ufeffa": diag.ClassMark, "a\u00adb": diag.ClassSoftHyphen,
	} {
		if got := refusedClass(value); got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
}

func FuzzPlaceholders(f *testing.F) {
	for _, seed := range []string{"{{ inputs.a }}", `\{{`, "{{", "}}", "a {{ b }} \\{{{ inputs.c }}", "{{ inputs.a }}{{", "\xff{{\xfe}}"} {
		f.Add(seed)
	}
	f.Add("{\\{{{")
	f.Fuzz(func(t *testing.T, text string) {
		pieces, problems := parsePlaceholders(text, "")
		for _, p := range problems {
			if at := p.Target; at.Offset < 0 || at.Offset+at.Length > len(text) || !strings.HasPrefix(text[at.Offset:], "{{") {
				t.Fatalf("%q: a problem at %v", text, at)
			}
		}
		if len(problems) > 0 {
			return
		}
		end := 0
		for _, p := range pieces {
			if p.offset != end || p.length <= 0 {
				t.Fatalf("%q: pieces leave a gap at %d: %+v", text, end, pieces)
			}
			end += p.length
			if p.input != "" && !isInputName(p.input) {
				t.Fatalf("%q: the name %q", text, p.input)
			}
		}
		if end != len(text) {
			t.Fatalf("%q: pieces end at %d", text, end)
		}
		for _, p := range pieces {
			if p.input != "" {
				continue
			}
			raw := text[p.offset : p.offset+p.length]
			if strings.Contains(strings.ReplaceAll(raw, `\{{`, "_"), "{{") || p.literal != strings.ReplaceAll(raw, `\{{`, "{{") {
				t.Fatalf("%q: %q became literal %q", text, raw, p.literal)
			}
		}
	})
}

func TestNamesOfTools(t *testing.T) {
	if diff := cmp.Diff("a, b", enumerate([]string{"a", "b"})); diff != "" {
		t.Error(diff)
	}
}
