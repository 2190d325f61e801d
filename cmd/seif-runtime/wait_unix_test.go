//go:build unix

package main

import (
	"bytes"
	"context"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Whatever it was told to read can be a pipe that nobody writes to. It waits for somebody to write, and an interrupt ends
// that, as it does in seifc.
func TestInterruptedAtAPipe(t *testing.T) {
	v := vouch(t)
	for _, name := range []string{"a.seif", "b.yaml", "c.yaml", "d.json"} {
		if err := syscall.Mkfifo(v.path(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	policy := read(t, v.path("trust.yaml"))
	write(t, v.path("waiting.yaml"), strings.Replace(policy, "floor_state: floor.json", "floor_state: d.json", 1))
	build, bindings := v.serve(t, "trust.yaml", "stable"), v.serve(t, "trust.yaml", "stable")
	build[2], bindings[4] = v.path("a.seif"), v.path("b.yaml")
	for name, args := range map[string][]string{
		"Build": build, "Bindings": bindings,
		"policy": v.serve(t, "c.yaml", "stable"), "floor state": v.serve(t, "waiting.yaml", "stable", "--check"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(300*time.Millisecond, func() { cancel(interrupted{syscall.SIGINT}) })
			ended := make(chan int, 1)
			var out, talk bytes.Buffer
			go func() { ended <- run(ctx, streams{&out, &talk}, args) }()
			select {
			case exit := <-ended:
				if exit != exitInterrupted || !strings.Contains(talk.String(), "stopped by interrupt") {
					t.Errorf("exit %d\n%s", exit, &talk)
				}
			case <-time.After(20 * time.Second):
				t.Error("it waits on")
			}
		})
	}
}
