package trust_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/bundle/trust"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// verifier stands for the room that verifies certificates: it says what it was told to say, and about what.
type verifier struct {
	identity sign.Identity
	err      error
	asked    []string
}

func (v *verifier) VerifyIdentity(_ context.Context, root, _ []byte, artifact digest.Digest) (sign.Identity, error) {
	v.asked = append(v.asked, string(root)+" "+artifact.String())
	return v.identity, v.err
}

// finding is an error of the verifier with a code of its own.
type finding struct{ error }

func (finding) Findings() []diag.Problem {
	return []diag.Problem{diag.New(diag.CodeSignatureMismatch, "", "key", "x")}
}

const byWorkflow = "schema: seif.trust-policy.v1\nproject: shop\nchannels: [stable]\nrequire: [{role: release}]\n" +
	"identities:\n  workflow: {issuer: \"https://i.example\", subject: \"https://x.example/w\", trusted_root: root.json, roles: [release]MORE}\n"

func workflow(at time.Time) sign.Identity {
	return sign.Identity{Issuer: "https://i.example", Subject: "https://x.example/w", Time: at}
}

// certified is a bundle with a certificate, which the fake verifier does not look at.
func certified(t testing.TB, k key, s sign.Statement) []byte {
	t.Helper()
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "x"}, NotBefore: noon, NotAfter: noon.Add(time.Minute)}
	private := k.private.(*ecdsa.PrivateKey)
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	signature, err := k.Sign(context.Background(), sign.Preauthenticated(payloadOf(t, s)))
	if err != nil {
		t.Fatal(err)
	}
	return marshal(t, map[string]any{
		"mediaType":            sign.MediaType,
		"verificationMaterial": map[string]any{"certificate": map[string]any{"rawBytes": base64.StdEncoding.EncodeToString(der)}},
		"dsseEnvelope": map[string]any{
			"payload": base64.StdEncoding.EncodeToString(payloadOf(t, s)), "payloadType": sign.PayloadType,
			"signatures": []any{map[string]any{"sig": base64.StdEncoding.EncodeToString(signature)}},
		},
	})
}

func byIdentity(v trust.IdentityVerifier) func(*trust.Request) {
	return func(req *trust.Request) { req.Identities = v }
}

// The identity in a certificate is compared whole, and the trusted time and not the clock is held against the window.
func TestIdentity(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	l := layout(t, b, certified(t, keys["stranger"], releaseOf(b, "stable", 1).Statement(b.Digest())))
	open, window := strings.Replace(byWorkflow, "MORE", "", 1), strings.Replace(byWorkflow, "MORE", ", not_after: 2026-05-31", 1)

	v := &verifier{identity: workflow(noon)}
	r := verify(l, policy(t, open, keys), byIdentity(v))
	accepted(t, r)
	if len(v.asked) != 1 || v.asked[0] != `{"mediaType":"x"} `+b.Digest().String() {
		t.Errorf("asked %v", v.asked)
	}
	if s := r.Signatures[0]; s.Signer != "workflow" || !strings.Contains(s.Key, "https://x.example/w") {
		t.Errorf("got %+v", s)
	}
	accepted(t, verify(l, policy(t, window, keys), byIdentity(&verifier{identity: workflow(noon.AddDate(0, 0, -2))})))
	refused(t, verify(l, policy(t, window, keys), byIdentity(&verifier{identity: workflow(noon)})), "signatures", string(diag.CodeTrustKeyLate))
	refused(t, verify(l, policy(t, open, keys)), "signatures", string(diag.CodeTrustIdentityUnchecked))
	refused(t, verify(l, policy(t, releaseByAnn, keys), byIdentity(v)), "signatures", string(diag.CodeTrustIdentityUnchecked))
	refused(t, verify(l, trust.ForKey(keys["stranger"].public), byIdentity(v)), "signatures", string(diag.CodeTrustIdentityUnchecked))
	revoked := strings.Replace(byWorkflow, "MORE", ", revoked: {reason: taken over}}\n  other: {issuer: \"https://i.example\", subject: other, trusted_root: root.json, roles: [release]", 1)
	refused(t, verify(l, policy(t, revoked, keys), byIdentity(v)), "signatures", string(diag.CodeTrustKeyRevoked))
}

// Row 28: no trusted time, or a certificate that was not valid at the time that there is.
func TestAttack28(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	l := layout(t, b, certified(t, keys["stranger"], releaseOf(b, "stable", 1).Statement(b.Digest())))
	p := policy(t, strings.Replace(byWorkflow, "MORE", "", 1), keys)
	refused(t, verify(l, p, byIdentity(&verifier{identity: workflow(time.Time{})})), "signatures", string(diag.CodeTrustIdentityNoTime))
	refused(t, verify(l, p, byIdentity(&verifier{err: errors.New("the certificate has expired")})), "signatures", string(diag.CodeTrustIdentityUnverified))
	refused(t, verify(l, p, byIdentity(&verifier{identity: workflow(noon), err: errors.New("no time")})), "signatures", string(diag.CodeTrustIdentityUnverified))
	refused(t, verify(l, p, byIdentity(&verifier{err: finding{errors.New("x")}})), "signatures", string(diag.CodeSignatureMismatch))
}

// Row 29: another subject, another issuer.
func TestAttack29(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	l := layout(t, b, certified(t, keys["stranger"], releaseOf(b, "stable", 1).Statement(b.Digest())))
	p := policy(t, strings.Replace(byWorkflow, "MORE", "", 1), keys)
	for _, id := range []sign.Identity{
		{Issuer: "https://i.example", Subject: "https://x.example/w2", Time: noon},
		{Issuer: "https://i.example", Subject: "https://x.example/", Time: noon},
		{Issuer: "https://i.example/", Subject: "https://x.example/w", Time: noon},
		{Issuer: "https://I.example", Subject: "https://x.example/w", Time: noon},
		{Issuer: "", Subject: "https://x.example/w", Time: noon},
		{},
	} {
		refused(t, verify(l, p, byIdentity(&verifier{identity: id})), "signatures", string(diag.CodeTrustSignerUnknown))
	}
}
