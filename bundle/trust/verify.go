package trust

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// MaxSignatures bounds the signatures that are judged, attached and detached together.
const MaxSignatures = bundle.MaxAttachments + 64

// Request is what a Build is judged by. Nothing in it comes from the Build but the Layout and the detached bundles.
type Request struct {
	// Layout is the Build and what is attached to it, as it was read and verified by `bundle`.
	Layout *bundle.Layout
	// Detached are Sigstore bundles from elsewhere.
	Detached [][]byte
	// Policy says who has to sign; nil if the caller has none, which passes only with AllowUnsigned.
	Policy *Policy
	// Channel is the one that the release has to be for; empty if any of the policy's will do.
	Channel string
	// Now is what windows are checked against where nothing proves when a signature was made.
	Now time.Time
	// Digest, unless zero, is the Build that it has to be.
	Digest digest.Digest
	// AllowUnsigned lets a Build without signatures pass as [Unsigned].
	AllowUnsigned bool
	// Identities verifies signatures by certificates; nil fails them.
	Identities IdentityVerifier
	// Known lists the runtime contracts that the caller can serve; nil stands for all that this version knows.
	Known []definition.Version
	// Floor is the opened state that holds the release floor; needed if the policy names one. It is read only.
	Floor *FloorState
	// Rerun runs the carried tests and Source rebuilds from a Project; nil if that was not asked for. A status other
	// than passed fails the check.
	Rerun, Source func(context.Context, *bundle.Build) Check
}

// IdentityVerifier verifies a Sigstore bundle that was signed by a certificate: chain, time, log, signature and
// artifact, against a Sigstore trusted root. It opens no connection. The identity is the one in the certificate, with
// a trusted time within its validity.
type IdentityVerifier interface {
	VerifyIdentity(ctx context.Context, trustedRoot, bundle []byte, artifact digest.Digest) (sign.Identity, error)
}

// Verify judges a Build. It fails closed: the verdict is [Verified] only if every check that applies has passed and
// every requirement of the policy is met by signatures that count.
func Verify(ctx context.Context, req Request) Report {
	if req.Layout == nil || req.Layout.Build == nil {
		return unread(diag.New(diag.CodeTrustCheckDefect, "", "check", "contents", "why", "there is no Build"))
	}
	v := &verification{Request: req, ctx: ctx, build: req.Layout.Build}
	v.tools = sync.OnceValue(func() digest.Digest { return sign.ToolSetDigest(v.build.Definition()) })
	v.corpus = sync.OnceValue(func() digest.Digest {
		if corpus := v.build.Corpus(); corpus != nil {
			return digest.Of(corpus)
		}
		return digest.Digest{}
	})
	v.judgeAll()
	v.group()
	checks := []Check{v.contents(), v.pin(), v.definition(), v.runtime(), v.project(), v.channel(), v.signatures()}
	checks = append(checks, v.roles()...)
	checks = append(checks, v.tests(), v.revoked(), v.floor(), v.asked("source", v.Source), v.asked("rerun", v.Rerun))
	report := Report{Build: v.build.Digest(), Definition: v.build.DefinitionDigest(), Checks: checks}
	for _, j := range v.judged {
		report.Signatures = append(report.Signatures, j.SignatureReport)
	}
	if v.release != nil {
		report.Release = Release{v.release.channel, v.release.sequence}
	}
	report.Verdict = v.verdict(checks)
	return report
}

// Refused is the report of a Build that could not be read because its content is wrong: the first check has failed,
// and all others are there and were not made.
func Refused(invalid *bundle.Invalid) Report {
	if len(invalid.Problems) == 0 {
		return unread(diag.New(diag.CodeTrustCheckDefect, "", "check", "contents", "why", invalid.Error()))
	}
	return unread(invalid.Problems[0])
}

func unread(p diag.Problem) Report {
	checks := []Check{{Name: "contents", Status: Failed, Problem: &p}}
	for _, name := range []string{"digest", "definition", "runtime", "project", "channel", "signatures", "roles", "tests", "revoked", "floor", "source", "rerun"} {
		checks = append(checks, skipped(name, "there is no sound Build"))
	}
	return Report{Verdict: NotVerified, Checks: checks}
}

// verification is one run of [Verify].
type verification struct {
	Request
	ctx    context.Context
	build  *bundle.Build
	judged []judgement
	// tools is the digest of the Build's tools, and corpus that of its corpus, zero if it has none. Each is computed once
	// and when a statement names it.
	tools, corpus func() digest.Digest
	// release is the release that counts, nil if none does; best is how many signers the best one has.
	release *release
	best    int
}

// unsigned tells that nobody vouches for the Build and the caller allowed that in words.
func (v *verification) unsigned() bool {
	return v.AllowUnsigned && (v.Policy == nil || len(v.judged) == 0)
}

// verdict needs more than that nothing failed: each requirement has to have passed by itself.
func (v *verification) verdict(checks []Check) Verdict {
	met := 0
	for _, c := range checks {
		switch {
		case c.Status == Failed, c.Status != Passed && c.Status != Skipped:
			return NotVerified
		case c.Status == Passed && strings.HasPrefix(c.Name, rolePrefix):
			met++
		}
	}
	switch {
	case v.unsigned():
		return Unsigned
	case v.Policy == nil:
		return NotVerified
	case v.Policy.integrity:
		if v.counting("") > 0 {
			return Verified
		}
	case met == len(v.Policy.require) && met > 0:
		return Verified
	}
	return NotVerified
}

func passed(name, found string) Check  { return Check{Name: name, Status: Passed, Found: found} }
func skipped(name, found string) Check { return Check{Name: name, Status: Skipped, Found: found} }

func failed(name, expected, found, next string, p diag.Problem) Check {
	return Check{Name: name, Status: Failed, Expected: expected, Found: found, Problem: &p, Next: next}
}

// asked runs a check of the caller. What does not say that it passed has failed.
func (v *verification) asked(name string, check func(context.Context, *bundle.Build) Check) Check {
	if check == nil {
		return skipped(name, "not asked for")
	}
	c := check(v.ctx, v.build)
	c.Name = name
	if c.Status == Passed && c.Problem == nil {
		return c
	}
	if c.Problem == nil {
		p := diag.New(diag.CodeTrustCheckDefect, "", "check", name, "why", "its status is "+string(c.Status))
		c.Problem = &p
	}
	c.Status = Failed
	return c
}
