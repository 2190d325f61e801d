package main

import (
	"context"
	"runtime/debug"
	"time"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/runtime/server"
)

// wayOut is how long loading may take to end by itself once it is interrupted.
const wayOut = 2 * time.Second

// promptly loads a Service, and leaves that behind where it does not end within wayOut of an interrupt: opening a pipe
// that nobody writes to listens to no context. Loading writes nothing, so that leaving it does no harm.
func promptly(ctx context.Context, load func() (*server.Service, []diag.Diagnostic, error)) (*server.Service, []diag.Diagnostic, error) {
	type result struct {
		service  *server.Service
		findings []diag.Diagnostic
		err      error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if reason := recover(); reason != nil {
				r = result{err: &defect{reason, debug.Stack()}}
			}
			done <- r
		}()
		r.service, r.findings, r.err = load()
	}()
	select {
	case r := <-done:
		return r.service, r.findings, r.err
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return r.service, r.findings, r.err
	case <-time.After(wayOut):
		return nil, nil, context.Cause(ctx)
	}
}
