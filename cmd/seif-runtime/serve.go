package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/seif-dev/seifc/bundle/sign/keyless"
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
			{name: "check", usage: "verify and judge everything, print the report and what would be served, and end"},
			{name: "contract-max", value: "v1|v2", usage: "refuse Builds of a later runtime contract", words: []string{"v1", "v2"}},
			{name: "allow-unsigned", usage: "serve a Build without a verified signature, if the Bindings allow it too"},
		},
		run: runServe,
	}
}

func runServe(ctx context.Context, s streams, inv invocation) (answer, error) {
	options := server.Options{
		Build: inv.values["build"], Bindings: inv.values["bindings"], AllowUnsigned: inv.is("allow-unsigned"), Now: time.Now(),
	}
	switch inv.values["contract-max"] {
	case "v1":
		options.Newest = definition.V1
	case "v2":
		options.Newest = definition.V2
	}
	service, findings, err := promptly(ctx, func() (*server.Service, []diag.Diagnostic, error) { return load(ctx, options) })
	if err != nil {
		return answer{findings: findings}, err
	}
	if service == nil {
		return answer{findings: findings}, nil
	}
	summary := service.Summary()
	if inv.is("check") {
		report := service.Report()
		return answer{findings: findings, members: summary, report: &report, text: summaryText(summary)}, nil
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

// load loads what is to be served. The program that verifies identities, if it was needed, has ended then.
func load(ctx context.Context, options server.Options) (*server.Service, []diag.Diagnostic, error) {
	identities := new(keyless.Client)
	options.Identities = identities
	service, findings, err := server.Load(ctx, options)
	if ended := identities.Close(); err == nil && ended != nil {
		return nil, findings, fmt.Errorf("ending %s: %w", keyless.ProgramName, ended)
	}
	return service, findings, err
}

func summaryText(s server.Summary) string {
	var b strings.Builder
	fmt.Fprintf(&b, "build        %s, %s\n", s.Build, s.Signature)
	if s.Channel != "" {
		fmt.Fprintf(&b, "release      %s, sequence %d\n", s.Channel, s.Sequence)
	}
	for _, signer := range s.Signers {
		fmt.Fprintf(&b, "signer       %s: %s (%s)\n", diag.Escape(signer.Name), strings.Join(signer.Roles, ", "), diag.Escape(signer.Key))
	}
	fmt.Fprintf(&b, "definition   %s\nruntime      %s\nestimator    %s\nlisten       %s\nprofiles     %s\ncredentials  %d\n",
		s.Definition, s.Runtime, s.Estimator, s.Listen, strings.Join(s.Profiles, ", "), s.Credentials)
	return b.String()
}
