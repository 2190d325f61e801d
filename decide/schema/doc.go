// Package schema is the bounded JSON Schema profile seif-schema/1: what may stand in a tool's argument schema, in
// its result schema and in a Project's inputs, and whether a value fits.
//
// Guarantees: every keyword is either enforced or an annotation of a known kind; anything else is refused with its
// pointer and a suggested rewrite, so nothing that looks enforced is silently dropped. A schema that compiles is
// bounded in bytes, nesting, subschemas and references, also after following its references, and can be evaluated
// within a fixed budget of steps; where the budget does not suffice the value is refused. Numbers are compared
// exactly. Nothing is loaded from anywhere. Equal input gives equal answers in equal order. No answer holds a value
// of the checked instance.
//
// docs/schema-subset.md publishes the profile; a test holds that its tables are these.
package schema

// Profile is the name of this profile. It is written into definitions.
const Profile = "seif-schema/1"

// Use is what a schema is for. It decides which rules hold at the root.
type Use int

const (
	// Arguments is the argument schema of a tool: an object with exactly `type: "object"` and nothing at the root
	// that combines, refers or enumerates, because model providers answer such a tool with an error for the whole
	// request.
	Arguments Use = iota
	// Result is the result schema of a tool, or a schema to share: any root.
	Result
	// Inputs is the schema of a Project's inputs: the root rules of Arguments; always closed, so
	// `additionalProperties` at the root is refused.
	Inputs
)
