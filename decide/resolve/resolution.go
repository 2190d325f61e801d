// Package resolve decides what a model is shown and which of its calls may leave.
//
// [Prepare] turns a definition and its texts into an immutable [Plan]; [Plan.Resolve] and [Plan.Decide] are pure
// functions of their arguments: no clock, no input or output, no randomness, no map order. Preview, Context
// Tests, guards, the runtime, its ledger and replay all call these, so what was tested is what runs.
package resolve

import (
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Instant is a point in time in milliseconds since the Unix epoch, as a caller observed it.
type Instant int64

// Lifetimes, in milliseconds. An instant equal to the end is past it.
const (
	ContextLifetime  = 15 * 60 * 1000
	ApprovalLifetime = 5 * 60 * 1000
)

// Request is what an application asks for.
type Request struct {
	Profile   string
	Objective string // empty when the profile has none
	Inputs    map[string]canonical.Value
}

// Observations are the facts from outside that a resolution or decision uses.
type Observations struct {
	At Instant
	// Executors says, by Project tool id, what was observed of the executor that serves the tool.
	Executors map[string]Executor
	// AssumeReady counts tools without an entry as served in their exact contract; Context Tests and preview
	// set it. Without it such a tool is unavailable.
	AssumeReady bool
}

// Executor is the observed state of the executor that serves a tool.
type Executor struct {
	// Ready means that describe answered.
	Ready bool
	// Version and Fingerprint are what it described; they must equal the contract's.
	Version     string
	Fingerprint digest.Fingerprint
}

// Reason says why an included or excluded tool is not disclosed.
type Reason string

const (
	Excluded     Reason = "excluded"     // the profile excludes it
	OffObjective Reason = "objective"    // not part of the requested objective
	Condition    Reason = "condition"    // its `when` is false
	Unavailable  Reason = "unavailable"  // its executor did not answer
	Incompatible Reason = "incompatible" // its executor serves another version or contract
)

// Resolution is what a profile, an objective and inputs yield.
type Resolution struct {
	Profile   string
	Objective string
	Inputs    map[string]canonical.Value
	At        Instant
	// Segments are in authored order.
	Segments []Segment
	// Disclosed tools are sorted by Project id.
	Disclosed []Disclosed
	// Withheld gives a reason for every included or excluded tool of the profile that is not disclosed.
	Withheld map[string]Reason
	// Blocked lists required tools that are not ready. A resolution with any is refused; Segments and Disclosed
	// are then empty.
	Blocked map[string]Reason
	// ToolsDigest is over the model-facing form of the disclosed tools.
	ToolsDigest digest.Digest
	// Tokens is the estimate of everything the model is shown, overheads included.
	Tokens int
}

// Segment is a source as it stands in a resolved context.
type Segment struct {
	Source string
	// Index is the item's position in a run-time array; -1 for everything else.
	Index     int
	Untrusted bool
	// Text is what the model reads: placeholders filled, untrusted text fenced.
	Text   string
	Tokens int // the estimate with the overhead of a segment
}

// Disclosed is a tool that the model may call.
type Disclosed struct {
	ID          string // the Project's id
	Name        string // what the model calls
	Contract    *definition.Contract
	Fingerprint digest.Fingerprint
	Required    bool
	CallLimit   int // after narrowing by the profile
	Tokens      int // the estimate with the overhead of a tool
}
