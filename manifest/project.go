package manifest

import "github.com/seif-dev/seifc/digest/canonical"

// Project is the authored `seif.yaml`.
type Project struct {
	Origin
	Name        string
	Description string
	// Catalogues and Tests are patterns relative to the Project file.
	Catalogues []Pattern
	Tests      []Pattern
	// Inputs is the authored schema of the inputs, nil when there is none.
	Inputs     canonical.Value
	Forward    []Text
	Objectives []Entry[string]
	Sources    []Entry[Source]
	// Contracts is the Project's own `tool_contracts` table, Revisions its `revisions`.
	Contracts []Entry[Contract]
	Revisions []Entry[[]Contract]
	Tools     []Entry[Pin]
	Policies  []Entry[Policy]
	Profiles  []Entry[Profile]
	// Suppressions silence findings that may be silenced.
	Suppressions []Suppression
}

// Entry is a member of a map by id, in authored order.
type Entry[T any] struct {
	Origin // of the value; its key has the same pointer
	ID     string
	Value  T
}

// Text is a string with its origin.
type Text struct {
	Origin
	Value string
}

// Pattern is a path with `*` and `?` as in path.Match, each segment on its own.
type Pattern = Text

// Source is an authored source: exactly one of Path and Input is set.
type Source struct {
	Path            Text // relative to the file that names it
	Input           string
	Trust           string // "", "author", "untrusted"
	Placeholders    *bool
	AllowCharacters []AllowCharacters
}

// AllowCharacters is one `allow_characters` entry.
type AllowCharacters struct {
	Origin
	Characters string
	Reason     string
}

// Pin is the value of a `tools` member.
type Pin struct {
	// Contract is the id of the contract that is pinned; the Project's id unless `$ref` says another.
	Contract string
	// Fingerprint is as authored; empty when the pin is missing (`ID:`). Malformed text is kept for the finding.
	Fingerprint string
	// FingerprintAt is where the fingerprint stands or, if it is missing, the place to write it.
	FingerprintAt Origin
	// Long is set when the pin was written as a map with `$ref`.
	Long bool
}

// Policy is an authored policy.
type Policy struct {
	Profiles   []Text
	Objectives []Text
	All        bool // `tools: all`
	Tools      []Text
	Deny       Text
	Message    string
}

// Profile is an authored profile.
type Profile struct {
	BudgetTokens int
	Objectives   []Text
	Requires     []Text
	Context      []ContextEntry
	Include      []Inclusion
	Exclude      []Entry[string]
}

// ContextEntry is one item of `context`.
type ContextEntry struct {
	Origin
	Source     string
	Objectives []Text
	When       Text // empty Value: none
}

// Inclusion is one item of `tools.include`.
type Inclusion struct {
	Origin
	Tool       string
	Objectives []Text
	Required   bool
	CallLimit  int // 0: none
	When       Text
}

// Suppression silences one code at one path for one state of that file.
type Suppression struct {
	Origin
	Code   string
	Path   string
	Digest string // of the file's bytes; the suppression dies when they change
	Reason string
}
