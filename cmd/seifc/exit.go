package main

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/registry"
	"github.com/seif-dev/seifc/compiler/subject"
	"github.com/seif-dev/seifc/diag"
)

// The exit codes, the same in every command.
const (
	exitGood        = 0   // done and good
	exitWanting     = 1   // judged and found wanting
	exitUsage       = 2   // wrong usage
	exitUnable      = 3   // could not do it
	exitUnverified  = 4   // integrity, signature or trust
	exitDefect      = 70  // a defect of ours
	exitInterrupted = 130 // SIGINT
	exitTerminated  = 143 // SIGTERM
)

// usageError is a command line that means nothing. Its help says what to write instead.
type usageError struct {
	message string
	help    string
}

func (u *usageError) Error() string { return u.message }

func usagef(help, format string, args ...any) error {
	return &usageError{message: fmt.Sprintf(format, args...), help: help}
}

// defect is an error that means that seifc is wrong, not its input.
type defect struct {
	reason any
	// stack is where it happened, for the report; nil where the place says it all.
	stack []byte
}

func (d *defect) Error() string { return fmt.Sprintf("internal fault: %v", d.reason) }

// placed is an error that has its findings, each with a place.
type placed interface {
	error
	Diagnostics() []diag.Diagnostic
}

// findingsOf are the findings that an error consists of; nil for one that is none.
func findingsOf(err error) []diag.Diagnostic {
	var p placed
	if !errors.As(err, &p) {
		return nil
	}
	findings := p.Diagnostics()
	for i := range findings {
		if findings[i].Place.Path == "" { // a reference that may hold a secret, and is not repeated
			findings[i].Place.Path = "reference"
		}
	}
	return findings
}

// exitOf is the exit code of an error that ended a command.
func exitOf(ctx context.Context, err error) int {
	var (
		usage     *usageError
		fault     *defect
		signal    interrupted
		invalid   *bundle.Invalid
		elsewhere *subject.Elsewhere
		kind      *subject.WrongKind
		signing   *signingError
		remote    *registry.Fault
	)
	switch {
	case err == nil:
		return exitGood
	case errors.As(err, &fault):
		return exitDefect
	case errors.As(context.Cause(ctx), &signal):
		if signal.signal == syscall.SIGTERM {
			return exitTerminated
		}
		return exitInterrupted
	case errors.As(err, &kind) && !kind.Build:
		return exitUnverified // it is there and is no Build
	case errors.As(err, &usage), errors.As(err, &elsewhere), errors.As(err, &kind):
		return exitUsage
	case errors.As(err, &invalid):
		return exitUnverified
	case errors.As(err, &signing):
		return signing.exit
	case errors.As(err, &remote):
		return exitOfFault(remote)
	default:
		return exitUnable
	}
}

// exitOfFault is the exit code of what a registry did, or of a reference to one.
func exitOfFault(f *registry.Fault) int {
	switch f.Kind {
	case registry.Malformed:
		return exitUsage
	case registry.Unverified:
		return exitUnverified
	default:
		return exitUnable
	}
}
