// Package manifest reads authored documents: the Project, tool catalogues, Context Tests and the lock.
//
// It turns nodes into values and keeps for every value where it was written, so that a later finding about the
// value can be shown at its line. It checks form: fields, types, identifiers as words. Whether names exist,
// whether contracts are sound and whether tests pass is for the rooms above. It guarantees that nothing an
// author wrote is dropped: each field of a document is either in the value or reported.
package manifest

import (
	"github.com/seif-dev/seifc/document"
)

// The `schema:` of each kind of authored document.
const (
	ProjectSchema   = "seif.context-project.v1"
	CatalogueSchema = "seif.tool-catalogue.v1"
	TestsSchema     = "seif.context-tests.v1"
	LockSchema      = "seif.lock.v1"
)

// Origin is where a value was written.
type Origin struct {
	File    *document.File
	Pointer string
}
