package server

import (
	"context"
	"fmt"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/runtime/bindings"
)

// Unsigned is the state of the signature of everything that this version serves.
const Unsigned = "UNSIGNED"

// Options say what to serve.
type Options struct {
	// Build is a `.seif` file or a layout folder, Bindings a file.
	Build, Bindings string
	// Newest is the newest runtime contract to serve; zero stands for the newest that is known.
	Newest definition.Version
	// AllowUnsigned is the command line's half of the agreement to serve a Build without a signature.
	AllowUnsigned bool
}

// Service is a Build ready to be served under its Bindings. It never changes.
type Service struct {
	build    *bundle.Build
	plan     *resolve.Plan
	bindings *bindings.Bindings
}

// Refused is the error for a Build that is sound, or nearly so, and must not be served: without a signature that
// anybody waived, or with content that this version does not serve.
type Refused struct {
	Findings []diag.Diagnostic
}

// Error is the first finding in one sentence.
func (r *Refused) Error() string {
	if len(r.Findings) == 0 {
		return "the Build must not be served"
	}
	return r.Findings[0].Message()
}

// Load reads Bindings and Build and judges both. Without a Service there is an error, or error-level findings about
// the Bindings. A Build that is not valid is a [*bundle.Invalid], one that must not be served is [*Refused]; every
// other error is the file system's or the context's.
func Load(ctx context.Context, o Options) (*Service, []diag.Diagnostic, error) {
	b, file, findings, err := bindings.Read(o.Bindings)
	if b == nil {
		return nil, findings, err
	}
	build, err := bundle.Read(ctx, o.Build, bundle.ReadOptions{Digest: b.Build, Known: known(o.Newest)})
	if err != nil {
		return nil, findings, fmt.Errorf("the Build %s: %w", b.Build, err)
	}
	def := build.Definition()
	plan, problems := resolve.Prepare(def, build.Texts())
	problems = append(def.Check(), problems...)
	findings = append(findings, diag.At(inDefinition(build), problems...)...)
	switch {
	case plan == nil || diag.Failed(problems):
		return nil, nil, &Refused{Findings: diag.Sort(findings)}
	case !o.AllowUnsigned:
		return nil, nil, refuse(build, diag.New(diag.CodeBuildUnsigned, ""))
	}
	if build.Corpus() != nil {
		return nil, nil, refuse(build, diag.New(diag.CodeCorpusUnknown, ""))
	}
	if problem := refuseTools(def); problem != nil {
		return nil, nil, refuse(build, *problem)
	}
	findings = append(findings, file.Diagnose(b.Against(def)...)...)
	if diag.HasErrors(findings) {
		return nil, diag.Sort(findings), nil
	}
	return &Service{build: build, plan: plan, bindings: b}, diag.Sort(findings), nil
}

func refuse(b *bundle.Build, problem diag.Problem) *Refused {
	return &Refused{Findings: diag.At(inDefinition(b), problem)}
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
	Build       string   `json:"build"`
	Definition  string   `json:"definition"`
	Runtime     string   `json:"runtime"`
	Estimator   string   `json:"estimator"`
	Signature   string   `json:"signature"`
	Listen      string   `json:"listen"`
	Profiles    []string `json:"profiles"`
	Credentials int      `json:"credentials"`
}

// Summary gives the digests of what is served, and where.
func (s *Service) Summary() Summary {
	def := s.build.Definition()
	return Summary{
		Build: s.build.Digest().String(), Definition: s.build.DefinitionDigest().String(),
		Runtime: def.Version.Runtime(), Estimator: def.Estimator, Signature: Unsigned,
		Listen: s.bindings.Listen.String(), Profiles: sortedKeys(def.Profiles), Credentials: len(s.bindings.Credentials),
	}
}
