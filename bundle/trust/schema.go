package trust

import (
	"bytes"
	_ "embed" // the schema is a file, so that editors can be pointed at it
)

//go:embed trust-policy.schema.json
var jsonSchema []byte

// Schema gives the JSON Schema (2020-12) of a trust policy. It accepts and refuses the same documents as [Read] does
// as far as form goes; whether a key is one, a threshold can be reached, and one key has two names is beyond it.
func Schema() []byte { return bytes.Clone(jsonSchema) }
