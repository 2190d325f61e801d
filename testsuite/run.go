package testsuite

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Options select tests. The zero value runs all of them.
type Options struct {
	// Selected tells which test ids to run; nil runs all.
	Selected func(id string) bool
}

// fingerprintKey keys argument fingerprints of synthetic calls. It guards nothing: a test's arguments are in
// the Build.
var fingerprintKey = []byte("seif.context-tests.v1 argument fingerprints")

// Run runs the tests of a suite. A test that [Suite.Check] finds something against does not run and has the findings
// as its failures: it could pass for the wrong reason. Run stops early only when ctx ends, with the context's error.
func Run(ctx context.Context, plan *resolve.Plan, suite *Suite, options Options) (*Report, error) {
	report := &Report{}
	cover := newCoverage(plan.Definition())
	for _, id := range sortedKeys(suite.Tests) {
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		if options.Selected != nil && !options.Selected(id) {
			report.Skipped++
			continue
		}
		test := suite.Tests[id]
		r := &runner{plan: plan, def: plan.Definition(), id: id, at: canonical.JoinPointer("/tests", id), test: test, cover: cover}
		if r.failures = suite.checkTest(plan.Definition(), id); len(r.failures) == 0 {
			r.run(ctx)
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		report.Results = append(report.Results, Result{ID: id, Incident: test.Incident, Failures: r.failures, Calls: r.calls})
	}
	if options.Selected == nil {
		report.Coverage = cover.report()
	}
	return report, nil
}

// runner runs one test.
type runner struct {
	plan     *resolve.Plan
	def      *definition.Definition
	id       string
	at       string
	test     Test
	cover    *coverage
	failures []diag.Problem

	// the context that the test's calls share
	resolution *resolve.Resolution
	observed   resolve.Observations
	records    map[string]*resolve.CallRecord
	used       map[string]int
	calls      int // that were decided
	numbered   int // that the entries before stand for
}

func (r *runner) fail(p diag.Problem) { r.failures = append(r.failures, p) }

func (r *runner) run(ctx context.Context) {
	r.observed = Observations(r.def, r.test)
	resolution, problems := r.plan.Resolve(Request(r.test), r.observed)
	if resolution == nil || diag.Failed(problems) {
		r.refused(problems)
		return
	}
	r.resolution = resolution
	r.cover.resolved(resolution)
	if !r.expectations() {
		return
	}
	r.records, r.used = map[string]*resolve.CallRecord{}, map[string]int{}
	for i, call := range r.test.Calls {
		r.step(ctx, r.at+"/calls/"+strconv.Itoa(i), call)
	}
}

// refused reports a resolution that gave no context. No expectation can hold of it.
func (r *runner) refused(problems []diag.Problem) {
	if len(problems) == 0 {
		r.fail(diag.New(diag.CodeTestRefused, r.at, "test", r.id, "code", "unknown", "why", "there is no resolution and no reason for it").AtKey())
	}
	for _, p := range problems {
		at := r.at + p.Target.Pointer
		if _, said := r.test.Inputs[firstToken(p.Target.Pointer, "/inputs")]; !said {
			at = r.at
		}
		d := diag.At(diag.LocatorFunc(func(diag.Target) diag.Place { return diag.Place{} }), p)[0]
		r.fail(diag.New(diag.CodeTestRefused, at, "test", r.id, "code", string(p.Code), "why", d.Message()))
	}
}

// firstToken is the name below prefix that a pointer leads to.
func firstToken(pointer, prefix string) string {
	tokens, err := canonical.SplitPointer(pointer)
	if err != nil || len(tokens) < 2 || "/"+tokens[0] != prefix {
		return ""
	}
	return tokens[1]
}

// step makes the calls that one entry of the test stands for.
func (r *runner) step(ctx context.Context, at string, call Call) {
	first, times := r.numbered+1, max(call.Times, 1)
	r.numbered += times
	for i := range times {
		if ctx.Err() != nil {
			return
		}
		id := call.ID
		if id == "" {
			id = "call-" + strconv.Itoa(first+i)
		}
		r.calls++
		if !r.call(at, id, call) {
			// The same expectation would fail the same way for the rest.
			return
		}
	}
}

func (r *runner) call(at, id string, synthetic Call) bool {
	tool := r.def.Tools[synthetic.Tool]
	fingerprint, err := digest.ArgumentFingerprint(fingerprintKey, tool.Fingerprint, synthetic.Arguments)
	if err != nil {
		r.fail(diag.New(diag.CodeTestRefused, at+"/arguments", "test", r.id, "code", "arguments", "why", err.Error()))
		return false
	}
	call := resolve.Call{ID: id, Tool: synthetic.Tool, Arguments: synthetic.Arguments, Fingerprint: fingerprint}
	now := r.observed.At + resolve.Instant(synthetic.AtMS)
	state := resolve.CallState{Known: r.known(call, tool, synthetic.Approval, now), Used: r.used[call.Tool]}
	decision := r.plan.Decide(r.resolution, r.observing(tool, synthetic), state, call, now)
	r.record(call, state, decision)
	r.cover.decided(decision)
	return r.compare(at, id, synthetic, decision)
}

// observing is what is observed at the time of the call.
func (r *runner) observing(tool definition.Tool, synthetic Call) resolve.Observations {
	if synthetic.Executor == nil {
		return r.observed
	}
	out := r.observed
	out.Executors = maps.Clone(out.Executors)
	out.Executors[synthetic.Tool] = synthetic.Executor.observed(tool)
	return out
}

// known is the row that the call finds, with the operator's grant that the test asks for. There is none for a tool
// that needs no approval: nothing of it ever waits for one.
func (r *runner) known(call resolve.Call, tool definition.Tool, approval Approval, now resolve.Instant) *resolve.CallRecord {
	record := r.records[call.ID]
	if approval == NoGrant || free(tool) {
		return record
	}
	grant := &resolve.Approval{CallID: call.ID, Tool: call.Tool, Contract: tool.Fingerprint, Fingerprint: call.Fingerprint, GrantedAt: now}
	switch approval {
	case ExpiredGrant:
		grant.GrantedAt = now - resolve.ApprovalLifetime
	case OtherCall:
		grant.CallID += "-other"
	case OtherArguments:
		grant.Fingerprint[0] ^= 0xff
	}
	switch {
	case record == nil:
		return &resolve.CallRecord{Tool: call.Tool, Fingerprint: call.Fingerprint, State: resolve.Approved, Approval: grant}
	case record.State == resolve.Awaiting || record.State == resolve.Approved:
		return &resolve.CallRecord{Tool: record.Tool, Fingerprint: record.Fingerprint, State: resolve.Approved, Approval: grant}
	default:
		return record
	}
}

// record keeps what a ledger would keep. A dispatch in a test ends at once and well, without one having been made.
// A refused call binds no id: only a row that was there before changes.
func (r *runner) record(call resolve.Call, state resolve.CallState, decision resolve.Decision) {
	row := resolve.CallRecord{Tool: call.Tool, Fingerprint: call.Fingerprint, State: decision.Next}
	switch decision.Outcome {
	case resolve.Allowed:
		r.used[call.Tool]++
		row.State = resolve.Succeeded
	case resolve.ApprovalRequired:
	case resolve.CallIDConflict, resolve.Replayed:
		return
	default:
		if r.records[call.ID] == nil {
			return
		}
		if row.State == resolve.Approved {
			row.Approval = state.Known.Approval
		}
	}
	r.records[call.ID] = &row
}

func (r *runner) compare(at, id string, want Call, got resolve.Decision) bool {
	before := len(r.failures)
	if got.Outcome != want.Expect {
		p := diag.New(diag.CodeExpectationFailed, at+"/expect", "test", r.id, "what", "call "+id+" of "+want.Tool,
			"expected", string(want.Expect), "actual", string(got.Outcome), "difference", explain(got))
		r.fail(p)
		return false
	}
	if want.Policy != "" && !slices.Contains(got.Policies, want.Policy) {
		r.fail(diag.New(diag.CodeExpectationFailed, at+"/policy", "test", r.id, "what", "policy that denies call "+id,
			"expected", want.Policy, "actual", showList(got.Policies)))
	}
	if want.Pointer != nil && !slices.ContainsFunc(got.Violations, pointsTo(*want.Pointer)) {
		r.fail(diag.New(diag.CodeExpectationFailed, at+"/pointer", "test", r.id, "what", "invalid argument of call "+id,
			"expected", showText(*want.Pointer), "actual", showViolations(got.Violations)))
	}
	return len(r.failures) == before
}
