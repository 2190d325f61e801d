package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/decide/provider"
	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

func exportCommand() *command {
	out := &command{
		Command:     &cli.Command{Name: "export", Usage: "write a profile's tools as a provider's API takes them"},
		formats:     []string{"text", "json"},
		subcommands: nil,
	}
	for _, format := range provider.Formats() {
		out.subcommands = append(out.subcommands, exportFormat(format))
	}
	return out
}

func exportFormat(format provider.Format) *command {
	return &command{
		Command: &cli.Command{
			Name: string(format), Usage: "write the tools for " + string(format), ArgsUsage: "BUILD",
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "profile", Usage: "the profile `P`"},
				&cli.StringFlag{Name: "objective", Usage: "with the objective `O`; needed if the profile has objectives"},
				plainFlag(),
			},
		},
		formats: []string{"text", "json"}, least: 1, most: 1,
		run: func(ctx context.Context, c *call) (answer, error) { return runExport(ctx, c, format) },
	}
}

// runExport writes what a profile may disclose. Conditions on inputs are taken as true: what a request really
// discloses, the runtime says.
func runExport(ctx context.Context, c *call, format provider.Format) (answer, error) {
	if c.String("profile") == "" {
		return answer{}, usagef("write --profile P", "export needs a profile")
	}
	subject, err := c.open(ctx, c.args[0])
	if err != nil {
		return answer{}, err
	}
	if !subject.sound() {
		return subject.refused().asPayload(true), nil
	}
	ids, contracts, problem := resolve.MayDisclose(subject.definition, c.String("profile"), c.String("objective"))
	if problem != nil {
		return answer{}, wrongRequest(*problem)
	}
	value, known := provider.Export(format, contracts)
	if !known {
		return answer{}, fmt.Errorf("no tools are written as %q", format)
	}
	form, err := canonical.Marshal(value)
	if err != nil {
		return answer{}, err
	}
	return answer{
		payload: true, findings: subject.place(inDefinition(ids, provider.Advice(format, contracts))...), members: map[string]any{"tools": value},
		text: func(w io.Writer) error {
			_, err := w.Write(append(form, '\n'))
			return err
		},
	}, nil
}

// inDefinition turns pointers into the list of contracts into pointers into the definition.
func inDefinition(ids []string, advice []diag.Problem) []diag.Problem {
	out := make([]diag.Problem, 0, len(advice))
	for _, p := range advice {
		index, below, _ := strings.Cut(strings.TrimPrefix(p.Target.Pointer, "/"), "/")
		if i, err := strconv.Atoi(index); err == nil && i >= 0 && i < len(ids) {
			p.Target.Pointer = canonical.JoinPointer("/tools", ids[i]) + "/contract/" + below
		}
		out = append(out, p)
	}
	return out
}
