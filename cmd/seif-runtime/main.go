// Command seif-runtime serves the contexts of one Build under the Bindings of one environment.
//
// The program is wiring: flags in, the rooms `runtime/bindings` and `runtime/server` called, one answer out. Exit
// codes and the JSON form of answers are those of seifc.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := interruptible(context.Background())
	exit := run(ctx, streams{os.Stdout, os.Stderr}, os.Args[1:])
	stop()
	os.Exit(exit)
}

// streams are where the program speaks: the answer goes to out, talk and log to err.
type streams struct {
	out, err io.Writer
}

// interrupted is the cause of a context that a signal ended.
type interrupted struct{ signal syscall.Signal }

func (i interrupted) Error() string { return "stopped by " + i.signal.String() }

// interruptible gives a context that ends at the first SIGINT or SIGTERM. A second signal ends the process as it
// does by default, for a user who does not want to wait for requests to finish.
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
