package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// screen is a terminal with a program at it: what the program and the terminal's echo show is gathered.
type screen struct {
	t      *testing.T
	master *os.File
	mutex  sync.Mutex
	shown  bytes.Buffer
}

// atTerminal starts a program whose controlling terminal is a new one, and nothing else is: its streams are elsewhere.
func atTerminal(t *testing.T, args ...string) (*screen, *exec.Cmd) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no terminals here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no terminals here: %v", err)
	}
	t.Cleanup(func() { slave.Close() })
	cmd := exec.Command("seifc", args...)
	cmd.ExtraFiles = []*os.File{slave}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	s := &screen{t: t, master: master}
	go func() {
		for data := make([]byte, 1024); ; {
			n, err := master.Read(data)
			s.mutex.Lock()
			s.shown.Write(data[:n])
			s.mutex.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return s, cmd
}

func (s *screen) text() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.shown.String()
}

func (s *screen) echoes() bool {
	state, err := unix.IoctlGetTermios(int(s.master.Fd()), unix.TCGETS)
	if err != nil {
		s.t.Fatal(err)
	}
	return state.Lflag&unix.ECHO != 0
}

// await waits for a prompt that nothing typed would be shown behind.
func (s *screen) await(prompt string) {
	s.t.Helper()
	for deadline := time.Now().Add(patience); !strings.HasSuffix(s.text(), prompt) || s.echoes(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatalf("no %q, but %q", prompt, s.text())
		}
	}
}

func (s *screen) enter(line string) {
	s.t.Helper()
	if _, err := s.master.WriteString(line + "\n"); err != nil {
		s.t.Fatal(err)
	}
}

// What is typed as a password is shown nowhere, and the terminal shows what is typed again when the command has ended.
func TestPasswordsAreNotShown(t *testing.T) {
	shopIn(t)
	s, cmd := atTerminal(t, "keygen", "-o", "typed")
	s.await("password for the private key: ")
	s.enter("hunter2")
	s.await("the same again: ")
	s.enter("hunter2")
	if err := cmd.Wait(); err != nil || strings.Contains(s.text(), "hunter") || !s.echoes() {
		t.Errorf("%v, echo %v: %q", err, s.echoes(), s.text())
	}
	s, cmd = atTerminal(t, "sign", "--key", "typed.key", "a.seif")
	s.await("password of the private key: ")
	s.enter("hunter2")
	if err := cmd.Wait(); err != nil || strings.Contains(s.text(), "hunter") || !s.echoes() {
		t.Errorf("%v, echo %v: %q", err, s.echoes(), s.text())
	}
}

// Ctrl-C instead of a password ends the command, writes nothing and leaves the terminal as it was.
func TestInterruptedAtTheTerminal(t *testing.T) {
	shopIn(t)
	files := filesHere(t)
	s, cmd := atTerminal(t, "keygen", "-o", "typed")
	s.await("password for the private key: ")
	if _, err := s.master.WriteString("hunter\x03"); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if exit := cmd.ProcessState.ExitCode(); exit != exitInterrupted || !s.echoes() || filesHere(t) != files {
		t.Errorf("exit %d, echo %v, files %s", exit, s.echoes(), filesHere(t))
	}
}
