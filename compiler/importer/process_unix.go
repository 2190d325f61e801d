//go:build unix

package importer

import (
	"os/exec"
	"syscall"
)

// group gives the server a process group of its own, so that what it starts ends with it, and lets a signal that can
// be handled come before the one that cannot.
func group(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGTERM) }
}

// reap ends what is left of the group.
func reap(command *exec.Cmd) {
	_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
}
