package manifest

import _ "embed" // the schemas are files, so that editors can be pointed at them

var (
	//go:embed schemas/project.schema.json
	projectJSONSchema []byte
	//go:embed schemas/catalogue.schema.json
	catalogueJSONSchema []byte
	//go:embed schemas/tests.schema.json
	testsJSONSchema []byte
	//go:embed schemas/lock.schema.json
	lockJSONSchema []byte
)

// JSONSchema gives the JSON Schema (2020-12) of a kind of authored document: project, catalogue, tests or lock. It
// accepts and refuses the same documents as the reader does, as far as form goes; that names exist and schemas keep
// to the profile is beyond it. Nil for another name.
func JSONSchema(name string) []byte {
	switch name {
	case "project":
		return projectJSONSchema
	case "catalogue":
		return catalogueJSONSchema
	case "tests":
		return testsJSONSchema
	case "lock":
		return lockJSONSchema
	default:
		return nil
	}
}
