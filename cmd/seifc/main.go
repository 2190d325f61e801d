// Command seifc compiles Context Projects into Builds, tests them and looks inside them.
//
// There is one file per command. A command turns its flags into calls and the result into an answer; app.go
// prints every answer and every error in one place, so that exit codes and formats are the same everywhere.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	deferCollection()
	os.Exit(run(system(), os.Args[1:]))
}

// run is the whole program but for the process: it is what tests call.
func run(env environment, args []string) int {
	ctx, stop := interruptible(context.Background())
	defer stop()
	return newApp(env).run(ctx, args)
}

// interrupted is the cause of a context that a signal ended.
type interrupted struct{ signal syscall.Signal }

func (i interrupted) Error() string { return "stopped by " + i.signal.String() }

// interruptible gives a context that ends at the first SIGINT or SIGTERM. A second signal ends the process as it
// does by default, for a user who does not want to wait for the clean way out.
func interruptible(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case s := <-signals:
			signal.Stop(signals)
			number, _ := s.(syscall.Signal)
			cancel(interrupted{number})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}
