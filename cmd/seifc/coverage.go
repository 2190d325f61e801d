package main

import (
	"fmt"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/testsuite"
)

func testPointer(id string) string { return canonical.JoinPointer("/tests", id) }

// coverageFindings places what no test reached at the lines that declare it.
func coverageFindings(subject *meaning, coverage *testsuite.Coverage) []diag.Diagnostic {
	var problems []diag.Problem
	for _, item := range coverage.Missed {
		problems = append(problems, diag.New(diag.CodeTestNotCovered, item.Pointer, "what", describeItem(item)))
	}
	return subject.place(problems...)
}

func describeItem(item testsuite.Item) string {
	switch item.Kind {
	case testsuite.CoversProfile:
		return "the profile " + item.Name
	case testsuite.CoversObjective:
		return fmt.Sprintf("the objective %s of the profile %s", item.Name, item.Profile)
	case testsuite.CoversTool:
		return fmt.Sprintf("a disclosure of %s in the profile %s", item.Name, item.Profile)
	case testsuite.CoversPolicy:
		return "a denial by the policy " + item.Name
	default:
		return fmt.Sprintf("the profile %s withholding %s (%s)", item.Profile, item.Name, item.Reason)
	}
}
