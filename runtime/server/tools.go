package server

import "github.com/seif-dev/seifc/diag"

// toolsRefused refuses a Build with tools: leaving them out would make another context than the one that was tested.
func toolsRefused() diag.Problem {
	return diag.New(diag.CodeExecutorsNotSupported, "/tools", "where", "the Build")
}
