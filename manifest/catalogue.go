package manifest

import "github.com/seif-dev/seifc/digest/canonical"

// Catalogue is an authored file of tool contracts.
type Catalogue struct {
	Origin
	Name      string
	Contracts []Entry[Contract]
	Revisions []Entry[[]Contract]
}

// Contract is an authored entry of `tool_contracts` or `revisions`. Absent members are zero: defaults are not
// the manifest's business.
type Contract struct {
	Origin
	Name        string
	Version     string
	Description string
	Effect      string
	Approval    string
	TimeoutMS   int
	CallLimit   int
	Schema      SchemaRef
	Result      SchemaRef
	// Fingerprint is the stated one; it is checked, never trusted.
	Fingerprint string
	// Status, Claims and EffectReason stay out of every digest.
	Status       string // "", "active", "retired", "revoked"
	Claims       canonical.Value
	EffectReason string
}

// Shared tells whether the entry is a schema to share: it has a schema and nothing else but a fingerprint.
func (c Contract) Shared() bool {
	return c.Name == "" && c.Version == "" && c.Description == "" && c.Effect == "" && c.Approval == "" &&
		c.TimeoutMS == 0 && c.CallLimit == 0 && !c.Result.Present() && c.Schema.Present() &&
		c.Status == "" && c.Claims == nil && c.EffectReason == ""
}

// SchemaRef is a schema written in place or a reference to a shared one.
type SchemaRef struct {
	Origin
	// Inline is the schema as written; HasInline tells `false` and `null` from nothing.
	Inline    canonical.Value
	HasInline bool
	// Ref is the id after `tool_contract:`, Fingerprint what stands beside it.
	Ref         string
	Fingerprint string
}

// Present tells whether the member was written at all.
func (s SchemaRef) Present() bool { return s.HasInline || s.Ref != "" }
