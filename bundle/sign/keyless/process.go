package keyless

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/seif-dev/seifc/diag"
)

// ProgramName is the name of the program, without the ending that some systems want.
const ProgramName = "seifc-keyless"

// Beside is the path of the program beside the running executable, links to that resolved. Whether it is there shows
// when it is started.
func Beside() (string, error) {
	executable, err := os.Executable()
	if err == nil {
		executable, err = filepath.EvalSymlinks(executable)
	}
	if err != nil || !filepath.IsAbs(executable) {
		return "", NewFailure(err, diag.CodeKeylessProgramMissing, "path", ProgramName)
	}
	name := ProgramName
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(filepath.Dir(executable), name), nil
}

// passed are the variables of the environment that the program gets: how to reach services from here, and which
// authorities vouch for servers. Verifying needs none of them.
func passed() []string {
	names := []string{
		"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR",
	}
	environment := []string{}
	for _, name := range names {
		if value, ok := os.LookupEnv(name); ok {
			environment = append(environment, name+"="+value)
		}
	}
	return environment
}

// process is the program while it runs.
type process struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     io.Reader
	words   *words
	once    sync.Once
	ended   error
}

// start starts the program at a path, which is never looked up anywhere.
func start(path string) (*process, error) {
	if path == "" {
		found, err := Beside()
		if err != nil {
			return nil, err
		}
		path = found
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, NewFailure(err, diag.CodeKeylessProgramMissing, "path", shown(path))
	}
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no file")
	}
	if err != nil {
		return nil, NewFailure(err, diag.CodeKeylessProgramMissing, "path", shown(path))
	}
	p := &process{command: exec.Command(path), words: &words{}}
	p.command.Env = passed()
	p.command.Dir = filepath.Dir(path)
	p.command.Stderr = p.words
	p.command.WaitDelay = 2 * time.Second
	if p.in, err = p.command.StdinPipe(); err != nil {
		return nil, NewFailure(err, diag.CodeKeylessProgramFailed, "why", err.Error())
	}
	if p.out, err = p.command.StdoutPipe(); err != nil {
		return nil, NewFailure(err, diag.CodeKeylessProgramFailed, "why", err.Error())
	}
	if err := p.command.Start(); err != nil {
		return nil, NewFailure(err, diag.CodeKeylessProgramFailed, "why", fmt.Sprintf("it cannot be started: %v", err))
	}
	return p, nil
}

// kill ends the process at once.
func (p *process) kill() { _ = p.command.Process.Kill() }

// end ends the process at once and gives what it said on its standard error.
func (p *process) end() string {
	p.kill()
	_ = p.wait()
	return p.words.text()
}

// close lets the process end by itself, for a moment.
func (p *process) close() error {
	timer := time.AfterFunc(2*time.Second, p.kill)
	defer timer.Stop()
	_ = p.in.Close()
	return p.wait()
}

func (p *process) wait() error {
	p.once.Do(func() { p.ended = p.command.Wait() })
	return p.ended
}

// words keeps the beginning of what the program says.
type words struct {
	mu   sync.Mutex
	said []byte
}

// Write implements [io.Writer].
func (w *words) Write(data []byte) (int, error) {
	const most = 2 << 10
	w.mu.Lock()
	defer w.mu.Unlock()
	if left := most - len(w.said); left > 0 {
		w.said = append(w.said, data[:min(left, len(data))]...)
	}
	return len(data), nil
}

func (w *words) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return shown(strings.TrimSpace(strings.ToValidUTF8(string(w.said), "\ufffd")))
}
