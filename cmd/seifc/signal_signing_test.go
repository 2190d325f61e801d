//go:build unix

package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// shopIn makes a Project, its Build and a key pair of the name release in a folder, and goes there.
func shopIn(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	private, public, err := testKey("release")
	if err != nil {
		t.Fatal(err)
	}
	put(t, "release.key", private)
	put(t, "release.pub", public)
	for _, args := range [][]string{{"init", "shop"}, {"build", "shop", "-o", "a.seif"}} {
		if exit, _, stderr := outcome(args...); exit != exitGood {
			t.Fatal(stderr)
		}
	}
}

// names lists the current folder.
func filesHere(t *testing.T) string {
	t.Helper()
	found, err := filepath.Glob("*")
	if err != nil {
		t.Fatal(err)
	}
	hidden, err := filepath.Glob(".*")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(append(found, hidden...), " ")
}

// interrupt starts a program whose stdin stays open, waits until it is in the middle of its work, and ends it.
func interrupt(t *testing.T, working func() bool, args ...string) int {
	t.Helper()
	cmd := exec.Command("seifc", args...)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	for deadline := time.Now().Add(patience); !working(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("seifc %v does not come to the place", args)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode()
}

// since tells whether a time has passed: long enough for a program to wait for its stdin.
func since(d time.Duration) func() bool {
	start := time.Now()
	return func() bool { return time.Since(start) > d }
}

// A command that waits for a password is ended by an interrupt, and leaves neither a key nor another Build.
func TestInterruptedAtThePassword(t *testing.T) {
	shopIn(t)
	t.Setenv("SEIFC_PASSWORD", "x")
	if out, err := exec.Command("seifc", "keygen", "-o", "locked").CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	before, files := get(t, "a.seif"), filesHere(t)
	for _, args := range [][]string{
		{"keygen", "-o", "new", "--password-stdin"},
		{"sign", "--key", "locked.key", "--password-stdin", "a.seif"},
	} {
		if exit := interrupt(t, since(time.Second), args...); exit != exitInterrupted {
			t.Errorf("seifc %v: exit %d", args, exit)
		}
	}
	if got := filesHere(t); got != files || !bytes.Equal(get(t, "a.seif"), before) {
		t.Errorf("there are %s, before %s", got, files)
	}
}

// A command that waits for a pipe, to open it or to read from it, is ended by an interrupt all the same.
func TestInterruptedAtAPipe(t *testing.T) {
	shopIn(t)
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	files := filesHere(t)
	for _, args := range [][]string{
		{"verify", "--trust", "pipe", "a.seif"},
		{"verify", "--key", "pipe", "a.seif"},
		{"verify", "--key", "release.pub", "--bundle", "pipe", "a.seif"},
		{"verify", "--key", "release.pub", "--bundle", "-", "a.seif"},
		{"verify", "--allow-unsigned", "-"},
		{"sign", "--key", "pipe", "a.seif"},
		{"import", "mcp", "pipe", "-o", "tools.yaml"},
		{"preview", "--profile", "default", "--inputs", "pipe", "shop"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			if exit := interrupt(t, since(300*time.Millisecond), args...); exit != exitInterrupted {
				t.Errorf("exit %d", exit)
			}
		})
	}
	if got := filesHere(t); got != files {
		t.Errorf("there are %s, before %s", got, files)
	}
}

// A pull that is interrupted while the registry takes its time leaves nothing, and a push leaves no tag.
func TestInterruptedTransfers(t *testing.T) {
	shopIn(t)
	asked := make(chan struct{}, 100)
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	defer slow.Close()
	at := "oci://" + strings.TrimPrefix(slow.URL, "http://") + "/team/shop:1"
	files := filesHere(t)
	for _, args := range [][]string{
		{"pull", at, "-o", "b.seif"},
		{"push", "a.seif", at},
		{"verify", "--allow-unsigned", at},
	} {
		if exit := interrupt(t, func() bool { return len(asked) > 0 }, args...); exit != exitInterrupted {
			t.Errorf("seifc %v: exit %d", args, exit)
		}
		for len(asked) > 0 {
			<-asked
		}
	}
	if got := filesHere(t); got != files {
		t.Errorf("there are %s, before %s", got, files)
	}
	if _, err := os.Stat("b.seif"); err == nil {
		t.Error("half a Build was written")
	}
}
