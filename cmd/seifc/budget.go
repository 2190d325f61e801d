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
			Flags: []cli.Flag{&cli.StringFlag{Name: "profile", Usage: "only the profile `P`"}},
		},
		formats: []string{"text", "json"}, most: 1, run: runBudget,
	}
}

func runBudget(ctx context.Context, c *call) (answer, error) {
	subject, err := c.open(ctx, c.projectArg())
	if err != nil {
		return answer{}, err
	}
	if subject.plan == nil {
		// A profile over its budget has no plan, and is what this command is for.
		return c.overBudget(subject)
	}
	return c.budgets(subject, subject.plan)
}

// overBudget shows the budgets of a subject whose only fault is that a profile is over budget.
func (c *call) overBudget(subject *meaning) (answer, error) {
	for _, d := range subject.findings {
		if d.Severity == diag.Error && d.Code != diag.CodeOverBudget {
			return failed(subject.findings), nil
		}
	}
	if subject.overBudget == nil {
		return failed(subject.findings), nil
	}
	out, err := c.budgets(subject, subject.overBudget)
	out.findings = subject.findings
	return out, err
}

type budgetMember struct {
	Profile   string               `json:"profile"`
	Objective string               `json:"objective,omitempty"`
	Limit     int                  `json:"limit"`
	Total     int                  `json:"total"`
	Lines     []resolve.BudgetLine `json:"lines"`
	Cuts      []resolve.Cut        `json:"cuts"`
}

func (c *call) budgets(subject *meaning, plan *resolve.Plan) (answer, error) {
	names := mapKeys(subject.definition.Profiles)
	if wanted := c.String("profile"); wanted != "" {
		if !slices.Contains(names, wanted) {
			return answer{}, usagef(nearestHelp(wanted, names), "there is no profile %q", wanted)
		}
		names = []string{wanted}
	}
	var members []budgetMember
	exit := exitGood
	for _, name := range names {
		b := plan.WorstBudget(name)
		if b.Total > b.Limit {
			exit = exitWanting
		}
		members = append(members, budgetMember{Profile: name, Objective: b.Objective, Limit: b.Limit, Total: b.Total, Lines: b.Lines, Cuts: b.Cuts()})
	}
	return answer{
		exit: exit, findings: subject.findings, members: map[string]any{"estimator": subject.definition.Estimator, "budgets": members},
		text: func(w io.Writer) error { return budgetText(w, subject.definition.Estimator, members) },
	}, nil
}

func budgetText(w io.Writer, estimator string, members []budgetMember) error {
	p := &printer{w: w}
	for i, m := range members {
		if i > 0 {
			p.line("")
		}
		p.line("%s%s: at most %d of %d tokens (%s, an estimate)", m.Profile, objectiveSuffix(m.Objective), m.Total, m.Limit, estimator)
		for _, line := range m.Lines {
			p.line("%8d  %-7s %-32s %s", line.Tokens, line.Kind, line.Name, line.Detail())
		}
		p.line("%8d  total", m.Total)
		for _, cut := range m.Cuts {
			p.line("  would fit: %s", diag.Escape(fmt.Sprint(cut)))
		}
	}
	return p.err
}
