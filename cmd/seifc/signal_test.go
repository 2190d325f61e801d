//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patience is how long a process may take for anything in these tests; it is never waited for when all goes well.
const patience = 60 * time.Second

// started is a running seifc whose stdout is read line by line.
type started struct {
	t     *testing.T
	cmd   *exec.Cmd
	lines chan string
	talk  bytes.Buffer
}

func launch(t *testing.T, args ...string) *started {
	t.Helper()
	p := &started{t: t, cmd: exec.Command("seifc", args...), lines: make(chan string, 1000)}
	p.cmd.Stderr = &p.talk
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.cmd.Process.Kill() })
	go func() {
		defer close(p.lines)
		for in := bufio.NewScanner(stdout); in.Scan(); {
			p.lines <- in.Text()
		}
	}()
	return p
}

// await reads until a line that contains the text.
func (p *started) await(text string) {
	p.t.Helper()
	for deadline := time.After(patience); ; {
		select {
		case line, open := <-p.lines:
			if !open {
				p.t.Fatalf("it ended without %q: %s", text, p.talk.String())
			}
			if strings.Contains(line, text) {
				return
			}
		case <-deadline:
			p.t.Fatalf("no %q", text)
		}
	}
}

// end sends a signal and gives the exit code.
func (p *started) end(signal syscall.Signal) int {
	p.t.Helper()
	if err := p.cmd.Process.Signal(signal); err != nil {
		p.t.Fatal(err)
	}
	for range p.lines {
	}
	var exit *exec.ExitError
	if err := p.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return p.cmd.ProcessState.ExitCode()
}

// A watch answers at once and again after each change, also when the Project breaks or goes away for a moment, until it
// is interrupted.
func TestWatch(t *testing.T) {
	for signal, exit := range map[syscall.Signal]int{syscall.SIGINT: exitInterrupted, syscall.SIGTERM: exitTerminated} {
		dir := filepath.Join(t.TempDir(), "room")
		if exit, _, stderr := outcome("init", dir); exit != exitGood {
			t.Fatal(stderr)
		}
		p := launch(t, "check", "--watch", dir)
		p.await("no problems in 3 files")
		project := filepath.Join(dir, "seif.yaml")
		sound := get(t, project)
		put(t, project, substitute(t, sound, "[style, note]", "[stile, note]"))
		p.await("error[unknown_source]")
		p.await("1 error, 0 warnings")
		put(t, project, sound)
		p.await("no problems in 3 files")
		put(t, filepath.Join(dir, "context", "style.md"), []byte("Be\u200b brief.\n"))
		p.await("error[text_hidden]")
		if got := p.end(signal); got != exit {
			t.Errorf("%v gives %d, want %d", signal, got, exit)
		}
		if !strings.Contains(p.talk.String(), "error[interrupted]") {
			t.Errorf("it said %q", p.talk.String())
		}
	}
	if exit, _, stderr := outcome("check", "--watch", "--format", "json", "."); exit != exitUsage {
		t.Errorf("one document for many answers: %d %s", exit, stderr)
	}
	if exit, _, stderr := outcome("check", "--watch", filepath.Join(t.TempDir(), "nowhere")); exit != exitUnable {
		t.Errorf("watching nothing: %d %s", exit, stderr)
	}
}

// A build that is terminated ends with 143, leaves the older Build as it was and nothing else behind.
func TestTerminatedBuildLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	room := filepath.Join(dir, "room")
	for _, args := range [][]string{{"init", room}, {"build", room}} {
		if exit, _, stderr := outcome(args...); exit != exitGood {
			t.Fatal(stderr)
		}
	}
	before := get(t, filepath.Join(room, "build", "room.seif"))
	large := strings.Repeat("A sentence of a large text.\n", 40_000)
	style := filepath.Join(room, "context", "style.md")
	put(t, style, append(get(t, style), large...))
	project := filepath.Join(room, "seif.yaml")
	put(t, project, substitute(t, get(t, project), "tokens: 20000", "tokens: 1000000"))
	// The Build is larger than the pipe holds, so that the command is in the middle of its work for as long as nobody
	// reads: there it meets the signal.
	p := exec.Command("seifc", "build", room, "-o", "-")
	stdout, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := stdout.Read(make([]byte, 512)); err != nil {
		t.Fatal(err)
	}
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	// The command stands still until somebody reads; the signal gets its time to arrive.
	time.Sleep(time.Second)
	for {
		if _, err := stdout.Read(make([]byte, 1<<16)); err != nil {
			break
		}
	}
	_ = p.Wait()
	if got := p.ProcessState.ExitCode(); got != exitTerminated {
		t.Errorf("exit %d, want %d", got, exitTerminated)
	}
	if !bytes.Equal(get(t, filepath.Join(room, "build", "room.seif")), before) {
		t.Error("the older Build changed")
	}
	entries, err := os.ReadDir(filepath.Join(room, "build"))
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
}
