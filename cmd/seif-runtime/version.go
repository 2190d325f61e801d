package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/tokens"
	"github.com/seif-dev/seifc/runtime/bindings"
)

// release is set by the linker for a release: -X main.release=v1.2.3.
var release string

func version() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

type versionMember struct {
	Program   string   `json:"seif_runtime"`
	Go        string   `json:"go"`
	Runtimes  []string `json:"runtimes"`
	Bindings  string   `json:"bindings"`
	Estimator string   `json:"estimator"`
}

func versionCommand() *command {
	return &command{name: "version", usage: "say which seif-runtime this is and what it serves", run: runVersion}
}

// runVersion names both contracts: Builds of the second one are read, and refused for their tools alone.
func runVersion(context.Context, streams, invocation) (answer, error) {
	m := versionMember{
		Program: version(), Go: runtime.Version(), Runtimes: []string{definition.V1.Runtime(), definition.V2.Runtime()},
		Bindings: bindings.SchemaName, Estimator: tokens.Estimator,
	}
	text := fmt.Sprintf("seif-runtime %s (%s)\nruntimes   %s, %s (read; Builds with tools are refused)\nbindings   %s\nestimator  %s\n",
		m.Program, m.Go, m.Runtimes[0], m.Runtimes[1], m.Bindings, m.Estimator)
	return answer{members: m, text: text}, nil
}
