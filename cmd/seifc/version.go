package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/tokens"
)

// release is set by the linker for a release: -X main.release=v1.2.3.
var release string

// version is the release, or what the module's build information says.
func version() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

func versionCommand() *command {
	return &command{
		Command: &cli.Command{Name: "version", Usage: "say which seifc this is and what it reads and writes"},
		formats: []string{"text", "json"}, run: runVersion,
	}
}

type versionMember struct {
	Seifc       string   `json:"seifc"`
	Go          string   `json:"go"`
	Definitions []string `json:"definitions"`
	Runtimes    []string `json:"runtimes"`
	Schema      string   `json:"tool_schema_profile"`
	Expressions string   `json:"expressions"`
	Estimator   string   `json:"estimator"`
}

func runVersion(context.Context, *call) (answer, error) {
	m := versionMember{
		Seifc: version(), Go: runtime.Version(),
		Definitions: []string{definition.V1.Schema(), definition.V2.Schema()},
		Runtimes:    []string{definition.V1.Runtime(), definition.V2.Runtime()},
		Schema:      definition.ToolSchemaProfile, Expressions: definition.ExpressionDialect, Estimator: tokens.Estimator,
	}
	return answer{members: m, text: func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "seifc %s (%s)\ndefinitions  %s, %s\nruntimes     %s, %s\nschema       %s\nexpressions  %s\nestimator    %s\n",
			m.Seifc, m.Go, m.Definitions[0], m.Definitions[1], m.Runtimes[0], m.Runtimes[1], m.Schema, m.Expressions, m.Estimator)
		return err
	}}, nil
}
