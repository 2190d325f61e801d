package main

import (
	"context"
	"fmt"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/trust"
	"github.com/seif-dev/seifc/compiler/subject"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/testsuite"
)

// sourceCheck is what --source found out.
type sourceCheck struct {
	path        string
	rebuilt     *bundle.Build
	findings    []diag.Diagnostic // why there is no Build
	compared    bool
	differences []diag.Diagnostic
}

type sourceMember struct {
	Project     string             `json:"project"`
	Equal       bool               `json:"equal"`
	Build       string             `json:"build,omitempty"`
	Differences []differenceMember `json:"differences"`
}

type differenceMember struct {
	What   string `json:"what"`
	Build  string `json:"build"`
	Source string `json:"source"`
}

func (s *sourceCheck) member() sourceMember {
	m := sourceMember{Project: s.path, Differences: []differenceMember{}}
	if s.rebuilt != nil {
		m.Build, m.Equal = s.rebuilt.Digest().String(), s.compared && len(s.differences) == 0
	}
	for _, d := range s.differences {
		m.Differences = append(m.Differences, differenceMember{What: diag.Escape(d.Data["what"]), Build: d.Data["found"], Source: d.Data["source"]})
	}
	return m
}

// prepareSource compiles the Project of --source before anything of the Build is looked at.
func (v *verification) prepareSource(ctx context.Context) error {
	if !v.IsSet("source") {
		return nil
	}
	v.source = &sourceCheck{path: v.String("source")}
	v.request.Source = v.compareSource
	result, project, err := v.compile(ctx, v.source.path)
	if err != nil {
		return err
	}
	defer project.Close()
	v.source.findings = result.Findings
	if diag.HasErrors(result.Findings) {
		return nil
	}
	build, sealing, err := result.Seal()
	if err != nil {
		return err
	}
	v.source.findings = append(v.source.findings, sealing...)
	if !diag.HasErrors(sealing) {
		v.source.rebuilt = build
	}
	return nil
}

// compareSource holds the Build against the one that its Project gives, with the lineage of the Build.
func (v *verification) compareSource(_ context.Context, build *bundle.Build) trust.Check {
	s := v.source
	expected := "the Build of " + s.path
	if s.rebuilt == nil {
		v.more = append(v.more, s.findings...)
		return trust.Check{Status: trust.Failed, Expected: expected, Found: "the Project does not build: " + tally(s.findings), Problem: firstError(s.findings)}
	}
	rebuilt, problems := subject.Rebuild(s.rebuilt, build)
	if rebuilt == nil {
		v.more = append(v.more, about(s.path, problems...)...)
		return trust.Check{Status: trust.Failed, Expected: expected, Found: "the Project does not build with the Build's lineage", Problem: &problems[0]}
	}
	s.rebuilt, s.compared = rebuilt, true
	s.differences = subject.Differences(build, rebuilt)
	if len(s.differences) > 0 {
		v.more = append(v.more, s.differences...)
		return trust.Check{
			Status: trust.Failed, Expected: build.Digest().String(), Found: fmt.Sprintf("%s; %s", rebuilt.Digest(), count(len(s.differences), "difference")),
			Problem: firstError(s.differences), Next: "seifc check " + s.path,
		}
	}
	return trust.Check{Status: trust.Passed, Found: "EQUAL: " + s.path + " gives this very Build"}
}

// rerun runs the tests that the Build carries.
func (v *verification) rerun(ctx context.Context, build *bundle.Build) trust.Check {
	const expected = "at least one test, and none that fails"
	m, err := openBuild(build)
	switch {
	case err != nil:
		return defective(err)
	case !m.sound():
		v.more = append(v.more, m.findings...)
		return trust.Check{Status: trust.Failed, Expected: expected, Found: "the tests cannot be run", Problem: firstError(m.findings)}
	}
	report, err := testsuite.Run(ctx, m.plan, m.suite, testsuite.Options{})
	if err != nil {
		return defective(err)
	}
	if report.Failed() == 0 && len(report.Results) > 0 {
		return trust.Check{Status: trust.Passed, Found: testSummary(report)}
	}
	findings := testAnswer(m, report).findings
	v.more = append(v.more, findings...)
	return trust.Check{Status: trust.Failed, Expected: expected, Found: testSummary(report), Problem: firstError(findings), Next: "seifc test BUILD"}
}

// defective is the check of what could not be carried out.
func defective(err error) trust.Check {
	p := diag.New(diag.CodeTrustCheckDefect, "", "check", "rerun", "why", err.Error())
	return trust.Check{Status: trust.Failed, Problem: &p}
}

// firstError is the first of the findings that is an error, as a problem; nil if none is.
func firstError(findings []diag.Diagnostic) *diag.Problem {
	for _, d := range findings {
		if d.Severity == diag.Error {
			return &diag.Problem{Code: d.Code, Target: diag.Target{Pointer: d.Place.Pointer}, Data: d.Data}
		}
	}
	return nil
}
