package main

import (
	"context"
	"fmt"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/compiler"
	"github.com/seif-dev/seifc/compiler/subject"
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/testsuite"
)

// projectArg is the PROJECT of a command line: its only argument, or the current folder.
func (c *call) projectArg() string {
	if len(c.args) > 0 {
		return c.args[0]
	}
	return "."
}

// compile opens and compiles the Project at path.
func (c *call) compile(ctx context.Context, path string) (*compiler.Result, *subject.Project, error) {
	project, err := subject.OpenProject(path)
	if err != nil {
		return nil, nil, err
	}
	c.progress("compiling %s", path)
	result, err := compiler.Compile(ctx, project.Tree)
	if err != nil {
		project.Close()
		return nil, nil, err
	}
	return result, project, nil
}

// progress tells a person who waits at a terminal what is going on.
func (c *call) progress(format string, args ...any) {
	if c.stderrTerminal && c.format == "text" {
		fmt.Fprintf(c.stderr, "seifc: %s\n", diag.Escape(fmt.Sprintf(format, args...)))
	}
}

// meaning is what a Project and a Build have in common: something to resolve, with tests.
type meaning struct {
	definition *definition.Definition
	plan       *resolve.Plan
	suite      *testsuite.Suite
	texts      map[string]string
	findings   []diag.Diagnostic
	// place turns findings about the definition, placeTests findings about the tests, into places.
	place      func(...diag.Problem) []diag.Diagnostic
	placeTests func(...diag.Problem) []diag.Diagnostic
	// build is nil for a Project.
	build *bundle.Build
}

// sound tells whether there is a plan to work with.
func (m *meaning) sound() bool { return m.plan != nil && !diag.HasErrors(m.findings) }

// refused is the answer for what cannot be worked with. A Build that does not hold is not verified.
func (m *meaning) refused() answer {
	out := failed(m.findings)
	if m.build != nil {
		out.exit = exitUnverified
	}
	return out
}

// open reads what a command was pointed at, Project or Build.
func (c *call) open(ctx context.Context, path string) (*meaning, error) {
	isBuild, err := subject.IsBuild(path)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	if !isBuild {
		if _, err := c.access(path); err != nil {
			return nil, err
		}
		result, project, err := c.compile(ctx, path)
		if err != nil {
			return nil, err
		}
		defer project.Close()
		return &meaning{
			definition: result.Definition, plan: result.Plan, suite: result.Suite, texts: result.Texts, findings: result.Findings,
			place: result.PlaceInDefinition, placeTests: result.Place,
		}, nil
	}
	layout, err := c.openLayout(ctx, path, bundle.ReadOptions{})
	if err != nil {
		return nil, err
	}
	return openBuild(layout.Build)
}

// openBuild prepares a verified Build. What a Build says is judged again: it may come from a stranger.
func openBuild(build *bundle.Build) (*meaning, error) {
	m := &meaning{definition: build.Definition(), texts: build.Texts(), build: build}
	at := func(document string) func(...diag.Problem) []diag.Diagnostic {
		return func(problems ...diag.Problem) []diag.Diagnostic {
			return diag.At(diag.LocatorFunc(func(t diag.Target) diag.Place {
				return diag.Place{Path: document, Pointer: t.Pointer}
			}), problems...)
		}
	}
	m.place = at(build.DefinitionDigest().String())
	m.placeTests = at(build.Definition().Tests.Digest.String())
	problems := m.definition.Check()
	m.findings = append(m.findings, m.place(problems...)...)
	plan, found := resolve.Prepare(m.definition, build.Texts())
	m.findings = append(m.findings, m.place(found...)...)
	suite, found := testsuite.Decode(build.Tests())
	m.findings = append(m.findings, m.placeTests(found...)...)
	if suite != nil {
		m.suite = suite
		m.findings = append(m.findings, m.placeTests(suite.Check(m.definition)...)...)
	}
	if build.Corpus() != nil {
		m.findings = append(m.findings, at(build.Digest().String())(diag.New(diag.CodeCorpusUnknown, ""))...)
	}
	m.findings = diag.Sort(m.findings)
	if diag.HasErrors(m.findings) {
		return m, nil
	}
	m.plan = plan
	return m, nil
}
