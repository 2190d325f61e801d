// Package testsuite is Context Tests: the cases that a Build carries, and their run.
//
// A test looks at one resolution and at synthetic calls; it goes through the same [resolve.Plan] as the runtime.
// It guarantees that a run performs no action, opens no connection, reads no clock and gives the same report
// every time; that an expectation which cannot be checked is an error and never passes; and that a run of no
// tests says so.
package testsuite

import (
	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Schema is the value of the `schema` member of tests.json.
const Schema = "seif.tests.v1"

// Suite is the meaning of tests.json.
type Suite struct {
	Tests map[string]Test
}

// Test is one expanded test: defaults applied, aliases replaced. Absent members mean that nothing was said.
type Test struct {
	Profile   string
	Objective string
	Inputs    map[string]canonical.Value
	Executors map[string]Executor // by Project tool id; ready in their exact contract if absent
	Expect    *Expectation
	Calls     []Call
	Incident  string // the incident's id; set for a guard
}

// Executor is an assumed state that differs from ready. The zero value of a described member means that it
// equals the contract's.
type Executor struct {
	Unavailable bool
	Version     string
	Fingerprint *digest.Fingerprint
}

// Expectation is what a resolution must be. A nil slice or map expects nothing; an empty one expects emptiness.
type Expectation struct {
	Disclosed []string                  // the exact set, sorted
	Withheld  map[string]resolve.Reason // a subset
	Segments  []string                  // exact and ordered, a source id once per segment
	Contains  []string                  // text.contains
	Excludes  []string                  // text.excludes
	MaxTokens *int                      // tokens.max
	Blocked   map[string]resolve.Reason // the exact set of blocking tools
}

// Call is one synthetic call. It stands for Times calls with fresh ids when Times is above 1.
type Call struct {
	Tool      string
	ID        string // empty: "call-N", N counting expanded calls from 1
	Arguments canonical.Value
	Approval  Approval
	// Executor is the state in which the call finds the tool's executor, when it is another one than at the
	// resolution: the only way to an executor that is not compatible any more.
	Executor *Executor
	AtMS     int64 // offset from the resolution
	Times    int   // 0 is 1
	Expect   resolve.Outcome
	Policy   string  // with policy_denied: must be among the denying policies
	Pointer  *string // with arguments_invalid: must be among the violations
}

// Approval is the operator's grant that a synthetic call finds.
type Approval string

const (
	NoGrant        Approval = ""
	Valid          Approval = "valid"
	ExpiredGrant   Approval = "expired"
	OtherCall      Approval = "other_call"
	OtherArguments Approval = "other_arguments"
)
