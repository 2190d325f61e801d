package resolve_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

var argumentKey = []byte("a key that only these tests know..")

// bench is a resolved context in which calls are decided.
type bench struct {
	t    *testing.T
	plan *resolve.Plan
	res  *resolve.Resolution
	def  *definition.Definition
}

func newBench(t *testing.T) *bench {
	plan := shopPlan(t)
	res := resolved(t, plan, request(t, "refund", `{"customer": "Ana", "language": "English", "count": 2, "vip": true}`), ready)
	return &bench{t: t, plan: plan, res: res, def: plan.Definition()}
}

func (b *bench) call(id, tool, arguments string) resolve.Call {
	b.t.Helper()
	args := value(b.t, arguments)
	fingerprint, err := digest.ArgumentFingerprint(argumentKey, b.def.Tools[tool].Fingerprint, args)
	if err != nil {
		b.t.Fatal(err)
	}
	return resolve.Call{ID: id, Tool: tool, Arguments: args, Fingerprint: fingerprint}
}

func (b *bench) grant(c resolve.Call, at resolve.Instant) *resolve.Approval {
	return &resolve.Approval{CallID: c.ID, Tool: c.Tool, Contract: b.def.Tools[c.Tool].Fingerprint, Fingerprint: c.Fingerprint, GrantedAt: at}
}

func record(c resolve.Call, state resolve.State, approval *resolve.Approval) resolve.CallState {
	return resolve.CallState{Known: &resolve.CallRecord{Tool: c.Tool, Fingerprint: c.Fingerprint, State: state, Approval: approval}}
}

func (b *bench) decide(state resolve.CallState, c resolve.Call, after resolve.Instant) resolve.Decision {
	return b.plan.Decide(b.res, ready, state, c, b.res.At+after)
}

func TestDecisions(t *testing.T) {
	b := newBench(t)
	find := b.call("c", "order.find", `{"customer": "Ana"}`)
	refund := b.call("c", "refund.issue", `{"cents": 100}`)
	minute := resolve.Instant(60_000)
	used := func(s resolve.CallState, n int) resolve.CallState { s.Used = n; return s }
	none := resolve.CallState{}
	for name, c := range map[string]struct {
		state resolve.CallState
		call  resolve.Call
		after resolve.Instant
		want  resolve.Decision
	}{
		"a read":                       {none, find, 0, resolve.Decision{Outcome: resolve.Allowed, Next: resolve.Intent}},
		"a read at the limit":          {used(none, 2), find, 0, resolve.Decision{Outcome: resolve.Allowed, Next: resolve.Intent}},
		"a read past the limit":        {used(none, 3), find, 0, resolve.Decision{Outcome: resolve.CallLimitReached}},
		"a write":                      {none, refund, 0, resolve.Decision{Outcome: resolve.ApprovalRequired, Next: resolve.Awaiting}},
		"a write that awaits":          {record(refund, resolve.Awaiting, nil), refund, minute, resolve.Decision{Outcome: resolve.ApprovalRequired, Next: resolve.Awaiting}},
		"a write that is approved":     {record(refund, resolve.Approved, b.grant(refund, b.res.At)), refund, minute, resolve.Decision{Outcome: resolve.Allowed, Next: resolve.Intent, ConsumesApproval: true}},
		"just before it expires":       {record(refund, resolve.Approved, b.grant(refund, b.res.At)), refund, resolve.ApprovalLifetime - 1, resolve.Decision{Outcome: resolve.Allowed, Next: resolve.Intent, ConsumesApproval: true}},
		"an expired approval":          {record(refund, resolve.Approved, b.grant(refund, b.res.At)), refund, resolve.ApprovalLifetime, resolve.Decision{Outcome: resolve.ApprovalRequired, Next: resolve.Awaiting}},
		"an approval from the future":  {record(refund, resolve.Approved, b.grant(refund, b.res.At+minute)), refund, 0, resolve.Decision{Outcome: resolve.ApprovalRequired, Next: resolve.Awaiting}},
		"approved without an approval": {record(refund, resolve.Approved, nil), refund, 0, resolve.Decision{Outcome: resolve.ApprovalRequired, Next: resolve.Awaiting}},
		"an approval that only awaits": {record(refund, resolve.Awaiting, b.grant(refund, b.res.At)), refund, 0, resolve.Decision{Outcome: resolve.ApprovalRequired, Next: resolve.Awaiting}},
		"the limit keeps the approval": {used(record(refund, resolve.Approved, b.grant(refund, b.res.At)), 1), refund, 0, resolve.Decision{Outcome: resolve.CallLimitReached, Next: resolve.Approved}},
		"the limit is the profile's":   {used(none, 1), refund, 0, resolve.Decision{Outcome: resolve.CallLimitReached}},
		"an excluded tool":             {none, b.call("c", "note.write", `{"text": "x"}`), 0, resolve.Decision{Outcome: resolve.ToolNotDisclosed}},
		"a tool that nobody knows":     {none, b.call("c", "gone", `{}`), 0, resolve.Decision{Outcome: resolve.ToolNotDisclosed}},
		"the last instant":             {none, find, resolve.ContextLifetime - 1, resolve.Decision{Outcome: resolve.Allowed, Next: resolve.Intent}},
		"the end of the context":       {none, find, resolve.ContextLifetime, resolve.Decision{Outcome: resolve.ContextExpired}},
		"awaiting at the end":          {record(refund, resolve.Awaiting, nil), refund, resolve.ContextLifetime, resolve.Decision{Outcome: resolve.ContextExpired, Next: resolve.Expired}},
		"approved at the end":          {record(refund, resolve.Approved, b.grant(refund, b.res.At+resolve.ContextLifetime-1)), refund, resolve.ContextLifetime, resolve.Decision{Outcome: resolve.ContextExpired, Next: resolve.Expired}},
		"a receipt after the end":      {record(refund, resolve.Succeeded, nil), refund, 2 * resolve.ContextLifetime, resolve.Decision{Outcome: resolve.Replayed, Next: resolve.Succeeded}},
		"a clock that ran back":        {none, find, -10 * minute, resolve.Decision{Outcome: resolve.Allowed, Next: resolve.Intent}},
		"a row in no state":            {record(find, "", nil), find, 0, resolve.Decision{Outcome: resolve.Replayed}},
		"a row in a state of tomorrow": {record(find, "paused", nil), find, 0, resolve.Decision{Outcome: resolve.Replayed, Next: "paused"}},
		"all policies that deny":       {none, b.call("c", "refund.issue", `{"cents": 9000, "currency": "USD"}`), 0, resolve.Decision{Outcome: resolve.PolicyDenied, Policies: []string{"euro-only", "refund-cap"}}},
		"one policy that denies":       {none, b.call("c", "order.find", `{"customer": "Bob"}`), 0, resolve.Decision{Outcome: resolve.PolicyDenied, Policies: []string{"own-orders"}}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, b.decide(c.state, c.call, c.after)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestInvalidArgumentsAreTold(t *testing.T) {
	b := newBench(t)
	for arguments, pointer := range map[string]string{
		`{"cents": 0}`: "/cents", `{}`: "", `{"cents": "1"}`: "/cents", `[]`: "", `{"cents": 1, "currency": "EURO"}`: "/currency",
	} {
		d := b.decide(resolve.CallState{}, b.call("c", "refund.issue", arguments), 0)
		if d.Outcome != resolve.ArgumentsInvalid || d.Next != resolve.Absent || len(d.Violations) == 0 || d.Violations[0].Pointer != pointer {
			t.Errorf("%s: %+v", arguments, d)
		}
	}
	var missing resolve.Call = b.call("c", "refund.issue", `{}`)
	missing.Arguments = nil
	if d := b.decide(resolve.CallState{}, missing, 0); d.Outcome != resolve.ArgumentsInvalid {
		t.Errorf("no arguments: %+v", d)
	}
}

// A denial that cannot be evaluated denies.
func TestAFailingDenialDenies(t *testing.T) {
	def, texts := shop(t)
	p := def.Profiles["customer"]
	p.Include["refund.issue"] = definition.Inclusion{}
	plan := prepare(t, def, texts)
	res := resolved(t, plan, request(t, "ask", customerInputs), ready)
	c := resolve.Call{ID: "c", Tool: "refund.issue", Arguments: map[string]canonical.Value{"cents": number(9007199254740991)}}
	d := plan.Decide(res, ready, resolve.CallState{}, c, res.At)
	if diff := cmp.Diff([]string{"overflows", "refund-cap"}, d.Policies); diff != "" || d.Outcome != resolve.PolicyDenied {
		t.Errorf("%+v\n%s", d, diff)
	}
	// The policy holds for one objective only.
	res = resolved(t, plan, request(t, "refund", customerInputs), ready)
	d = plan.Decide(res, ready, resolve.CallState{}, c, res.At)
	if diff := cmp.Diff([]string{"refund-cap"}, d.Policies); diff != "" {
		t.Error(diff)
	}
}

// R34, R35, R43: an approval fits one context's call id, tool, contract and arguments; a known call id with another
// tool or other arguments is a conflict.
func TestApprovalsFitOneCall(t *testing.T) {
	b := newBench(t)
	c := b.call("c", "refund.issue", `{"cents": 100, "currency": "EUR"}`)
	spelled := b.call("c", "refund.issue", `{"currency": "\u0045UR", "cents": 1e2}`)
	if d := b.decide(record(c, resolve.Approved, b.grant(c, b.res.At)), spelled, 0); d.Outcome != resolve.Allowed {
		t.Errorf("another spelling of the same arguments: %+v", d)
	}
	for name, change := range map[string]func(a *resolve.Approval){
		"call id":   func(a *resolve.Approval) { a.CallID = "d" },
		"tool":      func(a *resolve.Approval) { a.Tool = "order.cancel" },
		"contract":  func(a *resolve.Approval) { a.Contract[0] ^= 1 },
		"arguments": func(a *resolve.Approval) { a.Fingerprint[31] ^= 1 },
	} {
		grant := b.grant(c, b.res.At)
		change(grant)
		if d := b.decide(record(c, resolve.Approved, grant), c, 0); d.Outcome != resolve.ApprovalRequired || d.ConsumesApproval || d.Next != resolve.Awaiting {
			t.Errorf("another %s: %+v", name, d)
		}
	}
	other := b.call("c", "refund.issue", `{"cents": 101, "currency": "EUR"}`)
	cancel := b.call("c", "order.cancel", `{"order": "o"}`)
	for _, state := range append(states(), "") {
		known := record(c, state, b.grant(c, b.res.At))
		for _, wrong := range []resolve.Call{other, cancel} {
			d := b.decide(known, wrong, 0)
			if d.Outcome != resolve.CallIDConflict || d.Next != state || d.ConsumesApproval {
				t.Errorf("%s, then %s with others: %+v", state, wrong.Tool, d)
			}
		}
	}
}

// The order of the checks is part of the contract: where two would refuse, the earlier one answers.
func TestTheOrderOfTheChecks(t *testing.T) {
	b := newBench(t)
	good := b.call("c", "refund.issue", `{"cents": 100}`)
	denied := b.call("c", "refund.issue", `{"cents": 6000}`)
	invalid := b.call("c", "refund.issue", `{"cents": 0, "currency": "USD"}`)
	hidden := b.call("c", "note.write", `{"nonsense": true}`)
	down := resolve.Observations{Executors: map[string]resolve.Executor{"refund.issue": {}}, AssumeReady: true}
	end := resolve.Instant(resolve.ContextLifetime)
	full := resolve.CallState{Used: 9}
	other := good
	other.Fingerprint[0] ^= 1
	for _, c := range []struct {
		both  string
		state resolve.CallState
		o     resolve.Observations
		call  resolve.Call
		after resolve.Instant
		want  resolve.Outcome
	}{
		{"conflict and expiry", record(other, resolve.Awaiting, nil), ready, good, end, resolve.CallIDConflict},
		{"receipt and expiry", record(good, resolve.Unknown, nil), ready, good, end, resolve.Replayed},
		{"receipt and disclosure", record(hidden, resolve.Intent, nil), ready, hidden, 0, resolve.Replayed},
		{"expiry and disclosure", resolve.CallState{}, ready, hidden, end, resolve.ContextExpired},
		{"disclosure and arguments", resolve.CallState{}, ready, hidden, 0, resolve.ToolNotDisclosed},
		{"arguments and policies", resolve.CallState{}, ready, invalid, 0, resolve.ArgumentsInvalid},
		{"policies and executor", resolve.CallState{}, down, denied, 0, resolve.PolicyDenied},
		{"executor and limit", full, down, good, 0, resolve.ExecutorIncompatible},
		{"limit and approval", full, ready, good, 0, resolve.CallLimitReached},
		{"approval alone", resolve.CallState{}, ready, good, 0, resolve.ApprovalRequired},
	} {
		if d := b.plan.Decide(b.res, c.o, c.state, c.call, b.res.At+c.after); d.Outcome != c.want {
			t.Errorf("%s: %s, want %s", c.both, d.Outcome, c.want)
		}
	}
}

// A context of another contract, or of another plan, discloses nothing here.
func TestAnotherContractIsNotDisclosed(t *testing.T) {
	b := newBench(t)
	c := b.call("c", "order.find", `{"customer": "Ana"}`)
	b.res.Disclosed[1].Fingerprint[0] ^= 1
	if d := b.decide(resolve.CallState{}, c, 0); d.Outcome != resolve.ToolNotDisclosed {
		t.Errorf("%+v", d)
	}
}

func states() []resolve.State {
	return []resolve.State{resolve.Awaiting, resolve.Approved, resolve.Intent, resolve.Succeeded, resolve.NotExecuted, resolve.Unknown, resolve.Denied, resolve.Expired}
}

// For every state and every input: only a new call without need of approval, and an approved one, become an intent;
// no row that has been an intent or has ended ever changes; nothing but an allowed call becomes an intent.
func TestNothingLeadsToTwoIntents(t *testing.T) {
	b := newBench(t)
	for _, tool := range []string{"order.find", "refund.issue", "note.write"} {
		arguments := map[string][]string{
			"order.find": {`{"customer": "Ana"}`, `{"customer": "Bob"}`, `{}`}, "refund.issue": {`{"cents": 1}`, `{"cents": 9000}`, `{}`}, "note.write": {`{}`},
		}[tool]
		for _, text := range arguments {
			c := b.call("c", tool, text)
			every(b, c, func(what string, state resolve.CallState, d resolve.Decision) {
				was := resolve.Absent
				if state.Known != nil {
					was = state.Known.State
				}
				if (d.Next == resolve.Intent && was != resolve.Intent) != (d.Outcome == resolve.Allowed) {
					t.Errorf("%s: outcome %s leads to %q", what, d.Outcome, d.Next)
				}
				if d.Outcome == resolve.Allowed && (was != resolve.Absent && was != resolve.Approved || was == resolve.Absent && tool != "order.find") {
					t.Errorf("%s: allowed", what)
				}
				if d.ConsumesApproval != (d.Outcome == resolve.Allowed && was == resolve.Approved) {
					t.Errorf("%s: consumes %v with %s", what, d.ConsumesApproval, d.Outcome)
				}
				if was != resolve.Absent && was != resolve.Awaiting && was != resolve.Approved && (d.Next != was || d.Outcome != resolve.Replayed && d.Outcome != resolve.CallIDConflict) {
					t.Errorf("%s: a row that ended became %q with %s", what, d.Next, d.Outcome)
				}
				if was == resolve.Absent && d.Next != resolve.Absent && d.Outcome != resolve.Allowed && d.Outcome != resolve.ApprovalRequired {
					t.Errorf("%s: a refused call binds its id", what)
				}
			})
		}
	}
}

// every decides a call in all states, with all grants, uses, executors and times.
func every(b *bench, c resolve.Call, check func(what string, state resolve.CallState, d resolve.Decision)) {
	other := c
	other.Fingerprint[0] ^= 1
	expired, foreign := b.grant(c, b.res.At), b.grant(other, b.res.At)
	expired.GrantedAt -= resolve.ApprovalLifetime
	rows := []*resolve.CallRecord{nil}
	for _, state := range states() {
		for _, grant := range []*resolve.Approval{nil, b.grant(c, b.res.At), expired, foreign} {
			rows = append(rows, record(c, state, grant).Known, record(other, state, grant).Known)
		}
	}
	for _, row := range rows {
		for _, used := range []int{0, 1, 3, 100} {
			for _, ready := range []bool{true, false} {
				for _, after := range []resolve.Instant{-1, 0, resolve.ApprovalLifetime, resolve.ContextLifetime} {
					state := resolve.CallState{Known: row, Used: used}
					d := b.plan.Decide(b.res, resolve.Observations{AssumeReady: ready}, state, c, b.res.At+after)
					check(fmt.Sprintf("%s %v used %d ready %v after %d", c.Tool, row, used, ready, after), state, d)
				}
			}
		}
	}
}

// R33, R47: one ledger that applies decisions dispatches an approved call once and a tool as often as its limit.
func TestALedgerOfDecisions(t *testing.T) {
	b := newBench(t)
	rows, used, intents := map[string]*resolve.CallRecord{}, map[string]int{}, 0
	apply := func(c resolve.Call) resolve.Outcome {
		d := b.decide(resolve.CallState{Known: rows[c.ID], Used: used[c.Tool]}, c, 0)
		if d.Next != resolve.Absent {
			row := &resolve.CallRecord{Tool: c.Tool, Fingerprint: c.Fingerprint, State: d.Next}
			if known := rows[c.ID]; known != nil {
				row.Tool, row.Fingerprint = known.Tool, known.Fingerprint
				if !d.ConsumesApproval {
					row.Approval = known.Approval
				}
			}
			rows[c.ID] = row
		}
		if d.Outcome == resolve.Allowed {
			used[c.Tool]++
			intents++
		}
		return d.Outcome
	}
	refund := b.call("r", "refund.issue", `{"cents": 5}`)
	if got := apply(refund); got != resolve.ApprovalRequired {
		t.Fatal(got)
	}
	rows["r"].State, rows["r"].Approval = resolve.Approved, b.grant(refund, b.res.At)
	for range 50 {
		apply(refund)
	}
	if intents != 1 {
		t.Errorf("50 uses of one approval gave %d dispatches", intents)
	}
	intents = 0
	for n := range 100 {
		apply(b.call(fmt.Sprint("f", n), "order.find", `{"customer": "Ana"}`))
	}
	if intents != 3 {
		t.Errorf("100 calls with limit 3 gave %d dispatches", intents)
	}
}
