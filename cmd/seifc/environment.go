package main

import (
	"context"
	"io"
	"os"
	"time"
)

// environment is all that a command knows of the process around it.
type environment struct {
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	// lookupEnv reads the environment; a variable may be set and empty.
	lookupEnv func(string) (string, bool)
	// now is the time of the day.
	now func() time.Time
	// secret asks the person at the terminal for something that is not shown; nil if there is no terminal.
	secret func(ctx context.Context, prompt string) ([]byte, error)
	// stdoutTerminal and stderrTerminal say whether a person reads the stream: colour and progress depend on it.
	stdoutTerminal bool
	stderrTerminal bool
}

func system() environment {
	return environment{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, lookupEnv: os.LookupEnv, now: time.Now, secret: askTerminal,
		stdoutTerminal: terminal(os.Stdout), stderrTerminal: terminal(os.Stderr),
	}
}

// getenv gives a variable of the environment, empty if it is not set.
func (e environment) getenv(name string) string {
	value, _ := e.lookupEnv(name)
	return value
}

// terminal tells a character device that is not the null device.
func terminal(file *os.File) bool {
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// color tells whether to colour text on the stream.
func (e environment) color(terminal bool) bool {
	return terminal && e.getenv("NO_COLOR") == "" && e.getenv("TERM") != "dumb"
}
