package server

import (
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
)

// refuseTools refuses a Build with tools: leaving them out would make another context than the one that was tested.
func refuseTools(def *definition.Definition) *diag.Problem {
	if len(def.Tools) == 0 {
		return nil
	}
	problem := diag.New(diag.CodeExecutorsNotSupported, "/tools", "where", "the Build")
	return &problem
}
