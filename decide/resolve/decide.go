package resolve

import (
	"slices"
	"strings"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Decide tells whether a call of a resolved context may be dispatched now, and what its row becomes. The
// observations are those at the time of the call. The order of the checks is part of the contract; the first that
// fails is the answer:
//
//  1. A known call id: other tool or arguments conflict; a call that was dispatched or has ended gives its receipt,
//     also after expiry; one that awaits or has approval goes on.
//  2. The context has not expired.
//  3. The tool is disclosed, in the very contract that this plan knows.
//  4. The arguments fit the contract's schema.
//  5. No policy denies. All that deny are told; one that fails denies.
//  6. The executor serves the exact contract.
//  7. The limit of calls is not reached.
//  8. A call that needs approval has one that fits it exactly and has not expired.
//
// A refused call binds no id: Next is then what the row was. Time never runs backwards: an instant before the
// resolution counts as the resolution's own.
func (p *Plan) Decide(res *Resolution, o Observations, state CallState, c Call, now Instant) Decision {
	now = max(now, res.At)
	was := Absent
	if known := state.Known; known != nil {
		was = known.State
		switch {
		case known.Tool != c.Tool || known.Fingerprint != c.Fingerprint:
			return Decision{Outcome: CallIDConflict, Next: was}
		case was != Awaiting && was != Approved:
			return Decision{Outcome: Replayed, Next: was}
		}
	}
	if now >= res.Expires() {
		return Decision{Outcome: ContextExpired, Next: expired(was)}
	}
	refused := func(outcome Outcome) Decision { return Decision{Outcome: outcome, Next: was} }
	offered, t := p.disclosed(res, c.Tool)
	if t == nil {
		return refused(ToolNotDisclosed)
	}
	if violations := t.arguments.Validate(c.Arguments); len(violations) > 0 {
		d := refused(ArgumentsInvalid)
		d.Violations = violations
		return d
	}
	if policies := t.denied(res, c.Arguments); len(policies) > 0 {
		d := refused(PolicyDenied)
		d.Policies = policies
		return d
	}
	if o.readiness(t) != "" {
		return refused(ExecutorIncompatible)
	}
	if state.Used >= offered.CallLimit {
		return refused(CallLimitReached)
	}
	if t.free() && was == Absent {
		return Decision{Outcome: Allowed, Next: Intent}
	}
	if was == Approved && state.Known.Approval.fits(res, offered, c, now) {
		return Decision{Outcome: Allowed, Next: Intent, ConsumesApproval: true}
	}
	return Decision{Outcome: ApprovalRequired, Next: Awaiting}
}

// expired is what a row becomes when its context has expired.
func expired(was State) State {
	if was == Absent {
		return Absent
	}
	return Expired
}

// free tells whether calls need no approval: reads that say so, and nothing else.
func (t *tool) free() bool {
	return t.contract.Approval == definition.NoApproval && t.contract.Effect == definition.Read
}

// disclosed finds a tool that the resolution discloses, if this plan knows it in the same contract.
func (p *Plan) disclosed(res *Resolution, id string) (Disclosed, *tool) {
	at, found := slices.BinarySearchFunc(res.Disclosed, id, func(d Disclosed, id string) int { return strings.Compare(d.ID, id) })
	if !found {
		return Disclosed{}, nil
	}
	t := p.tools[id]
	if t == nil || t.fingerprint != res.Disclosed[at].Fingerprint {
		return Disclosed{}, nil
	}
	return res.Disclosed[at], t
}

// denied lists, sorted, the policies that deny a call. All are evaluated. One that fails denies.
func (t *tool) denied(res *Resolution, arguments canonical.Value) []string {
	var policies []string
	for _, d := range t.denials {
		if !d.applies(res.Profile, res.Objective) {
			continue
		}
		if denies, err := d.program.Eval(res.Inputs, arguments); err != nil || denies {
			policies = append(policies, d.policy)
		}
	}
	return policies
}

// fits tells whether an approval is for exactly this call and has not expired.
func (a *Approval) fits(res *Resolution, offered Disclosed, c Call, now Instant) bool {
	if a == nil || a.CallID != c.ID || a.Tool != c.Tool || a.Contract != offered.Fingerprint || a.Fingerprint != c.Fingerprint {
		return false
	}
	// A grant from the future is a clock that ran backwards: it is not trusted until the clock has caught up.
	return a.GrantedAt <= now && now < res.ApprovalExpires(a.GrantedAt)
}

// Expires is the first instant at which the context is past.
func (r *Resolution) Expires() Instant { return r.At + ContextLifetime }

// ApprovalExpires is the first instant at which a grant for a call of the context is past.
func (r *Resolution) ApprovalExpires(granted Instant) Instant {
	return min(granted+ApprovalLifetime, r.Expires())
}
