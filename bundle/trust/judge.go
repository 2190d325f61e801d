package trust

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// judgement is what one signature is worth.
type judgement struct {
	SignatureReport
	signer  *signer       // who made it, nil as long as that is not proven
	release *sign.Release // of a release statement that counts
	forged  bool          // it names a key of the policy and does not verify with it
}

// refuse says why the signature does not count.
func (j *judgement) refuse(p diag.Problem) {
	j.Status, j.Problem = Failed, &p
}

// idle says why a valid signature counts for nothing.
func (j *judgement) idle(note string) { j.Status, j.Note = Skipped, note }

// judgeAll judges every signature by itself, at most [MaxSignatures].
func (v *verification) judgeAll() {
	for _, a := range v.Layout.Attachments {
		v.judge(a.Content(), a.Digest())
	}
	for _, content := range v.Detached {
		v.judge(content, digest.Digest{})
	}
}

func (v *verification) judge(content []byte, referrer digest.Digest) {
	j := judgement{SignatureReport: SignatureReport{Digest: digest.Of(content), Referrer: referrer, Status: Failed}}
	switch {
	case len(v.judged) >= MaxSignatures:
		j.refuse(v.tooMany())
	case v.ctx.Err() != nil:
		j.refuse(diag.New(diag.CodeTrustCheckDefect, "", "check", "signatures", "why", v.ctx.Err().Error()))
	default:
		v.weigh(&j, content)
	}
	v.judged = append(v.judged, j)
}

func (v *verification) tooMany() diag.Problem {
	return diag.New(diag.CodeTrustTooManySignatures, "",
		"found", count(len(v.Layout.Attachments)+len(v.Detached)), "limit", count(MaxSignatures))
}

// weigh goes from the bytes to what they prove: who signed, over what, in which role, and whether it is true.
func (v *verification) weigh(j *judgement, content []byte) {
	b, err := sign.Decode(content)
	if err != nil {
		j.refuse(decodeProblem(err))
		return
	}
	st := b.Statement()
	j.Predicate, j.Role = st.PredicateType, string(st.Role())
	if v.Policy == nil {
		j.idle("there is no policy that could judge it")
		return
	}
	at, ok := v.identify(j, b, content)
	if !ok {
		return
	}
	if st.Subject != v.build.Digest() {
		j.refuse(diag.New(diag.CodeTrustSubjectDiffers, "", "found", st.Subject.String(), "expected", v.build.Digest().String()))
		return
	}
	if p := v.standing(j.signer, at); p != nil {
		j.refuse(*p)
		return
	}
	v.weighStatement(j, st)
}

// weighStatement judges what a proven signer said.
func (v *verification) weighStatement(j *judgement, st sign.Statement) {
	role := st.Role()
	if role == "" {
		if v.Policy.integrity {
			j.Status = Passed
		} else {
			j.idle("it proves that the signer knew the Build and has no role")
		}
		return
	}
	if !v.Policy.integrity && !j.signer.holds(role) {
		j.refuse(diag.New(diag.CodeTrustRoleNotGranted, "", "signer", j.Signer, "found", string(role), "expected", roleNames(j.signer.roles)))
		return
	}
	release, p := v.fits(role, st)
	switch {
	case p != nil:
		j.refuse(*p)
	case release != nil && v.Channel != "" && release.Channel != v.Channel:
		j.idle("it releases to " + release.Channel + ", and " + v.Channel + " was asked for")
	default:
		j.Status, j.release = Passed, release
		if release != nil {
			j.Release = Release{release.Channel, release.Sequence}
		}
	}
}

// identify finds out who made the signature. What the bundle says of its key decides only which key is tried first.
// The time is a trusted one, zero if there is none.
func (v *verification) identify(j *judgement, b *sign.Bundle, content []byte) (at time.Time, ok bool) {
	if b.Certificate() != nil {
		return v.identifyCertificate(j, content)
	}
	var hinted *signer
	keys := make([]*signer, 0, len(v.Policy.signers))
	for i := range v.Policy.signers {
		switch s := &v.Policy.signers[i]; {
		case s.identity != nil:
		case s.key.Hint() == b.Hint():
			hinted = s
			keys = slices.Insert(keys, 0, s)
		default:
			keys = append(keys, s)
		}
	}
	j.refuse(diag.New(diag.CodeTrustSignerUnknown, ""))
	for _, s := range keys {
		err := b.Verify(s.key)
		if err == nil {
			j.Problem, j.forged = nil, false
			j.signer, j.Signer, j.Key = s, s.name, s.key.ID().String()
			return time.Time{}, true
		}
		switch p, changed := signatureProblem(err); {
		case !changed && !j.forged:
			j.refuse(p)
		case changed && s == hinted:
			j.forged = true
			j.refuse(diag.New(diag.CodeTrustTampered, "", "signer", s.name))
		}
	}
	return time.Time{}, false
}

// signatureProblem tells a signature that is not by a key, so that a bundle that names the key was changed, from one
// that is refused for what it is: made in another way than is accepted, or with the id of another key.
func signatureProblem(err error) (p diag.Problem, changed bool) {
	var fault *sign.SignatureError
	if errors.As(err, &fault) && fault.Problem.Code != diag.CodeSignatureMismatch && fault.Problem.Code != diag.CodeSignatureEncoding {
		return fault.Problem, false
	}
	return diag.Problem{}, true
}

// identifyCertificate holds the certificate against each trusted root that the policy names, and the identity that
// one of them proves against the identities that trust it.
func (v *verification) identifyCertificate(j *judgement, content []byte) (at time.Time, ok bool) {
	if v.Identities == nil || !slices.ContainsFunc(v.Policy.signers, func(s signer) bool { return s.identity != nil }) {
		why := "the policy names no identity"
		if v.Identities == nil {
			why = "identities cannot be verified here"
		}
		j.refuse(diag.New(diag.CodeTrustIdentityUnchecked, "", "why", why))
		return time.Time{}, false
	}
	proven := map[digest.Digest]sign.Identity{}
	j.refuse(diag.New(diag.CodeTrustSignerUnknown, ""))
	for i := range v.Policy.signers {
		s := &v.Policy.signers[i]
		if s.identity == nil {
			continue
		}
		root := digest.Of(s.identity.trustedRoot)
		id, known := proven[root]
		if !known {
			var err error
			if id, err = v.Identities.VerifyIdentity(v.ctx, s.identity.trustedRoot, content, v.build.Digest()); err != nil {
				j.refuse(identityProblem(err, s.name))
				id = sign.Identity{}
			}
			proven[root] = id
		}
		switch {
		case id.Issuer == "" || id.Subject == "":
		case id.Issuer != s.identity.issuer || id.Subject != s.identity.subject:
			j.refuse(diag.New(diag.CodeTrustSignerUnknown, "", "found", clip(id.Subject)+" of "+clip(id.Issuer)))
		case id.Time.IsZero():
			j.refuse(diag.New(diag.CodeTrustIdentityNoTime, "", "signer", s.name))
			return time.Time{}, false
		default:
			j.Problem = nil
			j.signer, j.Signer, j.Key = s, s.name, id.Subject+" of "+id.Issuer
			return id.Time, true
		}
	}
	return time.Time{}, false
}

// standing says why nothing that a signer signs counts, nil if it does. A trusted time, if there is one, decides about
// the window; otherwise it is now.
func (v *verification) standing(s *signer, trusted time.Time) *diag.Problem {
	at := v.Now
	if !trusted.IsZero() {
		at = trusted
	}
	var p diag.Problem
	switch {
	case s.revoked != nil:
		p = diag.New(diag.CodeTrustKeyRevoked, "", "signer", s.name, "reason", s.revoked.reason, "date", s.revoked.date)
	case s.early(at):
		p = diag.New(diag.CodeTrustKeyEarly, "", "signer", s.name, "expected", instant(s.from), "found", instant(at))
	case s.late(at) && !s.signed[v.build.Digest()]:
		p = diag.New(diag.CodeTrustKeyLate, "", "signer", s.name, "expected", instant(s.until), "found", instant(at))
	default:
		return nil
	}
	return &p
}

// decodeProblem is the first fault of bytes that are no Sigstore bundle.
func decodeProblem(err error) diag.Problem {
	var invalid *sign.Invalid
	if errors.As(err, &invalid) && len(invalid.Problems) > 0 {
		return invalid.Problems[0]
	}
	return diag.New(diag.CodeTrustCheckDefect, "", "check", "signatures", "why", clip(err.Error()))
}

// identityProblem is why a certificate does not verify: the first finding of the verifier if it has one.
func identityProblem(err error, signer string) diag.Problem {
	var found interface {
		error
		Findings() []diag.Problem
	}
	if errors.As(err, &found) && len(found.Findings()) > 0 {
		return found.Findings()[0]
	}
	return diag.New(diag.CodeTrustIdentityUnverified, "", "signer", signer, "why", clip(err.Error()))
}

func roleNames(roles []sign.Role) string {
	names := make([]string, len(roles))
	for i, role := range roles {
		names[i] = string(role)
	}
	return strings.Join(names, ", ")
}

func instant(t time.Time) string { return t.UTC().Format(time.RFC3339) }
