package sign

import (
	"time"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// Axes are those of a diff that somebody can acknowledge a change on.
func Axes() []string { return []string{"compat", "authority", "evidence", "cost", "wording"} }

// Acknowledgement says that one change between a baseline and the Build it is about is known and accepted, until it
// expires.
type Acknowledgement struct {
	Project, Channel string
	Baseline         digest.Digest
	// Change is the fingerprint of the change, Rule the rule that found it, Axis one of [Axes].
	Change     digest.Digest
	Rule, Axis string
	Reason     string
	// Expires is in whole seconds, UTC. Whether it is past is for the caller's clock.
	Expires time.Time
}

// Statement is the statement about the candidate Build.
func (a Acknowledgement) Statement(candidate Subject) Statement {
	return statement(AcknowledgementPredicate, candidate, map[string]any{
		"project": a.Project, "channel": a.Channel, "baseline": a.Baseline.String(), "change": a.Change.String(),
		"rule": a.Rule, "axis": a.Axis, "reason": a.Reason, "expires": a.Expires.UTC().Format(timeForm),
	})
}

// ParseAcknowledgement reads what [Acknowledgement.Statement] writes.
func ParseAcknowledgement(s Statement) (Acknowledgement, []diag.Problem) {
	const at = "/predicate"
	r, members := predicate(s, AcknowledgementPredicate,
		[]string{"project", "channel", "baseline", "change", "rule", "axis", "reason", "expires"}, nil)
	out := Acknowledgement{
		Project:  r.id(at, members, "project"),
		Channel:  r.id(at, members, "channel"),
		Baseline: r.digest(at, members, "baseline"),
		Change:   r.digest(at, members, "change"),
		Rule:     r.line(at, members, "rule", maxName),
		Axis:     r.word(at, members, "axis", Axes()...),
		Reason:   r.line(at, members, "reason", maxText),
		Expires:  r.time(at, members, "expires"),
	}
	if len(r.problems) > 0 {
		return Acknowledgement{}, r.problems
	}
	return out, nil
}
