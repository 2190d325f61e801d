package server

import (
	"context"
	"slices"
	"time"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/trust"
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/runtime/bindings"
)

// Options say what to serve, and by what to judge it.
type Options struct {
	// Build is a `.seif` file or a layout folder, Bindings a file.
	Build, Bindings string
	// Newest is the newest runtime contract to serve; zero stands for the newest that is known.
	Newest definition.Version
	// AllowUnsigned is the command line's half of the agreement to serve a Build without a signature.
	AllowUnsigned bool
	// Now is what the windows of signers are held against. It is needed where the Bindings name a trust policy.
	Now time.Time
	// Identities verifies signatures by certificates; nil fails them.
	Identities trust.IdentityVerifier
}

// Service is a Build ready to be served under its Bindings. It never changes, and nothing that it was made from is read
// again: what was verified is what is served.
type Service struct {
	build    *bundle.Build
	plan     *resolve.Plan
	bindings *bindings.Bindings
	verified verified
}

// Refused is the error for a Build that must not be served: it is not verified, or it has content that this version
// does not serve.
type Refused struct {
	// Report is what verification found out.
	Report trust.Report
	// Findings say why; at least one.
	Findings []diag.Diagnostic
	// cause is the error of a Build whose content is wrong, nil for any other.
	cause error
}

// Error is the first finding in one sentence.
func (r *Refused) Error() string {
	if len(r.Findings) == 0 {
		return "the Build must not be served"
	}
	return r.Findings[0].Message()
}

// Unwrap is a [*bundle.Invalid] if the content of the Build is wrong.
func (r *Refused) Unwrap() error { return r.cause }

// Load reads Bindings, trust policy and Build, each once, and judges them. Without a Service there is an error, or
// error-level findings about the Bindings or the policy. A Build that must not be served is [*Refused]; every other error
// is the file system's or the context's.
func Load(ctx context.Context, o Options) (*Service, []diag.Diagnostic, error) {
	b, file, findings, err := bindings.Read(o.Bindings)
	if b == nil {
		return nil, findings, err
	}
	policy, more, err := openPolicy(b, o.Now)
	findings = append(findings, more...)
	if err != nil || diag.HasErrors(findings) {
		return nil, findings, err
	}
	build, v, err := verify(ctx, o, b, policy)
	if err != nil {
		return nil, findings, err
	}
	def := build.Definition()
	plan, problems := resolve.Prepare(def, build.Texts())
	problems = append(def.Check(), problems...)
	found := diag.At(inDefinition(build), problems...)
	switch {
	case plan == nil || diag.Failed(problems):
		return nil, findings, &Refused{Report: v.report, Findings: diag.Sort(found)}
	case build.Corpus() != nil:
		return nil, findings, refuse(build, v, diag.New(diag.CodeCorpusUnknown, ""))
	case len(def.Tools) > 0:
		return nil, findings, refuse(build, v, toolsRefused())
	}
	findings = slices.Concat(findings, found, file.Diagnose(b.Against(def)...))
	if diag.HasErrors(findings) {
		return nil, diag.Sort(findings), nil
	}
	return &Service{build: build, plan: plan, bindings: b, verified: v}, diag.Sort(findings), nil
}

func refuse(b *bundle.Build, v verified, problem diag.Problem) *Refused {
	return &Refused{Report: v.report, Findings: diag.At(inDefinition(b), problem)}
}

// known lists the runtime contracts up to the newest one.
func known(newest definition.Version) []definition.Version {
	if newest == definition.V1 {
		return []definition.Version{definition.V1}
	}
	return []definition.Version{definition.V1, definition.V2}
}

// inDefinition names the document of a finding about a Build by its digest.
func inDefinition(b *bundle.Build) diag.Locator {
	path := b.DefinitionDigest().String()
	return diag.LocatorFunc(func(t diag.Target) diag.Place { return diag.Place{Path: path, Pointer: t.Pointer} })
}

// Summary is what there is to say of a Service.
type Summary struct {
	Build      string `json:"build"`
	Definition string `json:"definition"`
	Runtime    string `json:"runtime"`
	Estimator  string `json:"estimator"`
	Trust
	Listen      string   `json:"listen"`
	Profiles    []string `json:"profiles"`
	Credentials int      `json:"credentials"`
}

// Report is what verification found out about the Build.
func (s *Service) Report() trust.Report { return s.verified.report }

// Summary gives the digests of what is served, who vouches for it, and where it is served.
func (s *Service) Summary() Summary {
	def := s.build.Definition()
	return Summary{
		Build: s.build.Digest().String(), Definition: s.build.DefinitionDigest().String(),
		Runtime: def.Version.Runtime(), Estimator: def.Estimator, Trust: s.verified.told,
		Listen: s.bindings.Listen.String(), Profiles: sortedKeys(def.Profiles), Credentials: len(s.bindings.Credentials),
	}
}
