package testsuite_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/testsuite"
)

func TestASuiteThatPasses(t *testing.T) {
	p, suite := shopPlan(t), passing(t)
	if problems := suite.Check(p.Definition()); len(problems) != 0 {
		t.Fatal(problems)
	}
	report := run(t, p, suite)
	if problems := report.Problems(); len(problems) != 0 {
		t.Fatal(problems)
	}
	var ids []string
	outcomes := map[resolve.Outcome]bool{}
	for _, result := range report.Results {
		ids = append(ids, result.ID)
		want := 0
		for _, call := range suite.Tests[result.ID].Calls {
			want += max(call.Times, 1)
			outcomes[call.Expect] = true
		}
		if result.Calls != want || result.Incident != suite.Tests[result.ID].Incident || !result.Passed() {
			t.Errorf("%+v, want %d calls", result, want)
		}
	}
	if diff := cmp.Diff([]string{"asking", "down", "refunding", "staff"}, ids); diff != "" {
		t.Error(diff)
	}
	for _, outcome := range testsuite.Outcomes() {
		if !outcomes[outcome] {
			t.Errorf("no call expects %s", outcome)
		}
	}
	if report.Failed() != 0 || report.Skipped != 0 || report.Dispatches != 0 {
		t.Errorf("%+v", report)
	}
}

// A failure says what was expected, what came and the smallest difference.
func TestFailuresSayTheDifference(t *testing.T) {
	inputs := object(t, `{"customer": "Ana", "vip": false, "articles": ["one"]}`)
	most := 10
	test := testsuite.Test{Profile: "customer", Objective: "ask", Inputs: inputs, Expect: &testsuite.Expectation{
		Disclosed: []string{"refund", "note"}, Segments: []string{"tone", "rules"}, Contains: []string{"answer ana"}, Excludes: []string{"politely"},
		Withheld: map[string]resolve.Reason{"find": resolve.Excluded, "note": resolve.Condition}, MaxTokens: &most,
	}, Calls: []testsuite.Call{
		{Tool: "find", Arguments: value(t, `{"customer": "Bob"}`), Expect: resolve.Allowed},
		{Tool: "find", Arguments: value(t, `{"customer": 7}`), Expect: resolve.Allowed},
	}}
	report := run(t, shopPlan(t), &testsuite.Suite{Tests: map[string]testsuite.Test{"t": test}})
	var got []string
	for _, p := range report.Problems() {
		got = append(got, strings.TrimPrefix(p.Target.Pointer, "/tests/t")+": "+p.Data["what"]+": "+p.Data["expected"]+" / "+p.Data["actual"]+" / "+p.Data["difference"])
	}
	want := []string{
		"/expect/disclosed: disclosed tools: note, refund / find / note is missing (excluded), refund is missing (objective), find is disclosed too",
		"/expect/withheld/find: withheld tool find: excluded / disclosed / ",
		"/expect/withheld/note: withheld tool note: condition / excluded / ",
		"/expect/segments: segments: tone, rules / tone, articles / position 2 is articles instead of rules",
		`/expect/text/contains/0: text: contains "answer ana" / does not / only in another case, in the line "Answer Ana politely."`,
		`/expect/text/excludes/0: text: does not contain "politely" / contains it / in the line "Answer Ana politely."`,
	}
	tokens := got[len(want)]
	got = slices.Delete(got, len(want), len(want)+1)
	want = append(want,
		"/calls/0/expect: call call-1 of find: allowed / policy_denied / denied by own-orders",
		`/calls/1/expect: call call-2 of find: allowed / arguments_invalid / invalid: "/customer" (type)`,
	)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !strings.HasPrefix(tokens, "/expect/tokens/max: token estimate: at most 10 / ") || !strings.HasSuffix(tokens, " over") {
		t.Error(tokens)
	}
}

// A request that is refused fails, whatever is expected of it: no expectation can hold.
func TestARefusedRequestFails(t *testing.T) {
	p := shopPlan(t)
	empty := &testsuite.Expectation{Disclosed: []string{}, Segments: []string{}, Blocked: map[string]resolve.Reason{}}
	for name, c := range map[string]struct {
		inputs string
		want   []string
	}{
		"a missing input":     {`{"customer": "Ana"}`, []string{"test_refused /tests/t"}},
		"no inputs":           {`{}`, []string{"test_refused /tests/t", "test_refused /tests/t"}},
		"a wrong input":       {`{"customer": "Ana", "vip": 1}`, []string{"test_refused /tests/t/inputs/vip"}},
		"a wrong item":        {`{"customer": "Ana", "vip": true, "articles": ["a", 1]}`, []string{"test_refused /tests/t/inputs/articles/1"}},
		"a hidden character":  {`{"customer": "A\u200Bna", "vip": true}`, []string{"test_refused /tests/t/inputs/customer"}},
		"an input of no name": {`{"customer": "Ana", "vip": true, "": 1}`, []string{"test_names_unknown /tests/t/inputs/"}},
	} {
		test := testsuite.Test{Profile: "customer", Objective: "ask", Inputs: object(t, c.inputs), Expect: empty}
		if diff := cmp.Diff(c.want, one(t, p, test)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestABlockedResolutionFailsUnlessExpected(t *testing.T) {
	p := shopPlan(t)
	test := passing(t).Tests["down"]
	test.Expect = &testsuite.Expectation{Withheld: map[string]resolve.Reason{"note": resolve.Excluded}}
	if diff := cmp.Diff([]string{"expectation_failed /tests/t/expect"}, one(t, p, test)); diff != "" {
		t.Error(diff)
	}
	call := testsuite.Call{Tool: "note", Arguments: object(t, `{}`), Expect: resolve.ToolNotDisclosed}
	test.Expect, test.Calls = nil, []testsuite.Call{call}
	if diff := cmp.Diff([]string{"expectation_failed /tests/t"}, one(t, p, test)); diff != "" {
		t.Error(diff)
	}
	// A context that is expected to be blocked decides no call either.
	test = passing(t).Tests["down"]
	test.Calls = []testsuite.Call{call}
	if diff := cmp.Diff([]string{"expectation_failed /tests/t/calls"}, one(t, p, test)); diff != "" {
		t.Error(diff)
	}
}

// A test that Check refuses never passes a run, whoever forgot to check.
func TestWhatCannotBeCheckedFails(t *testing.T) {
	p := shopPlan(t)
	inputs := object(t, `{"customer": "Ana", "vip": false}`)
	for want, test := range map[string]testsuite.Test{
		"test_names_unknown /tests/t/calls/0/tool": {Profile: "staff", Inputs: inputs, Calls: []testsuite.Call{{Tool: "gone", Expect: resolve.ToolNotDisclosed}}},
		"test_checks_nothing /tests/t":             {Profile: "staff", Inputs: inputs},
		"expectation_empty /tests/t/expect":        {Profile: "staff", Inputs: inputs, Expect: &testsuite.Expectation{}},
	} {
		if diff := cmp.Diff([]string{want}, one(t, p, test)); diff != "" {
			t.Error(diff)
		}
	}
}

// An approval for a tool that lost its need for one does not hide that: the guard against it fails.
func TestAGuardOfApprovalFailsWithoutApproval(t *testing.T) {
	def, texts := shop(t)
	tool := def.Tools["refund"]
	tool.Contract.Effect, tool.Contract.Approval = definition.Read, definition.NoApproval
	tool.Fingerprint, _ = tool.Contract.Fingerprint()
	def.Tools["refund"] = tool
	guard := testsuite.Test{Profile: "customer", Objective: "refund", Inputs: object(t, `{"customer": "Ana", "vip": false}`), Incident: "INC-1"}
	for _, approval := range []testsuite.Approval{testsuite.NoGrant, testsuite.ExpiredGrant, testsuite.OtherCall, testsuite.OtherArguments} {
		guard.Calls = []testsuite.Call{{Tool: "refund", Arguments: object(t, `{"cents": 1}`), Approval: approval, Expect: resolve.ApprovalRequired}}
		if one(t, shopPlan(t), guard) != nil {
			t.Errorf("%q: the guard does not pass before", approval)
		}
		if one(t, plan(t, def, texts), guard) == nil {
			t.Errorf("%q: the guard passes although no approval is needed any more", approval)
		}
	}
}

// R47: limits count dispatches, not grants and not refusals; repeated calls get fresh ids.
func TestLimitsCountDispatches(t *testing.T) {
	p := shopPlan(t)
	inputs := object(t, `{"customer": "Ana", "vip": false}`)
	refund := func(cents string, approval testsuite.Approval, times int, want resolve.Outcome) testsuite.Call {
		return testsuite.Call{Tool: "refund", Arguments: value(t, `{"cents": `+cents+`}`), Approval: approval, Times: times, Expect: want}
	}
	test := testsuite.Test{Profile: "customer", Objective: "refund", Inputs: inputs, Calls: []testsuite.Call{
		refund("1", testsuite.NoGrant, 10, resolve.ApprovalRequired),
		refund("9000", testsuite.Valid, 10, resolve.PolicyDenied),
		refund("1", testsuite.Valid, 2, resolve.Allowed),
		refund("1", testsuite.Valid, 100, resolve.CallLimitReached),
		{Tool: "refund", ID: "call-21", Arguments: value(t, `{"cents": 1}`), Expect: resolve.Replayed},
	}}
	if got := one(t, p, test); got != nil {
		t.Error(got)
	}
	test.Calls[2].Times = 3
	if diff := cmp.Diff([]string{"expectation_failed /tests/t/calls/2/expect"}, one(t, p, test)); diff != "" {
		t.Error(diff)
	}
}

// Default ids count what is written, also where a repeated call stopped at its first failure.
func TestDefaultCallIDs(t *testing.T) {
	read := testsuite.Call{Tool: "find", Arguments: object(t, `{"customer": "Ana"}`), Expect: resolve.Replayed}
	wrong, last := read, read
	wrong.Times = 5
	test := testsuite.Test{Profile: "staff", Inputs: object(t, `{"customer": "Ana", "vip": false}`), Calls: []testsuite.Call{wrong, last}}
	report := run(t, shopPlan(t), &testsuite.Suite{Tests: map[string]testsuite.Test{"t": test}})
	var got []string
	for _, p := range report.Problems() {
		got = append(got, p.Data["what"])
	}
	if diff := cmp.Diff([]string{"call call-1 of find", "call call-6 of find"}, got); diff != "" || report.Results[0].Calls != 2 {
		t.Error(diff, report.Results[0].Calls)
	}
}

// What was recorded of a row stays: an awaiting call that expired is over, a grant survives a refusal that is not about it.
func TestRowsOfCalls(t *testing.T) {
	cents := object(t, `{"cents": 5}`)
	step := func(id string, approval testsuite.Approval, at int64, executor *testsuite.Executor, want resolve.Outcome) testsuite.Call {
		return testsuite.Call{Tool: "refund", ID: id, Arguments: cents, Approval: approval, AtMS: at, Executor: executor, Expect: want}
	}
	down := &testsuite.Executor{Unavailable: true}
	test := testsuite.Test{Profile: "customer", Objective: "refund", Inputs: object(t, `{"customer": "Ana", "vip": false}`), Calls: []testsuite.Call{
		step("a", testsuite.NoGrant, 0, nil, resolve.ApprovalRequired),
		step("a", testsuite.Valid, 1000, down, resolve.ExecutorIncompatible),
		step("a", testsuite.NoGrant, 2000, nil, resolve.Allowed),
		step("b", testsuite.NoGrant, 0, nil, resolve.ApprovalRequired),
		step("b", testsuite.NoGrant, 15*minute, nil, resolve.ContextExpired),
		step("b", testsuite.NoGrant, 16*minute, nil, resolve.Replayed),
		step("c", testsuite.NoGrant, 16*minute, nil, resolve.ContextExpired),
		step("c", testsuite.NoGrant, 16*minute, nil, resolve.ContextExpired),
	}}
	if got := one(t, shopPlan(t), test); got != nil {
		t.Error(got)
	}
}

func TestASelection(t *testing.T) {
	p, suite := shopPlan(t), passing(t)
	report, err := testsuite.Run(context.Background(), p, suite, testsuite.Options{Selected: func(id string) bool { return id == "down" }})
	if err != nil || len(report.Results) != 1 || report.Results[0].ID != "down" || report.Skipped != 3 || report.Coverage != nil {
		t.Errorf("%+v %v", report, err)
	}
}

// R83: no tests is a run of none, with everything missed.
func TestNoTests(t *testing.T) {
	report := run(t, shopPlan(t), &testsuite.Suite{})
	if len(report.Results) != 0 || report.Failed() != 0 || report.Coverage.Reached != 0 || len(report.Coverage.Missed) != report.Coverage.Items || report.Coverage.Items == 0 {
		t.Errorf("%+v", report)
	}
}

func TestARunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("enough")
	p := shopPlan(t)
	slow := testsuite.Test{Profile: "staff", Inputs: object(t, `{"customer": "Ana", "vip": false}`)}
	for range testsuite.MaxCalls {
		slow.Calls = append(slow.Calls, testsuite.Call{Tool: "note", Arguments: object(t, `{}`), Times: testsuite.MaxTimes, Expect: resolve.ToolNotDisclosed})
	}
	suite := &testsuite.Suite{Tests: map[string]testsuite.Test{"slow": slow}}
	go cancel(why)
	report, err := testsuite.Run(ctx, p, suite, testsuite.Options{})
	if report != nil || !errors.Is(err, why) {
		t.Errorf("%v %v", report, err)
	}
}

// A run is the same every time, for wrong and right suites alike.
func TestRunsAreDeterministic(t *testing.T) {
	p, suite := shopPlan(t), passing(t)
	test := suite.Tests["asking"]
	test.Expect = &testsuite.Expectation{Disclosed: []string{}, Contains: []string{"x"}, Withheld: map[string]resolve.Reason{
		"refund": resolve.Excluded, "cancel": resolve.Excluded, "note": resolve.Condition, "find": resolve.Excluded}}
	suite.Tests["wrong"] = test
	want := run(t, p, suite)
	for range 100 {
		if got := run(t, p, suite); !reflect.DeepEqual(want, got) {
			t.Fatal(cmp.Diff(want, got))
		}
	}
}
