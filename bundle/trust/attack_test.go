package trust_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/bundle/trust"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Row 5: index.json leads elsewhere. The reader refuses it, and the report says not verified and keeps every check. A
// pinned digest wins over whatever is there.
func TestAttack05(t *testing.T) {
	keys := newKeys(t)
	b, older := readBuild(t, plain), readBuild(t, withCorpus)
	dir := written(t, layout(t, b, release(t, keys["ann"], b, "stable", 1)))
	edit(t, dir+"/index.json", func(text string) string {
		value, err := canonical.Parse([]byte(text), canonical.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		index := value.(map[string]any)
		index["manifests"] = index["manifests"].([]any)[1:]
		return string(marshal(t, index))
	})
	r := readRefused(t, dir)
	refused(t, r, "contents", string(diag.CodeIndexMismatch))
	if len(r.Checks) != 13 {
		t.Errorf("checks are hidden:\n%s", textOf(t, r))
	}

	pinned := verify(layout(t, b, release(t, keys["ann"], b, "stable", 1)), policy(t, releaseByAnn, keys),
		func(req *trust.Request) { req.Digest = older.Digest() })
	refused(t, pinned, "digest", string(diag.CodeBuildDigest))
}

// Row 6: a valid signature of another Build. Need 20.
func TestAttack06(t *testing.T) {
	keys := newKeys(t)
	b, other := readBuild(t, plain), readBuild(t, withCorpus)
	stolen := release(t, keys["ann"], other, "stable", 1)
	r := verify(layout(t, b, stolen), policy(t, releaseByAnn, keys))
	refused(t, r, "signatures", string(diag.CodeTrustSubjectDiffers))
	refused(t, r, "role release", string(diag.CodeTrustRoleUnmet))
}

// Row 9: a test result is no release, although the same key may sign both, and whatever the annotation says (row 41).
func TestAttack09(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	p := policy(t, strings.Replace(releaseByAnn, "roles: [release]", "roles: [release, tests]", 1), keys)
	a, err := b.Attach(passedTests(t, keys["ann"], b), sign.ReleasePredicate)
	if err != nil {
		t.Fatal(err)
	}
	r := verify(&bundle.Layout{Build: b, Attachments: []bundle.Attachment{a}}, p)
	refused(t, r, "role release", string(diag.CodeTrustRoleUnmet))
	if r.Check("signatures").Status != trust.Passed || r.Signatures[0].Role != "tests" {
		t.Errorf("the payload decides what a signature is:\n%s", textOf(t, r))
	}

	// A key that may only test releases nothing.
	r = verify(layout(t, b, release(t, keys["pipeline"], b, "stable", 1)), policy(t, twoOfThree, keys))
	refused(t, r, "signatures", string(diag.CodeTrustRoleNotGranted))
}

// Row 10: a test result that failed, or that leaves out what the Build inherited, is refused although it is signed by
// a key that may attest tests.
func TestAttack10(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, withCorpus)
	p := policy(t, twoOfThree, keys)
	both := [][]byte{release(t, keys["ann"], b, "stable", 1), release(t, keys["bob"], b, "stable", 1)}

	r := verify(layout(t, b, append(both, failedTests(t, keys["pipeline"], b))...), p)
	refused(t, r, "tests", string(diag.CodeTestsNotPassed))
	refused(t, r, "role tests", string(diag.CodeTrustRoleUnmet))

	for name, change := range map[string]func(*sign.Tests){
		"without the corpus":       func(s *sign.Tests) { s.Corpus = digest.Digest{} },
		"of another corpus":        func(s *sign.Tests) { s.Corpus = digest.Of([]byte("another")) },
		"of other tests":           func(s *sign.Tests) { s.Tests = digest.Of([]byte("others")) },
		"under another estimator":  func(s *sign.Tests) { s.Estimator = "seif-est/2" },
		"of the definition's blob": func(s *sign.Tests) { s.Tests = b.DefinitionDigest() },
	} {
		st := testsOf(b)
		change(&st)
		r := verify(layout(t, b, append(both, signed(t, keys["pipeline"], st.Statement(b.Digest())))...), p)
		t.Run(name, func(t *testing.T) { refused(t, r, "tests", string(diag.CodeTrustStatementDiffers)) })
	}

	accepted(t, verify(layout(t, b, append(both, passedTests(t, keys["pipeline"], b))...), p))
}

// Row 18: a key id that contradicts the key.
func TestAttack18(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	payload := payloadOf(t, releaseOf(b, "stable", 1).Statement(b.Digest()))
	for _, hint := range []string{keys["ann"].public.Hint(), keys["bob"].public.Hint(), "-"} {
		r := verify(layout(t, b, forced(t, keys["ann"], payload, hint, keys["bob"].public.ID().String())), policy(t, releaseByAnn, keys))
		refused(t, r, "signatures", string(diag.CodeSignatureKeyID))
	}
}

// Row 19: the hint decides nothing. A signature by a key of the policy counts whatever it hints at, and one by a
// stranger does not although it hints at one.
func TestAttack19(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	p := policy(t, twoOfThree, keys)
	payload := payloadOf(t, releaseOf(b, "stable", 1).Statement(b.Digest()))
	both := [][]byte{
		forced(t, keys["ann"], payload, keys["bob"].public.Hint(), ""), forced(t, keys["bob"], payload, "nonsense", ""),
		passedTests(t, keys["pipeline"], b),
	}
	accepted(t, verify(layout(t, b, both...), p))

	spoofed := forced(t, keys["stranger"], payload, keys["ann"].public.Hint(), "")
	refused(t, verify(layout(t, b, spoofed), p), "signatures", string(diag.CodeTrustTampered))
	refused(t, verify(layout(t, b, append(both, spoofed)...), p), "signatures", string(diag.CodeTrustTampered))
}

// Row 21: a payload that was changed after it was signed.
func TestAttack21(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	p := policy(t, releaseByAnn, keys)
	good := release(t, keys["ann"], b, "stable", 1)
	value := string(payloadOf(t, releaseOf(b, "stable", 1).Statement(b.Digest())))
	changed := strings.Replace(value, `"sequence":1`, `"sequence":9`, 1)
	forged := []byte(strings.Replace(string(good), base64Of(value), base64Of(changed), 1))
	if string(forged) == string(good) {
		t.Fatal("nothing was changed")
	}
	refused(t, verify(layout(t, b, forged), p), "signatures", string(diag.CodeTrustTampered))
	refused(t, verify(layout(t, b, forged, good), p), "signatures", string(diag.CodeTrustTampered))
}

// Row 25, R62: a signature by a key that nobody knows. It is never skipped and called good.
func TestAttack25(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	l := layout(t, b, release(t, keys["stranger"], b, "stable", 1))
	r := verify(l, policy(t, releaseByAnn, keys))
	refused(t, r, "signatures", string(diag.CodeTrustSignerUnknown))
	refused(t, r, "role release", string(diag.CodeTrustRoleUnmet))
	refused(t, verify(l, trust.ForKey(keys["ann"].public)), "signatures", string(diag.CodeTrustKeyUnmet))
	refused(t, verify(l, policy(t, releaseByAnn, keys), func(req *trust.Request) { req.AllowUnsigned = true }),
		"signatures", string(diag.CodeTrustSignerUnknown))
}

// Row 26: an Ed25519 signature over the hash, offered as one over the message, is refused and is no sign of a change.
func TestAttack26(t *testing.T) {
	keys := newKeys(t)
	keys["ann"] = newEdKey(t)
	b := readBuild(t, plain)
	p := policy(t, releaseByAnn, keys)
	pure := release(t, keys["ann"], b, "stable", 1)
	accepted(t, verify(layout(t, b, pure), p))
	hashed := prehashed(t, keys["ann"], payloadOf(t, releaseOf(b, "stable", 1).Statement(b.Digest())))
	r := verify(layout(t, b, hashed), p)
	refused(t, r, "signatures", string(diag.CodeSignaturePrehashed))
	accepted(t, verify(layout(t, b, hashed, pure), p))
}

// Row 27: the same key twice is one signer. One key under two names is an error of the policy; see TestRead.
func TestAttack27(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	p := policy(t, twoOfThree, keys)
	tests := passedTests(t, keys["pipeline"], b)
	twice := layout(t, b, release(t, keys["ann"], b, "stable", 1), release(t, keys["ann"], b, "stable", 1), tests)
	if len(twice.Attachments) != 3 {
		t.Fatal("the two signatures are one")
	}
	r := verify(twice, p)
	refused(t, r, "role release", string(diag.CodeTrustRoleUnmet))
	if got := r.Check("role release").Found; got != "1 of 2" {
		t.Errorf("counted %s", got)
	}
	again := release(t, keys["ann"], b, "stable", 1)
	refused(t, verify(layout(t, b, again, tests), p, func(req *trust.Request) { req.Detached = [][]byte{again, again} }),
		"role release", string(diag.CodeTrustRoleUnmet))

	// Two who disagree on what they release do not count together.
	r = verify(layout(t, b, release(t, keys["ann"], b, "stable", 1), release(t, keys["bob"], b, "stable", 2), tests), p)
	refused(t, r, "role release", string(diag.CodeTrustRoleUnmet))
	accepted(t, verify(layout(t, b, release(t, keys["ann"], b, "stable", 1), release(t, keys["bob"], b, "stable", 1), tests), p))
}

// Row 30, R67: a key that is revoked, or whose window is not open.
func TestAttack30(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	l := layout(t, b, release(t, keys["ann"], b, "stable", 1))
	bob := "  bob: {pem: KEY:bob, roles: [release]}\n"
	for _, c := range []struct {
		more string
		want diag.Code
	}{
		{", revoked: {reason: stolen}", diag.CodeTrustKeyRevoked},
		{", revoked: {reason: stolen, date: 2030-01-01}", diag.CodeTrustKeyRevoked},
		{", not_before: 2026-06-02", diag.CodeTrustKeyEarly},
		{", not_before: 2026-06-01T12:00:01Z", diag.CodeTrustKeyEarly},
		{", not_after: 2026-05-31", diag.CodeTrustKeyLate},
		{", not_after: 2026-06-01T11:59:59Z", diag.CodeTrustKeyLate},
		{", not_before: 2026-06-01, not_after: 2026-06-01", ""},
		{", not_before: 2026-06-01T12:00:00Z, not_after: 2026-06-01T12:00:00Z", ""},
	} {
		text := strings.Replace(releaseByAnn, "roles: [release]", "roles: [release]"+c.more, 1) + bob
		r := verify(l, policy(t, text, keys))
		if c.want == "" {
			accepted(t, r)
			continue
		}
		refused(t, r, "signatures", string(c.want))
		refused(t, r, "role release", string(diag.CodeTrustRoleUnmet))
	}
}

// Row 31: an older release, validly signed.
func TestAttack31(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	p := policy(t, releaseByAnn+"floor: {stable: 7}\n", keys)
	old := layout(t, b, release(t, keys["ann"], b, "stable", 6))
	refused(t, verify(old, p), "floor", string(diag.CodeTrustBelowFloor))
	accepted(t, verify(layout(t, b, release(t, keys["ann"], b, "stable", 7)), p))
	// The pin does not lift the floor: a release that is wanted again is promoted again.
	refused(t, verify(old, p, func(req *trust.Request) { req.Digest = b.Digest() }), "floor", string(diag.CodeTrustBelowFloor))
	accepted(t, verify(layout(t, b, release(t, keys["ann"], b, "stable", 6), release(t, keys["ann"], b, "stable", 9)), p))
}

// Row 40: in a manifest that is signed validly the definition lists another file than the layers.
func TestAttack40(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	dir := written(t, &bundle.Layout{Build: b})
	forged := forgeDefinition(t, dir, b, func(def string) string {
		return strings.Replace(def, b.Definition().Sources["tone"].Digest.String(), digest.Of([]byte("another text")).String(), 1)
	})
	st := releaseOf(b, "stable", 1)
	st.Definition = forged.definition
	attachRaw(t, dir, forged.manifest, signed(t, keys["ann"], st.Statement(digest.Of(forged.manifest))))
	refused(t, readRefused(t, dir), "contents", string(diag.CodeLayerDiffers))
}

// Row 42, R63: signatures were withheld. The Build is unsigned, and nothing makes that good but words.
func TestAttack42(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	for _, p := range []*trust.Policy{policy(t, releaseByAnn, keys), policy(t, twoOfThree, keys), trust.ForKey(keys["ann"].public)} {
		refused(t, verify(layout(t, b), p), "signatures", string(diag.CodeTrustUnsigned))
		allowed := verify(layout(t, b), p, func(req *trust.Request) { req.AllowUnsigned = true })
		if allowed.Verdict != trust.Unsigned || !strings.Contains(textOf(t, allowed), "UNSIGNED sha256:") {
			t.Errorf("got %s", textOf(t, allowed))
		}
	}
	refused(t, verify(layout(t, b), nil), "signatures", string(diag.CodeTrustNoPolicy))
	refused(t, verify(layout(t, b, release(t, keys["ann"], b, "stable", 1)), nil), "signatures", string(diag.CodeTrustNoPolicy))
}

// Row 45: verification opens no socket. Whatever would resolve or dial in this process fails and is counted.
func TestAttack45(t *testing.T) {
	var dialled atomic.Int64
	refuse := func(context.Context, string, string) (net.Conn, error) {
		dialled.Add(1)
		return nil, errors.New("no network")
	}
	oldTransport, oldResolver := http.DefaultTransport, net.DefaultResolver
	http.DefaultTransport = &http.Transport{DialContext: refuse}
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: refuse}
	defer func() { http.DefaultTransport, net.DefaultResolver = oldTransport, oldResolver }()

	keys := newKeys(t)
	b := readBuild(t, withCorpus)
	l := layout(t, b, release(t, keys["ann"], b, "stable", 1), release(t, keys["bob"], b, "stable", 1), passedTests(t, keys["pipeline"], b))
	before := sockets(t)
	accepted(t, verify(l, policy(t, twoOfThree, keys)))
	if n := dialled.Load(); n != 0 {
		t.Errorf("%d connections", n)
	}
	if after := sockets(t); after > before {
		t.Errorf("%d sockets before, %d after", before, after)
	}
}

// sockets counts those of this process, where the system tells.
func sockets(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	n := 0
	for _, e := range entries {
		if target, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && strings.HasPrefix(target, "socket:") {
			n++
		}
	}
	return n
}

// readRefused reads a layout that has to be refused, and gives the report of that.
func readRefused(t *testing.T, dir string) trust.Report {
	t.Helper()
	_, err := bundle.ReadLayout(t.Context(), dir, bundle.ReadOptions{})
	var invalid *bundle.Invalid
	if !errors.As(err, &invalid) {
		t.Fatalf("the layout was read: %v", err)
	}
	r := trust.Refused(invalid)
	if err := r.WriteText(io.Discard); err != nil {
		t.Fatal(err)
	}
	return r
}
