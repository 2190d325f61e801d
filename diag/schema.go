package diag

import _ "embed"

//go:embed diagnostics.schema.json
var diagnosticsSchema string

// JSONSchema is the JSON Schema (2020-12) of what [Print] writes as JSON. A command may add members of its own to
// the document; version 1 only ever gains members.
func JSONSchema() []byte { return []byte(diagnosticsSchema) }
