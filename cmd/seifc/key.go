package main

import (
	"context"
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/bundle/sign/keyless"
	"github.com/seif-dev/seifc/diag"
)

// keyFlag is --key, of a private or of a public key.
func keyFlag(usage string) cli.Flag { return &cli.StringFlag{Name: "key", Usage: usage} }

func pluginFlag() cli.Flag {
	return &cli.BoolFlag{Name: "allow-key-plugins", Usage: "let --key NAME://... run the program sigstore-kms-NAME from the search path"}
}

// signingError is why a key or an identity could not be used, as a finding about the argument that names it.
type signingError struct {
	place    string
	problems []diag.Problem
	exit     int
	cause    error
}

func (e *signingError) Error() string { return e.cause.Error() }

// Unwrap is what lies behind.
func (e *signingError) Unwrap() error { return e.cause }

// Diagnostics are the findings.
func (e *signingError) Diagnostics() []diag.Diagnostic { return about(e.place, e.problems...) }

// about places findings at something that has no lines.
func about(path string, problems ...diag.Problem) []diag.Diagnostic {
	return diag.At(diag.LocatorFunc(func(t diag.Target) diag.Place {
		return diag.Place{Path: path, Pointer: t.Pointer}
	}), problems...)
}

// keyFault gives an error of a key its place and exit code. A reference that was refused is not repeated: it may be a key.
func keyFault(reference string, err error) error {
	var fault *sign.KeyError
	if !errors.As(err, &fault) {
		return err
	}
	out := &signingError{place: reference, problems: []diag.Problem{fault.Problem}, exit: exitUnable, cause: err}
	switch {
	case fault.Problem.Code == diag.CodeKeyReference:
		out.place, out.exit = "--key", exitUsage
	case fault.Problem.Code == diag.CodeKeyPluginDisabled, fault.Problem.Code == diag.CodeKeyPasswordMissing:
		out.exit = exitUsage
	case fault.Wanting():
		out.exit = exitWanting
	}
	return out
}

// identityFault is keyFault for what signs by identity.
func identityFault(err error) error {
	var refused *keyless.Refused
	var failure *keyless.Failure
	switch {
	case errors.As(err, &refused):
		return &signingError{place: "--keyless", problems: refused.Findings(), exit: exitUnverified, cause: err}
	case errors.As(err, &failure):
		return &signingError{place: "--keyless", problems: failure.Findings(), exit: exitUnable, cause: err}
	}
	return err
}

// keyOptions is what a key reference may make use of.
func (c *call) keyOptions() sign.KeyOptions {
	return sign.KeyOptions{Password: c.password(), LookupEnv: c.lookupEnv, AllowPlugins: c.Bool("allow-key-plugins")}
}

// openSigner opens the private key of --key. The findings are warnings.
func (c *call) openSigner(ctx context.Context) (sign.Signer, []diag.Diagnostic, error) {
	reference := c.String("key")
	signer, warnings, err := sign.OpenSigner(ctx, reference, c.keyOptions())
	if err != nil {
		return nil, nil, keyFault(reference, err)
	}
	return signer, about(reference, warnings...), nil
}

// openPublicKey opens the public key of --key.
func (c *call) openPublicKey(ctx context.Context) (sign.PublicKey, error) {
	reference := c.String("key")
	key, err := sign.OpenPublicKey(ctx, reference, c.keyOptions())
	if err != nil {
		return sign.PublicKey{}, keyFault(reference, err)
	}
	return key, nil
}
