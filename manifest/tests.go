package manifest

import "github.com/seif-dev/seifc/digest/canonical"

// Tests is an authored file of Context Tests, with its defaults not yet applied.
type Tests struct {
	Origin
	Defaults TestBody
	Tests    []Entry[TestBody]
}

// TestBody is what `defaults` and a test have in common; absent members are zero or nil.
type TestBody struct {
	Profile   Text
	Objective Text
	Inputs    []Entry[canonical.Value]
	Executors []Entry[Executor]
	// Expect is nil when the test has none.
	Expect   *Expectation
	Calls    []CallStep
	Incident *Incident
}

// Executor is the assumed state of the executor of a tool.
type Executor struct {
	State       string // "ready", "unavailable", or "" when described by the members below
	Version     string
	Fingerprint string
}

// Expectation is `expect`. A nil slice or map means that nothing is expected of it; an empty one is an
// expectation of emptiness.
type Expectation struct {
	Origin
	Disclosed []Text
	Withheld  []Entry[string]
	Segments  []Text
	Contains  []Text
	Excludes  []Text
	MaxTokens *int
	Blocked   []Entry[string]
}

// CallStep is one item of `calls`.
type CallStep struct {
	Origin
	Tool      Text
	CallID    string
	Arguments canonical.Value
	Approval  string // "", valid, expired, other_call, other_arguments
	At        string // offset from the resolution, such as 2m or 15m; "" is 0
	Times     int    // 0 means 1
	Expect    string
	Policy    Text
	Pointer   *Text
	// Executor is the state of the tool's executor when the call is made; nil is as the test says.
	Executor *Entry[Executor]
}

// Incident makes a test a guard.
type Incident struct {
	Origin
	ID string
}
