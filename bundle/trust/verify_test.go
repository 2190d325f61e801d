package trust_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/bundle/trust"
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// Every check is in the report, in one order, whatever was asked for and however it came out. Need 21.
func TestEveryCheckIsThere(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, withCorpus)
	before := []string{"contents", "digest", "definition", "runtime", "project", "channel", "signatures"}
	after := []string{"tests", "revoked", "floor", "source", "rerun"}
	signedByAnn := layout(t, b, release(t, keys["ann"], b, "stable", 1))
	for name, c := range map[string]struct {
		report trust.Report
		roles  []string
	}{
		"policy":     {verify(signedByAnn, policy(t, twoOfThree, keys)), []string{"role release", "role tests"}},
		"one key":    {verify(signedByAnn, trust.ForKey(keys["ann"].public)), []string{"roles"}},
		"no policy":  {verify(signedByAnn, nil), []string{"roles"}},
		"unsigned":   {verify(layout(t, b), policy(t, releaseByAnn, keys)), []string{"role release"}},
		"no Build":   {verify(nil, policy(t, releaseByAnn, keys)), []string{"roles"}},
		"unreadable": {trust.Refused(&bundle.Invalid{}), []string{"roles"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, check := range c.report.Checks {
				got = append(got, check.Name)
				if (check.Status == trust.Failed) != (check.Problem != nil) {
					t.Errorf("%s: %s with %v", check.Name, check.Status, check.Problem)
				}
				if check.Status == trust.Skipped && check.Found == "" {
					t.Errorf("%s is skipped without a reason", check.Name)
				}
			}
			if diff := cmp.Diff(slices.Concat(before, c.roles, after), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// With one key a Build is verified by whatever that key says of it, and the report says that no role was looked at.
func TestForKey(t *testing.T) {
	keys := newKeys(t)
	b, other := readBuild(t, plain), readBuild(t, withTools)
	ann := keys["ann"]
	cosign := signed(t, ann, sign.CosignStatement(b.Digest()))
	v01 := forced(t, ann, []byte(`{"_type":"https://in-toto.io/Statement/v0.1","predicateType":"https://example.com/scan","subject":[{"name":"b","digest":{"sha256":"`+
		b.Digest().Hex()+`"}}],"predicate":{"ok":true}}`), ann.public.Hint(), "")
	for name, content := range map[string][]byte{
		"release": release(t, ann, b, "nightly", 1), "tests": passedTests(t, ann, b), "cosign": cosign, "an attestation of cosign": v01,
	} {
		t.Run(name, func(t *testing.T) {
			r := verify(layout(t, b, content), trust.ForKey(ann.public))
			accepted(t, r)
			if c := r.Check("roles"); c.Status != trust.Skipped || !strings.Contains(c.Found, "not checked") {
				t.Errorf("roles: %+v", c)
			}
			refused(t, verify(layout(t, b, content), trust.ForKey(keys["bob"].public)), "signatures", string(diag.CodeTrustKeyUnmet))
		})
	}
	// A channel that is asked for has to be proven with one key as well.
	r := verify(layout(t, b, release(t, ann, b, "beta", 1)), trust.ForKey(ann.public), func(req *trust.Request) { req.Channel = "stable" })
	refused(t, r, "channel", string(diag.CodeTrustRoleUnmet))
	// What is untrue of the Build is no proof of anything, with one key neither.
	for name, c := range map[string]struct {
		content []byte
		want    diag.Code
	}{
		"failed tests":       {failedTests(t, ann, b), diag.CodeTestsNotPassed},
		"another Build":      {release(t, ann, other, "stable", 1), diag.CodeTrustSubjectDiffers},
		"another one's":      {signed(t, ann, releaseOf(other, "stable", 1).Statement(b.Digest())), diag.CodeTrustStatementDiffers},
		"no Sigstore bundle": {[]byte("{}"), diag.CodeBundleMemberMissing},
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, verify(layout(t, b, c.content), trust.ForKey(ann.public)), "signatures", string(c.want))
		})
	}
}

// A plain cosign signature proves that the signer knew the Build; it is never a role.
func TestCosignSignatureIsNoRole(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	p := policy(t, releaseByAnn, keys)
	cosign := signed(t, keys["ann"], sign.CosignStatement(b.Digest()))
	r := verify(layout(t, b, cosign), p)
	refused(t, r, "role release", string(diag.CodeTrustRoleUnmet))
	refused(t, r, "signatures", string(diag.CodeTrustRoleUnmet))
	if s := r.Signatures[0]; s.Status != trust.Skipped || s.Signer != "ann" || s.Note == "" {
		t.Errorf("got %+v", s)
	}
	accepted(t, verify(layout(t, b, cosign, release(t, keys["ann"], b, "stable", 1)), p))
}

// What a release says of the Build is compared with the Build.
func TestReleaseStatementIsCompared(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, withTools)
	p := policy(t, releaseByAnn, keys)
	for name, change := range map[string]func(*sign.Release){
		"Project":    func(r *sign.Release) { r.Project = "other" },
		"channel":    func(r *sign.Release) { r.Channel = "nightly" },
		"definition": func(r *sign.Release) { r.Definition = b.Digest() },
		"runtime":    func(r *sign.Release) { r.Runtime = "seif.context-runtime.v1" },
		"tools":      func(r *sign.Release) { r.Tools = digest.Of([]byte("[]")) },
	} {
		t.Run(name, func(t *testing.T) {
			st := releaseOf(b, "stable", 1)
			change(&st)
			r := verify(layout(t, b, signed(t, keys["ann"], st.Statement(b.Digest()))), p)
			refused(t, r, "signatures", string(diag.CodeTrustStatementDiffers))
		})
	}
	accepted(t, verify(layout(t, b, release(t, keys["ann"], b, "stable", 1)), p))
}

func TestProjectAndChannel(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	l := layout(t, b, release(t, keys["ann"], b, "beta", 3))
	p := policy(t, releaseByAnn, keys)
	channel := func(name string) func(*trust.Request) { return func(req *trust.Request) { req.Channel = name } }

	accepted(t, verify(l, p))
	accepted(t, verify(l, p, channel("beta")))
	refused(t, verify(l, p, channel("stable")), "channel", string(diag.CodeTrustRoleUnmet))
	refused(t, verify(l, p, channel("nightly")), "channel", string(diag.CodeTrustChannel))
	refused(t, verify(l, policy(t, strings.Replace(releaseByAnn, "project: shop", "project: other", 1), keys)), "project", string(diag.CodeTrustProject))

	// A channel that was asked for has to be proven even where the policy requires no release.
	text := strings.NewReplacer("{role: release}", "{role: tests}", "roles: [release]", "roles: [tests]").Replace(releaseByAnn)
	tested := layout(t, b, passedTests(t, keys["ann"], b))
	accepted(t, verify(tested, policy(t, text, keys)))
	refused(t, verify(tested, policy(t, text, keys), channel("stable")), "channel", string(diag.CodeTrustRoleUnmet))
}

func TestRuntimeContract(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, withTools)
	l, p := layout(t, b, release(t, keys["ann"], b, "stable", 1)), policy(t, releaseByAnn, keys)
	known := func(versions ...definition.Version) func(*trust.Request) {
		return func(req *trust.Request) { req.Known = append([]definition.Version{}, versions...) }
	}
	accepted(t, verify(l, p, known(definition.V1, definition.V2)))
	refused(t, verify(l, p, known(definition.V1)), "runtime", string(diag.CodeUnknownRuntime))
	refused(t, verify(l, p, known()), "runtime", string(diag.CodeUnknownRuntime))
}

// R67: a signature is not freshness. What the policy revokes is refused, however it is signed, and unsigned as well.
func TestRevoked(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, withTools)
	l := layout(t, b, release(t, keys["ann"], b, "stable", 1))
	build := releaseByAnn + "revoked: {builds: {" + b.Digest().String() + ": refunds for everybody}}\n"
	tool := b.Definition().Tools["orders.find"].Fingerprint.String()
	contract := releaseByAnn + "revoked: {contracts: {" + tool + ": it takes the wrong account}}\n"
	unsigned := func(req *trust.Request) { req.AllowUnsigned = true }

	refused(t, verify(l, policy(t, build, keys)), "revoked", string(diag.CodeTrustBuildRevoked))
	refused(t, verify(l, policy(t, contract, keys)), "revoked", string(diag.CodeTrustToolRevoked))
	refused(t, verify(layout(t, b), policy(t, build, keys), unsigned), "revoked", string(diag.CodeTrustBuildRevoked))
	other := digest.Of([]byte("another")).String()
	accepted(t, verify(l, policy(t, releaseByAnn+"revoked: {builds: {"+other+": x}, contracts: {"+other+": x}}\n", keys)))
}

// Need 22: what the old key signed still verifies after the rotation, as far as the policy lists it; what it signs
// after its window does not, whatever date the statement has of itself; and nothing of a revoked key does.
func TestRotation(t *testing.T) {
	keys := newKeys(t)
	old, fresh := readBuild(t, plain), readBuild(t, withCorpus)
	rotated := func(of string) *trust.Policy {
		return policy(t, "schema: seif.trust-policy.v1\nproject: shop\nchannels: [stable]\nrequire: [{role: release}]\nkeys:\n"+
			"  ann: {pem: KEY:ann, roles: [release], not_after: 2026-01-31"+of+"}\n"+
			"  bob: {pem: KEY:bob, roles: [release], not_before: 2026-01-01}\n", keys)
	}
	listed := rotated(", signed: [" + old.Digest().String() + "]")
	byOld, byNew := layout(t, old, release(t, keys["ann"], old, "stable", 1)), layout(t, fresh, release(t, keys["bob"], fresh, "stable", 2))
	at := func(day string) func(*trust.Request) {
		now, err := time.Parse(time.RFC3339, day+"T12:00:00Z")
		if err != nil {
			t.Fatal(err)
		}
		return func(req *trust.Request) { req.Now = now }
	}
	// Both count while the windows overlap.
	accepted(t, verify(byOld, rotated(""), at("2026-01-15")))
	accepted(t, verify(byNew, rotated(""), at("2026-01-15")))
	refused(t, verify(byNew, rotated(""), at("2025-12-31")), "signatures", string(diag.CodeTrustKeyEarly))
	// After that the new key counts, and of the old one what is listed.
	accepted(t, verify(byNew, listed, at("2026-02-01")))
	accepted(t, verify(byOld, listed, at("2026-02-01")))
	refused(t, verify(byOld, rotated(""), at("2026-02-01")), "signatures", string(diag.CodeTrustKeyLate))
	late := layout(t, fresh, release(t, keys["ann"], fresh, "stable", 3))
	refused(t, verify(late, listed, at("2026-02-01")), "signatures", string(diag.CodeTrustKeyLate))
	// The list opens no window that has not opened yet, and outweighs no revocation.
	early := policy(t, strings.Replace(releaseByAnn, "roles: [release]",
		"roles: [release], not_before: 2026-07-01, not_after: 2026-07-31, signed: ["+old.Digest().String()+"]", 1), keys)
	refused(t, verify(byOld, early), "signatures", string(diag.CodeTrustKeyEarly))
	revoked := rotated(", signed: [" + old.Digest().String() + "], revoked: {reason: stolen}")
	refused(t, verify(byOld, revoked, at("2026-02-01")), "signatures", string(diag.CodeTrustKeyRevoked))
	// The date of a statement moves nothing.
	backdated := sign.Provenance{
		BuildType: sign.BuildType, Builder: "https://example.com/ci", Started: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Finished: time.Date(2026, 1, 1, 0, 1, 0, 0, time.UTC),
	}
	p := policy(t, "schema: seif.trust-policy.v1\nproject: shop\nchannels: [stable]\nrequire: [{role: provenance}]\nkeys:\n"+
		"  ann: {pem: KEY:ann, roles: [provenance], not_after: 2026-01-31}\n", keys)
	l := layout(t, old, signed(t, keys["ann"], backdated.Statement(old.Digest())))
	accepted(t, verify(l, p, at("2026-01-31")))
	refused(t, verify(l, p, at("2026-02-01")), "signatures", string(diag.CodeTrustKeyLate))
}

// A Build whose signatures do not satisfy the policy is not made good by the word that lets unsigned ones pass.
func TestAllowUnsignedSavesNoSignedBuild(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	p := policy(t, releaseByAnn, keys)
	unsigned := func(req *trust.Request) { req.AllowUnsigned = true }
	for name, content := range map[string][]byte{
		"a stranger's": release(t, keys["stranger"], b, "stable", 1), "no bundle": []byte("x"),
		"cosign's": signed(t, keys["ann"], sign.CosignStatement(b.Digest())),
	} {
		if r := verify(layout(t, b, content), p, unsigned); r.Verdict != trust.NotVerified {
			t.Errorf("%s: %s", name, r.Verdict)
		}
		detached := verify(layout(t, b), p, unsigned, func(req *trust.Request) { req.Detached = [][]byte{content} })
		if detached.Verdict != trust.NotVerified {
			t.Errorf("%s, detached: %s", name, detached.Verdict)
		}
	}
	good := layout(t, b, release(t, keys["ann"], b, "stable", 1))
	accepted(t, verify(good, p, unsigned))
	if r := verify(good, nil, unsigned); r.Verdict != trust.Unsigned {
		t.Errorf("without a policy: %s", r.Verdict)
	}
}

// Detached bundles count as attached ones do.
func TestDetached(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	r := verify(layout(t, b), policy(t, releaseByAnn, keys), func(req *trust.Request) {
		req.Detached = [][]byte{release(t, keys["ann"], b, "stable", 1)}
	})
	accepted(t, r)
	if !r.Signatures[0].Referrer.IsZero() {
		t.Error("it has no referrer")
	}
}

// A check of the caller passes only if it says so.
func TestChecksOfTheCallerFailClosed(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	l, p := layout(t, b, release(t, keys["ann"], b, "stable", 1)), policy(t, releaseByAnn, keys)
	differs := diag.New(diag.CodeTestsNotPassed, "", "found", "1 test")
	for name, c := range map[string]struct {
		check trust.Check
		want  diag.Code
	}{
		"passed":                {trust.Check{Status: trust.Passed, Found: "EQUAL"}, ""},
		"failed":                {trust.Check{Status: trust.Failed, Problem: &differs}, diag.CodeTestsNotPassed},
		"failed without reason": {trust.Check{Status: trust.Failed}, diag.CodeTrustCheckDefect},
		"skipped":               {trust.Check{Status: trust.Skipped}, diag.CodeTrustCheckDefect},
		"nothing":               {trust.Check{}, diag.CodeTrustCheckDefect},
		"passed with a problem": {trust.Check{Status: trust.Passed, Problem: &differs}, diag.CodeTestsNotPassed},
		"another word":          {trust.Check{Status: "ok"}, diag.CodeTrustCheckDefect},
	} {
		t.Run(name, func(t *testing.T) {
			answer := func(context.Context, *bundle.Build) trust.Check { return c.check }
			for check, change := range map[string]func(*trust.Request){
				"source": func(req *trust.Request) { req.Source = answer }, "rerun": func(req *trust.Request) { req.Rerun = answer },
			} {
				r := verify(l, p, change)
				if c.want == "" {
					accepted(t, r)
					continue
				}
				refused(t, r, check, string(c.want))
			}
		})
	}
}

// An interrupted verification has verified nothing.
func TestInterrupted(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	ctx, stop := context.WithCancelCause(context.Background())
	stop(errors.New("enough"))
	r := trust.Verify(ctx, trust.Request{Layout: layout(t, b, release(t, keys["ann"], b, "stable", 1)), Policy: policy(t, releaseByAnn, keys), Now: noon})
	refused(t, r, "signatures", string(diag.CodeTrustCheckDefect))
}

func TestSignaturesAreBounded(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	r := verify(layout(t, b, release(t, keys["ann"], b, "stable", 1)), policy(t, releaseByAnn, keys), func(req *trust.Request) {
		for i := range trust.MaxSignatures {
			req.Detached = append(req.Detached, fmt.Appendf(nil, "%d", i))
		}
	})
	refused(t, r, "signatures", string(diag.CodeTrustTooManySignatures))
}

// Equal requests give equal reports, in text and in JSON, and no control character of an input reaches either.
func TestReportIsDeterministicAndSafe(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	hostile := signed(t, keys["ann"], sign.Statement{Version: sign.StatementV1, Subject: b.Digest(), PredicateType: "https://example.com/\u001b[31m\u202e", Predicate: map[string]any{}})
	l := layout(t, b, hostile, release(t, keys["ann"], b, "stable", 1), release(t, keys["bob"], b, "stable", 1), passedTests(t, keys["pipeline"], b))
	p := policy(t, twoOfThree, keys)
	first := verify(l, p)
	accepted(t, first)
	for range 5 {
		if diff := cmp.Diff(first, verify(l, p)); diff != "" {
			t.Fatal(diff)
		}
	}
	both := textOf(t, first) + string(marshal(t, first.Value()))
	if strings.ContainsAny(both, "\x1b\u202e") {
		t.Errorf("a control character is printed: %q", both)
	}
	if !strings.HasSuffix(textOf(t, first), "VERIFIED "+b.Digest().String()+"\n") {
		t.Errorf("the verdict is not the last line:\n%s", textOf(t, first))
	}
}

// The report says which release counts, and which one each signer of a release signed.
func TestReleaseOfTheReport(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	at := func(channel string, sequence int64) trust.Release {
		return trust.Release{Channel: channel, Sequence: sequence}
	}
	old, latest, stranger := release(t, keys["ann"], b, "stable", 6), release(t, keys["ann"], b, "stable", 9), release(t, keys["stranger"], b, "stable", 10)
	r := verify(layout(t, b, old, latest, stranger), policy(t, releaseByAnn, keys))
	accepted(t, r)
	if r.Release != at("stable", 9) {
		t.Errorf("the release is %v", r.Release)
	}
	want := map[digest.Digest]trust.Release{digest.Of(old): at("stable", 6), digest.Of(latest): at("stable", 9), digest.Of(stranger): {}}
	for _, s := range r.Signatures {
		if s.Release != want[s.Digest] {
			t.Errorf("the signature %s is of the release %v, want %v", s.Digest, s.Release, want[s.Digest])
		}
	}
	for name, r := range map[string]trust.Report{
		"a stranger's": verify(layout(t, b, stranger), policy(t, releaseByAnn, keys)),
		"unsigned":     verify(layout(t, b), policy(t, releaseByAnn, keys), func(req *trust.Request) { req.AllowUnsigned = true }),
		"with a key":   verify(layout(t, b, signed(t, keys["ann"], sign.CosignStatement(b.Digest()))), trust.ForKey(keys["ann"].public)),
	} {
		if r.Release != (trust.Release{}) {
			t.Errorf("%s: the release is %v", name, r.Release)
		}
	}
}
