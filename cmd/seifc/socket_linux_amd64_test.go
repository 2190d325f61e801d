package main

import (
	"syscall"
	"testing"
)

// calledBy is the number of the system call that a stopped thread makes.
func calledBy(t *testing.T, thread int) int {
	t.Helper()
	var registers syscall.PtraceRegs
	if err := syscall.PtraceGetRegs(thread, &registers); err != nil {
		t.Fatal(err)
	}
	return int(registers.Orig_rax)
}
