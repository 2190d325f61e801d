package sign_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

var (
	build      = digest.Of([]byte("a Build"))
	otherBuild = digest.Of([]byte("another Build"))
)

func release() sign.Release {
	return sign.Release{
		Project: "shop", Channel: "stable", Sequence: 7, Definition: digest.Of([]byte("a definition")),
		Runtime: "seif.context-runtime.v2", Tools: digest.Of([]byte("[]")),
	}
}

func tests() sign.Tests {
	obligation := digest.Of([]byte("an obligation"))
	return sign.Tests{
		Passed: []string{"answers-kindly", sign.Inherited(obligation)}, Tests: digest.Of([]byte("tests")),
		Corpus: digest.Of([]byte("corpus")), Guards: 1, Inherited: 1, Estimator: "seif-est/1",
	}
}

func guardReview() sign.GuardReview {
	return sign.GuardReview{Project: "shop", Test: "inc-2026-014", Decision: sign.Bind, Incident: "INC-2026-014", Reason: "It enrolled a student."}
}

func acknowledgement() sign.Acknowledgement {
	return sign.Acknowledgement{
		Project: "shop", Channel: "stable", Baseline: otherBuild, Change: digest.Of([]byte("a change")), Rule: "tool-added",
		Axis: "authority", Reason: "Agreed with the owner of the shop.", Expires: time.Date(2027, 1, 31, 12, 0, 0, 0, time.UTC),
	}
}

func promotion() sign.Promotion {
	return sign.Promotion{
		Project: "shop", Channel: "stable", Sequence: 8, Previous: digest.Of([]byte("record 7")), Definition: release().Definition,
		Baseline: otherBuild, Kind: sign.Rollback, Reason: "The new one is slow.",
		Acknowledgements: []digest.Digest{digest.Of([]byte("a change"))}, Time: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC),
	}
}

func provenance() sign.Provenance {
	return sign.Provenance{
		BuildType: sign.BuildType, Parameters: map[string]any{"project": "shop"}, Builder: "https://ci.example/builder",
		Materials:  []sign.Material{{URI: "git+https://git.example/shop", Digest: map[string]string{"gitCommit": "0123456789abcdef0123456789abcdef01234567"}}},
		Invocation: "run 12", Started: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC), Finished: time.Date(2026, 11, 2, 9, 1, 0, 0, time.UTC),
	}
}

func newKey(tb testing.TB) *sign.PrivateKey {
	tb.Helper()
	key, err := sign.GenerateKey()
	if err != nil {
		tb.Fatal(err)
	}
	return key
}

func signed(tb testing.TB, signer sign.Signer, s sign.Statement) []byte {
	tb.Helper()
	data, err := sign.Sign(context.Background(), signer, s)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func decoded(tb testing.TB, data []byte) *sign.Bundle {
	tb.Helper()
	b, err := sign.Decode(data)
	if err != nil {
		tb.Fatalf("%v: %v", err, problemsOf(err))
	}
	return b
}

// bundleOver is a bundle of any payload, signed as it is.
func bundleOver(tb testing.TB, signer sign.Signer, payload []byte) []byte {
	tb.Helper()
	signature, err := signer.Sign(context.Background(), sign.Preauthenticated(payload))
	if err != nil {
		tb.Fatal(err)
	}
	return bundleOf(tb, signer.Public(), payload, signature)
}

func bundleOf(tb testing.TB, key sign.PublicKey, payload, signature []byte) []byte {
	tb.Helper()
	data, err := json.Marshal(map[string]any{
		"mediaType":            sign.MediaType,
		"verificationMaterial": map[string]any{"publicKey": map[string]any{"hint": key.Hint()}},
		"dsseEnvelope": map[string]any{
			"payload": payload, "payloadType": sign.PayloadType, "signatures": []any{map[string]any{"sig": signature}},
		},
	})
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func encoded(tb testing.TB, s sign.Statement) []byte {
	tb.Helper()
	data, err := s.Encode()
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// replaced changes the one place of a text.
func replaced(tb testing.TB, data []byte, old, with string) []byte {
	tb.Helper()
	if n := bytes.Count(data, []byte(old)); n != 1 {
		tb.Fatalf("%q stands %d times in %s", old, n, data)
	}
	return bytes.Replace(data, []byte(old), []byte(with), 1)
}

// repayloaded is a bundle with another payload and the signature that it had.
func repayloaded(tb testing.TB, data, payload []byte) []byte {
	tb.Helper()
	before := base64.StdEncoding.EncodeToString(decoded(tb, data).Payload())
	return replaced(tb, data, before, base64.StdEncoding.EncodeToString(payload))
}

func problemsOf(err error) []diag.Problem {
	var invalid *sign.Invalid
	var mismatch *sign.SignatureError
	var key *sign.KeyError
	switch {
	case errors.As(err, &invalid):
		return invalid.Problems
	case errors.As(err, &mismatch):
		return []diag.Problem{mismatch.Problem}
	case errors.As(err, &key):
		return []diag.Problem{key.Problem}
	default:
		return nil
	}
}

// refused makes sure that a bundle is not decoded, for one reason alone.
func refused(t *testing.T, data []byte, code diag.Code, pointer string) {
	t.Helper()
	b, err := sign.Decode(data)
	var invalid *sign.Invalid
	if !errors.As(err, &invalid) || b != nil {
		t.Fatalf("decoded: %v", err)
	}
	only(t, invalid.Problems, code, pointer)
}

func only(t *testing.T, problems []diag.Problem, code diag.Code, pointer string) {
	t.Helper()
	if len(problems) != 1 || problems[0].Code != code || problems[0].Target.Pointer != pointer {
		t.Fatalf("want %s at %q, got %v", code, pointer, problems)
	}
	if message := diag.AtPlace(diag.Place{}, problems[0].Code, pairs(problems[0].Data)...).Message(); strings.ContainsAny(message, "{}") {
		t.Errorf("the message lacks a datum: %s", message)
	}
}

func pairs(data diag.Data) []string {
	var out []string
	for name, value := range data {
		out = append(out, name, strings.NewReplacer("{", "", "}", "").Replace(value))
	}
	return out
}

// rejects makes sure that a decoded bundle does not verify, and why.
func rejects(t *testing.T, data []byte, key sign.PublicKey, code diag.Code) {
	t.Helper()
	err := decoded(t, data).Verify(key)
	if !errors.Is(err, sign.ErrSignature) {
		t.Fatalf("it verifies: %v", err)
	}
	only(t, problemsOf(err), code, "")
}

func verifies(t *testing.T, data []byte, key sign.PublicKey) {
	t.Helper()
	if err := decoded(t, data).Verify(key); err != nil {
		t.Fatalf("it does not verify: %v", err)
	}
}

// plainKey is a key and its PKCS #8 form without a password.
func plainKey(tb testing.TB) (*sign.PrivateKey, []byte) {
	tb.Helper()
	signer, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(signer)
	if err != nil {
		tb.Fatal(err)
	}
	key, err := sign.NewPrivateKey(signer)
	if err != nil {
		tb.Fatal(err)
	}
	return key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}
