package definition_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

func value(t testing.TB, text string) canonical.Value {
	t.Helper()
	v, err := canonical.Parse([]byte(text), canonical.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func blob(text string) definition.Blob {
	return definition.Blob{Digest: digest.Of([]byte(text)), Size: int64(len(text))}
}

func lookup(t testing.TB) definition.Contract {
	t.Helper()
	return definition.Contract{
		ID: "grade.lookup", Version: "1.2.0", Description: "Look up one grade.", Effect: definition.Read,
		Schema: value(t, `{"type":"object","additionalProperties":false,"required":["student"],"properties":{"student":{"type":"string","maxLength":40}}}`),
		Result: value(t, `{"type":"object","properties":{"grade":{"type":"number"}}}`),
	}.Normalized()
}

func enroll(t testing.TB) definition.Contract {
	t.Helper()
	return definition.Contract{
		ID: "course.enroll", Version: "2.0.0-rc.1", Description: "Enrol one student.", Effect: definition.Write, CallLimit: 2,
		Schema: value(t, `{"type":"object","additionalProperties":false,"properties":{"course":{"type":"string"}}}`),
	}.Normalized()
}

func pinned(t testing.TB, c definition.Contract) definition.Tool {
	t.Helper()
	f, err := c.Fingerprint()
	if err != nil {
		t.Fatal(err)
	}
	return definition.Tool{Contract: c, Fingerprint: f}
}

// estuda is a sound definition with everything in it; tests change it.
func estuda(t testing.TB) *definition.Definition {
	t.Helper()
	return &definition.Definition{
		Version: definition.V2, Project: "estuda", Description: "Study assistant.", Estimator: definition.Estimator,
		ToolSchemaProfile: definition.ToolSchemaProfile, Expressions: definition.ExpressionDialect,
		Inputs: value(t, `{"type":"object","required":["student_id"],"properties":{
			"student_id":{"type":"string","maxLength":40},
			"exam":{"type":"boolean"},
			"lesson":{"type":"array","maxItems":3,"items":{"type":"string","maxLength":100}}}}`),
		Forward:    []string{"exam", "student_id"},
		Objectives: map[string]string{"explain": "Explain a concept.", "plan": "Plan a review."},
		Sources: map[string]definition.Source{
			"rules":  {Blob: blob("Rules.\n")},
			"flags":  {Blob: blob("Flags.\n"), NoPlaceholders: true, AllowCharacters: []definition.AllowedCharacters{{Characters: "U+E0020..U+E007F", Reason: "Flags of regions."}}},
			"notes":  {Blob: blob("Notes.\n"), Untrusted: true},
			"lesson": {Input: "lesson"},
		},
		Tools: map[string]definition.Tool{"grade.lookup": pinned(t, lookup(t)), "enroll": pinned(t, enroll(t))},
		Policies: map[string]definition.Policy{
			"own":  {Profiles: []string{"student"}, Objectives: []string{"plan"}, Tools: []string{"grade.lookup"}, Deny: "args.student != inputs.student_id", Message: "Only their own."},
			"stop": {AllTools: true, Deny: "has(inputs.exam) && inputs.exam"},
		},
		Profiles: map[string]definition.Profile{
			"student": {
				BudgetTokens: 60000, Objectives: []string{"explain", "plan"}, Requires: []string{"lesson"},
				Context: []definition.ContextEntry{{Source: "rules"}, {Source: "flags", Objectives: []string{"plan"}, When: "has(inputs.exam)"}, {Source: "lesson"}},
				Include: map[string]definition.Inclusion{
					"grade.lookup": {},
					"enroll":       {Objectives: []string{"plan"}, Required: true, CallLimit: 1, When: "has(inputs.exam)"},
				},
			},
			"guest": {BudgetTokens: 1, Context: []definition.ContextEntry{{Source: "notes"}}, Exclude: map[string]string{"enroll": "Done by staff."}},
		},
		Tests: blob(`{"schema":"seif.tests.v1","tests":{}}`),
	}
}

// places lists problems as `code pointer`, notes behind them.
func places(problems []diag.Problem) []string {
	var out []string
	for _, p := range problems {
		out = append(out, string(p.Code)+" "+p.Target.Pointer)
	}
	return out
}

// codeRow makes sure that a problem has a row in the code table and brings every datum that the row's message names.
func codeRow(t testing.TB, p diag.Problem) {
	t.Helper()
	if _, ok := diag.Lookup(string(p.Code)); !ok {
		t.Errorf("%s has no row in the code table", p.Code)
	}
	d := diag.At(nowhere{}, p)[0]
	for _, text := range []string{d.Message(), d.Help()} {
		if open := strings.IndexByte(text, '{'); open >= 0 && slices.ContainsFunc([]string{"id}", "name}", "found}", "why}", "form}", "what}", "value}"}, func(s string) bool { return strings.HasPrefix(text[open+1:], s) }) {
			t.Errorf("%s: a datum is missing: %s", p.Code, text)
		}
	}
}

type nowhere struct{}

func (nowhere) Locate(target diag.Target) diag.Place { return diag.Place{Pointer: target.Pointer} }

func mustDecode(t testing.TB, data []byte) *definition.Definition {
	t.Helper()
	def, problems := definition.Decode(data)
	if len(problems) > 0 {
		t.Fatalf("%s\n%s", data, fmt.Sprint(places(problems)))
	}
	return def
}
