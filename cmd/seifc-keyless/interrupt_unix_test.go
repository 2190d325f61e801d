//go:build unix

package main

import (
	"bytes"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	fake "github.com/google/go-containerregistry/pkg/registry"
)

// Who interrupts a command while an identity is verified learns that, and no verdict that was never reached: neither
// pull nor verify says NOT VERIFIED then, and nothing is written.
func TestInterruptedWhileVerifying(t *testing.T) {
	i := install(t, "seifc", "seifc-keyless")
	sign := i.sigstore(workflow)
	i.run(0, "init", "shop")
	i.run(0, "build", "shop", "-o", "a.seif")
	i.run(0, append(sign, "a.seif")...)
	i.file("trust.yaml", []byte(strings.Replace(identityPolicy, "  - role: tests\n", "", 1)))
	server := httptest.NewServer(fake.New(fake.Logger(log.New(io.Discard, "", 0)), fake.WithReferrersSupport(true)))
	defer server.Close()
	at := "oci://" + strings.TrimPrefix(server.URL, "http://") + "/team/shop:1"
	i.run(0, "push", "a.seif", at)

	started := filepath.Join(i.room, "started")
	script := "#!/bin/sh\ntouch '" + started + "'\nexec sleep 60\n"
	if err := os.WriteFile(filepath.Join(i.bin, "seifc-keyless"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"verify", "--trust", "trust.yaml", "a.seif"},
		{"pull", "--trust", "trust.yaml", at, "-o", "b.seif"},
	} {
		_ = os.Remove(started)
		var said bytes.Buffer
		cmd := exec.Command(filepath.Join(i.bin, "seifc"), args...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = i.room, &said, &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
			if _, err := os.Stat(started); err == nil {
				break
			}
			if time.Now().After(deadline) {
				_ = cmd.Process.Kill()
				t.Fatalf("seifc %v does not ask the program", args)
			}
		}
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if exit := cmd.ProcessState.ExitCode(); exit != 130 || strings.Contains(said.String(), "NOT VERIFIED") {
			t.Errorf("seifc %v: exit %d\n%s", args, exit, &said)
		}
	}
	if _, err := os.Stat(filepath.Join(i.room, "b.seif")); err == nil {
		t.Error("a Build was written")
	}
}
