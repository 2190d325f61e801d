//go:build !windows

package main

// The terminal of a process has one name for both directions.
const (
	terminalIn  = "/dev/tty"
	terminalOut = "/dev/tty"
)
