package testsuite

import (
	"bufio"
	"fmt"
	"io"

	"github.com/seif-dev/seifc/diag"
)

// WriteJUnit writes the report as JUnit XML, one test case per Context Test. Failures are given as placed
// findings by test id, and place says where each test stands. Counts equal the report's; a run without tests has
// a failing case that says so, because consumers show an empty suite as green.
func WriteJUnit(w io.Writer, report *Report, failures map[string][]diag.Diagnostic, place func(id string) diag.Place) error {
	out := bufio.NewWriter(w)
	run, failed := len(report.Results), report.Failed()
	if run == 0 {
		run, failed = 1, 1
	}
	fmt.Fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
	fmt.Fprintf(out, "<testsuites name=\"seifc\" tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"0\" time=\"0\">\n", run, failed)
	fmt.Fprintf(out, "  <testsuite name=\"context-tests\" tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"0\" time=\"0\">\n", run, failed)
	if len(report.Results) == 0 {
		fmt.Fprintf(out, "    <testcase name=\"no tests\" classname=\"context-tests\" time=\"0\">\n      <failure type=\"no_tests\" message=\"no Context Test ran\"></failure>\n    </testcase>\n")
	}
	for _, result := range report.Results {
		writeCase(out, result, failures[result.ID], place(result.ID))
	}
	fmt.Fprintf(out, "  </testsuite>\n</testsuites>\n")
	return out.Flush()
}

func writeCase(out io.Writer, result Result, failures []diag.Diagnostic, at diag.Place) {
	class := "context-tests"
	if result.Incident != "" {
		class = "guards"
	}
	fmt.Fprintf(out, "    <testcase name=\"%s\" classname=\"%s\"", diag.EscapeXML(result.ID), class)
	if at.Path != "" {
		fmt.Fprintf(out, " file=\"%s\"", diag.EscapeXML(at.Path))
	}
	if at.Start.Line > 0 {
		fmt.Fprintf(out, " line=\"%d\"", at.Start.Line)
	}
	if result.Passed() {
		fmt.Fprintf(out, " time=\"0\"></testcase>\n")
		return
	}
	fmt.Fprintf(out, " time=\"0\">\n")
	if len(failures) == 0 {
		// A failure that nobody placed is a failure all the same.
		fmt.Fprintf(out, "      <failure type=\"expectation_failed\" message=\"%d expectations failed\"></failure>\n", len(result.Failures))
	}
	for _, failure := range failures {
		where := failure.Place.Path
		if failure.Place.Start.Line > 0 {
			where = fmt.Sprintf("%s:%d:%d", where, failure.Place.Start.Line, failure.Place.Start.Column)
		}
		fmt.Fprintf(out, "      <failure type=\"%s\" message=\"%s\">%s</failure>\n", failure.Code, diag.EscapeXML(failure.Message()), diag.EscapeXML(where))
	}
	fmt.Fprintf(out, "    </testcase>\n")
}
