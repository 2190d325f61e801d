package sigstore

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"time"

	"github.com/sigstore/sigstore-go/pkg/bundle"
	"github.com/sigstore/sigstore-go/pkg/root"
	"github.com/sigstore/sigstore-go/pkg/verify"
	"github.com/sigstore/sigstore/pkg/cryptoutils"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/bundle/sign/keyless"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// Verify judges a bundle as the package comment of bundle/sign/keyless says. The error is a [*keyless.Refused].
func Verify(_ context.Context, d keyless.Demand) (_ sign.Identity, err error) {
	defer func() {
		// What makes the verifier panic is not verified.
		if cause := recover(); cause != nil {
			err = keyless.Refuse(diag.CodeKeylessRefused, "why", clip(fmt.Sprintf("the verifier broke off: %v", cause)))
		}
	}()
	return judge(d)
}

func judge(d keyless.Demand) (sign.Identity, error) {
	if err := d.Check(); err != nil {
		return sign.Identity{}, err
	}
	trusted, err := readTrustedRoot(d.TrustedRoot)
	if err != nil {
		return sign.Identity{}, err
	}
	entity, leaf, err := readBundle(d.Bundle)
	if err != nil {
		return sign.Identity{}, err
	}
	logs, err := countLogs(entity)
	if err != nil {
		return sign.Identity{}, err
	}
	verifier, err := verify.NewVerifier(trusted, requirements(trusted, logs)...)
	if err != nil {
		return sign.Identity{}, keyless.Refuse(diag.CodeKeylessRefused, "why", shown(err))
	}
	artifact := verify.WithArtifactDigest(digestAlgorithm, bytesOf(d.Artifact))
	result, err := verifier.Verify(entity, verify.NewPolicy(artifact, verify.WithoutIdentitiesUnsafe()))
	if err != nil {
		return sign.Identity{}, reason(entity, leaf, trusted, d.Artifact, err)
	}
	if err := allStamps(entity, trusted); err != nil {
		return sign.Identity{}, err
	}
	return identify(result, leaf, d)
}

const digestAlgorithm = "sha256"

func bytesOf(d digest.Digest) []byte { sum := [32]byte(d); return sum[:] }

// requirements are the whole configuration of the verifier. All logs that have an entry in the bundle are to vouch for
// it, so that none in it is left unread.
func requirements(trusted *root.TrustedRoot, logs int) []verify.VerifierOption {
	options := []verify.VerifierOption{
		verify.WithTransparencyLog(max(1, logs)),
		verify.WithObserverTimestamps(1),
		verify.WithoutStatementPredicate(),
	}
	if len(trusted.CTLogs()) > 0 {
		options = append(options, verify.WithSignedCertificateTimestamps(1))
	}
	return options
}

// identify takes the identity from a bundle that is verified in all else.
func identify(result *verify.VerificationResult, leaf *x509.Certificate, d keyless.Demand) (sign.Identity, error) {
	if result.Signature == nil || result.Signature.Certificate == nil || len(result.VerifiedTimestamps) == 0 {
		return sign.Identity{}, keyless.Refuse(diag.CodeKeylessRefused, "why", "the verifier names no certificate or no time")
	}
	summary := result.Signature.Certificate
	if names := countNames(leaf); names != 1 || summary.Issuer == "" || summary.SubjectAlternativeName == "" {
		return sign.Identity{}, keyless.Refuse(diag.CodeKeylessCertificate, "why", "it has to name one issuer and one subject")
	}
	found := sign.Identity{Issuer: summary.Issuer, Subject: summary.SubjectAlternativeName, Time: earliest(result)}
	if d.Issuer != "" && found.Issuer != d.Issuer {
		return sign.Identity{}, keyless.Refuse(diag.CodeKeylessIssuer, "expected", d.Issuer, "found", clip(found.Issuer))
	}
	if d.Subject != "" && found.Subject != d.Subject {
		return sign.Identity{}, keyless.Refuse(diag.CodeKeylessSubject, "expected", d.Subject, "found", clip(found.Subject))
	}
	return found, nil
}

// countNames counts the alternative names of a certificate. A second one would be a name that nobody compares.
func countNames(leaf *x509.Certificate) int {
	named := len(leaf.URIs) + len(leaf.EmailAddresses) + len(leaf.DNSNames) + len(leaf.IPAddresses)
	if other, err := cryptoutils.UnmarshalOtherNameSAN(leaf.Extensions); err == nil && other != "" {
		named++
	}
	return named
}

// earliest is the earliest trusted time: the signature existed by then.
func earliest(result *verify.VerificationResult) time.Time {
	first := result.VerifiedTimestamps[0].Timestamp
	for _, t := range result.VerifiedTimestamps[1:] {
		if t.Timestamp.Before(first) {
			first = t.Timestamp
		}
	}
	return first.UTC()
}

// readBundle reads a bundle strictly, and then with the reader of the verifier.
func readBundle(data []byte) (*bundle.Bundle, *x509.Certificate, error) {
	decoded, err := sign.Decode(data)
	if err != nil {
		var invalid *sign.Invalid
		if errors.As(err, &invalid) && len(invalid.Problems) > 0 {
			return nil, nil, &keyless.Refused{Problems: invalid.Problems}
		}
		return nil, nil, keyless.Refuse(diag.CodeKeylessBundle, "why", shown(err))
	}
	if decoded.Certificate() == nil {
		return nil, nil, keyless.Refuse(diag.CodeKeylessNoCertificate)
	}
	entity := &bundle.Bundle{}
	if err := entity.UnmarshalJSON(data); err != nil {
		return nil, nil, keyless.Refuse(diag.CodeKeylessBundle, "why", shown(err))
	}
	content, err := entity.VerificationContent()
	if err != nil || content.Certificate() == nil {
		return nil, nil, keyless.Refuse(diag.CodeKeylessBundle, "why", "the verifier finds no certificate")
	}
	return entity, content.Certificate(), nil
}

// countLogs counts the logs that have an entry in the bundle.
func countLogs(entity *bundle.Bundle) (int, error) {
	entries, err := entity.TlogEntries()
	if err != nil {
		return 0, keyless.Refuse(diag.CodeKeylessBundle, "why", shown(err))
	}
	logs := map[string]bool{}
	for _, e := range entries {
		logs[e.LogKeyID()] = true
	}
	return len(logs), nil
}

// allStamps holds that each timestamp of the bundle verifies, if the root names authorities for them: the verifier is
// content with one, or with the time of a log.
func allStamps(entity *bundle.Bundle, trusted *root.TrustedRoot) error {
	if len(trusted.TimestampingAuthorities()) == 0 {
		return nil
	}
	_, faults, err := verify.VerifySignedTimestamp(entity, trusted)
	if err := errors.Join(append(faults, err)...); err != nil {
		return keyless.Refuse(diag.CodeKeylessTimeUnverified, "why", shown(err))
	}
	return nil
}
