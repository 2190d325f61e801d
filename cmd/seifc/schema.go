package main

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/bundle/trust"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/manifest"
	"github.com/seif-dev/seifc/runtime/bindings"
)

// schemaNames are the documents that have a published JSON Schema.
var schemaNames = []string{"bindings", "catalogue", "diagnostics", "lock", "project", "tests", "trust-policy"}

func schemaCommand() *command {
	return &command{
		Command: &cli.Command{Name: "schema", Usage: "print the JSON Schema of a document: " + strings.Join(schemaNames, ", "), ArgsUsage: "NAME"},
		formats: []string{"text", "json"}, least: 1, most: 1, run: runSchema,
	}
}

func runSchema(_ context.Context, c *call) (answer, error) {
	if !slices.Contains(schemaNames, c.args[0]) {
		return answer{}, usagef(nearestHelp(c.args[0], schemaNames), "there is no schema %q", c.args[0])
	}
	data := schemaOf(c.args[0])
	return answer{payload: true, members: map[string]any{"schema": json.RawMessage(data)}, text: func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}}, nil
}

func schemaOf(name string) []byte {
	switch name {
	case "bindings":
		return bindings.JSONSchema()
	case "diagnostics":
		return diag.JSONSchema()
	case "trust-policy":
		return trust.Schema()
	default:
		return manifest.JSONSchema(name)
	}
}
