package main

import (
	"io"
	"os"
)

// environment is all that a command knows of the process around it.
type environment struct {
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	getenv func(string) string
	// stdoutTerminal and stderrTerminal say whether a person reads the stream: colour and progress depend on it.
	stdoutTerminal bool
	stderrTerminal bool
}

func system() environment {
	return environment{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv,
		stdoutTerminal: terminal(os.Stdout), stderrTerminal: terminal(os.Stderr),
	}
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
