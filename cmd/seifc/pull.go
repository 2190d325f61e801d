package main

import (
	"context"
	"io"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/registry"
	"github.com/seif-dev/seifc/bundle/sign/keyless"
	"github.com/seif-dev/seifc/bundle/trust"
	"github.com/seif-dev/seifc/compiler/subject"
	"github.com/seif-dev/seifc/diag"
)

func pullCommand() *command {
	return &command{
		Command: &cli.Command{
			Name: "pull", Usage: "get a Build with its signatures from a registry", ArgsUsage: "oci://HOST/REPOSITORY[:TAG|@DIGEST]",
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write to `FILE.seif`, to a folder DIR/ as an OCI layout, or to stdout for -"},
				&cli.StringFlag{Name: "trust", Usage: "verify by the trust policy in `FILE`, and write nothing unless the Build is verified"},
				&cli.StringFlag{Name: "channel", Usage: "with --trust: the release has to be for the channel `C`"},
				plainFlag(),
			},
		},
		formats: []string{"text", "json"}, least: 1, most: 1, run: runPull,
	}
}

type pullMember struct {
	Build       string          `json:"build"`
	Reference   string          `json:"reference"`
	Tag         string          `json:"tag,omitempty"`
	Path        string          `json:"path,omitempty"`
	Outcome     bundle.Outcome  `json:"outcome,omitempty"`
	Blobs       int             `json:"blobs"`
	Bytes       int64           `json:"bytes"`
	Attachments int             `json:"attachments"`
	Signatures  string          `json:"signatures"`
	Skipped     []skippedMember `json:"skipped"`
	Report      map[string]any  `json:"report,omitempty"`
}

type skippedMember struct {
	Referrer string    `json:"referrer"`
	Code     diag.Code `json:"code"`
	Message  string    `json:"message"`
}

func runPull(ctx context.Context, c *call) (answer, error) {
	out := c.String("output")
	switch {
	case out == "":
		return answer{}, usagef("write -o FILE.seif, -o DIR/ or -o -", "pull needs a place to write to")
	case c.IsSet("channel") && !c.IsSet("trust"):
		return answer{}, usagef("write --trust POLICY", "--channel is about a policy's releases, and there is none")
	}
	if out == "-" {
		if err := c.needStdout("-o"); err != nil {
			return answer{}, err
		}
	}
	request := trust.Request{Channel: c.String("channel"), Now: c.now()}
	var findings []diag.Diagnostic
	if c.IsSet("trust") {
		var err error
		if request.Policy, request.Floor, findings, err = openPolicy(c.String("trust")); err != nil {
			return answer{}, err
		}
		if request.Policy == nil {
			return failed(findings), nil
		}
	}
	layout, pulled, err := registry.Pull(ctx, c.args[0], bundle.ReadOptions{}, c.registryOptions())
	if err != nil {
		return answer{}, err
	}
	findings = append(findings, noticesOf(pulled)...)
	m := pullMember{
		Build: pulled.Digest.String(), Reference: pulled.Reference, Tag: pulled.Tag, Blobs: pulled.Blobs, Bytes: pulled.Bytes,
		Attachments: pulled.Attachments, Signatures: signaturesOf(layout), Skipped: skippedIn(pulled),
	}
	result := answer{findings: findings, payload: out == "-"}
	if request.Policy != nil {
		request.Layout = layout
		if report, ok := c.trusted(ctx, request); !ok {
			m.Report = report.Value()
			result.exit, result.members, result.text = exitUnverified, m, refusedText(report)
			result.findings = append(result.findings, c.failuresOf(report, pulled.Reference)...)
			return result, nil
		}
		m.Signatures = string(trust.Verified)
	}
	if m.Outcome, err = c.keep(ctx, out, layout); err != nil {
		return answer{}, err
	}
	m.Path = filepath.ToSlash(out)
	result.members, result.text = m, func(w io.Writer) error { return pullText(w, m, out == "-") }
	return result, nil
}

// trusted verifies what was pulled before any of it is written.
func (c *call) trusted(ctx context.Context, request trust.Request) (trust.Report, bool) {
	client := &keyless.Client{}
	defer client.Close()
	request.Identities = client
	report := trust.Verify(ctx, request)
	return report, report.Verdict == trust.Verified
}

// failuresOf are the findings of a report in a format that has no report of its own.
func (c *call) failuresOf(report trust.Report, path string) []diag.Diagnostic {
	if c.format == "text" {
		return nil
	}
	return about(path, report.Problems()...)
}

func refusedText(report trust.Report) func(io.Writer) error {
	return func(w io.Writer) error {
		if err := report.WriteText(w); err != nil {
			return err
		}
		_, err := io.WriteString(w, "nothing was written\n")
		return err
	}
}

// keep writes what was pulled where -o says.
func (c *call) keep(ctx context.Context, path string, layout *bundle.Layout) (bundle.Outcome, error) {
	if path == "-" {
		return bundle.Written, bundle.WriteLayoutTar(c.stdout, layout)
	}
	return subject.Keep(ctx, path, layout)
}

// noticesOf are what a pull found and what stops nothing.
func noticesOf(pulled registry.PullReport) []diag.Diagnostic {
	return diag.Sort(append(about(pulled.Reference, pulled.Notices...), leftOutOf(pulled)...))
}

func skippedIn(pulled registry.PullReport) []skippedMember {
	out := []skippedMember{}
	for _, s := range pulled.Skipped {
		m := skippedMember{Referrer: s.Digest.String()}
		if placed := about("", s.Problems...); len(placed) > 0 {
			last := placed[len(placed)-1] // the one that says what is wrong with its content
			m.Code, m.Message = last.Code, diag.Escape(last.Message())
		}
		out = append(out, m)
	}
	return out
}

func pullText(w io.Writer, m pullMember, asData bool) error {
	if asData {
		return nil
	}
	p := &printer{w: w}
	p.line("build       %s\nfrom        %s", m.Build, diag.Escape(m.Reference))
	switch m.Signatures {
	case unsigned:
		p.line("signatures  %s: nothing says who made this Build", unsigned)
	case unverified:
		p.line("signatures  %d came with it, %s here: `seifc verify` says what they are worth", m.Attachments, unverified)
	default:
		p.line("signatures  %d came with it; VERIFIED by the policy", m.Attachments)
	}
	p.line("content     %s in %s", size(m.Bytes), count(m.Blobs, "blob"))
	p.line("%s %s", m.Outcome, diag.Escape(m.Path))
	return p.err
}
