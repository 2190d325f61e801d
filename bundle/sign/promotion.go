package sign

import (
	"bytes"
	"slices"
	"strconv"
	"time"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// The kinds of a promotion.
const (
	Promote  = "promotion"
	Rollback = "rollback"
)

const maxAcknowledgements = 10_000

// Promotion is the record that a Build is the head of a channel. Records form a chain.
type Promotion struct {
	Project, Channel string
	// Sequence is 1 for the first record of a channel, which alone has no Previous.
	Sequence int64
	// Previous is the digest of the statement of the record before this one.
	Previous   digest.Digest
	Definition digest.Digest
	// Baseline is the Build that was head before; zero when there was none.
	Baseline digest.Digest
	// Kind is [Promote] or [Rollback]; a rollback has a Reason.
	Kind   string
	Reason string
	// Acknowledgements are the digests of the statements that accepted changes, sorted, each once.
	Acknowledgements []digest.Digest
	// Time is in whole seconds, UTC: what the signer's clock said.
	Time time.Time
}

// Statement is the record about the Build.
func (p Promotion) Statement(build Subject) Statement {
	members := map[string]any{
		"project": p.Project, "channel": p.Channel, "sequence": number(p.Sequence), "definition": p.Definition.String(),
		"kind": p.Kind, "time": p.Time.UTC().Format(timeForm),
	}
	for name, d := range map[string]digest.Digest{"previous": p.Previous, "baseline": p.Baseline} {
		if !d.IsZero() {
			members[name] = d.String()
		}
	}
	if p.Reason != "" {
		members["reason"] = p.Reason
	}
	if len(p.Acknowledgements) > 0 {
		accepted := make([]any, len(p.Acknowledgements))
		for i, d := range slices.SortedFunc(slices.Values(p.Acknowledgements), compareDigests) {
			accepted[i] = d.String()
		}
		members["acknowledgements"] = accepted
	}
	return statement(PromotionPredicate, build, members)
}

// ParsePromotion reads what [Promotion.Statement] writes.
func ParsePromotion(s Statement) (Promotion, []diag.Problem) {
	const at = "/predicate"
	r, members := predicate(s, PromotionPredicate,
		[]string{"project", "channel", "sequence", "definition", "kind", "time"}, []string{"previous", "baseline", "reason", "acknowledgements"})
	out := Promotion{
		Project:          r.id(at, members, "project"),
		Channel:          r.id(at, members, "channel"),
		Sequence:         r.integer(at, members, "sequence", 1, MaxSequence),
		Previous:         r.digest(at, members, "previous"),
		Definition:       r.digest(at, members, "definition"),
		Baseline:         r.digest(at, members, "baseline"),
		Kind:             r.word(at, members, "kind", Promote, Rollback),
		Reason:           r.line(at, members, "reason", maxText),
		Acknowledgements: r.digests(at, members, "acknowledgements"),
		Time:             r.time(at, members, "time"),
	}
	if len(r.problems) == 0 {
		r.chain(out)
	}
	if len(r.problems) > 0 {
		return Promotion{}, r.problems
	}
	return out, nil
}

// chain makes sure that the members of a record fit each other.
func (r *reader) chain(p Promotion) {
	const at = "/predicate"
	switch {
	case p.Sequence == 1 && !p.Previous.IsZero():
		r.wrong(at+"/previous", "no previous record before the first", p.Previous.String())
	case p.Sequence > 1 && p.Previous.IsZero():
		r.add(r.codes.missing, at, "member", at+"/previous")
	}
	if p.Kind != Rollback {
		return
	}
	if p.Reason == "" {
		r.add(r.codes.missing, at, "member", at+"/reason")
	}
	if p.Sequence == 1 {
		r.wrong(at+"/kind", "a promotion: there is nothing to go back to before the first", p.Kind)
	}
}

// digests is a list of digests, sorted, each once; nil if it is absent. An empty list is not written.
func (r *reader) digests(pointer string, members map[string]any, name string) []digest.Digest {
	at := canonical.JoinPointer(pointer, name)
	if items, ok := members[name].([]any); ok && len(items) == 0 {
		r.wrong(at, "at least one digest", items)
	}
	var out []digest.Digest
	for i, item := range r.list(pointer, members, name, maxAcknowledgements) {
		text, _ := item.(string)
		d, err := digest.Parse(text)
		if err != nil || d.IsZero() || len(out) > 0 && compareDigests(out[len(out)-1], d) >= 0 {
			r.wrong(canonical.JoinPointer(at, strconv.Itoa(i)), "a digest greater than the one before", item)
			continue
		}
		out = append(out, d)
	}
	return out
}

func compareDigests(a, b digest.Digest) int { return bytes.Compare(a[:], b[:]) }
