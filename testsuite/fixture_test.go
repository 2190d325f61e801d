package testsuite_test

import (
	"context"
	"testing"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/decide/tokens"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/testsuite"
)

func value(t testing.TB, text string) canonical.Value {
	t.Helper()
	v, err := canonical.Parse([]byte(text), canonical.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func object(t testing.TB, text string) map[string]canonical.Value {
	t.Helper()
	return value(t, text).(map[string]any)
}

func contract(t testing.TB, id string, effect definition.Effect, schema string) definition.Tool {
	t.Helper()
	c := definition.Contract{
		ID: id, Name: id, Version: "1.0.0", Description: "Does " + id + ".", Effect: effect,
		Approval: definition.NoApproval, TimeoutMS: definition.DefaultTimeoutMS, CallLimit: 3, Schema: value(t, schema),
	}
	if effect == definition.Write {
		c.Approval, c.CallLimit = definition.OperatorApproval, 2
	}
	fingerprint, err := c.Fingerprint()
	if err != nil {
		t.Fatal(err)
	}
	return definition.Tool{Contract: c, Fingerprint: fingerprint}
}

// shop has a tool of every kind: free, required with approval, conditional, excluded.
func shop(t testing.TB) (*definition.Definition, map[string]string) {
	t.Helper()
	def := &definition.Definition{
		Version: definition.V2, Project: "shop", Estimator: tokens.Estimator,
		ToolSchemaProfile: definition.ToolSchemaProfile, Expressions: definition.ExpressionDialect,
		Inputs: value(t, `{"type": "object", "required": ["customer", "vip"], "properties": {
			"customer": {"type": "string", "maxLength": 12}, "vip": {"type": "boolean"},
			"articles": {"type": "array", "maxItems": 3, "items": {"type": "string", "maxLength": 100}}}}`),
		Objectives: map[string]string{"ask": "Ask.", "refund": "Refund."},
		Sources:    map[string]definition.Source{"tone": {}, "rules": {}, "articles": {Input: "articles"}},
		Tools: map[string]definition.Tool{
			"find":   contract(t, "find", definition.Read, `{"type":"object","required":["customer"],"properties":{"customer":{"type":"string","maxLength":12},"limit":{"type":"integer"}}}`),
			"refund": contract(t, "refund", definition.Write, `{"type":"object","required":["cents"],"properties":{"cents":{"type":"integer","minimum":1}}}`),
			"cancel": contract(t, "cancel", definition.Write, `{"type":"object"}`),
			"note":   contract(t, "note", definition.Write, `{"type":"object"}`),
		},
		Policies: map[string]definition.Policy{
			"own-orders": {Tools: []string{"find"}, Deny: `args.customer != inputs.customer`},
			"refund-cap": {Tools: []string{"refund"}, Deny: `args.cents > 5000`},
			"even-only":  {Tools: []string{"refund"}, Deny: `args.cents > 7000`},
		},
		Profiles: map[string]definition.Profile{
			"customer": {
				BudgetTokens: 2000, Objectives: []string{"ask", "refund"},
				Context: []definition.ContextEntry{{Source: "tone"}, {Source: "rules", Objectives: []string{"refund"}}, {Source: "articles"}},
				Include: map[string]definition.Inclusion{
					"find": {}, "refund": {Objectives: []string{"refund"}, Required: true}, "cancel": {When: `inputs.vip`}, "note": {},
				},
				Exclude: map[string]string{"note": "For staff."},
			},
			"staff": {BudgetTokens: 2000, Context: []definition.ContextEntry{{Source: "rules"}}, Include: map[string]definition.Inclusion{"find": {}}},
		},
	}
	return def, map[string]string{"tone": "Answer {{ inputs.customer }} politely.\n", "rules": "Refunds need a reason.\n"}
}

func plan(t testing.TB, def *definition.Definition, texts map[string]string) *resolve.Plan {
	t.Helper()
	made, problems := resolve.Prepare(def, texts)
	if made == nil || diag.Failed(problems) {
		t.Fatalf("problems: %v", problems)
	}
	return made
}

func shopPlan(t testing.TB) *resolve.Plan {
	t.Helper()
	def, texts := shop(t)
	return plan(t, def, texts)
}

const minute = 60_000

// passing is a suite that passes, with every kind of expectation and every outcome of a call. It gives a new one
// each time, so that tests may change it.
func passing(t testing.TB) *testsuite.Suite {
	t.Helper()
	ana := `{"customer": "Ana"}`
	cents := func(n string) canonical.Value { return value(t, `{"cents": `+n+`}`) }
	other := digest.Fingerprint(digest.Of([]byte("another contract")))
	most := 300
	limit := "/customer"
	root := ""
	return &testsuite.Suite{Tests: map[string]testsuite.Test{
		"asking": {
			Profile: "customer", Objective: "ask", Inputs: object(t, `{"customer": "Ana", "vip": false, "articles": ["one", "two"]}`),
			Expect: &testsuite.Expectation{
				Disclosed: []string{"find"},
				Withheld:  map[string]resolve.Reason{"refund": resolve.OffObjective, "cancel": resolve.Condition, "note": resolve.Excluded},
				Segments:  []string{"tone", "articles", "articles"}, Contains: []string{"Answer Ana", "two"}, Excludes: []string{"{{", "Refunds"},
				MaxTokens: &most, Blocked: map[string]resolve.Reason{},
			},
			Calls: []testsuite.Call{
				{Tool: "find", Arguments: value(t, ana), Expect: resolve.Allowed},
				{Tool: "find", ID: "call-1", Arguments: value(t, ana), Expect: resolve.Replayed},
				{Tool: "find", ID: "call-1", Arguments: value(t, `{"customer": "Bob"}`), Expect: resolve.CallIDConflict},
				{Tool: "find", Arguments: value(t, `{"customer": 1}`), Expect: resolve.ArgumentsInvalid, Pointer: &limit},
				{Tool: "find", Arguments: value(t, `{}`), Expect: resolve.ArgumentsInvalid, Pointer: &root},
				{Tool: "find", Arguments: value(t, `{"customer": "Bob"}`), Expect: resolve.PolicyDenied, Policy: "own-orders"},
				{Tool: "find", Arguments: value(t, ana), Executor: &testsuite.Executor{Version: "2.0.0"}, Expect: resolve.ExecutorIncompatible},
				{Tool: "find", Arguments: value(t, ana), Executor: &testsuite.Executor{Fingerprint: &other}, Expect: resolve.ExecutorIncompatible},
				{Tool: "find", Arguments: value(t, ana), Executor: &testsuite.Executor{Unavailable: true}, Expect: resolve.ExecutorIncompatible},
				{Tool: "note", Arguments: value(t, `{}`), Expect: resolve.ToolNotDisclosed},
				{Tool: "find", Arguments: value(t, ana), Times: 2, Expect: resolve.Allowed},
				{Tool: "find", Arguments: value(t, ana), Expect: resolve.CallLimitReached},
				{Tool: "find", Arguments: value(t, ana), AtMS: 15 * minute, Expect: resolve.ContextExpired},
				{Tool: "find", ID: "call-1", Arguments: value(t, ana), AtMS: 15 * minute, Expect: resolve.Replayed},
			},
		},
		"refunding": {
			Profile: "customer", Objective: "refund", Inputs: object(t, `{"customer": "Ana", "vip": true}`),
			Expect: &testsuite.Expectation{Disclosed: []string{"cancel", "find", "refund"}},
			Calls: []testsuite.Call{
				{Tool: "refund", ID: "a", Arguments: cents("100"), Expect: resolve.ApprovalRequired},
				{Tool: "refund", ID: "a", Arguments: cents("100"), Approval: testsuite.ExpiredGrant, AtMS: 6 * minute, Expect: resolve.ApprovalRequired},
				{Tool: "refund", ID: "a", Arguments: cents("100"), Approval: testsuite.OtherCall, Expect: resolve.ApprovalRequired},
				{Tool: "refund", ID: "a", Arguments: cents("100"), Approval: testsuite.OtherArguments, Expect: resolve.ApprovalRequired},
				{Tool: "refund", ID: "a", Arguments: cents("200"), Approval: testsuite.Valid, Expect: resolve.CallIDConflict},
				{Tool: "refund", ID: "a", Arguments: cents("1e2"), Approval: testsuite.Valid, AtMS: 7 * minute, Expect: resolve.Allowed},
				{Tool: "refund", ID: "a", Arguments: cents("100"), Approval: testsuite.Valid, Expect: resolve.Replayed},
				{Tool: "refund", Arguments: cents("9000"), Approval: testsuite.Valid, Expect: resolve.PolicyDenied, Policy: "refund-cap"},
				{Tool: "refund", Arguments: cents("6000"), Expect: resolve.PolicyDenied, Policy: "refund-cap"},
				{Tool: "refund", Arguments: cents("1"), Approval: testsuite.Valid, Expect: resolve.Allowed},
				{Tool: "refund", Arguments: cents("2"), Approval: testsuite.Valid, Expect: resolve.CallLimitReached},
			},
		},
		"down": {
			Profile: "customer", Objective: "refund", Inputs: object(t, `{"customer": "Ana", "vip": false}`),
			Executors: map[string]testsuite.Executor{"refund": {Unavailable: true}, "find": {Version: "1.0.1"}},
			Expect: &testsuite.Expectation{
				Blocked:  map[string]resolve.Reason{"refund": resolve.Unavailable},
				Withheld: map[string]resolve.Reason{"find": resolve.Incompatible},
			},
			Incident: "INC-2026-014",
		},
		"staff": {
			Profile: "staff", Inputs: object(t, `{"customer": "Ana", "vip": false}`),
			Executors: map[string]testsuite.Executor{"find": {Fingerprint: &other}},
			Expect:    &testsuite.Expectation{Disclosed: []string{}, Segments: []string{"rules"}, Withheld: map[string]resolve.Reason{"find": resolve.Incompatible}},
		},
	}}
}

func run(t testing.TB, p *resolve.Plan, suite *testsuite.Suite) *testsuite.Report {
	t.Helper()
	report, err := testsuite.Run(context.Background(), p, suite, testsuite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// one runs a single test and gives what it fails by: code and pointer.
func one(t testing.TB, p *resolve.Plan, test testsuite.Test) []string {
	t.Helper()
	return told(run(t, p, &testsuite.Suite{Tests: map[string]testsuite.Test{"t": test}}).Problems())
}

func told(problems []diag.Problem) []string {
	var all []string
	for _, p := range problems {
		all = append(all, string(p.Code)+" "+p.Target.Pointer)
	}
	return all
}
