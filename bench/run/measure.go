//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/seif-dev/seifc/bench"
)

// key names a figure: what ran, on a Project of how many tools (0: on none).
type key struct {
	work  string
	tools int
}

// figure is what a process cost.
type figure struct {
	cpu, wall time.Duration
	rss       int64 // bytes
}

// measurer runs programs and keeps their figures.
type measurer struct {
	ctx     context.Context
	dir     string
	runs    int
	sizes   []int
	bytes   map[int]int64
	figures map[key]figure
}

// works are the commands that are measured on every Project, and the peers that they are compared with.
var works = []string{"check", "test", "build", "rebuild", "budget", "verify", "sha256", "yaml"}

// The Project whose Build is verified beside the generated ones, and what it is called.
const (
	example     = "examples/estuda"
	exampleName = "estuda-side-panel"
)

func (m *measurer) all(largest int) error {
	m.bytes = map[int]int64{}
	if err := m.best(key{work: "version"}, 20, nil, "seifc", "version"); err != nil {
		return err
	}
	if err := m.best(key{work: "nothing"}, 20, nil, "peer", "nothing", m.dir); err != nil {
		return err
	}
	if err := m.best(key{work: "keygen"}, 1, nil, "seifc", "keygen", "-o", m.keys()); err != nil {
		return err
	}
	if err := m.example(); err != nil {
		return fmt.Errorf("the example: %w", err)
	}
	for n := 10; n <= largest; n *= 10 {
		if err := m.project(n); err != nil {
			return fmt.Errorf("a Project of %d tools: %w", n, err)
		}
		m.sizes = append(m.sizes, n)
	}
	return nil
}

// keys is the prefix of the key that Builds are signed with.
func (m *measurer) keys() string { return filepath.Join(m.dir, "release") }

// example measures what verifying the Build of the example costs.
func (m *measurer) example() error {
	output := filepath.Join(m.dir, "example.seif")
	if err := m.best(key{work: "build example"}, 1, nil, "seifc", "build", "-o", output, example); err != nil {
		return err
	}
	return m.verify(key{work: "verify example"}, 20, output)
}

// verify signs a Build, for a release and for its tests, and measures its verification against a trust policy.
func (m *measurer) verify(k key, runs int, build string) error {
	policy := build + ".trust.yaml"
	pem, err := os.ReadFile(m.keys() + ".pub")
	if err != nil {
		return err
	}
	text := "schema: seif.trust-policy.v1\nproject: " + projectOf(k) + "\nchannels: [main]\nkeys:\n  release:\n    roles: [release, tests]\n    pem: |\n" +
		indented(string(pem), "      ") + "require:\n  - {role: release, threshold: 1}\n  - {role: tests, threshold: 1}\n"
	if err := os.WriteFile(policy, []byte(text), 0o666); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"sign", "--key", m.keys() + ".key", "--channel", "main", "--sequence", "1", build},
		{"sign", "--key", m.keys() + ".key", "--role", "tests", build},
	} {
		if _, err := m.once("seifc", args); err != nil {
			return err
		}
	}
	return m.best(k, runs, nil, "seifc", "verify", "--trust", policy, build)
}

func projectOf(k key) string {
	if k.tools == 0 {
		return exampleName
	}
	return bench.ProjectName
}

func indented(text, by string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		out.WriteString(by + line)
	}
	return out.String()
}

// project measures everything on the Project of n tools.
func (m *measurer) project(n int) error {
	dir := filepath.Join(m.dir, fmt.Sprintf("project-%d", n))
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	if err := bench.Write(dir, bench.Proportional(n)); err != nil {
		return err
	}
	if err := m.best(key{"pin", n}, 1, nil, "seifc", "pin", dir); err != nil {
		return err
	}
	var err error
	if m.bytes[n], err = size(dir); err != nil {
		return err
	}
	output := filepath.Join(m.dir, fmt.Sprintf("%d.seif", n))
	fresh := func() error { return os.RemoveAll(output) }
	runs := m.runs
	if n >= 10_000 {
		runs = min(runs, 2)
	}
	for _, work := range works {
		switch work {
		case "build":
			err = m.best(key{work, n}, runs, fresh, "seifc", "build", "-o", output, dir)
		case "rebuild":
			err = m.best(key{work, n}, runs, nil, "seifc", "build", "-o", output, dir)
		case "verify":
			err = m.verify(key{work, n}, runs, output)
		case "sha256", "yaml":
			err = m.best(key{work, n}, runs, nil, "peer", work, dir)
		default:
			err = m.best(key{work, n}, runs, nil, "seifc", work, dir)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// best runs a program several times, after what prepares it, and keeps the least time and the most memory.
func (m *measurer) best(k key, runs int, prepare func() error, program string, args ...string) error {
	for i := range runs {
		if prepare != nil {
			if err := prepare(); err != nil {
				return err
			}
		}
		one, err := m.once(program, args)
		if err != nil {
			return err
		}
		if kept := m.figures[k]; i > 0 {
			one = figure{cpu: min(one.cpu, kept.cpu), wall: min(one.wall, kept.wall), rss: max(one.rss, kept.rss)}
		}
		m.figures[k] = one
	}
	return nil
}

// once runs a program. A program that fails has no figure: that of a refusal would look good.
func (m *measurer) once(program string, args []string) (figure, error) {
	cmd := exec.CommandContext(m.ctx, filepath.Join(m.dir, program), args...)
	cmd.Env = append(os.Environ(), "SEIFC_PASSWORD=") // of a key that lives as long as the figures take
	var stdout, stderr opening
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	began := time.Now()
	if err := cmd.Run(); err != nil {
		return figure{}, fmt.Errorf("%s %v: %w\n%s%s", program, args, err, stdout.kept, stderr.kept)
	}
	wall := time.Since(began)
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return figure{}, fmt.Errorf("the system does not say what a process used")
	}
	return figure{cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), wall: wall, rss: resident(usage)}, nil
}

// resident gives the largest resident size in bytes, which systems count differently. A child begins with the size
// of its parent, so this program keeps itself small: see the figure of `nothing`.
func resident(usage *syscall.Rusage) int64 {
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) * 1024
}

// opening keeps the first 4 KiB of an output, for a message, and drops the rest.
type opening struct{ kept []byte }

func (t *opening) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p[:min(len(p), max(0, 4096-len(t.kept)))]...)
	return len(p), nil
}

// size adds up the bytes of all files.
func size(dir string) (int64, error) {
	var total int64
	err := filepath.WalkDir(dir, func(_ string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	return total, err
}
