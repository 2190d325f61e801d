//go:build amd64 || arm64

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// stopped by a system call, as PTRACE_O_TRACESYSGOOD marks it.
const systemCall = syscall.SIGTRAP | 0x80

// sockets runs a program under ptrace, in the test's own place of a debugger, and counts the sockets that it and all its
// threads and children ask the kernel for.
func sockets(t *testing.T, args ...string) (n, exit int) {
	t.Helper()
	runtime.LockOSThread() // the tracer is a thread
	defer runtime.UnlockOSThread()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "SEIFC_PASSWORD=secret")
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true, Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Skipf("no process can be traced here: %v", err)
	}
	leader := cmd.Process.Pid
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(leader, &status, syscall.WALL, nil); err != nil || !status.Stopped() {
		t.Fatalf("the program did not stop: %v", err)
	}
	const killWithTracer = 0x100000
	options := syscall.PTRACE_O_TRACESYSGOOD | syscall.PTRACE_O_TRACECLONE | syscall.PTRACE_O_TRACEFORK | syscall.PTRACE_O_TRACEVFORK | killWithTracer
	if err := syscall.PtraceSetOptions(leader, options); err != nil {
		t.Fatal(err)
	}
	inside := map[int]bool{}
	for pid, signal := leader, 0; ; {
		if err := syscall.PtraceSyscall(pid, signal); err != nil && err != syscall.ESRCH {
			t.Fatal(err)
		}
		var err error
		if pid, err = syscall.Wait4(-leader, &status, syscall.WALL, nil); err != nil {
			t.Fatal(err)
		}
		for status.Exited() || status.Signaled() {
			if pid == leader {
				return n, status.ExitStatus()
			}
			if pid, err = syscall.Wait4(-leader, &status, syscall.WALL, nil); err != nil {
				t.Fatal(err)
			}
		}
		signal = 0
		switch stop := status.StopSignal(); stop {
		case systemCall:
			if inside[pid] = !inside[pid]; inside[pid] && calledBy(t, pid) == syscall.SYS_SOCKET {
				n++
			}
		case syscall.SIGTRAP, syscall.SIGSTOP: // a thread began, or begins
		default:
			signal = int(stop)
		}
	}
}

// Nothing opens a socket but what goes to a registry: keys, signatures by keys, and verification above all. R65
// Attack 45: no network.
func TestAttack45NoSocket(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	build, policy := at("shop.seif"), at("trust.yaml")
	put(t, policy, []byte("schema: seif.trust-policy.v1\nproject: shop\nchannels: [stable]\nkeys:\n  k: {file: k.pub, roles: [release]}\nrequire: [{role: release}]\n"))
	for _, args := range [][]string{
		{"init", at("shop")},
		{"build", at("shop"), "-o", build},
		{"keygen", "-o", at("k")},
		{"sign", "--key", at("k.key"), build},
		{"show", build},
		{"verify", "--key", at("k.pub"), build},
		{"verify", "--trust", policy, "--source", at("shop"), "--rerun", build},
		{"verify", "--allow-unsigned", build},
	} {
		if n, exit := sockets(t, append([]string{"seifc"}, args...)...); n != 0 || exit != exitGood {
			t.Errorf("seifc %v opens %d sockets and ends with %d", args, n, exit)
		}
	}
	// That the count is one: a registry cannot be reached without a socket.
	if n, exit := sockets(t, "seifc", "verify", "--allow-unsigned", "oci://127.0.0.1:1/team/shop:1"); n == 0 || exit != exitUnable {
		t.Errorf("a registry was asked through %d sockets, exit %d", n, exit)
	}
}
