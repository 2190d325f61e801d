package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/testsuite"
)

func showCommand() *command {
	return &command{
		Command: &cli.Command{
			Name: "show", Usage: "look inside a Build", ArgsUsage: "BUILD",
			Flags: []cli.Flag{
				&cli.BoolFlag{Name: "definition", Usage: "print the definition, byte for byte as it is hashed"},
				&cli.BoolFlag{Name: "tools", Usage: "print the tool contracts"},
				&cli.StringFlag{Name: "profile", Usage: "print the profile `P`"},
				&cli.BoolFlag{Name: "tests", Usage: "print the Context Tests, byte for byte as they are hashed"},
				plainFlag(),
			},
		},
		formats: []string{"text", "json"}, least: 1, most: 1, run: runShow,
	}
}

func runShow(ctx context.Context, c *call) (answer, error) {
	chosen := 0
	for _, flag := range []string{"definition", "tools", "profile", "tests"} {
		if c.IsSet(flag) {
			chosen++
		}
	}
	if chosen > 1 {
		return answer{}, usagef("choose one of --definition, --tools, --profile and --tests", "show prints one thing at a time")
	}
	layout, err := c.openLayout(ctx, c.args[0], bundle.ReadOptions{})
	if err != nil {
		return answer{}, err
	}
	build := layout.Build
	subject, err := openBuild(build)
	if err != nil {
		return answer{}, err
	}
	if diag.HasErrors(subject.findings) {
		return subject.refused().asPayload(chosen > 0), nil
	}
	def := build.Definition()
	switch {
	case c.Bool("definition"):
		return verbatim("definition", build.DefinitionBytes()), nil
	case c.Bool("tests"):
		return verbatim("tests_document", build.Tests()), nil
	case c.Bool("tools"):
		return showTools(def), nil
	case c.IsSet("profile"):
		return showProfile(def, c.String("profile"))
	default:
		return showSummary(layout), nil
	}
}

// verbatim answers with canonical bytes as they are: in text for `sha256sum`, in JSON as a member.
func verbatim(name string, data []byte) answer {
	return answer{
		payload: true, members: map[string]any{name: json.RawMessage(data)},
		text: func(w io.Writer) error {
			_, err := w.Write(data)
			return err
		},
	}
}

type summaryMember struct {
	Build       string            `json:"build"`
	Definition  string            `json:"definition"`
	Runtime     string            `json:"runtime"`
	Project     string            `json:"project"`
	Description string            `json:"description,omitempty"`
	Estimator   string            `json:"estimator"`
	Signatures  string            `json:"signatures"`
	Attached    []attachedMember  `json:"attached"`
	Profiles    []string          `json:"profiles"`
	Sources     map[string]string `json:"sources"`
	Tools       map[string]string `json:"tools"`
	Policies    []string          `json:"policies"`
	Tests       int               `json:"tests"`
	Guards      int               `json:"guards"`
}

// attachedMember is what an attachment says of itself. Nothing of it is verified here.
type attachedMember struct {
	Referrer  string `json:"referrer"`
	Digest    string `json:"digest"`
	Predicate string `json:"predicate,omitempty"`
	Role      string `json:"role,omitempty"`
}

// What show says about signatures: it verifies none.
const (
	unsigned   = "UNSIGNED"
	unverified = "NOT VERIFIED"
)

// attachedTo lists what is attached to a Build.
func attachedTo(layout *bundle.Layout) []attachedMember {
	out := make([]attachedMember, 0, len(layout.Attachments))
	for _, a := range layout.Attachments {
		m := attachedMember{Referrer: a.Digest().String(), Digest: digest.Of(a.Content()).String()}
		if decoded, err := sign.Decode(a.Content()); err == nil {
			m.Predicate, m.Role = decoded.Statement().PredicateType, string(decoded.Statement().Role())
		}
		out = append(out, m)
	}
	return out
}

// showSummary names what is in a Build, and what is attached to it, unverified.
func showSummary(layout *bundle.Layout) answer {
	build := layout.Build
	def := build.Definition()
	m := summaryMember{
		Build: build.Digest().String(), Definition: build.DefinitionDigest().String(), Runtime: def.Version.Runtime(),
		Project: def.Project, Description: def.Description, Estimator: def.Estimator, Signatures: unsigned, Attached: attachedTo(layout),
		Profiles: mapKeys(def.Profiles), Policies: mapKeys(def.Policies), Sources: map[string]string{}, Tools: map[string]string{},
	}
	if len(m.Attached) > 0 {
		m.Signatures = unverified
	}
	for id, source := range def.Sources {
		m.Sources[id] = "input " + source.Input
		if source.Input == "" {
			m.Sources[id] = source.Digest.String()
		}
	}
	for id, tool := range def.Tools {
		m.Tools[id] = tool.Fingerprint.String()
	}
	if suite, problems := testsuite.Decode(build.Tests()); len(problems) == 0 {
		m.Tests = len(suite.Tests)
		for _, test := range suite.Tests {
			if test.Incident != "" {
				m.Guards++
			}
		}
	}
	return answer{members: m, text: func(w io.Writer) error { return summaryText(w, m) }}
}

func summaryText(w io.Writer, m summaryMember) error {
	p := &printer{w: w}
	p.line("%s: %s", m.Project, diag.Escape(m.Description))
	p.line("build       %s\ndefinition  %s\nruntime     %s\nestimator   %s", m.Build, m.Definition, m.Runtime, m.Estimator)
	attachedText(p, m)
	p.line("tests       %d, of them %s", m.Tests, count(m.Guards, "guard"))
	section := func(title string, named map[string]string) {
		if len(named) > 0 {
			p.line("%s", title)
		}
		for _, id := range mapKeys(named) {
			p.line("  %-32s %s", id, named[id])
		}
	}
	section("sources", m.Sources)
	section("tools", m.Tools)
	for _, list := range []struct {
		title string
		names []string
	}{{"policies", m.Policies}, {"profiles", m.Profiles}} {
		if len(list.names) > 0 {
			p.line("%s", list.title)
		}
		for _, name := range list.names {
			p.line("  %s", name)
		}
	}
	return p.err
}

func attachedText(p *printer, m summaryMember) {
	if len(m.Attached) == 0 {
		p.line("signatures  %s: nothing says who made this Build", m.Signatures)
		return
	}
	p.line("signatures  %d attached, %s here: `seifc verify` says what they are worth", len(m.Attached), m.Signatures)
	for _, a := range m.Attached {
		what := a.Role
		switch {
		case what == "" && a.Predicate == "":
			what = "unreadable"
		case what == "":
			what = a.Predicate
		}
		p.line("  %-32s %s", diag.Escape(what), a.Digest)
	}
}

func showTools(def *definition.Definition) answer {
	members := map[string]any{}
	for id, tool := range def.Tools {
		members[id] = map[string]any{"fingerprint": tool.Fingerprint.String(), "contract": tool.Contract.Value()}
	}
	return answer{members: map[string]any{"tools": members}, text: func(w io.Writer) error {
		p := &printer{w: w}
		for _, id := range mapKeys(def.Tools) {
			t := def.Tools[id]
			p.line("%s  %s %s, %s, approval %s, %d ms, %s per context", id, t.Contract.Name, t.Contract.Version, t.Contract.Effect,
				t.Contract.Approval, t.Contract.TimeoutMS, count(t.Contract.CallLimit, "call"))
			p.line("  %s\n  %s", t.Fingerprint, diag.Escape(t.Contract.Description))
			p.line("  used in %s", usedIn(def, id))
		}
		return p.err
	}}
}

// usedIn names the profiles that may disclose a tool.
func usedIn(def *definition.Definition, tool string) string {
	var names []string
	for name, profile := range def.Profiles {
		_, included := profile.Include[tool]
		if _, excluded := profile.Exclude[tool]; included && !excluded {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if len(names) == 0 {
		return "no profile"
	}
	return fmt.Sprint(names)
}

func showProfile(def *definition.Definition, name string) (answer, error) {
	if _, ok := def.Profiles[name]; !ok {
		return answer{}, usagef(nearestHelp(name, mapKeys(def.Profiles)), "there is no profile %q", name)
	}
	value, _ := def.Value().(map[string]any)["profiles"].(map[string]any)
	member := value[name]
	return answer{members: map[string]any{"profile": member}, text: func(w io.Writer) error {
		pretty, err := json.MarshalIndent(member, "", "  ")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "%s\n", diag.EscapeLines(string(pretty)))
		return err
	}}, nil
}
