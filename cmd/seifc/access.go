package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/registry"
	"github.com/seif-dev/seifc/compiler/subject"
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
	return subject.Access{Stdin: c.stdin, Registry: c.registryOptions()}, nil
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
		fmt.Fprintf(c.stderr, "\rseifc: %3d%% of %s", percent, size(p.Total))
		if p.Done >= p.Total {
			fmt.Fprintln(c.stderr)
		}
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
