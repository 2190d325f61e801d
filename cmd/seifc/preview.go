package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/decide/provider"
	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/testsuite"
)

func previewCommand() *command {
	return &command{
		Command: &cli.Command{
			Name: "preview", Usage: "show what a model would be shown, and why", ArgsUsage: "[PROJECT|BUILD]",
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "profile", Usage: "resolve the profile `P`"},
				&cli.StringFlag{Name: "objective", Usage: "with the objective `O`"},
				&cli.StringFlag{Name: "inputs", Usage: "with the inputs in the JSON `FILE`, or from stdin for -"},
				&cli.StringFlag{Name: "test", Usage: "with profile, objective, inputs and executors of the Context Test `ID`"},
				&cli.StringFlag{Name: "explain", Usage: "say why `TOOL` is here or not"},
				plainFlag(),
			},
		},
		formats: []string{"text", "json"}, most: 1, run: runPreview,
	}
}

func runPreview(ctx context.Context, c *call) (answer, error) {
	if (c.String("profile") == "") == (c.String("test") == "") {
		return answer{}, usagef("write --profile P, or --test ID", "preview needs one of --profile and --test")
	}
	if c.String("test") != "" && (c.String("objective") != "" || c.String("inputs") != "") {
		return answer{}, usagef("drop --objective and --inputs, or name a profile", "--test brings its own objective and inputs")
	}
	subject, err := c.open(ctx, c.projectArg())
	if err != nil {
		return answer{}, err
	}
	if !subject.sound() {
		return subject.refused(), nil
	}
	request, observed, given, err := c.request(subject)
	if err != nil {
		return answer{}, err
	}
	if diag.HasErrors(given.findings) {
		return failed(diag.Sort(given.findings)), nil
	}
	resolution, problems := subject.plan.Resolve(request, observed)
	for _, problem := range problems {
		if strings.HasPrefix(problem.Target.Pointer, "/profile") || strings.HasPrefix(problem.Target.Pointer, "/objective") {
			return answer{}, wrongRequest(problem)
		}
	}
	if resolution == nil || diag.Failed(problems) {
		return failed(diag.Sort(placeRefusal(subject, given, problems))), nil
	}
	if tool := c.String("explain"); tool != "" {
		return explainTool(subject, resolution, tool)
	}
	return previewAnswer(resolution), nil
}

// placeRefusal places what is wrong with a request: a condition that failed where it is written, an input where it
// stands.
func placeRefusal(subject *meaning, given *givenInputs, problems []diag.Problem) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, problem := range problems {
		if entry := problem.Data["entry"]; problem.Code == diag.CodeConditionFailed && entry != "" {
			problem.Target = diag.Target{Pointer: entry}
			out = append(out, subject.place(problem)...)
			continue
		}
		out = append(out, diag.At(given, problem)...)
	}
	return out
}

// wrongRequest is the error for a flag that names what does not exist.
func wrongRequest(problem diag.Problem) error {
	placed := diag.At(&givenInputs{}, problem)[0]
	return usagef(placed.Help(), "%s", placed.Message())
}

// request is what the flags ask for.
func (c *call) request(subject *meaning) (resolve.Request, resolve.Observations, *givenInputs, error) {
	ready, given := resolve.Observations{AssumeReady: true}, &givenInputs{}
	if id := c.String("test"); id != "" {
		test, ok := subject.suite.Tests[id]
		if !ok {
			return resolve.Request{}, ready, given, usagef(nearestHelp(id, mapKeys(subject.suite.Tests)), "there is no Context Test %q", id)
		}
		return testsuite.Request(test), testsuite.Observations(subject.definition, test), given, nil
	}
	var err error
	if file := c.String("inputs"); file != "" {
		given, err = c.readInputs(file)
	}
	request := resolve.Request{Profile: c.String("profile"), Objective: c.String("objective")}
	if given != nil {
		request.Inputs = given.values
	}
	return request, ready, given, err
}

type previewMember struct {
	Profile     string                    `json:"profile"`
	Objective   string                    `json:"objective,omitempty"`
	Segments    []segmentMember           `json:"segments"`
	Tools       canonical.Value           `json:"tools"`
	ToolIDs     []string                  `json:"tool_ids"`
	Withheld    map[string]resolve.Reason `json:"withheld"`
	Blocked     map[string]resolve.Reason `json:"blocked"`
	ToolsDigest string                    `json:"tools_digest"`
	Tokens      int                       `json:"token_estimate"`
	Text        string                    `json:"text"`
}

type segmentMember struct {
	Source    string `json:"source"`
	Index     *int   `json:"index,omitempty"`
	Untrusted bool   `json:"untrusted"`
	Text      string `json:"text"`
	Tokens    int    `json:"token_estimate"`
}

func previewAnswer(r *resolve.Resolution) answer {
	member := previewMember{
		Profile: r.Profile, Objective: r.Objective, Segments: []segmentMember{}, ToolIDs: []string{},
		Withheld: r.Withheld, Blocked: r.Blocked, ToolsDigest: r.ToolsDigest.String(), Tokens: r.Tokens, Text: r.Text(),
	}
	for _, s := range r.Segments {
		out := segmentMember{Source: s.Source, Untrusted: s.Untrusted, Text: s.Text, Tokens: s.Tokens}
		if s.Index >= 0 {
			index := s.Index
			out.Index = &index
		}
		member.Segments = append(member.Segments, out)
	}
	for _, tool := range r.Disclosed {
		member.ToolIDs = append(member.ToolIDs, tool.ID)
	}
	member.Tools, _ = provider.Export(provider.JSONSchema, contractsOf(r))
	exit := exitGood
	if len(r.Blocked) > 0 {
		exit = exitWanting
	}
	return answer{exit: exit, members: member, text: func(w io.Writer) error { return previewText(w, r) }}
}

// previewText shows a resolution to a person. Invisible and control characters are escaped; the JSON form has the
// text as it is.
func previewText(w io.Writer, r *resolve.Resolution) error {
	p := &printer{w: w}
	p.line("profile %s%s", r.Profile, objectiveSuffix(r.Objective))
	for _, s := range r.Segments {
		name := s.Source
		if s.Index >= 0 {
			name = fmt.Sprintf("%s[%d]", s.Source, s.Index)
		}
		trust := "author"
		if s.Untrusted {
			trust = "untrusted"
		}
		p.line("\n--- segment %s (%s, about %d tokens)", name, trust, s.Tokens)
		p.line("%s", diag.EscapeLines(s.Text))
	}
	p.line("\n--- tools")
	for _, tool := range r.Disclosed {
		required := ""
		if tool.Required {
			required = ", required"
		}
		p.line("%-28s %s, %s, limit %d%s, about %d tokens", tool.ID, tool.Name, tool.Contract.Effect, tool.CallLimit, required, tool.Tokens)
	}
	for _, id := range mapKeys(r.Withheld) {
		p.line("%-28s withheld: %s", id, r.Withheld[id])
	}
	for _, id := range mapKeys(r.Blocked) {
		p.line("%-28s BLOCKS the resolution: %s", id, r.Blocked[id])
	}
	p.line("\ntools digest    %s\ntoken estimate  %d", r.ToolsDigest, r.Tokens)
	return p.err
}

func objectiveSuffix(objective string) string {
	if objective == "" {
		return ""
	}
	return ", objective " + objective
}
