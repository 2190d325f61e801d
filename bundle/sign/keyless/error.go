package keyless

import (
	"fmt"

	"github.com/seif-dev/seifc/diag"
)

// Refused is the error for a bundle that was judged and is not verified, or a demand that cannot be met.
type Refused struct {
	// Problems says why; at least one.
	Problems []diag.Problem
}

func (e *Refused) Error() string { return "not verified by identity: " + codes(e.Problems) }

// Findings are the problems, for whoever reports them.
func (e *Refused) Findings() []diag.Problem { return e.Problems }

// Failure is the error for a question that could not be asked or answered: nothing is known about the bundle then, and
// it is not verified.
type Failure struct {
	// Problem says what is missing or broken.
	Problem diag.Problem
	cause   error
}

func (e *Failure) Error() string {
	if e.cause != nil {
		return fmt.Sprintf("could not sign or verify by identity: %s: %v", e.Problem.Code, e.cause)
	}
	return fmt.Sprintf("could not sign or verify by identity: %s", e.Problem.Code)
}

// Findings is the one problem, for whoever reports it.
func (e *Failure) Findings() []diag.Problem { return []diag.Problem{e.Problem} }

// Unwrap is what lies behind, nil if nothing does.
func (e *Failure) Unwrap() error { return e.cause }

// NewFailure makes a failure with what lies behind it.
func NewFailure(cause error, code diag.Code, pairs ...string) *Failure {
	return &Failure{Problem: diag.New(code, "", pairs...), cause: cause}
}

// Refuse makes a refusal for one reason.
func Refuse(code diag.Code, pairs ...string) *Refused {
	return &Refused{Problems: []diag.Problem{diag.New(code, "", pairs...)}}
}

func codes(problems []diag.Problem) string {
	if len(problems) == 0 {
		return "no reason"
	}
	return fmt.Sprintf("%s (%d problems)", problems[0].Code, len(problems))
}
