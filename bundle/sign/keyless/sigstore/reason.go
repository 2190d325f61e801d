package sigstore

import (
	"crypto/x509"
	"encoding/asn1"
	"encoding/hex"
	"errors"
	"slices"
	"time"

	"github.com/sigstore/sigstore-go/pkg/bundle"
	"github.com/sigstore/sigstore-go/pkg/root"
	"github.com/sigstore/sigstore-go/pkg/tlog"
	"github.com/sigstore/sigstore-go/pkg/verify"
	"github.com/sigstore/sigstore/pkg/cryptoutils"

	"github.com/seif-dev/seifc/bundle/sign/keyless"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// reason finds why a bundle was refused, by asking for each part alone, from what everything else stands on upwards.
// It always gives a refusal: if no part alone is at fault, that of the verifier.
func reason(entity *bundle.Bundle, leaf *x509.Certificate, trusted *root.TrustedRoot, artifact digest.Digest, refusal error) error {
	// The authority is asked at the time when it issued the certificate, so that age does not look like a wrong root.
	if _, err := verify.VerifyLeafCertificate(leaf.NotBefore, plain(leaf), trusted); err != nil {
		return keyless.Refuse(diag.CodeKeylessOtherRoot, "issuer", clip(leaf.Issuer.String()))
	}
	if err := signatureReason(entity, trusted, artifact); err != nil {
		return err
	}
	logTimes, err := logReason(entity, trusted)
	if err != nil {
		return err
	}
	if err := timeReason(entity, leaf, trusted, logTimes); err != nil {
		return err
	}
	if len(trusted.CTLogs()) > 0 {
		chains, err := verify.VerifyLeafCertificate(leaf.NotBefore, plain(leaf), trusted)
		if err == nil {
			err = verify.VerifySignedCertificateTimestamp(chains, 1, trusted)
		}
		if err != nil {
			return keyless.Refuse(diag.CodeKeylessNotLogged, "why", shown(err))
		}
	}
	return keyless.Refuse(diag.CodeKeylessRefused, "why", shown(refusal))
}

// plain is the certificate without the mark that its alternative name is of a kind that crypto/x509 does not know; the
// verifier takes it away likewise.
func plain(leaf *x509.Certificate) *x509.Certificate {
	copied := *leaf
	copied.UnhandledCriticalExtensions = slices.DeleteFunc(slices.Clone(leaf.UnhandledCriticalExtensions),
		func(id asn1.ObjectIdentifier) bool { return id.Equal(cryptoutils.SANOID) })
	return &copied
}

// signatureReason tells a wrong signature from a right one over something else.
func signatureReason(entity *bundle.Bundle, trusted *root.TrustedRoot, artifact digest.Digest) error {
	content, err := entity.SignatureContent()
	if err != nil {
		return keyless.Refuse(diag.CodeKeylessBundle, "why", shown(err))
	}
	certificate, err := entity.VerificationContent()
	if err != nil {
		return keyless.Refuse(diag.CodeKeylessCertificate, "why", shown(err))
	}
	if err := verify.VerifySignature(content, certificate, trusted); err != nil {
		return keyless.Refuse(diag.CodeKeylessSignature)
	}
	wanted := []verify.ArtifactDigest{{Algorithm: digestAlgorithm, Digest: bytesOf(artifact)}}
	if err := verify.VerifySignatureWithArtifactDigests(content, certificate, trusted, wanted); err != nil {
		return keyless.Refuse(diag.CodeKeylessArtifact, "artifact", artifact.String())
	}
	return nil
}

// logReason tells whether a log of the root has the signature, and gives the times that the logs say.
func logReason(entity *bundle.Bundle, trusted *root.TrustedRoot) ([]root.Timestamp, error) {
	entries, err := entity.TlogEntries()
	if err != nil {
		return nil, keyless.Refuse(diag.CodeKeylessBundle, "why", shown(err))
	}
	known := false
	for _, e := range entries {
		_, found := trusted.RekorLogs()[hex.EncodeToString([]byte(e.LogKeyID()))]
		known = known || found
	}
	if !known {
		return nil, keyless.Refuse(diag.CodeKeylessNoLogEntry)
	}
	logs, err := countLogs(entity)
	if err != nil {
		return nil, err
	}
	times, err := verify.VerifyTlogEntry(entity, trusted, logs, true)
	if err != nil && len(times) == 0 {
		if outside(entity, trusted) {
			return nil, keyless.Refuse(diag.CodeKeylessTimeOutside, "time", "the log's")
		}
		return nil, keyless.Refuse(diag.CodeKeylessLogUnverified, "why", shown(err))
	}
	return times, nil
}

// outside tells a log entry whose time lies outside of the certificate.
func outside(entity *bundle.Bundle, trusted *root.TrustedRoot) bool {
	entries, err := entity.TlogEntries()
	if err != nil {
		return false
	}
	content, err := entity.VerificationContent()
	if err != nil {
		return false
	}
	return slices.ContainsFunc(entries, func(e *tlog.Entry) bool {
		return !e.IntegratedTime().IsZero() && !content.ValidAtTime(e.IntegratedTime(), trusted)
	})
}

// timeReason tells whether there is a trusted time, and whether all of them lie within the certificate (attack 28).
func timeReason(entity *bundle.Bundle, leaf *x509.Certificate, trusted *root.TrustedRoot, logTimes []root.Timestamp) error {
	stamps, err := entity.Timestamps()
	if err != nil {
		return keyless.Refuse(diag.CodeKeylessBundle, "why", shown(err))
	}
	verified, faults, err := verify.VerifySignedTimestamp(entity, trusted)
	if err != nil {
		return keyless.Refuse(diag.CodeKeylessTimeUnverified, "why", shown(err))
	}
	times := make([]time.Time, 0, len(verified)+len(logTimes))
	for _, t := range verified {
		times = append(times, t.Time)
	}
	for _, t := range logTimes {
		times = append(times, t.Time)
	}
	switch {
	case len(times) == 0 && len(stamps) == 0:
		return keyless.Refuse(diag.CodeKeylessNoTime)
	case len(times) == 0:
		return keyless.Refuse(diag.CodeKeylessTimeUnverified, "why", shown(errors.Join(faults...)))
	}
	for _, t := range times {
		if _, err := verify.VerifyLeafCertificate(t, plain(leaf), trusted); err != nil {
			return keyless.Refuse(diag.CodeKeylessTimeOutside, "time", t.UTC().Format(time.RFC3339))
		}
	}
	return nil
}
