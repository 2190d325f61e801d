package resolve_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/diag"
)

func TestPrepareFindsWhatIsWrong(t *testing.T) {
	type change = func(def *definition.Definition, texts map[string]string)
	profile := func(edit func(p *definition.Profile)) change {
		return func(def *definition.Definition, _ map[string]string) {
			p := def.Profiles["customer"]
			edit(&p)
			def.Profiles["customer"] = p
		}
	}
	policy := func(p definition.Policy) change {
		return func(def *definition.Definition, _ map[string]string) { def.Policies["new"] = p }
	}
	text := func(body string) change {
		return func(_ *definition.Definition, texts map[string]string) { texts["tone"] = body }
	}
	for name, c := range map[string]struct {
		change change
		want   []string
		data   diag.Data // of the first finding
		span   string    // in the text or expression that the first finding is about
	}{
		"nothing": {func(*definition.Definition, map[string]string) {}, []string{}, nil, ""},
		"a text is missing": {
			func(_ *definition.Definition, texts map[string]string) { delete(texts, "rules") },
			[]string{"source_text_missing /sources/rules"}, diag.Data{"source": "rules"}, ""},
		"a secret in a text":       {text("Use AKIA" + "IOSFODNN7ABCDEFG."), []string{"secret /sources/tone"}, nil, "AKIA" + "IOSFODNN7ABCDEFG"},
		"tag characters in a text": {text("Hi\U000E0041!"), []string{"text_hidden /sources/tone"}, nil, "\U000E0041"},
		"declared characters in a text": {
			func(def *definition.Definition, texts map[string]string) {
				def.Sources["tone"] = definition.Source{AllowCharacters: []definition.AllowedCharacters{{Characters: "U+E0041", Reason: "a flag"}}}
				texts["tone"] = "Hi\U000E0041!"
			}, []string{}, nil, ""},
		"more policies than anybody can check": {
			policy(definition.Policy{Tools: slices.Repeat([]string{"order.find"}, 500_000), Deny: "false"}),
			[]string{"policies_too_large /policies/new"}, nil, ""},
		"an unknown estimator": {
			func(def *definition.Definition, _ map[string]string) { def.Estimator = "seif-est/9" },
			[]string{"estimator_unknown /estimator"}, nil, ""},
		"an unknown dialect": {
			func(def *definition.Definition, _ map[string]string) { def.Expressions = "cel/9" },
			[]string{"dialect_unknown /expressions"}, nil, ""},
		"an unknown schema profile": {
			func(def *definition.Definition, _ map[string]string) { def.ToolSchemaProfile = "draft-03" },
			[]string{"dialect_unknown /tool_schema_profile"}, nil, ""},
		"an unclosed placeholder":          {text("Hi {{ inputs.customer\n}}"), []string{"placeholder_malformed /sources/tone"}, nil, "{{"},
		"a placeholder for something else": {text("Hi {{ customer }}!"), []string{"placeholder_malformed /sources/tone"}, nil, "{{ customer }}"},
		"a filter in a placeholder":        {text("Hi {{ inputs.customer | upper }}!"), []string{"placeholder_malformed /sources/tone"}, nil, "{{ inputs.customer | upper }}"},
		"an empty placeholder":             {text("Hi {{}}!"), []string{"placeholder_malformed /sources/tone"}, nil, "{{}}"},
		"three braces":                     {text("Hi {{{ inputs.customer }}}!"), []string{"placeholder_malformed /sources/tone"}, nil, "{{{ inputs.customer }}"},
		"an unknown input": {text("é {{ inputs.custommer }}!"), []string{"placeholder_unknown_input /sources/tone"},
			diag.Data{"input": "custommer", "nearest": "customer"}, "{{ inputs.custommer }}"},
		"an optional input": {text("{{ inputs.agent }}"), []string{"placeholder_optional_input /sources/tone"},
			diag.Data{"profiles": "customer"}, "{{ inputs.agent }}"},
		"an array": {
			func(def *definition.Definition, texts map[string]string) {
				def.Profiles = map[string]definition.Profile{"p": {BudgetTokens: 9000, Requires: []string{"articles"}, Context: []definition.ContextEntry{{Source: "tone"}}}}
				texts["tone"] = "{{ inputs.articles }}"
			}, []string{"placeholder_type /sources/tone"}, nil, "{{ inputs.articles }}"},
		"an unknown source":            {profile(func(p *definition.Profile) { p.Context = []definition.ContextEntry{{Source: "gone"}} }), []string{"unknown_source /profiles/customer/context/0"}, nil, ""},
		"an unknown tool":              {profile(func(p *definition.Profile) { p.Include["gone"] = definition.Inclusion{} }), []string{"unknown_tool /profiles/customer/tools/include/gone"}, nil, ""},
		"a condition over args":        {profile(func(p *definition.Profile) { p.Context[0].When = "args.a == 1" }), []string{"expression_args_unavailable /profiles/customer/context/0/when"}, nil, ""},
		"a condition that drops":       {profile(func(p *definition.Profile) { p.Include["order.find"] = definition.Inclusion{When: "inputs.vipp"} }), []string{"expression_unknown_field /profiles/customer/tools/include/order.find/when"}, diag.Data{"nearest": "vip"}, ""},
		"an unguarded input":           {profile(func(p *definition.Profile) { p.Context[0].When = `inputs.agent == "x"` }), []string{"expression_optional /profiles/customer/context/0/when"}, nil, ""},
		"an unknown policy tool":       {policy(definition.Policy{Tools: []string{"gone"}, Deny: "true"}), []string{"unknown_tool /policies/new/tools/0"}, nil, ""},
		"a policy that does not parse": {policy(definition.Policy{Tools: []string{"order.find"}, Deny: "args.("}), []string{"expression_syntax /policies/new/deny"}, nil, ""},
		// The tools that lack the argument are named.
		"a policy over all tools": {policy(definition.Policy{AllTools: true, Deny: `args.customer == "x"`}),
			[]string{"expression_unknown_field /policies/new/deny"}, diag.Data{"field": "customer", "tools": "note.write, order.cancel, refund.issue"}, ""},
		"a policy about inputs alone": {policy(definition.Policy{AllTools: true, Deny: `inputs.vipp`}),
			[]string{"expression_unknown_field /policies/new/deny"}, diag.Data{"tools": ""}, ""},
		"a policy about an input that only one profile requires": {policy(definition.Policy{Tools: []string{"order.find"}, Deny: `inputs.agent == "x"`}),
			[]string{"expression_optional /policies/new/deny"}, nil, ""},
		"a policy for the profile that requires it": {policy(definition.Policy{Profiles: []string{"staff"}, Tools: []string{"order.find"}, Deny: `inputs.agent == "x"`}), []string{}, nil, ""},
		"a budget that is too small": {profile(func(p *definition.Profile) { p.BudgetTokens = 20 }), []string{"budget_exceeded /profiles/customer/budget/tokens"},
			diag.Data{"profile": "customer", "objective": "refund", "limit": "20"}, ""},
		"a tool that is no JSON": {
			func(def *definition.Definition, _ map[string]string) {
				tool := def.Tools["order.find"]
				tool.Contract.Description = "\xff"
				def.Tools["order.find"] = tool
			}, []string{"tool_unwritable /tools/order.find"}, nil, ""},
		"a tool schema": {
			func(def *definition.Definition, _ map[string]string) {
				tool := def.Tools["order.find"]
				tool.Contract.Schema = map[string]any{"type": "object", "optional": []any{}}
				def.Tools["order.find"] = tool
			}, []string{"unknown_keyword /tools/order.find/contract/schema/optional"}, nil, ""},
		"run-time text without maxLength": {
			func(def *definition.Definition, _ map[string]string) {
				def.Inputs.(map[string]any)["properties"].(map[string]any)["note"] = map[string]any{"type": "string"}
			}, []string{"source_input_unbounded /inputs/properties/note"}, diag.Data{"keyword": "maxLength"}, ""},
		"run-time text without maxItems": {
			func(def *definition.Definition, _ map[string]string) {
				delete(def.Inputs.(map[string]any)["properties"].(map[string]any)["articles"].(map[string]any), "maxItems")
			}, []string{"source_input_unbounded /inputs/properties/articles"}, diag.Data{"keyword": "maxItems"}, ""},
		"run-time text that is a number": {
			func(def *definition.Definition, _ map[string]string) {
				def.Sources["note"] = definition.Source{Input: "count"}
			},
			[]string{"source_input_type /sources/note/input"}, diag.Data{"type": "integer"}, ""},
		"run-time text from nowhere": {
			func(def *definition.Definition, _ map[string]string) {
				def.Sources["note"] = definition.Source{Input: "gone"}
			},
			[]string{"unknown_input /sources/note/input"}, nil, ""},
		"everything at once": {
			func(def *definition.Definition, texts map[string]string) {
				delete(texts, "rules")
				texts["tone"] = "{{ a }} {{ b }}"
				def.Policies["refund-cap"] = definition.Policy{Tools: []string{"refund.issue"}, Deny: "args.cent > 1"}
			}, []string{"expression_unknown_field /policies/refund-cap/deny", "placeholder_malformed /sources/tone", "placeholder_malformed /sources/tone", "source_text_missing /sources/rules"}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			def, texts := shop(t)
			c.change(def, texts)
			plan, problems := resolve.Prepare(def, texts)
			if diff := cmp.Diff(c.want, told(problems)); diff != "" {
				t.Fatalf("(-want +got)\n%s%v", diff, problems)
			}
			if (plan == nil) != (len(c.want) > 0) {
				t.Errorf("plan %v with %d problems", plan != nil, len(c.want))
			}
			if len(c.want) == 0 {
				return
			}
			readable(t, problems)
			var p diag.Problem
			for _, p = range problems {
				if p.Severity() == diag.Error {
					break
				}
			}
			for key, want := range c.data {
				if p.Data[key] != want {
					t.Errorf("data %s = %q, want %q", key, p.Data[key], want)
				}
			}
			if c.span != "" {
				body := texts["tone"]
				if p.Target.Part != diag.PartText || body[p.Target.Offset:p.Target.Offset+p.Target.Length] != c.span {
					t.Errorf("points at %v, want %q", p.Target, c.span)
				}
			}
		})
	}
}

// A definition that Prepare finds wrong has no plan, and no finding comes twice for tools that share it.
func TestAPolicyOverAllToolsIsToldOnce(t *testing.T) {
	def, texts := manyTools(t, 50, 0)
	def.Policies["p"] = definition.Policy{AllTools: true, Deny: `args.nowhere == 1 && args.limit > 3`}
	_, problems := resolve.Prepare(def, texts)
	want := []string{"expression_optional /policies/p/deny", "expression_unknown_field /policies/p/deny"}
	if diff := cmp.Diff(want, told(problems)); diff != "" {
		t.Fatal(diff)
	}
	if got := problems[len(problems)-1].Data["tools"]; !strings.HasSuffix(got, "and 40 more") {
		t.Errorf("tools %q", got)
	}
}

// The work for a definition is bounded, whatever it says.
func TestPoliciesAreBounded(t *testing.T) {
	def, texts := manyTools(t, 500, 0)
	long := strings.Repeat(`false || `, 250) + "false"
	for i := range 80 {
		def.Policies[fmt.Sprint("p", i)] = definition.Policy{AllTools: true, Deny: long}
	}
	_, problems := resolve.Prepare(def, texts)
	if got := told(problems); len(got) == 0 || !strings.HasPrefix(got[0], "policies_too_large") {
		t.Errorf("%v", got)
	}
	// Nor can the policies of one tool together make a decision slow.
	def, texts = manyTools(t, 1, 0)
	tool := def.Tools["tool.t0000"]
	tool.Contract.Schema = value(t, `{"type":"object","required":["l","tenant"],"properties":{"tenant":{"type":"string","maxLength":5},"l":{"type":"array","maxItems":400,"items":{"type":"integer"}}}}`)
	def.Tools["tool.t0000"] = tool
	for i := range 10 {
		def.Policies[fmt.Sprint("p", i)] = definition.Policy{AllTools: true, Deny: `args.l.exists(a, args.l.exists(b, a < b))`}
	}
	_, problems = resolve.Prepare(def, texts)
	if got := told(problems); len(got) == 0 || !strings.HasPrefix(got[0], "expression_cost") {
		t.Errorf("%v", got)
	}
}

// What dangles is told in the very words of the definition's own check.
func TestDanglingNamesAreToldOnce(t *testing.T) {
	def, texts := shop(t)
	p := def.Profiles["customer"]
	p.Include["order.fnd"] = definition.Inclusion{}
	p.Context = append(p.Context, definition.ContextEntry{Source: "tne"})
	def.Profiles["customer"] = p
	def.Policies["p"] = definition.Policy{Tools: []string{"order.fnd"}, Deny: "true"}
	def.Sources["note"] = definition.Source{Input: "nte"}
	_, problems := resolve.Prepare(def, texts)
	if len(problems) != 4 {
		t.Errorf("problems %v", problems)
	}
	checked := def.Check()
	for _, p := range problems {
		if !slices.ContainsFunc(checked, func(c diag.Problem) bool { return cmp.Equal(c, p) }) {
			t.Errorf("the definition's check does not say %v", p)
		}
	}
}

func TestPrepareLeavesNothingBehindOnPanicProneDefinitions(t *testing.T) {
	for _, def := range []*definition.Definition{
		{},
		{Profiles: map[string]definition.Profile{"p": {}}},
		{Sources: map[string]definition.Source{"s": {Input: "x"}}, Policies: map[string]definition.Policy{"p": {AllTools: true}}},
		{Tools: map[string]definition.Tool{"t": {}}, Policies: map[string]definition.Policy{"p": {AllTools: true, Deny: "true"}}},
		{Inputs: "no schema"},
	} {
		if plan, problems := resolve.Prepare(def, nil); plan != nil || !diag.Failed(problems) {
			t.Errorf("%v: a plan was made", def)
		}
	}
}
