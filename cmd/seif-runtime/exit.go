package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/trust"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/runtime/server"
)

// The exit codes, the same as in seifc.
const (
	exitGood        = 0   // done and good
	exitWanting     = 1   // the Bindings were judged and found wanting
	exitUsage       = 2   // wrong usage
	exitUnable      = 3   // could not do it
	exitUnverified  = 4   // the Build is not to be served
	exitDefect      = 70  // a defect of ours
	exitInterrupted = 130 // SIGINT
	exitTerminated  = 143 // SIGTERM
)

// defect is an error that means that the program is wrong, not its input.
type defect struct {
	reason any
	stack  []byte // where it happened
}

func (d *defect) Error() string { return fmt.Sprintf("internal fault: %v", d.reason) }

// failure is the `error` member of the JSON document.
type failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Help    string `json:"help,omitempty"`
}

// describe gives an error its exit code, its words, and the findings that are in it.
func describe(ctx context.Context, err error) (int, failure, []diag.Diagnostic) {
	var (
		usage   *usageError
		fault   *defect
		signal  interrupted
		refused *server.Refused
	)
	switch {
	case errors.As(err, &fault):
		return exitDefect, failure{"defect", err.Error(), "this is a fault of seif-runtime, not of your input; report it with the command line and the lines below"}, nil
	case errors.Is(err, server.ErrCut):
		return exitUnable, failure{Code: "unable", Message: err.Error()}, nil
	case errors.As(context.Cause(ctx), &signal):
		exit := exitInterrupted
		if signal.signal == syscall.SIGTERM {
			exit = exitTerminated
		}
		return exit, failure{Code: "interrupted", Message: signal.Error() + "; requests that were begun were finished"}, nil
	case errors.As(err, &usage):
		return exitUsage, failure{"usage", usage.message, usage.help}, nil
	case errors.As(err, &refused):
		return exitUnverified, failure{Code: "not_verified", Message: "the Build is not served: " + refused.Error()}, refused.Findings
	case errors.Is(err, fs.ErrNotExist):
		return exitUnable, failure{"missing", err.Error(), "check the path; it is relative to the current folder"}, nil
	case errors.Is(err, fs.ErrPermission):
		return exitUnable, failure{"unreadable", err.Error(), "check the permissions of the file and of its folder"}, nil
	default:
		return exitUnable, failure{Code: "unable", Message: err.Error()}, nil
	}
}

// reportOf is the report of verification in an error, nil if there is none.
func reportOf(err error) *trust.Report {
	var refused *server.Refused
	if !errors.As(err, &refused) {
		return nil
	}
	return &refused.Report
}

// isInvalid tells a Build whose content is wrong from one that nobody vouches for.
func isInvalid(err error) bool {
	var invalid *bundle.Invalid
	return errors.As(err, &invalid)
}
