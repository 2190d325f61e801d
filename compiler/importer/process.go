package importer

import (
	"context"
	"io"
	"os/exec"
	"time"
)

// The patience with a server that was asked to end: after farewell it is told by a signal, after another it is killed.
const farewell = 2 * time.Second

// process is a running server.
type process struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     io.ReadCloser
	stop    func() bool
}

// start runs a program until ctx ends at the latest.
func start(ctx context.Context, stderr io.Writer, program string, args ...string) (*process, error) {
	command := exec.CommandContext(ctx, program, args...)
	command.Stderr = stderr
	command.WaitDelay = farewell
	group(command)
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	p := &process{command: command, in: in, out: out}
	// What the server started may hold the pipes open beyond its end; nothing waits for that.
	p.stop = context.AfterFunc(ctx, p.close)
	return p, nil
}

func (p *process) close() {
	p.in.Close()
	p.out.Close()
}

// end closes the pipes, which ends a server, and ends it by force where that does not. How it says goodbye is of no
// interest.
func (p *process) end(cancel context.CancelFunc) {
	p.stop()
	p.close()
	patience := time.AfterFunc(farewell, cancel)
	_ = p.command.Wait()
	patience.Stop()
	reap(p.command)
}
