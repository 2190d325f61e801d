package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/registry"
	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/compiler/subject"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

func signCommand() *command {
	flags := []cli.Flag{
		keyFlag("sign with the private key `REF`: a file, env://VARIABLE, or NAME://RESOURCE for a plugin"),
		&cli.StringFlag{Name: "role", Usage: "sign as `ROLE`: release (default), tests or provenance"},
		&cli.StringFlag{Name: "channel", Usage: "of a release: the channel `C`; default stable, or what the signer's earlier release says"},
		&cli.Int64Flag{Name: "sequence", Usage: "of a release: its number `N` in the channel, higher than those before; default 1, or what the signer's earlier release says"},
		&cli.StringFlag{Name: "builder", Usage: "of provenance: the `URI` of who built"},
		&cli.StringFlag{Name: "invocation", Usage: "of provenance: the `ID` of the run that built"},
		&cli.StringSliceFlag{Name: "material", Usage: "of provenance: what was built from, as `URI@ALGORITHM:HEX`; may be repeated"},
		&cli.StringFlag{Name: "bundle-out", Usage: "write the signature to `FILE`, or to stdout for -, instead of attaching it"},
		passwordFlag(), pluginFlag(), plainFlag(),
	}
	return &command{
		Command: &cli.Command{Name: "sign", Usage: "sign a Build", ArgsUsage: "BUILD", Flags: append(flags, keylessFlags()...)},
		formats: []string{"text", "json"}, least: 1, most: 1, run: runSign,
	}
}

// signing is one run of sign.
type signing struct {
	*call
	path    string
	layout  *bundle.Layout
	meaning *meaning
	as      sign.Role
	signer  *signer
	order   statements
	signed  [][]byte
}

func runSign(ctx context.Context, c *call) (answer, error) {
	s := &signing{call: c, path: c.args[0]}
	if err := s.checkFlags(); err != nil {
		return answer{}, err
	}
	if out, done, err := s.open(ctx); err != nil || done {
		return out, err
	}
	findings, err := s.findSigner(ctx)
	if err != nil {
		return answer{}, err
	}
	defer s.signer.close()
	if s.order, err = s.statements(ctx); err != nil {
		return answer{}, err
	}
	if s.order.refused != nil {
		return *s.order.refused, nil
	}
	for _, statement := range s.order.all {
		content, err := s.signer.sign(ctx, statement)
		if err != nil {
			return answer{}, err
		}
		s.signed = append(s.signed, content)
	}
	out, err := s.deliver(ctx)
	out.findings = append(findings, out.findings...)
	return out, err
}

// checkFlags refuses what does not go together: no flag is parsed and ignored.
func (s *signing) checkFlags() (err error) {
	if s.as, err = s.role(); err != nil {
		return err
	}
	toStdout := s.String("bundle-out") == "-" || s.path == "-" && s.String("bundle-out") == ""
	if toStdout {
		if err := s.needStdout("an output to"); err != nil {
			return err
		}
	}
	fromStdin := 0
	for _, reads := range []bool{s.path == "-", s.Bool("password-stdin"), s.String("identity-token") == "-"} {
		if reads {
			fromStdin++
		}
	}
	if fromStdin > 1 {
		return usagef("give all but one of them in another way", "several things would be read from stdin")
	}
	if subject.InRegistry(s.path) && s.String("bundle-out") == "" {
		ref, err := registry.Parse(s.path)
		if err != nil {
			return err
		}
		if ref.Digest.IsZero() {
			return usagef("write the digest that `seifc push` or `seifc show` says: "+registry.Scheme+ref.Host+"/"+ref.Repository+"@sha256:...",
				"a tag can move while it is being signed, so a Build in a registry is signed by its digest")
		}
	}
	return s.checkSignerFlags()
}

// open reads the Build and judges it: what is not sound is not signed. done is set with the answer for such a one.
func (s *signing) open(ctx context.Context) (out answer, done bool, err error) {
	if s.layout, err = s.openLayout(ctx, s.path, bundle.ReadOptions{}); err != nil {
		return answer{}, true, err
	}
	if s.meaning, err = openBuild(s.layout.Build); err != nil {
		return answer{}, true, err
	}
	if !s.meaning.sound() {
		return s.meaning.refused(), true, nil
	}
	return answer{}, false, nil
}

type signMember struct {
	Build      string         `json:"build"`
	Role       sign.Role      `json:"role"`
	Channel    string         `json:"channel,omitempty"`
	Sequence   int64          `json:"sequence,omitempty"`
	Signer     string         `json:"signer"`
	Statements []signedMember `json:"statements"`
	Path       string         `json:"path"`
	Outcome    bundle.Outcome `json:"outcome"`
	Replaced   int            `json:"replaced"`
	Tests      *testsMember   `json:"tests,omitempty"`
}

type signedMember struct {
	Predicate string `json:"predicate"`
	Digest    string `json:"digest"`
	Referrer  string `json:"referrer,omitempty"`
}

// deliver puts the signatures where the command line says: onto the Build, into a file of their own, or to stdout.
func (s *signing) deliver(ctx context.Context) (answer, error) {
	m := signMember{
		Build: s.layout.Build.Digest().String(), Role: s.order.role, Channel: s.order.channel, Sequence: s.order.sequence,
		Signer: s.signer.name(), Path: filepath.ToSlash(s.path), Outcome: bundle.Written, Tests: s.order.tests,
	}
	for i, content := range s.signed {
		m.Statements = append(m.Statements, signedMember{Predicate: s.order.all[i].PredicateType, Digest: digest.Of(content).String()})
	}
	out := answer{text: func(w io.Writer) error { return signText(w, m) }}
	switch file := s.String("bundle-out"); {
	case file != "":
		m.Path = filepath.ToSlash(file)
		if err := onlySignature(file); err != nil {
			return answer{}, fmt.Errorf("writing the signature: %w", err)
		}
		if err := writeOutput(ctx, s.environment, file, s.write); err != nil {
			return answer{}, fmt.Errorf("writing the signature: %w", err)
		}
		if file == "-" {
			return answer{payload: true}, nil
		}
	case s.path == "-":
		return answer{payload: true}, s.pass()
	default:
		access, err := s.access(s.path)
		if err != nil {
			return answer{}, err
		}
		attached, err := subject.Attach(ctx, s.path, s.layout.Build, access, s.signed, s.signer.own)
		if err != nil {
			return answer{}, fmt.Errorf("attaching the signature: %w", err)
		}
		m.Outcome, m.Replaced = attached.Outcome, attached.Replaced
		for i, a := range attached.Attachments {
			m.Statements[i].Referrer = a.Digest().String()
		}
	}
	out.members = m
	return out, nil
}

func (s *signing) write(w io.Writer) error {
	_, err := w.Write(s.signed[0])
	return err
}

// pass writes the Build that came from stdin to stdout, with what is attached to it and the new signatures.
func (s *signing) pass() error {
	types := map[string]bool{}
	var fresh []bundle.Attachment
	for i, content := range s.signed {
		types[s.order.all[i].PredicateType] = true
		a, err := s.layout.Build.Attach(content, s.order.all[i].PredicateType)
		if err != nil {
			return err
		}
		fresh = append(fresh, a)
	}
	kept := subject.Others(s.layout, types, s.signer.own)
	return bundle.WriteLayoutTar(s.stdout, &bundle.Layout{Build: s.layout.Build, Attachments: append(kept, fresh...)})
}

// onlySignature refuses to replace a file that is no signature: a slip of the keyboard must not cost another one.
func onlySignature(path string) error {
	if path == "-" {
		return nil
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, sign.MaxBundle+1))
	if err != nil {
		return err
	}
	if _, err := sign.Decode(data); len(data) > 0 && err != nil {
		return fmt.Errorf("the file %s is not a signature; name another, or delete it first", path)
	}
	return nil
}

func signText(w io.Writer, m signMember) error {
	p := &printer{w: w}
	p.line("build       %s", m.Build)
	if m.Tests != nil {
		p.line("tests       %d run, %d passed", m.Tests.Run, m.Tests.Run-m.Tests.Failed)
	}
	role := string(m.Role)
	if m.Role == sign.RoleRelease {
		role += fmt.Sprintf(", channel %s, sequence %d", diag.Escape(m.Channel), m.Sequence)
	}
	p.line("signed as   %s\nsigner      %s", role, diag.Escape(m.Signer))
	for _, s := range m.Statements {
		p.line("signature   %s  %s", s.Digest, s.Predicate)
	}
	if m.Replaced > 0 {
		p.line("replaced    %s by the same signer", count(m.Replaced, "earlier signature"))
	}
	p.line("%s %s", m.Outcome, diag.Escape(m.Path))
	return p.err
}
