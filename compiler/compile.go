package compiler

import (
	"context"
	"fmt"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/testsuite"
)

// Result is a compiled Project.
type Result struct {
	// Findings are sorted, with suppressions applied. The members below are complete only if none is an error.
	Findings   []diag.Diagnostic
	Definition *definition.Definition
	Suite      *testsuite.Suite
	// Plan is nil when the definition is not sound.
	Plan *resolve.Plan
	// Texts are the normalised texts of file sources.
	Texts map[string]string
	// Files counts what was read, for a reader who wants to know that it was everything.
	Files int

	in         *loaded
	table      *table
	linked     map[string]*contract
	defOrigins *origins
	testsAt    *origins
	tests      []byte // tests.json
}

// Compile reads a Project and carries it up to the point where its tests can run. The error is a fault of the
// machine; everything that is wrong with the Project is in the findings.
func Compile(ctx context.Context, tree Tree) (*Result, error) {
	var report []diag.Diagnostic
	in, err := load(ctx, tree, &report)
	if err != nil {
		return nil, err
	}
	out := &Result{in: in, Files: len(in.raw), Texts: map[string]string{}}
	if in.project == nil {
		out.Findings = diag.Sort(withoutFollowing(tree.Shown+tree.Project, report))
		return out, nil
	}
	for id, text := range in.texts {
		out.Texts[id] = text.normalised
	}
	out.table = normalise(in, &report)
	out.linked = link(in, out.table, &report)
	out.Definition, out.defOrigins = lower(in, out.linked, &report)
	out.Suite, out.testsAt = expand(in, &report)
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	out.check(&report)
	out.Findings = suppress(in, withoutFollowing(tree.Shown+tree.Project, report))
	maskSecrets(out.Findings)
	return out, nil
}

// Run runs the Context Tests. It must not be called on a Result with errors.
func (r *Result) Run(ctx context.Context, options testsuite.Options) (*testsuite.Report, error) {
	if r.Plan == nil {
		return nil, fmt.Errorf("the Project does not compile")
	}
	return testsuite.Run(ctx, r.Plan, r.Suite, options)
}

// Place turns failures of tests into findings at the lines of their expectations.
func (r *Result) Place(problems ...diag.Problem) []diag.Diagnostic {
	return diag.At(r.testsAt, problems...)
}

// PlaceInDefinition turns findings about the definition into findings at the authored lines.
func (r *Result) PlaceInDefinition(problems ...diag.Problem) []diag.Diagnostic {
	return diag.At(r.defOrigins, problems...)
}

// Seal assembles the Build. It must not be called on a Result with errors or whose tests failed.
func (r *Result) Seal() (*bundle.Build, []diag.Diagnostic, error) {
	if diag.HasErrors(r.Findings) || r.Plan == nil {
		return nil, nil, fmt.Errorf("the Project does not compile")
	}
	encoded, err := r.Definition.Encode()
	if err != nil {
		return nil, nil, fmt.Errorf("writing the definition: %w", err)
	}
	build, problems := bundle.Assemble(encoded, r.Texts, r.tests, nil)
	return build, diag.At(r.defOrigins, problems...), nil
}
