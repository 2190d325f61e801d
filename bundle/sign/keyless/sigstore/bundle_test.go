package sigstore_test

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/bundle/sign/keyless"
	"github.com/seif-dev/seifc/bundle/sign/keyless/sigstore"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/tools/virtualsigstore"
)

func TestChangedBundleIsRefused(t *testing.T) {
	instance := newInstance(t)
	good := signed(t, instance, kinds[0], person)
	other := signed(t, instance, kinds[0], person)
	elsewhere := base64.StdEncoding.EncodeToString(statement(digest.Of([]byte("another"))))
	const (
		certificate = "/verificationMaterial/certificate"
		signatures  = "/dsseEnvelope/signatures"
	)
	cases := []struct {
		name   string
		bundle []byte
		want   diag.Code
	}{
		{"statement about something else", changed(t, good.Bundle, "/dsseEnvelope/payload", becomes(elsewhere)), diag.CodeKeylessSignature},
		{"signature of another", changed(t, good.Bundle, signatures, becomes(memberOf(t, other.Bundle, signatures))), diag.CodeKeylessSignature},
		{"certificate of another", changed(t, good.Bundle, certificate, becomes(memberOf(t, other.Bundle, certificate))), diag.CodeKeylessSignature},
		{"payload type", changed(t, good.Bundle, "/dsseEnvelope/payloadType", becomes("text/plain")), diag.CodeBundlePayloadType},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := good
			d.Bundle = c.bundle
			refuses(t, d, c.want)
		})
	}
}

func TestMalformedBundleIsRefused(t *testing.T) {
	instance := newInstance(t)
	good := signed(t, instance, kinds[0], person)
	text := string(good.Bundle)
	const material = "/verificationMaterial"
	cases := []struct {
		name, bundle string
		want         diag.Code
	}{
		{"no JSON", "{", diag.CodeBundleJSONSyntax},
		{"no object", "[]", diag.CodeBundleMemberWrong},
		{"something behind it", text + "{}", diag.CodeBundleJSONTrailing},
		{"a member twice", strings.Replace(text, `"mediaType":`, `"mediaType":"x","mediaType":`, 1), diag.CodeBundleMediaTypeTwice},
		{"a member that nobody knows", strings.Replace(text, `"mediaType":`, `"zzz":1,"mediaType":`, 1), diag.CodeBundleMemberUnknown},
		{"media type of version 0.1", strings.Replace(text, "bundle.v0.3+json", "bundle+json;version=0.1", 1), diag.CodeBundleMediaType},
		{"too deep", strings.Repeat("[", 200) + strings.Repeat("]", 200), diag.CodeBundleJSONLimit},
		{"no inclusion proof", string(changed(t, good.Bundle, material+"/tlogEntries/0/inclusionProof", gone)), diag.CodeKeylessBundle},
		{"a key instead of a certificate", string(changed(t, changed(t, good.Bundle, material+"/certificate", gone),
			material+"/publicKey", becomes(map[string]any{"hint": "x"}))), diag.CodeKeylessNoCertificate},
		{"no certificate in it", string(changed(t, good.Bundle, material+"/certificate/rawBytes", becomes("AAAA"))), diag.CodeBundleCertificate},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := good
			d.Bundle = []byte(c.bundle)
			refuses(t, d, c.want)
		})
	}
}

// TestCertificateChainIsRefused: version 0.3 of the bundle has one certificate and takes what is above from the root.
func TestCertificateChainIsRefused(t *testing.T) {
	d := signed(t, newInstance(t), kinds[0], person)
	const certificate = "/verificationMaterial/certificate"
	chain := map[string]any{"certificates": []any{memberOf(t, d.Bundle, certificate)}}
	d.Bundle = changed(t, changed(t, d.Bundle, certificate, gone), "/verificationMaterial/x509CertificateChain", becomes(chain))
	if _, err := sigstore.Verify(t.Context(), d); len(problemsOf(err)) == 0 || problemsOf(err)[0].Code != diag.CodeBundleMemberUnknown {
		t.Errorf("the error is %v", err)
	}
}

func TestTrustedRootHasToBeEnough(t *testing.T) {
	instance := newInstance(t)
	good := signed(t, instance, kinds[0], person)
	whole := good.TrustedRoot
	cases := []struct {
		name string
		root []byte
		want diag.Code
	}{
		{"no JSON", []byte("{"), diag.CodeKeylessTrustedRoot},
		{"another document", []byte(`{"mediaType":"application/json"}`), diag.CodeKeylessTrustedRoot},
		{"a member twice", bytes.Replace(whole, []byte(`"mediaType":`), []byte(`"mediaType":"x","mediaType":`), 1), diag.CodeKeylessTrustedRoot},
		{"no certificate authority", changed(t, whole, "/certificateAuthorities", gone), diag.CodeKeylessTrustedRootLacks},
		{"no log", rootOf(t, instance, virtualsigstore.Parts{CertificateLog: true, Timestamps: true}), diag.CodeKeylessTrustedRootLacks},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := good
			d.TrustedRoot = c.root
			refuses(t, d, c.want)
		})
	}
}

func TestDemandThatCannotBeMet(t *testing.T) {
	good := keyless.Demand{TrustedRoot: []byte("{}"), Bundle: []byte("{}"), Artifact: artifact}
	for name, change := range map[string]func(*keyless.Demand){
		"no root":                       func(d *keyless.Demand) { d.TrustedRoot = nil },
		"no bundle":                     func(d *keyless.Demand) { d.Bundle = nil },
		"huge bundle":                   func(d *keyless.Demand) { d.Bundle = make([]byte, 1<<20+1) },
		"huge root":                     func(d *keyless.Demand) { d.TrustedRoot = make([]byte, keyless.MaxTrustedRoot+1) },
		"no artifact":                   func(d *keyless.Demand) { d.Artifact = digest.Digest{} },
		"an issuer without a subject":   func(d *keyless.Demand) { d.Issuer = issuer },
		"a subject without an issuer":   func(d *keyless.Demand) { d.Subject = person },
		"a subject longer than allowed": func(d *keyless.Demand) { d.Issuer, d.Subject = issuer, strings.Repeat("x", keyless.MaxText+1) },
	} {
		t.Run(name, func(t *testing.T) {
			d := good
			change(&d)
			refuses(t, d, diag.CodeKeylessDemand)
		})
	}
}

// TestNoFlippedBitChangesWhatIsBelieved flips bits all over a bundle. Most flips are refused; some change nothing that
// anybody reads, such as the status text around a timestamp, and then the identity and the time are as they were.
func TestNoFlippedBitChangesWhatIsBelieved(t *testing.T) {
	instance := newInstance(t)
	good := signed(t, instance, kinds[0], person)
	want, err := sigstore.Verify(t.Context(), good)
	if err != nil {
		t.Fatal(describe(err))
	}
	step, accepted := 7, 0
	if testing.Short() {
		step = 61
	}
	for i := 0; i < len(good.Bundle); i += step {
		d := good
		d.Bundle = bytes.Clone(good.Bundle)
		d.Bundle[i] ^= 1 << (i % 7)
		found, err := sigstore.Verify(t.Context(), d)
		if err == nil {
			accepted++
			if found != want {
				t.Errorf("with byte %d changed the identity is %v", i, found)
			}
		}
	}
	t.Logf("%d of %d changed bundles were accepted, with what is believed unchanged", accepted, len(good.Bundle)/step)
	if accepted > len(good.Bundle)/step/20 {
		t.Errorf("%d of %d changed bundles were accepted", accepted, len(good.Bundle)/step)
	}
}
