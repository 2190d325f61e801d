package sign_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/diag"
)

// R62: a signature over another subject. What is decided here is that a statement names one subject and that it cannot be
// changed; comparing it with the Build is one equality.
func TestAttack06(t *testing.T) {
	key := newKey(t)
	data := signed(t, key, release().Statement(otherBuild))
	if decoded(t, data).Statement().Subject == build {
		t.Fatal("the statement is about our Build")
	}
	payload := replaced(t, decoded(t, data).Payload(), otherBuild.Hex(), build.Hex())
	moved := repayloaded(t, data, payload)
	if decoded(t, moved).Statement().Subject != build {
		t.Fatal("the test did not move the subject")
	}
	rejects(t, moved, key.Public(), diag.CodeSignatureMismatch)
}

// The payload type is another one.
func TestAttack08(t *testing.T) {
	data := signed(t, newKey(t), release().Statement(build))
	for _, other := range []string{"text/plain", "application/json", "", "application/vnd.in-toto+JSON", "application/vnd.in-toto+json "} {
		refused(t, replaced(t, data, sign.PayloadType, other), diag.CodeBundlePayloadType, "/dsseEnvelope/payloadType")
	}
	refused(t, replaced(t, data, `"payloadType":"`+sign.PayloadType+`"`, `"payloadType":null`), diag.CodeBundleMemberWrong, "/dsseEnvelope/payloadType")
}

// A member stands twice in the bundle, at any depth, also written with escapes.
func TestAttack11(t *testing.T) {
	data := signed(t, newKey(t), release().Statement(build))
	for _, test := range []struct{ name, old, with, pointer string }{
		{"envelope", `"dsseEnvelope":`, `"dsseEnvelope":{},"dsseEnvelope":`, "/dsseEnvelope"},
		{"payload", `"payload":`, `"payload":"e30=","payload":`, "/dsseEnvelope/payload"},
		{"escaped", `"payload":`, `"p\u0061yload":"e30=","payload":`, "/dsseEnvelope/payload"},
		{"signature", `"sig":`, `"sig":"e30=","sig":`, "/dsseEnvelope/signatures/0/sig"},
		{"hint", `"hint":`, `"hint":"","hint":`, "/verificationMaterial/publicKey/hint"},
	} {
		t.Run(test.name, func(t *testing.T) {
			refused(t, replaced(t, data, test.old, test.with), diag.CodeBundleJSONDuplicate, test.pointer)
		})
	}
}

// The media type stands twice.
func TestAttack12(t *testing.T) {
	data := signed(t, newKey(t), release().Statement(build))
	old := "application/vnd.dev.sigstore.bundle+json;version=0.1"
	for _, first := range []string{`"mediaType":"` + old + `",`, `"mediaTyp\u0065":"` + sign.MediaType + `",`} {
		refused(t, replaced(t, data, `"mediaType":`, first+`"mediaType":`), diag.CodeBundleMediaTypeTwice, "/mediaType")
	}
}

// A member stands twice in the signed statement, whoever signed it.
func TestAttack13Statement(t *testing.T) {
	key := newKey(t)
	payload := encoded(t, release().Statement(build))
	for _, test := range []struct{ name, old, with, pointer string }{
		{"subject", `"subject":`, `"subject":[],"subject":`, "/subject"},
		{"digest", `"sha256":`, `"sha256":"` + otherBuild.Hex() + `","sha256":`, "/subject/0/digest/sha256"},
		{"predicate", `"channel":`, `"channel":"beta","channel":`, "/predicate/channel"},
		{"escaped", `"sequence":`, `"\u0073equence":99,"sequence":`, "/predicate/sequence"},
	} {
		t.Run(test.name, func(t *testing.T) {
			data := bundleOver(t, key, replaced(t, payload, test.old, test.with))
			refused(t, data, diag.CodeStatementJSONDuplicate, test.pointer)
		})
	}
}

// The bundle has a member that is not known, at any depth.
func TestAttack14(t *testing.T) {
	data := signed(t, newKey(t), release().Statement(build))
	for _, test := range []struct{ name, old, with, pointer string }{
		{"root", `"mediaType":`, `"x":1,"mediaType":`, "/x"},
		{"snake case", `"mediaType":`, `"media_type":1,"mediaType":`, "/media_type"},
		{"envelope", `"payload":`, `"x":1,"payload":`, "/dsseEnvelope/x"},
		{"signature", `"sig":`, `"cert":"","sig":`, "/dsseEnvelope/signatures/0/cert"},
		{"material", `"publicKey":`, `"x509CertificateChain":{},"publicKey":`, "/verificationMaterial/x509CertificateChain"},
		{"key", `"hint":`, `"rawBytes":"","hint":`, "/verificationMaterial/publicKey/rawBytes"},
		{"log entry", `"publicKey":`, `"tlogEntries":[{"x":1}],"publicKey":`, "/verificationMaterial/tlogEntries/0/x"},
		{"timestamps", `"publicKey":`, `"timestampVerificationData":{"x":1},"publicKey":`, "/verificationMaterial/timestampVerificationData/x"},
	} {
		t.Run(test.name, func(t *testing.T) {
			refused(t, replaced(t, data, test.old, test.with), diag.CodeBundleMemberUnknown, test.pointer)
		})
	}
}

// Something follows the bundle.
func TestAttack15(t *testing.T) {
	data := signed(t, newKey(t), release().Statement(build))
	for _, tail := range []string{"{}", "x", "\n\n" + string(data), "\x00"} {
		refused(t, append(bytes.Clone(data), tail...), diag.CodeBundleJSONTrailing, "")
	}
	if _, err := sign.Decode(append(bytes.Clone(data), " \r\n\t"...)); err != nil {
		t.Errorf("white space: %v", err)
	}
}

// The bundle has two contents, or one that is no statement.
func TestAttack16(t *testing.T) {
	data := signed(t, newKey(t), release().Statement(build))
	message := `"messageSignature":{"messageDigest":{"algorithm":"SHA2_256","digest":""},"signature":""}`
	refused(t, replaced(t, data, `"mediaType":`, message+`,"mediaType":`), diag.CodeBundleTwoContents, "")
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		t.Fatal(err)
	}
	delete(members, "dsseEnvelope")
	neither, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	refused(t, neither, diag.CodeBundleMemberMissing, "")
	refused(t, replaced(t, neither, `{"mediaType"`, `{`+message+`,"mediaType"`), diag.CodeBundleMessage, "/messageSignature")
}

// No signature, or two, also the same one twice.
func TestAttack17(t *testing.T) {
	key := newKey(t)
	data := signed(t, key, release().Statement(build))
	one := `{"sig":"` + base64.StdEncoding.EncodeToString(decoded(t, data).Signature()) + `"}`
	for _, list := range []string{"[]", "[" + one + "," + one + "]", "[" + one + `,{"sig":"AAAA"}]`, "[" + strings.Repeat(one+",", 500) + one + "]"} {
		refused(t, replaced(t, data, "["+one+"]", list), diag.CodeBundleSignatures, "/dsseEnvelope/signatures")
	}
	refused(t, replaced(t, data, "["+one+"]", one), diag.CodeBundleMemberWrong, "/dsseEnvelope/signatures")
	refused(t, replaced(t, data, "["+one+"]", `[{"sig":""}]`), diag.CodeBundleMemberWrong, "/dsseEnvelope/signatures/0/sig")
	refused(t, replaced(t, data, "["+one+"]", `[{"keyid":""}]`), diag.CodeBundleMemberMissing, "/dsseEnvelope/signatures/0")
}

// The envelope names another key. The name of the right key is fine, and an empty one.
func TestAttack18(t *testing.T) {
	key, other := newKey(t), newKey(t)
	data := signed(t, key, release().Statement(build))
	for _, id := range []string{other.Public().ID().String(), other.Public().Hint(), "release", key.Public().ID().Hex()} {
		rejects(t, replaced(t, data, `"sig":`, `"keyid":"`+id+`","sig":`), key.Public(), diag.CodeSignatureKeyID)
	}
	for _, id := range []string{"", key.Public().ID().String(), key.Public().Hint()} {
		verifies(t, replaced(t, data, `"sig":`, `"keyid":"`+id+`","sig":`), key.Public())
	}
	// Naming the verifier's key does not make it the signer's.
	rejects(t, replaced(t, data, `"sig":`, `"keyid":"`+other.Public().Hint()+`","sig":`), other.Public(), diag.CodeSignatureMismatch)
}

// The hint is another key's. It decides nothing: the key of the signer verifies, and the one that is named does not.
func TestAttack19(t *testing.T) {
	key, other := newKey(t), newKey(t)
	data := signed(t, key, release().Statement(build))
	for _, hint := range []string{other.Public().Hint(), "", "release"} {
		spoofed := replaced(t, data, key.Public().Hint(), hint)
		if got := decoded(t, spoofed).Hint(); got != hint {
			t.Fatalf("hint %q", got)
		}
		verifies(t, spoofed, key.Public())
		rejects(t, spoofed, other.Public(), diag.CodeSignatureMismatch)
	}
}

// The bundle says that it is of an older version, or of none that is known.
func TestAttack20(t *testing.T) {
	data := signed(t, newKey(t), release().Statement(build))
	for _, other := range []string{
		"application/vnd.dev.sigstore.bundle+json;version=0.1", "application/vnd.dev.sigstore.bundle+json;version=0.2",
		"application/vnd.dev.sigstore.bundle+json;version=0.3", "application/vnd.dev.sigstore.bundle.v0.4+json", "",
	} {
		refused(t, replaced(t, data, sign.MediaType, other), diag.CodeBundleMediaType, "/mediaType")
	}
}

// White space in the payload of a statement that may have any, and in one of ours.
func TestAttack21(t *testing.T) {
	key := newKey(t)
	plain := signed(t, key, sign.CosignStatement(build))
	payload := decoded(t, plain).Payload()
	for _, altered := range [][]byte{append(bytes.Clone(payload), '\n'), append([]byte(" "), payload...), replaced(t, payload, `"predicate":{}`, `"predicate": {}`)} {
		rejects(t, repayloaded(t, plain, altered), key.Public(), diag.CodeSignatureMismatch)
	}
	ours := signed(t, key, release().Statement(build))
	refused(t, repayloaded(t, ours, append(decoded(t, ours).Payload(), '\n')), diag.CodeStatementNotCanonical, "")
}

// The payload or the signature is in another form of base64.
func TestAttack22(t *testing.T) {
	key := newKey(t)
	// A predicate whose encoding needs padding and both of the letters that the alphabets differ in.
	var data []byte
	for note := "a~~~???>>>"; ; note += "~" {
		data = signed(t, key, sign.Statement{
			Version: sign.StatementV1, Subject: build, PredicateType: "https://example.com/note/v1", Predicate: map[string]any{"note": note + "\xc3\xbf\xef\xbf\xbd"},
		})
		text := base64.StdEncoding.EncodeToString(decoded(t, data).Payload())
		if strings.ContainsAny(text, "+/") && strings.HasSuffix(text, "=") {
			break
		}
	}
	b := decoded(t, data)
	standard := base64.StdEncoding.EncodeToString(b.Payload())
	last := strings.TrimRight(standard, "=")
	loose := last[:len(last)-1] + string(next(last[len(last)-1])) + standard[len(last):]
	for name, other := range map[string]string{
		"url alphabet": base64.URLEncoding.EncodeToString(b.Payload()), "no padding": base64.RawStdEncoding.EncodeToString(b.Payload()),
		"raw url": base64.RawURLEncoding.EncodeToString(b.Payload()), "line ends": standard[:8] + `\r\n` + standard[8:],
		"bits left over": loose, "a space": " " + standard, "no base64": "%",
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, replaced(t, data, standard, other), diag.CodeBundleBase64, "/dsseEnvelope/payload")
		})
	}
	signature := base64.StdEncoding.EncodeToString(b.Signature())
	refused(t, replaced(t, data, signature, signature+`\n`), diag.CodeBundleBase64, "/dsseEnvelope/signatures/0/sig")
}

// next is the letter after one in the alphabet of base64: the same bytes for a decoder that passes over left-over bits.
func next(letter byte) byte {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	return alphabet[strings.IndexByte(alphabet, letter)+1]
}

// The subject is named by another algorithm, or by the right one in another spelling.
func TestAttack23(t *testing.T) {
	key := newKey(t)
	for _, predicate := range []string{sign.CosignPredicate, sign.ReleasePredicate} {
		payload := encoded(t, sign.Statement{Subject: build, PredicateType: predicate, Predicate: map[string]any{}})
		for _, test := range []struct {
			name, value string
			code        diag.Code
		}{
			{"md5", "d41d8cd98f00b204e9800998ecf8427e", diag.CodeStatementDigestAlgorithm},
			{"sha1", "da39a3ee5e6b4b0d3255bfef95601890afd80709", diag.CodeStatementDigestAlgorithm},
			{"SHA256", build.Hex(), diag.CodeStatementDigestAlgorithm},
			{"sha512", strings.Repeat("ab", 64), diag.CodeStatementDigestAlgorithm},
			{"", build.Hex(), diag.CodeStatementDigestAlgorithm},
			{"sha256", strings.ToUpper(build.Hex()), diag.CodeStatementDigestMalformed},
			{"sha256", "sha256:" + build.Hex(), diag.CodeStatementDigestMalformed},
			{"sha256", build.Hex()[:63], diag.CodeStatementDigestMalformed},
			{"sha256", build.Hex() + "00", diag.CodeStatementDigestMalformed},
			{"sha256", strings.Repeat("0", 64), diag.CodeStatementDigestMalformed},
			{"sha256", "", diag.CodeStatementDigestMalformed},
		} {
			other := replaced(t, payload, `"sha256":"`+build.Hex()+`"`, `"`+test.name+`":"`+test.value+`"`)
			refused(t, bundleOver(t, key, other), test.code, "/subject/0/digest/"+test.name)
		}
	}
}

// The statement is about more than one thing.
func TestAttack24(t *testing.T) {
	key := newKey(t)
	for _, predicate := range []string{sign.CosignPredicate, sign.ReleasePredicate} {
		payload := encoded(t, sign.Statement{Subject: build, PredicateType: predicate, Predicate: map[string]any{}})
		one := `{"digest":{"sha256":"` + build.Hex() + `"}}`
		other := `{"digest":{"sha256":"` + otherBuild.Hex() + `"}}`
		for _, test := range []struct {
			name, subject, pointer string
			code                   diag.Code
		}{
			{"none", "[]", "/subject", diag.CodeStatementSubjects},
			{"two", "[" + one + "," + other + "]", "/subject", diag.CodeStatementSubjects},
			{"the same twice", "[" + one + "," + one + "]", "/subject", diag.CodeStatementSubjects},
			{"no digest", `[{"digest":{}}]`, "/subject/0/digest", diag.CodeStatementDigests},
			{"another digest too", `[{"digest":{"sha1":"00","sha256":"` + build.Hex() + `"}}]`, "/subject/0/digest", diag.CodeStatementDigests},
			{"no list", one, "/subject", diag.CodeStatementMemberWrong},
			{"no member", `[{}]`, "/subject/0", diag.CodeStatementMemberMissing},
		} {
			t.Run(test.name, func(t *testing.T) {
				refused(t, bundleOver(t, key, replaced(t, payload, "["+one+"]", test.subject)), test.code, test.pointer)
			})
		}
	}
}

// R62: another key.
func TestAttack25(t *testing.T) {
	data := signed(t, newKey(t), release().Statement(build))
	for _, key := range otherKeys(t) {
		err := decoded(t, data).Verify(key.Public())
		if problems := problemsOf(err); len(problems) != 1 ||
			problems[0].Code != diag.CodeSignatureMismatch && problems[0].Code != diag.CodeSignatureEncoding {
			t.Errorf("%s: %v", key.Public(), err)
		}
	}
	if err := decoded(t, data).Verify(sign.PublicKey{}); problemsOf(err)[0].Code != diag.CodeSignatureMismatch {
		t.Errorf("no key: %v", err)
	}
}

// An Ed25519ph signature is offered where pure Ed25519 is verified.
func TestAttack26(t *testing.T) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key, err := sign.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	payload := encoded(t, sign.CosignStatement(build))
	hashed := sha512.Sum512(sign.Preauthenticated(payload))
	signature, err := private.Sign(rand.Reader, hashed[:], &ed25519.Options{Hash: crypto.SHA512})
	if err != nil {
		t.Fatal(err)
	}
	rejects(t, bundleOf(t, key, payload, signature), key, diag.CodeSignaturePrehashed)
	// Nor is a signature over the bare hash one over the statement.
	rejects(t, bundleOf(t, key, payload, ed25519.Sign(private, hashed[:])), key, diag.CodeSignatureMismatch)
	verifies(t, bundleOf(t, key, payload, ed25519.Sign(private, sign.Preauthenticated(payload))), key)
}

// No byte of a bundle can be changed so that it says something else and verifies.
func TestNoChangedByteVerifies(t *testing.T) {
	key := newKey(t)
	data := signed(t, key, release().Statement(build))
	payload := decoded(t, data).Payload()
	for i := range data {
		for _, flip := range []byte{1, 0x20, 0x80} {
			changed := bytes.Clone(data)
			changed[i] ^= flip
			b, err := sign.Decode(changed)
			if err != nil || b.Verify(key.Public()) != nil {
				continue
			}
			if !bytes.Equal(b.Payload(), payload) || b.Hint() == key.Public().Hint() {
				t.Fatalf("byte %d: verifies as %s with %s", i, b.Payload(), changed)
			}
		}
	}
}

// A signature of another length, with something behind it, or in another encoding is none.
func TestSignatureEncodings(t *testing.T) {
	for _, key := range append(otherKeys(t), newKey(t)) {
		payload := encoded(t, release().Statement(build))
		signature, err := key.Sign(context.Background(), sign.Preauthenticated(payload))
		if err != nil {
			t.Fatal(err)
		}
		verifies(t, bundleOf(t, key.Public(), payload, signature), key.Public())
		bad := map[string][]byte{
			"longer": append(bytes.Clone(signature), 0), "shorter": signature[:len(signature)-1], "one byte": {0x30},
		}
		if strings.HasPrefix(key.Public().Algorithm(), "ecdsa") {
			for name, other := range ecdsaSpellings(t, signature) {
				bad[name] = other
			}
		}
		for name, other := range bad {
			t.Run(key.Public().Algorithm()+" "+name, func(t *testing.T) {
				rejects(t, bundleOf(t, key.Public(), payload, other), key.Public(), diag.CodeSignatureEncoding)
			})
		}
	}
}

// ecdsaSpellings are the same two integers in encodings that are not DER.
func ecdsaSpellings(t *testing.T, signature []byte) map[string][]byte {
	t.Helper()
	head := 2
	if signature[1] == 0x81 {
		head = 3
	}
	body := signature[head:]
	first := body[:2+body[1]]
	second := body[len(first):]
	sequence := func(length byte, parts ...[]byte) []byte {
		joined := bytes.Join(parts, nil)
		out := []byte{0x30}
		if len(joined) >= 0x80 {
			out = append(out, 0x81)
		}
		return append(append(out, byte(len(joined))+length), joined...)
	}
	padded := append([]byte{2, first[1] + 1, 0}, first[2:]...)
	negative := append([]byte{2, 1}, 0xff)
	return map[string][]byte{
		"padded integer":   sequence(0, padded, second),
		"negative integer": sequence(0, negative, second),
		"third integer":    sequence(0, first, second, []byte{2, 1, 1}),
		"one integer":      sequence(0, first),
		"long length":      append([]byte{0x30, 0x82, 0, byte(len(body))}, body...),
		"indefinite":       append(append([]byte{0x30, 0x80}, body...), 0, 0),
		"no integers":      {0x30, 0},
		"empty integer":    sequence(0, []byte{2, 0}, second),
		"other tag":        append([]byte{0x31}, signature[1:]...),
	}
}
