package main

import (
	"errors"
	"syscall"
	"testing"
)

// calledBy is the number of the system call that a stopped thread makes; -1 if the thread has ended since.
func calledBy(t *testing.T, thread int) int {
	t.Helper()
	var registers syscall.PtraceRegs
	switch err := syscall.PtraceGetRegs(thread, &registers); {
	case errors.Is(err, syscall.ESRCH):
		return -1
	case err != nil:
		t.Fatal(err)
	}
	return int(registers.Regs[8])
}
