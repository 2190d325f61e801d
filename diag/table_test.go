package diag_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/diag"
)

// suppressibleErrors are the errors that a suppression may silence. None yet: whoever adds one says here that it
// guards neither authority nor integrity and leaves the result meaningful.
var suppressibleErrors = []diag.Code{}

var (
	codeShape   = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	placeholder = regexp.MustCompile(`\{[a-z][a-z0-9_]*\}`)
)

// The laws of the code table. R80.
func TestTable(t *testing.T) {
	names := map[string]diag.Code{}
	for _, e := range diag.Entries() {
		t.Run(string(e.Code), func(t *testing.T) {
			for _, name := range append([]string{string(e.Code)}, e.Aliases...) {
				if other, taken := names[name]; taken {
					t.Errorf("%s is already the name of %s", name, other)
				}
				names[name] = e.Code
				if found, ok := diag.Lookup(name); !ok || found.Code != e.Code {
					t.Errorf("Lookup(%q) = %s, %v", name, found.Code, ok)
				}
			}
			if !codeShape.MatchString(string(e.Code)) {
				t.Error("the code is not made of lower-case words")
			}
			if e.Message == "" || e.Room == "" {
				t.Error("message and room are required")
			}
			if e.Help == "" && e.Severity != diag.Info {
				t.Error("errors and warnings need a help")
			}
			for kind, text := range map[string]string{"message": e.Message, "help": e.Help} {
				checkTemplate(t, kind, text)
			}
			if diag.EscapeLines(e.Explain) != e.Explain {
				t.Error("the explanation has a character that cannot be printed")
			}
			if e.Severity == diag.Error && e.Suppressible && !slices.Contains(suppressibleErrors, e.Code) {
				t.Error("an error that can be suppressed is not on the list of those")
			}
			if e.Severity != e.Code.Severity() {
				t.Error("Severity differs from the table")
			}
		})
	}
	if len(names) < 20 {
		t.Errorf("only %d names", len(names))
	}
}

func checkTemplate(t *testing.T, kind, text string) {
	t.Helper()
	if strings.HasSuffix(text, ".") {
		t.Errorf("the %s ends in a full stop: %s", kind, text)
	}
	if diag.Escape(text) != text || strings.TrimSpace(text) != text {
		t.Errorf("the %s is not one clean line: %q", kind, text)
	}
	depth := 0
	for rest := text; rest != ""; {
		switch {
		case strings.HasPrefix(rest, "[["):
			depth, rest = depth+1, rest[2:]
		case strings.HasPrefix(rest, "]]"):
			depth, rest = depth-1, rest[2:]
		default:
			rest = rest[1:]
		}
		if depth < 0 || depth > 1 {
			t.Fatalf("the %s has brackets that do not pair: %s", kind, text)
		}
	}
	if depth != 0 {
		t.Errorf("the %s has brackets that do not pair: %s", kind, text)
	}
	for _, part := range strings.Split(text, "[[")[1:] {
		if inside, _, _ := strings.Cut(part, "]]"); !placeholder.MatchString(inside) {
			t.Errorf("the %s has an optional part without a datum: %s", kind, inside)
		}
	}
}

func TestUnknownCodesWeighMost(t *testing.T) {
	if got := diag.Code("of_a_later_release").Severity(); got != diag.Error {
		t.Errorf("got %v", got)
	}
	if _, ok := diag.Lookup(""); ok {
		t.Error("the empty name is a code")
	}
}

// R80: the order is total over what is printed.
func TestSortIsTotal(t *testing.T) {
	note := func(d diag.Diagnostic, n ...diag.PlacedNote) diag.Diagnostic { d.Notes = n; return d }
	base := diag.AtPlace(at("b.yaml", 2, "a: b", "b"), diag.CodeTestNotCovered, "what", "m")
	noted := func(text string) diag.PlacedNote {
		return diag.PlacedNote{Kind: diag.NoteDetail, Data: diag.Data{"text": text}}
	}
	want := []diag.Diagnostic{
		diag.AtPlace(diag.Place{}, diag.CodeTestNotCovered, "what", "z"),
		diag.AtPlace(at("a.yaml", 9, "a: b", "b"), diag.CodeTestNotCovered, "what", "z"),
		diag.AtPlace(at("b.yaml", 1, "a: b", "b"), diag.CodeTestNotCovered, "what", "z"),
		diag.AtPlace(at("b.yaml", 2, "a: b", "b"), diag.CodeNoTests),
		diag.AtPlace(at("b.yaml", 2, "a: b", "b"), diag.CodeTestNotCovered, "what", "l"),
		base,
		note(base, noted("a")),
		note(base, noted("a"), noted("b")),
		note(base, noted("b")),
		diag.AtPlace(at("b.yaml", 2, "a: b", "b"), diag.CodeTestNotCovered, "what", "m", "x", "1"),
		diag.AtPlace(at("b.yaml", 2, "a: b", "b"), diag.CodeTestNotCovered, "what", "m", "x", "2"),
		diag.AtPlace(at("b.yaml", 2, "a: b", "b"), diag.CodeTestNotCovered, "what", "n"),
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		list := slices.Concat(want, want[3:7])
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		before := slices.Clone(list)
		if d := cmp.Diff(want, diag.Sort(list)); d != "" {
			t.Fatalf("(-want +got):\n%s", d)
		}
		if d := cmp.Diff(before, list); d != "" {
			t.Fatalf("Sort changed its argument:\n%s", d)
		}
	}
}

func TestExplain(t *testing.T) {
	for _, e := range diag.Entries() {
		for _, name := range append([]string{string(e.Code)}, e.Aliases...) {
			var b bytes.Buffer
			if err := diag.Explain(&b, name); err != nil {
				t.Fatal(err)
			}
			got := b.String()
			shown(t, got, true)
			for _, want := range append([]string{e.Severity.String(), string(e.Code), e.Explain, e.Room}, e.Aliases...) {
				if !strings.Contains(got, strings.TrimSpace(want)) {
					t.Errorf("%s does not say %q", name, want)
				}
			}
			if strings.Contains(got, "cannot be suppressed") == e.Suppressible {
				t.Errorf("%s does not say whether it may be suppressed", name)
			}
		}
	}
	var b bytes.Buffer
	if err := diag.Explain(&b, string(diag.CodeTestNotCovered)); err != nil {
		t.Fatal(err)
	}
	golden(t, "explain.golden", b.String())
}

func TestExplainOfAnUnknownCode(t *testing.T) {
	for name, want := range map[string]string{
		"not_coverd":                     "there is no code not_coverd; did you mean not_covered?",
		"NOT-COVERED":                    "there is no code NOT-COVERED; did you mean not_covered?",
		"\x1b[2J":                        `there is no code \u{001B}[2J`,
		"":                               "there is no code ",
		strings.Repeat("not_covered", 9): "there is no code " + strings.Repeat("not_covered", 9),
	} {
		var b bytes.Buffer
		err := diag.Explain(&b, name)
		var unknown *diag.UnknownCode
		if !errors.As(err, &unknown) || err.Error() != want || b.Len() > 0 {
			t.Errorf("%q: %v, %q written", name, err, &b)
		}
	}
}

func TestIndexHasEveryCodeOnce(t *testing.T) {
	var a, b bytes.Buffer
	if err := errors.Join(diag.WriteIndex(&a), diag.WriteIndex(&b)); err != nil {
		t.Fatal(err)
	}
	if a.String() != b.String() {
		t.Error("two runs differ")
	}
	shown(t, a.String(), true)
	var headings, want []string
	for line := range strings.Lines(a.String()) {
		if code, ok := strings.CutPrefix(line, "## "); ok {
			headings = append(headings, strings.Trim(code, "`\n"))
		}
	}
	for _, e := range diag.Entries() {
		want = append(want, string(e.Code))
	}
	if d := cmp.Diff(want, headings); d != "" {
		t.Error(d)
	}
}

func BenchmarkLookup(b *testing.B) {
	for b.Loop() {
		if diag.CodeSchemaTitle.Severity() != diag.Info {
			b.Fatal("wrong severity")
		}
	}
}

func BenchmarkSort(b *testing.B) {
	var list []diag.Diagnostic
	for i := range 10_000 {
		list = append(list, diag.AtPlace(at("a.yaml", (i*7919)%10_000, "title: x", "title"), diag.CodeSchemaTitle, "keyword", "title"))
	}
	for b.Loop() {
		diag.Sort(list)
	}
}
