package sign_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	protobundle "github.com/sigstore/protobuf-specs/gen/pb-go/bundle/v1"
	protocommon "github.com/sigstore/protobuf-specs/gen/pb-go/common/v1"
	protodsse "github.com/sigstore/protobuf-specs/gen/pb-go/dsse"
	sigbundle "github.com/sigstore/sigstore-go/pkg/bundle"
	"github.com/sigstore/sigstore-go/pkg/root"
	sigsign "github.com/sigstore/sigstore-go/pkg/sign"
	"github.com/sigstore/sigstore-go/pkg/testing/ca"
	sigverify "github.com/sigstore/sigstore-go/pkg/verify"
	"github.com/sigstore/sigstore/pkg/cryptoutils"
	"github.com/sigstore/sigstore/pkg/signature"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/diag"
)

// theyVerify verifies a bundle with Sigstore's own client and one key.
func theyVerify(t *testing.T, data []byte, key sign.PublicKey, hexDigest string) error {
	t.Helper()
	var b sigbundle.Bundle
	if err := b.UnmarshalJSON(data); err != nil {
		return err
	}
	public, err := cryptoutils.UnmarshalPEMToPublicKey(key.PEM())
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := signature.LoadDefaultVerifier(public)
	if err != nil {
		t.Fatal(err)
	}
	trusted := root.NewTrustedPublicKeyMaterial(func(string) (root.TimeConstrainedVerifier, error) {
		return root.NewExpiringKey(verifier, time.Time{}, time.Time{}), nil
	})
	client, err := sigverify.NewVerifier(trusted, sigverify.WithNoObserverTimestamps())
	if err != nil {
		t.Fatal(err)
	}
	artifact, err := hex.DecodeString(hexDigest)
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Verify(&b, sigverify.NewPolicy(sigverify.WithArtifactDigest("sha256", artifact), sigverify.WithKey()))
	return err
}

// Sigstore's own client verifies what we sign, in every role and with every algorithm, and refuses what we refuse.
func TestTheyVerifyOurs(t *testing.T) {
	key := newKey(t)
	statements := []sign.Statement{sign.CosignStatement(build)}
	for _, role := range sign.Roles() {
		statements = append(statements, roles()[role].statement)
	}
	for _, s := range statements {
		if err := theyVerify(t, signed(t, key, s), key.Public(), build.Hex()); err != nil {
			t.Errorf("%s: %v", s.PredicateType, err)
		}
	}
	for _, other := range otherKeys(t) {
		data := signed(t, other, release().Statement(build))
		if err := theyVerify(t, data, other.Public(), build.Hex()); err != nil {
			t.Errorf("%s: %v", other.Public().Algorithm(), err)
		}
		if theyVerify(t, data, other.Public(), otherBuild.Hex()) == nil || theyVerify(t, data, key.Public(), build.Hex()) == nil {
			t.Error("they verify anything: this test shows nothing")
		}
	}
}

// We verify what Sigstore's own client signs, and do not take it for ours.
func TestWeVerifyTheirs(t *testing.T) {
	payload := []byte(`{"_type":"https://in-toto.io/Statement/v0.1","predicateType":"https://cosign.sigstore.dev/attestation/v1",` +
		`"subject":[{"name":"x","digest":{"sha256":"` + build.Hex() + `"}}],"predicate":{"Data":"","Timestamp":"2026-11-02T09:00:00Z"}}`)
	for _, algorithm := range []protocommon.PublicKeyDetails{
		protocommon.PublicKeyDetails_PKIX_ECDSA_P256_SHA_256, protocommon.PublicKeyDetails_PKIX_ECDSA_P384_SHA_384,
		protocommon.PublicKeyDetails_PKIX_ECDSA_P521_SHA_512, protocommon.PublicKeyDetails_PKIX_ED25519,
		protocommon.PublicKeyDetails_PKIX_RSA_PKCS1V15_2048_SHA256,
	} {
		t.Run(algorithm.String(), func(t *testing.T) {
			keypair, err := sigsign.NewEphemeralKeypair(&sigsign.EphemeralKeypairOptions{Algorithm: algorithm})
			if err != nil {
				t.Fatal(err)
			}
			key, err := sign.NewPublicKey(keypair.GetPublicKey())
			if err != nil {
				t.Fatal(err)
			}
			made, err := sigsign.Bundle(&sigsign.DSSEData{Data: payload, PayloadType: sign.PayloadType}, keypair, sigsign.BundleOptions{Context: context.Background()})
			if err != nil {
				t.Fatal(err)
			}
			data := asJSON(t, made)
			verifies(t, data, key)
			b := decoded(t, data)
			if s := b.Statement(); s.Subject != build || s.Role() != sign.NoRole || b.Hint() != key.Hint() || !bytes.Equal(b.Payload(), payload) {
				t.Errorf("read as %+v", s)
			}
			rejects(t, data, newKey(t).Public(), codeOfOther(algorithm))
		})
	}
}

// codeOfOther is how a signature of an algorithm fails with a key on P-256.
func codeOfOther(algorithm protocommon.PublicKeyDetails) diag.Code {
	if strings.Contains(algorithm.String(), "ECDSA") {
		return diag.CodeSignatureMismatch
	}
	return diag.CodeSignatureEncoding
}

func asJSON(t *testing.T, b *protobundle.Bundle) []byte {
	t.Helper()
	data, err := protojson.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A bundle that was signed with a certificate, logged and stamped is taken apart whole, and no key speaks for it: not
// even the one in the certificate.
func TestBundlesOfIdentities(t *testing.T) {
	virtual, err := ca.NewVirtualSigstore()
	if err != nil {
		t.Fatal(err)
	}
	payload := encoded(t, release().Statement(build))
	for _, logged := range []bool{false, true} {
		entity, err := virtual.AttestAtTime("release@example.com", "https://issuer.example", payload, time.Now(), logged)
		if err != nil {
			t.Fatal(err)
		}
		data := asJSON(t, keylessBundle(t, entity))
		b := decoded(t, data)
		certificate, err := entity.VerificationContent()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Certificate(), certificate.Certificate().Raw) || b.LogEntries() != 1 || len(b.Timestamps()) != 1 || len(b.Timestamps()[0]) == 0 {
			t.Errorf("read as %d log entries, %d timestamps", b.LogEntries(), len(b.Timestamps()))
		}
		if got, problems := sign.ParseRelease(b.Statement()); len(problems) > 0 || got != release() {
			t.Errorf("it says %+v, %v", got, problems)
		}
		key, err := sign.NewPublicKey(certificate.Certificate().PublicKey)
		if err != nil {
			t.Fatal(err)
		}
		rejects(t, data, key, diag.CodeSignatureByIdentity)
		checkProofs(t, data)
	}
}

// keylessBundle is the bundle of an entity, which the virtual Sigstore gives in parts only.
func keylessBundle(t *testing.T, entity *ca.TestEntity) *protobundle.Bundle {
	t.Helper()
	verification, verificationErr := entity.VerificationContent()
	content, contentErr := entity.SignatureContent()
	stamps, stampsErr := entity.Timestamps()
	entries, entriesErr := entity.TlogEntries()
	if err := errors.Join(verificationErr, contentErr, stampsErr, entriesErr); err != nil {
		t.Fatal(err)
	}
	payload, err := content.EnvelopeContent().RawEnvelope().DecodeB64Payload()
	if err != nil {
		t.Fatal(err)
	}
	material := &protobundle.VerificationMaterial{
		Content:                   &protobundle.VerificationMaterial_Certificate{Certificate: &protocommon.X509Certificate{RawBytes: verification.Certificate().Raw}},
		TimestampVerificationData: &protobundle.TimestampVerificationData{},
	}
	for _, stamp := range stamps {
		signed := &protocommon.RFC3161SignedTimestamp{SignedTimestamp: stamp}
		material.TimestampVerificationData.Rfc3161Timestamps = append(material.TimestampVerificationData.Rfc3161Timestamps, signed)
	}
	for _, entry := range entries {
		material.TlogEntries = append(material.TlogEntries, entry.TransparencyLogEntry())
	}
	return &protobundle.Bundle{
		MediaType: sign.MediaType, VerificationMaterial: material,
		Content: &protobundle.Bundle_DsseEnvelope{DsseEnvelope: &protodsse.Envelope{
			Payload: payload, PayloadType: sign.PayloadType, Signatures: []*protodsse.Signature{{Sig: content.Signature()}},
		}},
	}
}

// checkProofs changes the proofs of a bundle: whatever is not of the form that they have is refused.
func checkProofs(t *testing.T, data []byte) {
	t.Helper()
	const material = "/verificationMaterial"
	for _, test := range []struct {
		name, path string
		value      any
		code       diag.Code
		pointer    string
	}{
		{"no certificate", "certificate/rawBytes", "MAA=", diag.CodeBundleCertificate, "/certificate/rawBytes"},
		{"bytes", "certificate/rawBytes", "%", diag.CodeBundleBase64, "/certificate/rawBytes"},
		{"certificate and key", "publicKey", map[string]any{}, diag.CodeBundleKeyMaterial, ""},
		{"null", "tlogEntries", nil, diag.CodeBundleMemberWrong, "/tlogEntries"},
		{"too many", "tlogEntries", make([]map[string]any, 17), diag.CodeBundleMemberWrong, "/tlogEntries"},
		{"number", "tlogEntries/0/logIndex", 1, diag.CodeBundleMemberWrong, "/tlogEntries/0/logIndex"},
		{"negative", "tlogEntries/0/integratedTime", "-1", diag.CodeBundleMemberWrong, "/tlogEntries/0/integratedTime"},
		{"leading zero", "tlogEntries/0/integratedTime", "01", diag.CodeBundleMemberWrong, "/tlogEntries/0/integratedTime"},
		{"space", "tlogEntries/0/integratedTime", " 1", diag.CodeBundleMemberWrong, "/tlogEntries/0/integratedTime"},
		{"body", "tlogEntries/0/canonicalizedBody", "e30", diag.CodeBundleBase64, "/tlogEntries/0/canonicalizedBody"},
		{"log", "tlogEntries/0/logId", map[string]any{"key_id": ""}, diag.CodeBundleMemberUnknown, "/tlogEntries/0/logId/key_id"},
		{"kind", "tlogEntries/0/kindVersion", map[string]any{"kind": 1}, diag.CodeBundleMemberWrong, "/tlogEntries/0/kindVersion/kind"},
		{"promise", "tlogEntries/0/inclusionPromise", map[string]any{"signedEntryTimestamp": ""}, "", ""},
		{"promise of more", "tlogEntries/0/inclusionPromise", map[string]any{"x": ""}, diag.CodeBundleMemberUnknown, "/tlogEntries/0/inclusionPromise/x"},
		{"proof", "tlogEntries/0/inclusionProof", map[string]any{"hashes": []any{"AAAA", "!"}}, diag.CodeBundleBase64, "/tlogEntries/0/inclusionProof/hashes/1"},
		{"checkpoint", "tlogEntries/0/inclusionProof", map[string]any{"checkpoint": map[string]any{"x": ""}}, diag.CodeBundleMemberUnknown, "/tlogEntries/0/inclusionProof/checkpoint/x"},
		{"stamp", "timestampVerificationData/rfc3161Timestamps/0/signedTimestamp", 1, diag.CodeBundleMemberWrong, "/timestampVerificationData/rfc3161Timestamps/0/signedTimestamp"},
		{"stamps", "timestampVerificationData", map[string]any{}, "", ""},
	} {
		changed := replacedAt(t, data, "verificationMaterial/"+test.path, test.value)
		if test.code == "" {
			decoded(t, changed)
			continue
		}
		t.Run(test.name, func(t *testing.T) { refused(t, changed, test.code, material+test.pointer) })
	}
}

// replacedAt is a JSON document with another value at a path.
func replacedAt(t *testing.T, data []byte, path string, value any) []byte {
	t.Helper()
	var root any
	if err := json.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	names := strings.Split(path, "/")
	at := root
	for _, name := range names[:len(names)-1] {
		if list, ok := at.([]any); ok && name == "0" {
			at = list[0]
			continue
		}
		at = at.(map[string]any)[name]
	}
	at.(map[string]any)[names[len(names)-1]] = value
	out, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
