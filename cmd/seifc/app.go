package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/compiler/subject"
	"github.com/seif-dev/seifc/diag"
)

// app runs one command line.
type app struct {
	env      environment
	commands []*command
}

// command is one verb of the command line.
type command struct {
	*cli.Command
	// formats are the values of --format that the command has, the default first.
	formats []string
	// least and most bound the number of arguments; most < 0 is no bound. program allows words after `--`.
	least, most int
	program     bool
	run         func(context.Context, *call) (answer, error)
	subcommands []*command
}

// call is one run of a command.
type call struct {
	environment
	*cli.Context
	args    []string
	program []string
	format  string

	transfer progressLine
	// leftOut are the findings about what the registry of a BUILD lists and what was left out.
	leftOut []diag.Diagnostic
}

func newApp(env environment) *app { return &app{env: env, commands: commands()} }

// globalFlags stand on every command.
func globalFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "format", Usage: "how to print the answer"},
	}
}

func (a *app) run(ctx context.Context, args []string) (exit int) {
	if len(args) > 0 && args[0] == "--version" {
		args = append([]string{"version"}, args[1:]...)
	}
	format := wantedFormat(args)
	name := ""
	defer func() {
		if reason := recover(); reason != nil {
			exit = a.fail(ctx, name, format, &defect{reason, debug.Stack()})
		}
	}()
	inv, chosen, err := understand(a.library(), globalFlags(), args)
	name = strings.Join(inv.path, " ")
	if err != nil {
		return a.fail(ctx, name, format, err)
	}
	if chosen == nil && !inv.help && format == "json" {
		return a.fail(ctx, name, format, usagef("run `seifc --help` for the list", "name a command"))
	}
	if inv.help || chosen == nil {
		exit, err := a.help(inv, chosen)
		if err != nil {
			return a.fail(ctx, name, "text", fmt.Errorf("writing the answer: %w", err))
		}
		return exit
	}
	result, err := a.call(ctx, inv, a.commandAt(inv.path))
	if err != nil {
		return a.fail(ctx, name, format, err)
	}
	if cause := context.Cause(ctx); cause != nil {
		return a.fail(ctx, name, format, cause)
	}
	if err := a.print(name, format, result); err != nil {
		return a.fail(ctx, name, "text", fmt.Errorf("writing the answer: %w", err))
	}
	return result.code()
}

// wantedFormat finds --format before anything else is understood, so that also a wrong command line is answered
// in the format that was asked for.
func wantedFormat(args []string) string {
	for i, arg := range args {
		if arg == "--" {
			break
		}
		if value, ok := strings.CutPrefix(arg, "--format="); ok {
			return value
		}
		if arg == "--format" && i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}

// call checks the command line against the command and runs it.
func (a *app) call(ctx context.Context, inv invocation, c *command) (answer, error) {
	if c.run == nil {
		return answer{}, usagef("run `seifc "+strings.Join(inv.path, " ")+" --help`", "`seifc %s` needs a subcommand", strings.Join(inv.path, " "))
	}
	whole := "seifc " + strings.Join(inv.path, " ")
	switch {
	case len(inv.args) < c.least:
		return answer{}, usagef("usage: "+whole+" "+c.ArgsUsage, "`%s` needs more arguments", whole)
	case c.most >= 0 && len(inv.args) > c.most:
		return answer{}, usagef("usage: "+whole+" "+c.ArgsUsage, "`%s` does not know what to do with %q", whole, inv.args[c.most])
	case len(inv.program) > 0 && !c.program:
		return answer{}, usagef("usage: "+whole+" "+c.ArgsUsage, "`%s` takes nothing after --", whole)
	}
	parsed, err := a.parse(inv, c)
	if err != nil {
		return answer{}, err
	}
	run := &call{environment: a.env, Context: parsed, args: inv.args, program: inv.program, format: parsed.String("format")}
	if run.format == "" {
		run.format = c.formats[0]
	}
	if !slices.Contains(c.formats, run.format) {
		return answer{}, usagef("its formats are "+strings.Join(c.formats, ", "), "`%s` has no format %q", whole, run.format)
	}
	defer run.transfer.end()
	return promptly(ctx, func() (answer, error) {
		result, err := c.run(ctx, run)
		result.findings = diag.Sort(append(result.findings, run.leftOut...))
		return result, err
	})
}

// parse gives the flags to the library, which knows their types.
func (a *app) parse(inv invocation, c *command) (*cli.Context, error) {
	var parsed *cli.Context
	leaf := &cli.Command{
		Name: c.Name, Flags: slices.Concat(c.Flags, globalFlags()), HideHelp: true,
		Action: func(ctx *cli.Context) error { parsed = ctx; return nil },
	}
	library := &cli.App{
		Name: "seifc", Commands: []*cli.Command{leaf}, HideHelp: true, HideVersion: true,
		Writer: io.Discard, ErrWriter: io.Discard, ExitErrHandler: func(*cli.Context, error) {},
		OnUsageError: func(_ *cli.Context, err error, _ bool) error { return err },
		// A comma is a character of a file's name like any other.
		DisableSliceFlagSeparator: true,
	}
	leaf.OnUsageError = library.OnUsageError
	inv.path = []string{c.Name}
	if err := library.Run(inv.argv()); err != nil {
		return nil, usagef("run `seifc "+strings.Join(inv.path, " ")+" --help`", "%v", err)
	}
	if parsed == nil {
		return nil, &defect{reason: "the flag parser did not run the command"}
	}
	return parsed, nil
}

func (a *app) library() []*cli.Command {
	var convert func([]*command) []*cli.Command
	convert = func(all []*command) []*cli.Command {
		var out []*cli.Command
		for _, c := range all {
			c.Subcommands = convert(c.subcommands)
			out = append(out, c.Command)
		}
		return out
	}
	return convert(a.commands)
}

func (a *app) commandAt(path []string) *command {
	all := a.commands
	var found *command
	for _, name := range path {
		for _, c := range all {
			if c.Name == name {
				found, all = c, c.subcommands
				break
			}
		}
	}
	return found
}

// print writes an answer.
func (a *app) print(name, format string, result answer) error {
	if format == "" {
		format = a.commandAt(strings.Fields(name)).formats[0]
	}
	if write, ok := result.raw[format]; ok {
		return write(a.env.stdout)
	}
	options := a.options()
	if format == "json" {
		whole, err := jsonDocument(name, result.code(), result, nil, options)
		if err != nil {
			return err
		}
		_, err = a.env.stdout.Write(whole)
		return err
	}
	to := a.env.stdout
	if result.payload {
		to = a.env.stderr
		options.Color = a.env.color(a.env.stderrTerminal)
	}
	if len(result.findings) > 0 || format != "text" {
		parsed, err := diag.ParseFormat(format)
		if err != nil {
			return err
		}
		if err := diag.Print(to, parsed, result.findings, options); err != nil {
			return err
		}
	}
	if result.text != nil && format == "text" {
		if result.payload && result.code() == exitGood {
			to = a.env.stdout
		}
		return result.text(to)
	}
	return nil
}

func (a *app) options() diag.Options {
	return diag.Options{Color: a.env.color(a.env.stdoutTerminal), ToolVersion: version(), RelativePath: relativeToGit}
}

// fail answers for a command that ended with an error and gives its exit code.
func (a *app) fail(ctx context.Context, name, format string, err error) int {
	if fault := (*defect)(nil); errors.As(err, &fault) && len(fault.stack) > 0 {
		defer fmt.Fprintf(a.env.stderr, "%s\n", fault.stack)
	}
	exit := exitOf(ctx, err)
	failure := describe(ctx, exit, err)
	findings := findingsOf(err)
	if format == "json" {
		whole, jsonErr := jsonDocument(name, exit, answer{findings: findings}, failure, a.options())
		if jsonErr == nil {
			_, jsonErr = a.env.stdout.Write(whole)
		}
		if jsonErr == nil {
			return exit
		}
	}
	if len(findings) > 0 {
		options := a.options()
		options.Color = a.env.color(a.env.stderrTerminal)
		if diag.Print(a.env.stderr, diag.Text, findings, options) == nil {
			return exit
		}
	}
	fmt.Fprintf(a.env.stderr, "seifc: error[%s]: %s\n", failure.Code, diag.Escape(failure.Message))
	if failure.Help != "" {
		fmt.Fprintf(a.env.stderr, "seifc: help: %s\n", diag.Escape(failure.Help))
	}
	return exit
}

// describe gives an error its code and remedy.
func describe(ctx context.Context, exit int, err error) *jsonError {
	var usage *usageError
	var elsewhere *subject.Elsewhere
	var kind *subject.WrongKind
	switch {
	case errors.As(err, &usage):
		return &jsonError{Code: "usage", Message: usage.message, Help: usage.help}
	case errors.As(err, &kind):
		return &jsonError{Code: "wrong_kind", Message: kind.Error(), Help: kind.Remedy()}
	case exit == exitUsage && errors.As(err, &elsewhere):
		return &jsonError{Code: "usage", Message: elsewhere.Error(), Help: "files, folders and, for Builds, oci://HOST/REPOSITORY:TAG are read; for a file of that name write ./" + elsewhere.Subject}
	case exit == exitDefect:
		return &jsonError{Code: "defect", Message: err.Error(), Help: "this is a fault of seifc, not of your input; report it with the command line and the lines below"}
	case exit == exitInterrupted, exit == exitTerminated:
		return &jsonError{Code: "interrupted", Message: context.Cause(ctx).Error() + "; nothing was left half written"}
	case exit == exitUnverified:
		return &jsonError{Code: "not_verified", Message: err.Error()}
	case errors.Is(err, fs.ErrExist):
		return &jsonError{Code: "exists", Message: err.Error()}
	case errors.Is(err, fs.ErrNotExist):
		return &jsonError{Code: "missing", Message: err.Error(), Help: "check the path; it is relative to the current folder"}
	case errors.Is(err, fs.ErrPermission):
		return &jsonError{Code: "unreadable", Message: err.Error(), Help: "check the permissions of the file and of its folder"}
	default:
		return &jsonError{Code: "unable", Message: err.Error()}
	}
}

// relativeToGit makes an absolute path relative to the git work tree around it, as annotations need it.
func relativeToGit(path string) string {
	if !filepath.IsAbs(path) {
		return filepath.ToSlash(path)
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if exists(filepath.Join(dir, ".git")) {
			if relative, err := filepath.Rel(dir, path); err == nil {
				return filepath.ToSlash(relative)
			}
		}
		if dir == filepath.Dir(dir) {
			return filepath.ToSlash(filepath.Base(path))
		}
	}
}
