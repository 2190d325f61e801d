package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/compiler"
	"github.com/seif-dev/seifc/compiler/subject"
	"github.com/seif-dev/seifc/diag"
)

// everyTool is what --update means without a value.
const everyTool = "*"

func pinCommand() *command {
	return &command{
		Command: &cli.Command{
			Name: "pin", Usage: "fill missing pins and record the pinned contracts in seif.lock", ArgsUsage: "[PROJECT]",
			Flags: []cli.Flag{&optionalValueFlag{
				StringFlag: cli.StringFlag{Name: "update", Usage: "move pins to the current contracts: all, or with --update=`TOOL,...` those named"},
				bare:       everyTool,
			}},
		},
		formats: findingFormats(), most: 1, run: runPin,
	}
}

func runPin(ctx context.Context, c *call) (answer, error) {
	options := compiler.PinOptions{}
	switch update := c.String("update"); update {
	case "":
	case everyTool:
		options.All = true
	default:
		options.Only = strings.Split(update, ",")
	}
	project, err := subject.OpenProject(c.projectArg())
	if err != nil {
		return answer{}, err
	}
	defer project.Close()
	result, err := compiler.Pin(ctx, project.Tree, options)
	if err != nil {
		return answer{}, err
	}
	if diag.HasErrors(result.Findings) {
		return failed(result.Findings), nil
	}
	var written []string
	for _, edit := range result.Edits {
		if err := replaceFile(ctx, project.Path(edit.Name), func(w io.Writer) error {
			_, err := w.Write(edit.Data)
			return err
		}); err != nil {
			return answer{}, fmt.Errorf("writing %s: %w", edit.Name, err)
		}
		written = append(written, project.Tree.Shown+edit.Name)
	}
	return answer{
		findings: result.Findings, members: map[string]any{"pinned": pinMembers(result.Pinned), "written": written},
		text: func(w io.Writer) error { return pinText(w, result.Pinned, written) },
	}, nil
}

type pinMember struct {
	Tool     string   `json:"tool"`
	Contract string   `json:"contract"`
	Old      string   `json:"old,omitempty"`
	New      string   `json:"new"`
	Changes  []string `json:"changes,omitempty"`
	Kept     bool     `json:"old_kept_as_revision,omitempty"`
}

func pinMembers(all []compiler.Pinned) []pinMember {
	out := make([]pinMember, len(all))
	for i, p := range all {
		out[i] = pinMember(p)
	}
	return out
}

func pinText(w io.Writer, all []compiler.Pinned, written []string) error {
	p := &printer{w: w}
	for _, pin := range all {
		if pin.Old == "" {
			p.line("%s pinned to %s", pin.Tool, pin.New)
			continue
		}
		p.line("%s moved\n  from %s\n  to   %s", pin.Tool, diag.Escape(pin.Old), pin.New)
		for _, change := range pin.Changes {
			p.line("  %s", diag.Escape(change))
		}
		if pin.Kept {
			p.line("  the old contract is kept under `revisions:`, because another pin names it")
		}
	}
	if len(written) == 0 {
		p.line("every pin is in place")
	}
	for _, name := range written {
		p.line("wrote %s", diag.Escape(name))
	}
	return p.err
}
