package main

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/registry"
	"github.com/seif-dev/seifc/compiler/subject"
	"github.com/seif-dev/seifc/diag"
)

// plainFlag stands on every command that takes a BUILD.
func plainFlag() cli.Flag {
	return &cli.BoolFlag{Name: "plain-http", Usage: "speak to the registry of oci://... without TLS; this machine is always spoken to without"}
}

// access is what a BUILD is read through that is no file. A flag about registries beside another BUILD means nothing and
// is refused.
func (c *call) access(path string) (subject.Access, error) {
	if c.Bool("plain-http") && !subject.InRegistry(path) {
		return subject.Access{}, usagef("drop --plain-http", "--plain-http is about registries, and %s is in none", path)
	}
	pulled := func(report registry.PullReport) { c.leftOut = leftOutOf(report) }
	return subject.Access{Stdin: c.stdin, Registry: c.registryOptions(), Pulled: pulled}, nil
}

// openLayout opens the BUILD of a command line with what is attached to it.
func (c *call) openLayout(ctx context.Context, path string, options bundle.ReadOptions) (*bundle.Layout, error) {
	access, err := c.access(path)
	if err != nil {
		return nil, err
	}
	return subject.OpenLayout(ctx, path, access, options)
}

// registryOptions are what users of registries expect: the credentials of the docker config with its helpers, and the
// proxy of the environment.
func (c *call) registryOptions() registry.Options {
	return registry.Options{
		Credentials: registry.DockerConfig(registry.DockerConfigPath(c.lookupEnv), true),
		PlainHTTP:   c.Bool("plain-http"), Proxy: true, UserAgent: "seifc/" + version(), Progress: c.transferProgress(),
	}
}

// leftOutOf says what a registry lists as attached and what did not arrive: it may be a signature that is withheld.
func leftOutOf(pulled registry.PullReport) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, s := range pulled.Skipped {
		if len(s.Problems) > 0 {
			out = append(out, about(pulled.Reference, s.Problems[0])...)
		}
	}
	return out
}

// transferProgress shows a person at a terminal how far a transfer is, on one line, whenever a per cent is done; nil if
// nobody looks.
func (c *call) transferProgress() func(registry.Progress) {
	if !c.stderrTerminal || c.format != "text" {
		return nil
	}
	last := int64(-1)
	return func(p registry.Progress) {
		if p.Total <= 0 {
			return
		}
		percent := p.Done * 100 / p.Total
		if percent == last {
			return
		}
		last = percent
		c.transfer.show(c.stderr, fmt.Sprintf("seifc: %3d%% of %s", percent, size(p.Total)), p.Done >= p.Total)
	}
}

// progressLine is a line at the terminal that is written over and over. What is said next begins a line of its own.
type progressLine struct {
	mu    sync.Mutex
	w     io.Writer // nil unless the line is begun and not ended
	ended bool
}

// show writes the line anew, and ends it if it is whole. After [progressLine.end] it shows nothing.
func (l *progressLine) show(w io.Writer, text string, whole bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return
	}
	fmt.Fprint(w, "\r"+text)
	if l.w = w; whole {
		l.newline()
	}
}

// end ends the line for good, if it is begun.
func (l *progressLine) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.newline()
	l.ended = true
}

func (l *progressLine) newline() {
	if l.w != nil {
		fmt.Fprintln(l.w)
		l.w = nil
	}
}

// size is a number of bytes for people.
func size(bytes int64) string {
	switch {
	case bytes >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
	case bytes >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(bytes)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", bytes)
}
