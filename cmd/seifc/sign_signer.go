package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/bundle/sign/keyless"
	"github.com/seif-dev/seifc/compiler/subject"
	"github.com/seif-dev/seifc/diag"
)

// signer is who signs: a key, or an identity.
type signer struct {
	sign func(context.Context, sign.Statement) ([]byte, error)
	// own tells what the same signer signed.
	own func(*sign.Bundle) bool
	// name is known once it has signed.
	name  func() string
	close func()
}

// Flags that belong to signing by identity, and to signing by key.
var (
	identityFlags = []string{"identity-token", "fulcio", "rekor", "rekor-version", "timestamp", "trusted-root", "issuer", "subject"}
	keyOnlyFlags  = []string{"password-stdin", "allow-key-plugins"}
)

func keylessFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "keyless", Usage: "sign by the identity of a token instead of a key; needs all of the following but the last four"},
		&cli.StringFlag{Name: "identity-token", Usage: "the OpenID Connect token: in `FILE`, on stdin for -, or env://VARIABLE"},
		&cli.StringFlag{Name: "trusted-root", Usage: "the Sigstore trusted root in `FILE`; it is never fetched"},
		&cli.StringFlag{Name: "fulcio", Usage: "the certificate authority at `URL`"},
		&cli.StringFlag{Name: "rekor", Usage: "the transparency log at `URL`"},
		&cli.IntFlag{Name: "rekor-version", Usage: "the version `N` of the log's interface, 1 or 2; default 1"},
		&cli.StringFlag{Name: "timestamp", Usage: "the timestamp authority at `URL`; needed for a log of version 2"},
		&cli.StringFlag{Name: "issuer", Usage: "refuse to sign unless the certificate names the issuer `URL`; together with --subject"},
		&cli.StringFlag{Name: "subject", Usage: "refuse to sign unless the certificate names the subject `S`; together with --issuer"},
	}
}

// checkSignerFlags holds that there is exactly one signer, and no flag of the other kind.
func (s *signing) checkSignerFlags() error {
	byKey, byIdentity := s.String("key") != "", s.Bool("keyless")
	switch {
	case byKey && byIdentity:
		return usagef("drop --key or --keyless", "a signature is by a key or by an identity, not both")
	case !byKey && !byIdentity:
		return usagef("write --key FILE; `seifc keygen -o NAME` makes NAME.key", "sign needs a key")
	}
	wrong, of := identityFlags, "--keyless"
	if byIdentity {
		wrong, of = keyOnlyFlags, "--key"
	}
	for _, flag := range wrong {
		if s.IsSet(flag) {
			return usagef("drop --"+flag, "--%s belongs to %s", flag, of)
		}
	}
	if !byIdentity {
		return nil
	}
	for _, flag := range []string{"identity-token", "trusted-root", "fulcio", "rekor"} {
		if !s.IsSet(flag) {
			return usagef("write --"+flag, "--keyless needs --%s: no service and no trusted root has a default", flag)
		}
	}
	if s.IsSet("issuer") != s.IsSet("subject") {
		return usagef("write both, or neither", "--issuer and --subject belong together")
	}
	return nil
}

// findSigner opens the key, or reads what an identity needs. The findings are warnings.
func (s *signing) findSigner(ctx context.Context) ([]diag.Diagnostic, error) {
	if s.Bool("keyless") {
		var err error
		s.signer, err = s.identity()
		return nil, err
	}
	key, warnings, err := s.openSigner(ctx)
	if err != nil {
		return nil, err
	}
	s.signer = &signer{
		sign: func(ctx context.Context, st sign.Statement) ([]byte, error) {
			content, err := sign.Sign(ctx, key, st)
			return content, keyFault(s.String("key"), err)
		},
		own:  subject.ByKey(key.Public()),
		name: func() string { return key.Public().ID().String() }, close: func() {},
	}
	return warnings, nil
}

// identity signs by the identity of a token. Its name, and so what it signed before, is known when it has signed.
func (s *signing) identity() (*signer, error) {
	root, err := s.readInput(s.String("trusted-root"), keyless.MaxTrustedRoot)
	if err != nil {
		return nil, fmt.Errorf("reading the trusted root: %w", err)
	}
	token, err := s.identityToken()
	if err != nil {
		return nil, err
	}
	version := s.Int("rekor-version")
	if !s.IsSet("rekor-version") {
		version = 1
	}
	services := keyless.Services{Fulcio: s.String("fulcio"), Rekor: s.String("rekor"), RekorVersion: version, Timestamp: s.String("timestamp")}
	client := &keyless.Client{}
	var who sign.Identity
	return &signer{
		sign: func(ctx context.Context, st sign.Statement) ([]byte, error) {
			payload, err := st.Encode()
			if err != nil {
				return nil, err
			}
			signed, err := client.Sign(ctx, keyless.Order{
				Payload: payload, Artifact: st.Subject, TrustedRoot: root, Services: services, Token: token,
				Issuer: s.String("issuer"), Subject: s.String("subject"),
			})
			who = signed.Identity
			return signed.Bundle, identityFault(err)
		},
		own: func(b *sign.Bundle) bool {
			if b.Certificate() == nil {
				return false
			}
			found, err := client.VerifyIdentity(context.Background(), root, b.Raw(), b.Statement().Subject)
			return err == nil && found.Issuer == who.Issuer && found.Subject == who.Subject
		},
		name:  func() string { return who.Subject + " of " + who.Issuer },
		close: func() { _ = client.Close() },
	}, nil
}

// identityToken reads the token; it is in no message.
func (s *signing) identityToken() (string, error) {
	where := s.String("identity-token")
	if variable, ok := strings.CutPrefix(where, "env://"); ok {
		token, set := s.lookupEnv(variable)
		if !set {
			return "", fmt.Errorf("reading the identity token: the variable %s is not set", variable)
		}
		return strings.TrimSpace(token), nil
	}
	if strings.HasPrefix(where, "eyJ") {
		if _, err := os.Stat(where); err != nil {
			return "", usagef("put it into a file or a variable, and write --identity-token FILE or env://VARIABLE",
				"--identity-token is the place of a token, and this looks like the token itself: other users see command lines")
		}
	}
	token, err := s.readInput(where, keyless.MaxToken)
	if err != nil {
		return "", fmt.Errorf("reading the identity token: %w", err)
	}
	return strings.TrimSpace(string(token)), nil
}
