package sign

import "github.com/seif-dev/seifc/diag"

// The decisions of a review.
const (
	Bind   = "bind"
	Retire = "retire"
)

// GuardReview says that an obligation binds from now on, or that it ends. The subject of its statement is the digest of
// the obligation.
type GuardReview struct {
	Project string
	// Test is the id of the test that the obligation is.
	Test string
	// Decision is [Bind] or [Retire].
	Decision string
	// Incident is the incident that a guard comes from; empty for an obligation that is no guard.
	Incident string
	Reason   string
}

// Statement is the statement about the obligation.
func (g GuardReview) Statement(obligation Subject) Statement {
	members := map[string]any{"project": g.Project, "test": g.Test, "decision": g.Decision, "reason": g.Reason}
	if g.Incident != "" {
		members["incident"] = g.Incident
	}
	return statement(GuardReviewPredicate, obligation, members)
}

// ParseGuardReview reads what [GuardReview.Statement] writes.
func ParseGuardReview(s Statement) (GuardReview, []diag.Problem) {
	const at = "/predicate"
	r, members := predicate(s, GuardReviewPredicate, []string{"project", "test", "decision", "reason"}, []string{"incident"})
	out := GuardReview{
		Project:  r.id(at, members, "project"),
		Test:     r.line(at, members, "test", maxName),
		Decision: r.word(at, members, "decision", Bind, Retire),
		Incident: r.line(at, members, "incident", maxName),
		Reason:   r.line(at, members, "reason", maxText),
	}
	if len(r.problems) > 0 {
		return GuardReview{}, r.problems
	}
	return out, nil
}
