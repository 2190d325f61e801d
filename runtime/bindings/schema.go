package bindings

import (
	"bytes"
	_ "embed" // the schema is a file, so that editors can be pointed at it
)

//go:embed bindings.schema.json
var jsonSchema []byte

// JSONSchema gives the JSON Schema (2020-12) of the Bindings. It accepts and refuses the same documents as [Decode]
// does as far as form goes; that no token occurs twice, and what an address means, is beyond it.
func JSONSchema() []byte { return bytes.Clone(jsonSchema) }
