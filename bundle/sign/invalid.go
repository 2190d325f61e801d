package sign

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/seif-dev/seifc/diag"
)

// Invalid is the error for bytes that are no Sigstore bundle, or a statement that cannot be signed.
type Invalid struct {
	// Problems says what is wrong; at least one. Their pointers lead into the document that the datum `document`
	// names: the bundle, or the statement in its payload.
	Problems []diag.Problem
}

// Error is the first problem by its code, for logs.
func (e *Invalid) Error() string {
	code := diag.Code("")
	if len(e.Problems) > 0 {
		code = e.Problems[0].Code
	}
	return fmt.Sprintf("not a valid Sigstore bundle: %s (%d problems)", code, len(e.Problems))
}

// ErrSignature is what every error of a verification is.
var ErrSignature = errors.New("the signature does not verify")

// SignatureError says why a signature does not verify. It is [ErrSignature].
type SignatureError struct{ Problem diag.Problem }

func (e *SignatureError) Error() string { return fmt.Sprintf("%v: %s", ErrSignature, e.Problem.Code) }

// Unwrap gives [ErrSignature].
func (e *SignatureError) Unwrap() error { return ErrSignature }

func mismatch(code diag.Code, pairs ...string) error {
	return &SignatureError{Problem: diag.New(code, "", pairs...)}
}

// KeyError says why a key cannot be had or used. It never holds anything of a private key or a password.
type KeyError struct {
	Problem diag.Problem
	cause   error
}

func (e *KeyError) Error() string {
	if e.cause != nil {
		return fmt.Sprintf("the key cannot be used: %s: %s", e.Problem.Code, shown(e.cause.Error()))
	}
	return fmt.Sprintf("the key cannot be used: %s", e.Problem.Code)
}

// Unwrap gives the fault of the machine or of a plugin, nil if there is none.
func (e *KeyError) Unwrap() error { return e.cause }

// Wanting tells a key that is there and is wrong (exit class 1). All other faults mean that something could not be
// done (exit class 3): a password that does not fit, a variable that is not set, a plugin that is not enabled.
func (e *KeyError) Wanting() bool {
	switch e.Problem.Code {
	case diag.CodeKeyFormat, diag.CodeKeyTooLarge, diag.CodeKeyIsPrivate, diag.CodeKeyIsPublic, diag.CodeKeyEncryption, diag.CodeKeyAlgorithm:
		return true
	default:
		return false
	}
}

func keyFault(code diag.Code, pairs ...string) *KeyError {
	return &KeyError{Problem: diag.New(code, "", pairs...)}
}

// shown is a hostile text, bounded.
func shown(text string) string {
	const limit = 200
	if len(text) <= limit {
		return text
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "..."
}
