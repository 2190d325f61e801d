package main

import (
	"context"
	"runtime/debug"
	"time"
)

// wayOut is how long a command that is interrupted may take to end by itself.
const wayOut = 2 * time.Second

// promptly runs a command, and leaves it behind where it does not end within wayOut of an interrupt: opening a pipe that
// nobody writes to, or reading from one, listens to no context. What a command writes appears whole or not at all
// wherever it is stopped, so that leaving it does no harm.
func promptly(ctx context.Context, run func() (answer, error)) (answer, error) {
	type result struct {
		out answer
		err error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if reason := recover(); reason != nil {
				r = result{err: &defect{reason: reason, stack: debug.Stack()}}
			}
			done <- r
		}()
		r.out, r.err = run()
	}()
	select {
	case r := <-done:
		return r.out, r.err
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return r.out, r.err
	case <-time.After(wayOut):
		return answer{}, context.Cause(ctx)
	}
}
