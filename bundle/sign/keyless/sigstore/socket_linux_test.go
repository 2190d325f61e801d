package sigstore_test

import (
	"errors"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"unsafe"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/bundle/sign/keyless"
	"github.com/seif-dev/seifc/diag"
)

// TestAttack45 verifies where the kernel kills whoever as much as makes a socket: the program is judged by what it
// does, not by what it imports. That the trap works is shown by signing in it.
func TestAttack45(t *testing.T) {
	audit, known := map[string]uint32{"amd64": 0xc000003e, "arm64": 0xc00000b7}[runtime.GOARCH]
	if !known {
		t.Skipf("the trap is not written for %s", runtime.GOARCH)
	}
	instance := newInstance(t)
	d := signed(t, instance, kinds[0], person)
	o := order(t, instance, kinds[0], person)
	path := programPath(t)

	inTrap(t, audit, func(client *keyless.Client) {
		found, err := client.Verify(t.Context(), d)
		if err != nil || found.Subject != person {
			t.Errorf("verifying without sockets: %v, %v", found, err)
		}
		d.Subject = workload
		_, err = client.Verify(t.Context(), d)
		if got := problemsOf(err); len(got) != 1 || got[0].Code != diag.CodeKeylessSubject {
			t.Errorf("refusing without sockets: %v", err)
		}
	}, path)
	inTrap(t, audit, func(client *keyless.Client) {
		s, err := client.Sign(t.Context(), o)
		var failed *keyless.Failure
		if !errors.As(err, &failed) || failed.Problem.Code != diag.CodeKeylessProgramFailed || s.Identity != (sign.Identity{}) {
			t.Errorf("the trap caught nothing: %v", err)
		}
	}, path)
	if err := exec.CommandContext(t.Context(), path, "version").Run(); err != nil {
		t.Errorf("the trap outlives the test: %v", err)
	}
}

// inTrap runs a function on a thread of its own whose children may make no socket. The thread ends with it.
func inTrap(t *testing.T, audit uint32, run func(*keyless.Client), path string) {
	t.Helper()
	done := make(chan error)
	go func() {
		// The thread is never unlocked, so that it ends with the goroutine.
		runtime.LockOSThread()
		err := setTrap(audit)
		if err == nil {
			client := &keyless.Client{Program: path}
			run(client)
			_ = client.Close()
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Fatalf("setting the trap: %v", err)
	}
}

// setTrap has the kernel kill this thread, and the processes it starts, at socket(2) (seccomp(2), filter mode).
func setTrap(audit uint32) error {
	const (
		noNewPrivileges, setSeccomp, filterMode = 38, 22, 2
		load, equal, give                       = 0x20, 0x15, 0x06
		kill, allow                             = 0x80000000, 0x7fff0000
		atNumber, atArchitecture                = 0, 4
	)
	filter := []syscall.SockFilter{
		{Code: load, K: atArchitecture},
		{Code: equal, Jt: 0, Jf: 2, K: audit},
		{Code: load, K: atNumber},
		{Code: equal, Jt: 1, Jf: 2, K: uint32(syscall.SYS_SOCKET)},
		{Code: give, K: kill},
		{Code: give, K: kill},
		{Code: give, K: allow},
	}
	program := syscall.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if _, _, no := syscall.RawSyscall6(syscall.SYS_PRCTL, noNewPrivileges, 1, 0, 0, 0, 0); no != 0 {
		return no
	}
	if _, _, no := syscall.RawSyscall(syscall.SYS_PRCTL, setSeccomp, filterMode, uintptr(unsafe.Pointer(&program))); no != 0 {
		return no
	}
	return nil
}
