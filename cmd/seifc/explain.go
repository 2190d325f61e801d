package main

import (
	"context"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/diag"
)

func explainCommand() *command {
	return &command{
		Command: &cli.Command{Name: "explain", Usage: "tell the long story of a diagnostic code", ArgsUsage: "CODE"},
		formats: []string{"text", "json"}, least: 1, most: 1, run: runExplain,
	}
}

func runExplain(_ context.Context, c *call) (answer, error) {
	entry, ok := diag.Lookup(c.args[0])
	if !ok {
		var known []string
		for _, e := range diag.Entries() {
			known = append(known, string(e.Code))
		}
		help := "docs/diagnostics.md lists all codes"
		if near := diag.Nearest(c.args[0], known); near != "" {
			help = "did you mean " + near + "?"
		}
		return answer{}, usagef(help, "there is no code %q", c.args[0])
	}
	return answer{
		members: map[string]any{
			"code": entry.Code, "severity": entry.Severity.String(), "message": entry.Message, "help": entry.Help,
			"explanation": entry.Explain, "aliases": entry.Aliases, "suppressible": entry.Suppressible,
		},
		text: func(w io.Writer) error { return diag.Explain(w, string(entry.Code)) },
	}, nil
}

// explainTool answers why a tool is disclosed or not in a resolution.
func explainTool(subject *meaning, resolution *resolve.Resolution, tool string) (answer, error) {
	if _, ok := subject.definition.Tools[tool]; !ok {
		return answer{}, usagef(nearestHelp(tool, mapKeys(subject.definition.Tools)), "there is no tool %q", tool)
	}
	steps := subject.plan.Explain(resolution.Profile, tool, resolution)
	var placed []diag.Diagnostic
	for _, step := range steps {
		placed = append(placed, subject.place(step.Problem())...)
	}
	type stepMember struct {
		Code    diag.Code `json:"code"`
		Message string    `json:"message"`
		Path    string    `json:"path,omitempty"`
		Line    int       `json:"line,omitempty"`
		Column  int       `json:"column,omitempty"`
		Pointer string    `json:"pointer,omitempty"`
	}
	members := make([]stepMember, len(placed))
	for i, d := range placed {
		members[i] = stepMember{Code: d.Code, Message: d.Message(), Path: d.Place.Path, Line: d.Place.Start.Line, Column: d.Place.Start.Column, Pointer: d.Place.Pointer}
	}
	return answer{
		members: map[string]any{"tool": tool, "profile": resolution.Profile, "objective": resolution.Objective, "steps": members},
		text: func(w io.Writer) error {
			p := &printer{w: w}
			p.line("%s in %s%s", tool, resolution.Profile, objectiveSuffix(resolution.Objective))
			for _, m := range members {
				where := m.Path
				switch {
				case m.Line > 0:
					where = fmt.Sprintf("%s:%d:%d", m.Path, m.Line, m.Column)
				case m.Pointer != "":
					where = m.Path + "#" + m.Pointer
				}
				p.line("  %s", diag.Escape(m.Message))
				if where != "" {
					p.line("      %s", diag.Escape(where))
				}
			}
			return p.err
		},
	}, nil
}
