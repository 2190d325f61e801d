package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/seif-dev/seifc/bundle/trust"
	"github.com/seif-dev/seifc/diag"
)

// command is one verb.
type command struct {
	name, usage string
	flags       []flag
	run         func(context.Context, streams, invocation) (answer, error)
}

func commands() []*command { return []*command{serveCommand(), versionCommand()} }

// answer is what a command has to say.
type answer struct {
	findings []diag.Diagnostic
	// report is what verification found out, nil if nothing was verified.
	report *trust.Report
	// members are the command's own part of the JSON document.
	members any
	text    string
}

func (a answer) exit() int {
	if diag.HasErrors(a.findings) {
		return exitWanting
	}
	return exitGood
}

// run is the whole program but for the process.
func run(ctx context.Context, s streams, args []string) (exit int) {
	name, asJSON := "", wantsJSON(args)
	defer func() {
		if reason := recover(); reason != nil {
			exit = fail(ctx, s, name, asJSON, &defect{reason, debug.Stack()})
		}
	}()
	inv, err := understand(commands(), args)
	if inv.command != nil {
		name = inv.command.name
	}
	switch {
	case err != nil:
		return fail(ctx, s, name, asJSON, err)
	case inv.is("help"):
		_, _ = io.WriteString(s.out, help(inv))
		return exitGood
	case inv.command == nil:
		return fail(ctx, s, name, asJSON, usagef("run `seif-runtime --help` for the list", "there is no command"))
	}
	result, err := inv.command.run(ctx, s, inv)
	if err != nil {
		return fail(ctx, s, name, asJSON, err, result.findings...)
	}
	if err := printAnswer(s, name, asJSON, result); err != nil {
		return fail(ctx, s, name, false, fmt.Errorf("writing the answer: %w", err))
	}
	return result.exit()
}

// wantsJSON finds --format before anything else is understood, so that also a wrong command line is answered in the
// format that was asked for.
func wantsJSON(args []string) bool {
	for i, arg := range args {
		if arg == "--format=json" || arg == "--format" && i+1 < len(args) && args[i+1] == "json" {
			return true
		}
	}
	return false
}

func printAnswer(s streams, name string, asJSON bool, a answer) error {
	if asJSON {
		return printJSON(s.out, name, a.exit(), a, nil)
	}
	if len(a.findings) > 0 {
		if err := diag.Print(s.err, diag.Text, a.findings, diag.Options{}); err != nil {
			return err
		}
	}
	if a.report != nil {
		if err := a.report.WriteText(s.out); err != nil {
			return err
		}
	}
	_, err := io.WriteString(s.out, a.text)
	return err
}

// fail answers for a command that ended with an error and gives its exit code. The findings are what it had to say
// before that.
func fail(ctx context.Context, s streams, name string, asJSON bool, err error, before ...diag.Diagnostic) int {
	if fault := (*defect)(nil); errors.As(err, &fault) {
		defer fmt.Fprintf(s.err, "%s\n", fault.stack)
	}
	exit, why, more := describe(ctx, err)
	a := answer{findings: slices.Concat(before, more), report: reportOf(err)}
	if asJSON && printJSON(s.out, name, exit, a, &why) == nil {
		return exit
	}
	if a.report != nil {
		// The report is the answer. It has the reasons if it is why the Build is refused, but not the places of all.
		if a.report.WriteText(s.out) == nil && a.report.Verdict == trust.NotVerified && !isInvalid(err) {
			a.findings = before
		}
	}
	if len(a.findings) > 0 && diag.Print(s.err, diag.Text, a.findings, diag.Options{}) == nil && len(a.findings) > len(before) {
		return exit
	}
	fmt.Fprintf(s.err, "seif-runtime: error[%s]: %s\n", why.Code, diag.Escape(why.Message))
	if why.Help != "" {
		fmt.Fprintf(s.err, "seif-runtime: help: %s\n", diag.Escape(why.Help))
	}
	return exit
}

// printJSON writes the one JSON document of every outcome.
func printJSON(out io.Writer, name string, exit int, a answer, why *failure) error {
	whole := map[string]any{}
	if a.members != nil {
		own, err := json.Marshal(a.members)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(own, &whole); err != nil {
			return err
		}
	}
	if a.report != nil {
		whole["report"] = a.report.Value()
	}
	findings, err := diag.JSONMembers(a.findings, diag.Options{})
	if err != nil {
		return err
	}
	for member, value := range findings {
		whole[member] = value
	}
	whole["version"], whole["command"], whole["exit"], whole["ok"] = 1, name, exit, exit == exitGood
	if why != nil {
		whole["error"] = why
	}
	data, err := json.MarshalIndent(whole, "", "  ")
	if err != nil {
		return err
	}
	_, err = out.Write(append(data, '\n'))
	return err
}

// help says how to use the program or a command.
func help(inv invocation) string {
	var b strings.Builder
	if inv.command == nil {
		b.WriteString("seif-runtime serves the contexts of one Build\n\nusage:\n")
		for _, c := range commands() {
			fmt.Fprintf(&b, "  %s\n      %s\n", invocation{command: c}.usage(), c.usage)
		}
		return b.String()
	}
	fmt.Fprintf(&b, "%s\n\nusage:\n  %s\n\nflags:\n", inv.command.usage, inv.usage())
	for _, f := range inv.flags() {
		fmt.Fprintf(&b, "  %-24s %s\n", strings.TrimSpace("--"+f.name+" "+f.value), f.usage)
	}
	return b.String()
}
