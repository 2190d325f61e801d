package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/runtime/server"
)

func serveCommand() *command {
	return &command{
		name: "serve", usage: "serve the contexts of a Build until it is stopped",
		flags: []flag{
			{name: "build", value: "B", usage: "the Build: a .seif file or a layout folder", required: true},
			{name: "bindings", value: "F", usage: "the Bindings of this environment", required: true},
			{name: "check", usage: "load and judge everything, say what would be served, and end"},
			{name: "contract-max", value: "v1|v2", usage: "refuse Builds of a later runtime contract", words: []string{"v1", "v2"}},
			{name: "allow-unsigned", usage: "serve a Build without a verified signature"},
		},
		run: runServe,
	}
}

func runServe(ctx context.Context, s streams, inv invocation) (answer, error) {
	options := server.Options{Build: inv.values["build"], Bindings: inv.values["bindings"], AllowUnsigned: inv.is("allow-unsigned")}
	switch inv.values["contract-max"] {
	case "v1":
		options.Newest = definition.V1
	case "v2":
		options.Newest = definition.V2
	}
	service, findings, err := server.Load(ctx, options)
	if err != nil {
		return answer{}, err
	}
	if service == nil {
		return answer{findings: findings}, nil
	}
	summary := service.Summary()
	if inv.is("check") {
		return answer{findings: findings, members: summary, text: summaryText(summary)}, nil
	}
	if len(findings) > 0 {
		if err := diag.Print(s.err, diag.Text, findings, diag.Options{}); err != nil {
			return answer{}, fmt.Errorf("writing the findings: %w", err)
		}
	}
	if err := service.Serve(ctx, slog.New(slog.NewJSONHandler(s.err, nil))); err != nil {
		return answer{}, err
	}
	return answer{}, context.Cause(ctx)
}

func summaryText(s server.Summary) string {
	return fmt.Sprintf("build        %s, %s\ndefinition   %s\nruntime      %s\nestimator    %s\nlisten       %s\nprofiles     %s\ncredentials  %d\n",
		s.Build, s.Signature, s.Definition, s.Runtime, s.Estimator, s.Listen, strings.Join(s.Profiles, ", "), s.Credentials)
}
