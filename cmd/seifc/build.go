package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/compiler"
	"github.com/seif-dev/seifc/compiler/subject"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/testsuite"
)

func buildCommand() *command {
	return &command{
		Command: &cli.Command{
			Name: "build", Usage: "compile and test a Project and write its Build", ArgsUsage: "[PROJECT]",
			Flags: []cli.Flag{&cli.StringFlag{
				Name: "output", Aliases: []string{"o"},
				Usage: "write to `FILE.seif`, to a folder DIR/ as an OCI layout, or to stdout for -; default build/NAME.seif beside the Project file",
			}},
		},
		formats: findingFormats(), most: 1, run: runBuild,
	}
}

// buildMember is what `seifc build` says in JSON.
type buildMember struct {
	Build      string      `json:"build"`
	Definition string      `json:"definition"`
	Runtime    string      `json:"runtime"`
	Path       string      `json:"path"`
	Outcome    string      `json:"outcome"`
	Tests      testsMember `json:"tests"`
	Estimator  string      `json:"estimator"`
	Line       string      `json:"line"`
}

func runBuild(ctx context.Context, c *call) (answer, error) {
	toStdout := c.String("output") == "-"
	if toStdout {
		if err := c.needStdout("-o"); err != nil {
			return answer{}, err
		}
	}
	out, err := compileAndWrite(ctx, c)
	return out.asPayload(toStdout), err
}

func compileAndWrite(ctx context.Context, c *call) (answer, error) {
	result, project, err := c.compile(ctx, c.projectArg())
	if err != nil {
		return answer{}, err
	}
	defer project.Close()
	if diag.HasErrors(result.Findings) {
		return notBuilt(result.Findings), nil
	}
	c.progress("running %s", count(len(result.Suite.Tests), "test"))
	report, err := result.Run(ctx, testsuite.Options{})
	if err != nil {
		return answer{}, err
	}
	findings := append(result.Findings, result.Place(report.Problems()...)...)
	if report.Failed() > 0 {
		return answer{exit: exitWanting, findings: diag.Sort(findings), members: map[string]any{"tests": testsOf(report)},
			text: func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s; nothing was written\n", testSummary(report))
				return err
			}}, nil
	}
	build, sealing, err := result.Seal()
	if err != nil {
		return answer{}, err
	}
	findings = diag.Sort(append(findings, sealing...))
	if build == nil || diag.HasErrors(findings) {
		return notBuilt(findings), nil
	}
	path := c.String("output")
	if path == "" {
		path = project.Path(filepath.Join("build", result.Definition.Project+".seif"))
	}
	outcome, err := c.writeBuild(ctx, path, build)
	if err != nil {
		return answer{}, err
	}
	return buildAnswer(result, build, report, findings, path, outcome), nil
}

// notBuilt is the answer when something is wrong: the last line says how much, because warnings may be many.
func notBuilt(findings []diag.Diagnostic) answer {
	out := failed(findings)
	out.text = func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s; nothing was written\n", tally(findings))
		return err
	}
	return out
}

// writeBuild writes a Build where -o says.
func (c *call) writeBuild(ctx context.Context, path string, build *bundle.Build) (string, error) {
	switch {
	case path == "-":
		return "written", bundle.WriteTar(c.stdout, build)
	case subject.IsFolder(path):
		outcome, err := bundle.WriteDir(ctx, filepath.Clean(path), build)
		return string(outcome), err
	default:
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return "", fmt.Errorf("making the output folder: %w", err)
		}
		outcome, err := bundle.WriteFile(ctx, path, build)
		return string(outcome), err
	}
}

func buildAnswer(result *compiler.Result, build *bundle.Build, report *testsuite.Report, findings []diag.Diagnostic, path, outcome string) answer {
	member := buildMember{
		Build: build.Digest().String(), Definition: build.DefinitionDigest().String(), Runtime: result.Definition.Version.Runtime(),
		Path: filepath.ToSlash(path), Outcome: outcome, Tests: testsOf(report), Estimator: result.Definition.Estimator,
		Line: "starts",
	}
	return answer{
		findings: findings, members: member,
		text: func(w io.Writer) error {
			if path == "-" {
				return nil
			}
			_, err := fmt.Fprintf(w, "%s\nbuild       %s\ndefinition  %s\nruntime     %s\nestimator   %s\nline        starts here: this Build has no baseline\n%s %s\n",
				testSummary(report), member.Build, member.Definition, member.Runtime, member.Estimator, outcome, diag.Escape(member.Path))
			return err
		},
	}
}
