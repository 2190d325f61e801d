package definition

import "github.com/seif-dev/seifc/digest/canonical"

// Effect is what a call may do to the world.
type Effect string

const (
	Read  Effect = "read"
	Write Effect = "write"
	// Undecided is what an import writes. A contract with it has no fingerprint and cannot be pinned.
	Undecided Effect = "undecided"
)

// Approval is who must agree before a call is dispatched.
type Approval string

const (
	NoApproval       Approval = "none"
	OperatorApproval Approval = "operator"
)

// Frozen defaults of a contract (v1).
const (
	DefaultTimeoutMS      = 10000
	DefaultReadCallLimit  = 10
	DefaultWriteCallLimit = 1
)

// Contract is all that a tool promises, with every default written out, references inlined and annotations
// stripped. Its value is exactly what is hashed: id, name, version, description, effect, approval, timeout_ms,
// call_limit, schema and, if present, result.
type Contract struct {
	ID          string
	Name        string
	Version     string
	Description string
	Effect      Effect
	Approval    Approval
	TimeoutMS   int
	CallLimit   int
	Schema      canonical.Value
	Result      canonical.Value // nil when the tool has no result schema
}
