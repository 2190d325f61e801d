package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/testsuite"
)

func testCommand() *command {
	return &command{
		Command: &cli.Command{
			Name: "test", Usage: "run the Context Tests of a Project or a Build", ArgsUsage: "[PROJECT|BUILD]",
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "run", Usage: "run only tests whose id matches the regular expression `PATTERN`"},
				&cli.BoolFlag{Name: "coverage", Usage: "say what no test reaches"},
				&cli.StringFlag{Name: "junit", Usage: "also write the report as JUnit XML to `FILE`"},
				plainFlag(),
			},
		},
		formats: findingFormats("junit"), most: 1, run: runTest,
	}
}

// testsMember is what every command that runs tests says about them in JSON.
type testsMember struct {
	Run        int `json:"run"`
	Failed     int `json:"failed"`
	Inherited  int `json:"inherited"`
	Skipped    int `json:"skipped"`
	Dispatches int `json:"dispatches"`
}

func testsOf(report *testsuite.Report) testsMember {
	return testsMember{Run: len(report.Results), Failed: report.Failed(), Skipped: report.Skipped, Dispatches: report.Dispatches}
}

func runTest(ctx context.Context, c *call) (answer, error) {
	options, err := selection(c.String("run"))
	if err != nil {
		return answer{}, err
	}
	if c.Bool("coverage") && options.Selected != nil {
		return answer{}, usagef("drop --run, or --coverage", "coverage is of all tests, and --run selects some")
	}
	file := c.String("junit")
	if file == "-" {
		if err := c.needStdout("--junit"); err != nil {
			return answer{}, err
		}
	}
	subject, err := c.open(ctx, c.projectArg())
	if err != nil {
		return answer{}, err
	}
	out := subject.refused()
	if subject.sound() {
		c.progress("running %s", count(len(subject.suite.Tests), "test"))
		report, err := testsuite.Run(ctx, subject.plan, subject.suite, options)
		if err != nil {
			return answer{}, err
		}
		out = testAnswer(subject, report)
		if c.Bool("coverage") {
			out.findings = append(out.findings, coverageFindings(subject, report.Coverage)...)
		}
		out.findings = diag.Sort(out.findings)
	} else {
		out.raw = map[string]func(io.Writer) error{"junit": func(w io.Writer) error { return writeRefusal(w, out.findings) }}
	}
	return out, c.writeReport(ctx, &out, file)
}

// writeReport writes the JUnit form where --junit says; a report that is not written must not look like a green one
// of an earlier run.
func (c *call) writeReport(ctx context.Context, out *answer, file string) error {
	switch file {
	case "":
	case "-":
		report, summary := out.raw["junit"], out.text
		if err := report(c.stdout); err != nil {
			return fmt.Errorf("writing the JUnit report: %w", err)
		}
		out.payload = true
		if summary != nil {
			out.text = func(io.Writer) error { return summary(c.stderr) }
		}
	default:
		if err := onlyReport(file); err != nil {
			return fmt.Errorf("writing the JUnit report: %w", err)
		}
		if err := writeOutput(ctx, c.environment, file, out.raw["junit"]); err != nil {
			return fmt.Errorf("writing the JUnit report: %w", err)
		}
	}
	return nil
}

// onlyReport refuses to replace a file that is no report: a slip of the keyboard must not cost a Project file.
func onlyReport(path string) error {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	const declaration = "<?xml"
	head, err := io.ReadAll(io.LimitReader(file, int64(len(declaration))))
	if err == nil && len(head) > 0 && string(head) != declaration {
		err = fmt.Errorf("the file %s is not a report; name another, or delete it first", path)
	}
	return err
}

// writeRefusal is the JUnit form of a run that did not begin: one failing case with all that is wrong.
func writeRefusal(w io.Writer, findings []diag.Diagnostic) error {
	const id = "the subject is sound"
	report := &testsuite.Report{Results: []testsuite.Result{{ID: id}}}
	var errors []diag.Diagnostic
	for _, d := range findings {
		if d.Severity == diag.Error {
			errors = append(errors, inReport(d))
			report.Results[0].Failures = append(report.Results[0].Failures, diag.New(d.Code, d.Place.Pointer))
		}
	}
	place := func(string) diag.Place { return errors[0].Place }
	return testsuite.WriteJUnit(w, report, map[string][]diag.Diagnostic{id: errors}, place)
}

// inReport gives a finding the path that reports have.
func inReport(d diag.Diagnostic) diag.Diagnostic {
	d.Place.Path = relativeToGit(d.Place.Path)
	return d
}

// selection reads --run.
func selection(pattern string) (testsuite.Options, error) {
	if pattern == "" {
		return testsuite.Options{}, nil
	}
	expression, err := regexp.Compile(pattern)
	if err != nil {
		return testsuite.Options{}, usagef("give a regular expression in RE2 syntax", "--run: %v", err)
	}
	return testsuite.Options{Selected: expression.MatchString}, nil
}

// testAnswer is the answer of a run: its failures, its counts, its JUnit form.
func testAnswer(subject *meaning, report *testsuite.Report) answer {
	failures := map[string][]diag.Diagnostic{}
	out := answer{findings: withoutZeroTests(subject.findings), members: map[string]any{"tests": testsOf(report), "results": resultsOf(report)}}
	for _, result := range report.Results {
		placed := subject.placeTests(result.Failures...)
		for _, failure := range placed {
			failures[result.ID] = append(failures[result.ID], inReport(failure))
		}
		out.findings = append(out.findings, placed...)
	}
	if len(report.Results) == 0 {
		out.findings = append(out.findings, subject.placeTests(diag.New(diag.CodeNoTests, ""))...)
	}
	place := func(id string) diag.Place {
		return inReport(subject.placeTests(diag.New(diag.CodeExpectationFailed, testPointer(id)).AtKey())[0]).Place
	}
	out.raw = map[string]func(io.Writer) error{
		"junit": func(w io.Writer) error { return testsuite.WriteJUnit(w, report, failures, place) },
	}
	out.text = func(w io.Writer) error {
		_, err := fmt.Fprintln(w, testSummary(report))
		return err
	}
	return out
}

// withoutZeroTests drops the compiler's warning where the run itself says it as an error.
func withoutZeroTests(findings []diag.Diagnostic) []diag.Diagnostic {
	var kept []diag.Diagnostic
	for _, d := range findings {
		if d.Code != diag.CodeZeroTests {
			kept = append(kept, d)
		}
	}
	return kept
}

// testSummary is the last line of every run.
func testSummary(report *testsuite.Report) string {
	failed := report.Failed()
	line := fmt.Sprintf("%s, %d passed, %d failed", count(len(report.Results), "test"), len(report.Results)-failed, failed)
	if report.Skipped > 0 {
		line += fmt.Sprintf(", %d not selected", report.Skipped)
	}
	if c := report.Coverage; c != nil {
		line += fmt.Sprintf("; coverage %d of %d", c.Reached, c.Items)
	}
	return line + fmt.Sprintf("; calls that reached an executor: %d", report.Dispatches)
}

type resultMember struct {
	ID       string `json:"id"`
	Incident string `json:"incident,omitempty"`
	Passed   bool   `json:"passed"`
	Calls    int    `json:"calls"`
}

func resultsOf(report *testsuite.Report) []resultMember {
	out := make([]resultMember, len(report.Results))
	for i, r := range report.Results {
		out[i] = resultMember{ID: r.ID, Incident: r.Incident, Passed: r.Passed(), Calls: r.Calls}
	}
	return out
}
