// Package definition is what a Build says: the typed form of the definition document, seif.definition.v1 and v2.
//
// It guarantees that decoding and encoding are exact inverses: the bytes of a definition are the RFC 8785 form of
// [Definition.Value], and a definition decodes only if it is byte for byte what encoding its value would give.
// Everything that can be wrong with a definition on its own is found here, as problems with pointers into the
// definition, so that an authored Project and a Build from a stranger meet the same checks.
package definition

import (
	"sync"

	"github.com/seif-dev/seifc/decide/schema"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Version is the version of the definition document and of the runtime contract that it needs.
type Version int

const (
	// V1 is a definition without tools.
	V1 Version = 1
	// V2 is a definition with tools.
	V2 Version = 2
)

// Schema is the value of the document's `schema` member.
func (v Version) Schema() string {
	if v == V2 {
		return "seif.definition.v2"
	}
	return "seif.definition.v1"
}

// Runtime is the contract that a runtime must know to load the Build.
func (v Version) Runtime() string {
	if v == V2 {
		return "seif.context-runtime.v2"
	}
	return "seif.context-runtime.v1"
}

// The dialects and profiles that this version of the format records.
const (
	// ToolSchemaProfile names the JSON Schema profile; recorded when the definition has inputs or tools.
	ToolSchemaProfile = "seif-schema/1"
	// ExpressionDialect names the expression dialect; recorded when the definition has an expression.
	ExpressionDialect = "seif-cel/1"
	// Estimator names the token estimator; recorded always.
	Estimator = "seif-est/1"
)

// Definition is all that a Project means. Maps are by id; nil and empty maps mean the same and are not written.
type Definition struct {
	Version     Version
	Project     string
	Description string
	Estimator   string
	// ToolSchemaProfile and Expressions are empty when the definition uses neither.
	ToolSchemaProfile string
	Expressions       string
	// Inputs is the inputs schema as authored and stripped, nil when the Project has none.
	Inputs canonical.Value
	// Forward lists, sorted, the inputs that executors receive beside the arguments.
	Forward    []string
	Objectives map[string]string
	Sources    map[string]Source
	Tools      map[string]Tool
	Policies   map[string]Policy
	Profiles   map[string]Profile
	// Tests is the blob tests.json.
	Tests Blob

	// arguments holds compiled argument schemas by tool id: checking a definition and preparing it need the same.
	arguments sync.Map
	// schemas compiles all schemas of the definition.
	schemas schema.Compiler
}

// Blob names bytes by digest and size.
type Blob struct {
	Digest digest.Digest
	Size   int64
}

// Source is a piece of context material: a text of the Build, or an input that arrives at run time.
type Source struct {
	// Input is the input's name for run-time text; the other members are then zero.
	Input string
	// Blob is the normalised text of a file source.
	Blob
	// Untrusted is `trust: untrusted`. Run-time text is always untrusted; it is not recorded for it.
	Untrusted bool
	// NoPlaceholders is `placeholders: false`.
	NoPlaceholders  bool
	AllowCharacters []AllowedCharacters
}

// AllowedCharacters lets a source contain characters that are refused otherwise, for a stated reason.
type AllowedCharacters struct {
	Characters string
	Reason     string
}

// Tool is one pinned contract under the Project's own id.
type Tool struct {
	Contract    Contract
	Fingerprint digest.Fingerprint
}

// Policy denies calls.
type Policy struct {
	// Profiles and Objectives narrow where the policy holds; empty means everywhere. Sorted.
	Profiles   []string
	Objectives []string
	// AllTools is `tools: all`; otherwise Tools lists Project ids, sorted.
	AllTools bool
	Tools    []string
	// Deny is the expression's source text. A call is denied when it is true or fails.
	Deny    string
	Message string
}

// Profile is one recipe of context and tools.
type Profile struct {
	// BudgetTokens is `budget.tokens`, at least 1.
	BudgetTokens int
	// Objectives lists, sorted, the objectives a request may name; empty means that it names none.
	Objectives []string
	// Requires lists, sorted, optional inputs that this profile needs.
	Requires []string
	// Context is in authored order.
	Context []ContextEntry
	// Include is by Project tool id; Exclude maps ids to their reason.
	Include map[string]Inclusion
	Exclude map[string]string
}

// ContextEntry places a source in a profile.
type ContextEntry struct {
	Source     string
	Objectives []string // sorted; empty means all
	When       string   // expression source; empty means always
}

// Inclusion discloses a tool in a profile, possibly narrowed.
type Inclusion struct {
	Objectives []string // sorted; empty means all
	Required   bool
	CallLimit  int // 0 means the contract's
	When       string
}
