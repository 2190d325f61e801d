package testsuite

import (
	"github.com/seif-dev/seifc/diag"
)

// Report is what a run found. It is the same for the same Build and the same selection, every time.
type Report struct {
	// Results are of the tests that ran, by id.
	Results []Result
	// Skipped counts tests that the selection left out.
	Skipped int
	// Coverage is nil when only a selection ran.
	Coverage *Coverage
	// Dispatches counts calls that reached an executor. There is no way to one from here; it is 0 and reported
	// so that a reader need not take it on trust from the absence of a line.
	Dispatches int
}

// Result is the outcome of one test.
type Result struct {
	ID       string
	Incident string
	// Failures have pointers into tests.json; none means that the test passed.
	Failures []diag.Problem
	// Calls counts the synthetic calls that were decided.
	Calls int
}

// Passed tells whether every expectation held.
func (r Result) Passed() bool { return len(r.Failures) == 0 }

// Failed counts the tests that did not pass.
func (r *Report) Failed() int {
	n := 0
	for _, result := range r.Results {
		if !result.Passed() {
			n++
		}
	}
	return n
}

// Problems are the failures of all tests.
func (r *Report) Problems() []diag.Problem {
	var all []diag.Problem
	for _, result := range r.Results {
		all = append(all, result.Failures...)
	}
	return all
}
