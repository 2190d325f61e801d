package sigstore

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/sigstore/sigstore-go/pkg/bundle"
	sigstore "github.com/sigstore/sigstore-go/pkg/sign"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/bundle/sign/keyless"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// payloadType is the DSSE payload type of an in-toto statement.
const payloadType = "application/vnd.in-toto+json"

// Sign makes a key, has its certificate issued, signs, has the signature timestamped and logged, forgets the key, and
// verifies what came of it. A service that does not answer or refuses is a [*keyless.Failure]; an answer that does not
// verify against the order's trusted root is a [*keyless.Refused].
func Sign(ctx context.Context, o keyless.Order) (keyless.Signed, error) {
	if err := o.Check(); err != nil {
		return keyless.Signed{}, err
	}
	if _, err := readTrustedRoot(o.TrustedRoot); err != nil {
		return keyless.Signed{}, err
	}
	data, err := assemble(ctx, o)
	if err != nil {
		return keyless.Signed{}, err
	}
	identity, err := Verify(ctx, keyless.Demand{
		TrustedRoot: o.TrustedRoot, Bundle: data, Artifact: o.Artifact, Issuer: o.Issuer, Subject: o.Subject,
	})
	if err != nil {
		return keyless.Signed{}, err
	}
	return keyless.Signed{Bundle: data, Identity: identity}, nil
}

// assemble makes the bundle.
func assemble(ctx context.Context, o keyless.Order) (_ []byte, err error) {
	at := &progress{code: diag.CodeKeylessAuthority}
	defer func() {
		// sigstore-go's client of the log trusts the form of an answer, and panics at one that lacks a member.
		if reason := recover(); reason != nil {
			err = serviceFailure(fmt.Errorf("its answer cannot be read: %v", reason), at.code, o)
		}
	}()
	pair, err := sigstore.NewEphemeralKeypair(nil)
	if err != nil {
		return nil, keyless.NewFailure(err, diag.CodeKeylessProgramFailed, "why", "no key could be made")
	}
	log := sigstore.NewRekor(&sigstore.RekorOptions{
		BaseURL: o.Services.Rekor, Version: uint32(o.Services.RekorVersion), Timeout: patience, Retries: attempts - 1,
	})
	options := sigstore.BundleOptions{
		Context: ctx,
		CertificateProvider: sigstore.NewFulcio(&sigstore.FulcioOptions{
			BaseURL: o.Services.Fulcio, Timeout: patience, Transport: newTransport(ctx, at, diag.CodeKeylessAuthority),
		}),
		CertificateProviderOptions: &sigstore.CertificateProviderOptions{IDToken: o.Token},
		TransparencyLogs:           []sigstore.Transparency{noting(log.GetTransparencyLogEntry, at)},
	}
	if o.Services.Timestamp != "" {
		options.TimestampAuthorities = []*sigstore.TimestampAuthority{sigstore.NewTimestampAuthority(&sigstore.TimestampAuthorityOptions{
			URL: o.Services.Timestamp, Timeout: patience, Transport: newTransport(ctx, at, diag.CodeKeylessStamp),
		})}
	}
	made, err := sigstore.Bundle(&sigstore.DSSEData{Data: o.Payload, PayloadType: payloadType}, pair, options)
	if err != nil {
		return nil, serviceFailure(err, at.code, o)
	}
	checked, err := bundle.NewBundle(made)
	if err != nil {
		return nil, serviceFailure(err, at.code, o)
	}
	text, err := checked.MarshalJSON()
	if err != nil {
		return nil, serviceFailure(err, at.code, o)
	}
	value, err := canonical.Parse(text, canonical.Limits{Bytes: 2 * sign.MaxBundle})
	if err != nil {
		return nil, serviceFailure(err, at.code, o)
	}
	data, err := canonical.Marshal(value)
	if err == nil && len(data) > sign.MaxBundle {
		err = errors.New("the bundle is too large")
	}
	if err != nil {
		return nil, serviceFailure(err, at.code, o)
	}
	return data, nil
}

// progress is which service was asked last, by the code of its failure.
type progress struct{ code diag.Code }

// noted is a transparency log that notes when it is asked.
type noted[B any] struct {
	ask func(context.Context, []byte, B) error
	at  *progress
}

func noting[B any](ask func(context.Context, []byte, B) error, at *progress) noted[B] {
	return noted[B]{ask: ask, at: at}
}

// GetTransparencyLogEntry adds a log entry to a bundle.
func (n noted[B]) GetTransparencyLogEntry(ctx context.Context, certificate []byte, made B) error {
	n.at.code = diag.CodeKeylessLog
	return n.ask(ctx, certificate, made)
}

// serviceFailure says which service failed. A service may repeat what it was sent: the token is taken out of its words.
func serviceFailure(err error, code diag.Code, o keyless.Order) *keyless.Failure {
	address := map[diag.Code]string{
		diag.CodeKeylessAuthority: o.Services.Fulcio, diag.CodeKeylessStamp: o.Services.Timestamp, diag.CodeKeylessLog: o.Services.Rekor,
	}[code]
	why := clip(withoutToken(err.Error(), o.Token))
	return keyless.NewFailure(nil, code, "address", address, "why", why)
}

// withoutToken takes a token and each of its parts out of a text.
func withoutToken(text, token string) string {
	for _, secret := range append([]string{token}, strings.Split(token, ".")...) {
		if len(secret) >= 8 {
			text = strings.ReplaceAll(text, secret, "[token]")
		}
	}
	return text
}
