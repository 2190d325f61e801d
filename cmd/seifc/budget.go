package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/diag"
)

func budgetCommand() *command {
	return &command{
		Command: &cli.Command{
			Name: "budget", Usage: "say where the tokens of each profile go at most, and what would fit", ArgsUsage: "[PROJECT|BUILD]",
			Flags: []cli.Flag{&cli.StringFlag{Name: "profile", Usage: "only the profile `P`"}, plainFlag()},
		},
		formats: []string{"text", "json"}, most: 1, run: runBudget,
	}
}

func runBudget(ctx context.Context, c *call) (answer, error) {
	subject, err := c.open(ctx, c.projectArg())
	if err != nil {
		return answer{}, err
	}
	// A profile over its budget is what this command is for; any other error leaves nothing to measure.
	for _, d := range subject.findings {
		if d.Severity == diag.Error && d.Code != diag.CodeBudgetExceeded {
			return subject.refused(), nil
		}
	}
	names := mapKeys(subject.definition.Profiles)
	wanted := c.String("profile")
	if wanted != "" && !slices.Contains(names, wanted) {
		return answer{}, usagef(nearestHelp(wanted, names), "there is no profile %q", wanted)
	}
	worst := worstBudgets(resolve.Budgets(subject.definition, subject.texts))
	members := []budgetMember{}
	exit := exitGood
	for _, name := range names {
		b := worst[name]
		if wanted != "" && wanted != name {
			continue
		}
		if !b.Fits() {
			exit = exitWanting
		}
		members = append(members, budgetMember{
			Profile: name, Objective: b.Objective, Limit: b.Limit, Total: b.Total, Fits: b.Fits(), Lines: b.Lines, Cuts: b.Cuts(),
		})
	}
	return answer{
		exit: exit, members: map[string]any{"estimator": subject.definition.Estimator, "budgets": members},
		text: func(w io.Writer) error { return budgetText(w, subject.definition.Estimator, members) },
	}, nil
}

// worstBudgets keeps, for each profile, the objective that takes most.
func worstBudgets(all []resolve.Budget) map[string]resolve.Budget {
	worst := map[string]resolve.Budget{}
	for _, b := range all {
		if known, ok := worst[b.Profile]; !ok || b.Total > known.Total {
			worst[b.Profile] = b
		}
	}
	return worst
}

type budgetMember struct {
	Profile   string               `json:"profile"`
	Objective string               `json:"objective,omitempty"`
	Limit     int                  `json:"limit"`
	Total     int                  `json:"total"`
	Fits      bool                 `json:"fits"`
	Lines     []resolve.BudgetLine `json:"lines"`
	Cuts      []resolve.Cut        `json:"cuts,omitempty"`
}

func budgetText(w io.Writer, estimator string, members []budgetMember) error {
	p := &printer{w: w}
	for i, m := range members {
		if i > 0 {
			p.line("")
		}
		p.line("%s%s: at most %d of %d tokens (%s, an estimate)", m.Profile, objectiveSuffix(m.Objective), m.Total, m.Limit, estimator)
		for _, line := range m.Lines {
			p.line("%8d  %-7s %-32s %s", line.Tokens, line.Kind, line.ID, lineParts(line))
		}
		p.line("%8d  total", m.Total)
		if m.Fits {
			continue
		}
		p.line("over by %d tokens", m.Total-m.Limit)
		if len(m.Cuts) == 0 {
			p.line("  required tools alone are over: raise `budget.tokens`, or shorten their descriptions")
		}
		for _, cut := range m.Cuts {
			p.line("  would fit without %s", cut)
		}
	}
	return p.err
}

// lineParts says what a line is made of.
func lineParts(line resolve.BudgetLine) string {
	if line.Kind == resolve.ToolLine {
		return fmt.Sprintf("description %d, schema %d, overhead %d", line.Description, line.Schema, line.Overhead)
	}
	parts := fmt.Sprintf("text %d, overhead %d", line.Text, line.Overhead)
	if line.Segments > 1 {
		parts += fmt.Sprintf(", up to %d segments", line.Segments)
	}
	return parts
}
