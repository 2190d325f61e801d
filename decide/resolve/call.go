package resolve

import (
	"github.com/seif-dev/seifc/decide/schema"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Outcome is the answer to a call: the runtime's own codes, which Context Tests expect by name.
type Outcome string

const (
	Allowed              Outcome = "allowed" // may be dispatched now
	ApprovalRequired     Outcome = "approval_required"
	PolicyDenied         Outcome = "policy_denied"
	ToolNotDisclosed     Outcome = "tool_not_disclosed"
	ArgumentsInvalid     Outcome = "arguments_invalid"
	CallLimitReached     Outcome = "call_limit_reached"
	CallIDConflict       Outcome = "call_id_conflict"
	ContextExpired       Outcome = "context_expired"
	ExecutorIncompatible Outcome = "executor_incompatible"
	Replayed             Outcome = "replayed" // the receipt of the known call id
)

// State is where a call stands. Only Intent may precede a dispatch, and nothing leads from Intent or a terminal
// state to a second Intent.
type State string

const (
	Absent      State = ""
	Awaiting    State = "awaiting"
	Approved    State = "approved"
	Intent      State = "intent"
	Succeeded   State = "succeeded"
	NotExecuted State = "not_executed"
	Unknown     State = "unknown"
	Denied      State = "denied"
	Expired     State = "expired"
)

// Call is what a model wants to do.
type Call struct {
	ID        string
	Tool      string // the Project's id
	Arguments canonical.Value
	// Fingerprint is the keyed fingerprint of tool and arguments.
	Fingerprint digest.Keyed
}

// CallState is what is recorded of a retained context about one call.
type CallState struct {
	// Known is the record of this call id; nil when there is none.
	Known *CallRecord
	// Used counts the intents of the tool in this context.
	Used int
}

// CallRecord is the row of one call id within a context.
type CallRecord struct {
	Tool        string
	Fingerprint digest.Keyed
	State       State
	Approval    *Approval // set while Approved
}

// Approval is an operator's grant. It fits one call only.
type Approval struct {
	CallID      string
	Tool        string
	Contract    digest.Fingerprint
	Fingerprint digest.Keyed
	GrantedAt   Instant
}

// Decision is the outcome of a call and the state that the caller must record with it.
type Decision struct {
	Outcome Outcome
	// Next is the state of the call's row after the decision; Absent when a refused call binds no id.
	Next State
	// ConsumesApproval says that the recorded approval is used up by this decision.
	ConsumesApproval bool
	// Policies lists all denying policies, sorted, with PolicyDenied.
	Policies []string
	// Violations are set with ArgumentsInvalid.
	Violations []schema.Violation
}
