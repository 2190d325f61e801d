package main

import (
	"context"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/registry"
	"github.com/seif-dev/seifc/compiler/subject"
	"github.com/seif-dev/seifc/diag"
)

func pushCommand() *command {
	return &command{
		Command: &cli.Command{
			Name: "push", Usage: "put a Build with its signatures into a registry", ArgsUsage: "BUILD oci://HOST/REPOSITORY:TAG",
			Flags: []cli.Flag{plainFlag()},
		},
		formats: []string{"text", "json"}, least: 2, most: 2, run: runPush,
	}
}

type pushMember struct {
	Build       string         `json:"build"`
	Reference   string         `json:"reference"`
	Tag         string         `json:"tag,omitempty"`
	Outcome     bundle.Outcome `json:"outcome"`
	Sent        int            `json:"sent"`
	Skipped     int            `json:"skipped"`
	Attachments int            `json:"attachments"`
	Signatures  string         `json:"signatures"`
}

func runPush(ctx context.Context, c *call) (answer, error) {
	from, to := c.args[0], c.args[1]
	if subject.InRegistry(from) {
		return answer{}, usagef("run `seifc pull` first; to copy from registry to registry, use `oras cp -r`", "%s is in a registry already", from)
	}
	if _, err := registry.Parse(to); err != nil {
		return answer{}, err
	}
	layout, err := subject.OpenLayout(ctx, from, subject.Access{Stdin: c.stdin}, bundle.ReadOptions{})
	if err != nil {
		return answer{}, err
	}
	report, err := registry.Push(ctx, to, layout, c.registryOptions())
	if err != nil {
		return answer{}, err
	}
	m := pushMember{
		Build: report.Digest.String(), Reference: report.Reference, Tag: report.Tag, Outcome: report.Outcome,
		Sent: report.Sent, Skipped: report.Skipped, Attachments: report.Attachments, Signatures: signaturesOf(layout),
	}
	return answer{members: m, text: func(w io.Writer) error { return pushText(w, m) }}, nil
}

// signaturesOf says what commands say that verify nothing.
func signaturesOf(layout *bundle.Layout) string {
	if len(layout.Attachments) == 0 {
		return unsigned
	}
	return unverified
}

func pushText(w io.Writer, m pushMember) error {
	p := &printer{w: w}
	p.line("build       %s", m.Build)
	if m.Signatures == unsigned {
		p.line("signatures  %s: nothing is attached to the Build", unsigned)
	} else {
		p.line("signatures  %d went with it", m.Attachments)
	}
	p.line("blobs       %d sent, %d there already", m.Sent, m.Skipped)
	if m.Tag != "" {
		p.line("tag         %s", m.Tag)
	}
	p.line("%s %s", m.Outcome, diag.Escape(m.Reference))
	return p.err
}
