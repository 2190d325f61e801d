package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/diag"
)

// invocation is a command line that was understood.
type invocation struct {
	// path is the command and its subcommands.
	path []string
	// flags are the flags with their values, in the form that the flag parser of the library takes.
	flags []string
	// args are the positional arguments.
	args []string
	// program is what stands after `--`.
	program []string
	// help is set when the user asked for it.
	help bool
	// seen are the flags so far, each by its first name.
	seen []string
}

// argv is the command line in the order that the library reads: flags before arguments.
func (i invocation) argv() []string {
	out := append([]string{"seifc"}, i.path...)
	out = append(out, i.flags...)
	out = append(out, "--")
	return append(out, i.args...)
}

// understand reads a command line with the flags of the command itself, wherever they stand. The library stops at
// the first argument, answers a misspelled command with exit 0, and prints help for a missing value; users of
// `seifc build DIR -o X` and `seifc biuld` expect something else.
func understand(commands []*cli.Command, global []cli.Flag, args []string) (invocation, *cli.Command, error) {
	var inv invocation
	var command *cli.Command
	args = accustomed(args)
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			inv.program = slices.Clone(args[i+1:])
			i = len(args)
		case len(arg) > 1 && arg[0] == '-':
			used, err := inv.flag(command, global, args[i:])
			if err != nil {
				return inv, command, err
			}
			i += used
		case command == nil || len(command.Subcommands) > 0:
			next := find(commands, arg)
			if next == nil {
				return inv, command, unknownCommand(inv.path, commands, arg)
			}
			command, commands = next, next.Subcommands
			inv.path = append(inv.path, next.Name)
		default:
			inv.args = append(inv.args, arg)
		}
	}
	return inv, command, nil
}

// accustomed takes what people type out of habit: `seifc --version`, `seifc help COMMAND`.
func accustomed(args []string) []string {
	switch {
	case len(args) == 0:
		return args
	case args[0] == "--version":
		return append([]string{"version"}, args[1:]...)
	case args[0] == "help":
		return append(slices.Clone(args[1:]), "--help")
	}
	return args
}

// flag reads the flag at rest[0] and says how many further words it took.
func (i *invocation) flag(command *cli.Command, global []cli.Flag, rest []string) (int, error) {
	given, value, joined := strings.Cut(rest[0], "=")
	name := strings.TrimLeft(given, "-")
	if name == "help" || name == "h" {
		i.help = true
		return 0, nil
	}
	flags := global
	if command != nil {
		flags = slices.Concat(command.Flags, global)
	}
	known := findFlag(flags, name)
	if known == nil {
		return 0, unknownFlag(i.path, flags, rest[0])
	}
	canonicalName := known.Names()[0]
	if _, repeats := known.(*cli.StringSliceFlag); !repeats && slices.Contains(i.seen, canonicalName) {
		return 0, usagef("write it once", "the flag %s is given twice", given)
	}
	i.seen = append(i.seen, canonicalName)
	if _, ok := known.(*cli.BoolFlag); ok {
		if joined && value != "true" && value != "false" {
			return 0, usagef("write "+given+" alone", "the flag %s takes no value", given)
		}
		i.flags = append(i.flags, "--"+known.Names()[0]+"="+orTrue(joined, value))
		return 0, nil
	}
	if joined && value == "" || !joined && len(rest) > 1 && rest[1] == "" {
		return 0, usagef("write "+given+" VALUE", "the value of the flag %s is empty", given)
	}
	if joined {
		i.flags = append(i.flags, "--"+known.Names()[0]+"="+value)
		return 0, nil
	}
	if optional, ok := known.(*optionalValueFlag); ok {
		i.flags = append(i.flags, "--"+optional.Name+"="+optional.bare)
		return 0, nil
	}
	if len(rest) < 2 || (len(rest[1]) > 1 && rest[1][0] == '-' && findFlag(flags, strings.TrimLeft(rest[1], "-")) != nil) || rest[1] == "--" {
		return 0, usagef("write "+given+" VALUE", "the flag %s needs a value", given)
	}
	i.flags = append(i.flags, "--"+known.Names()[0]+"="+rest[1])
	return 1, nil
}

func orTrue(joined bool, value string) string {
	if joined {
		return value
	}
	return "true"
}

// optionalValueFlag is a flag that may stand alone or be given a value with `=`.
type optionalValueFlag struct {
	cli.StringFlag
	bare string // the value when it stands alone
}

func find(commands []*cli.Command, name string) *cli.Command {
	for _, c := range commands {
		if c.Name == name {
			return c
		}
	}
	return nil
}

func findFlag(flags []cli.Flag, name string) cli.Flag {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

func unknownCommand(path []string, commands []*cli.Command, name string) error {
	var names []string
	for _, c := range commands {
		names = append(names, c.Name)
	}
	whole := strings.Join(append([]string{"seifc"}, path...), " ")
	help := "run `" + whole + " --help` for the list"
	if near := diag.Nearest(name, names); near != "" {
		help = "did you mean `" + whole + " " + near + "`?"
	}
	return usagef(help, "unknown command %q", whole+" "+name)
}

func unknownFlag(path []string, flags []cli.Flag, given string) error {
	var names []string
	for _, f := range flags {
		names = append(names, f.Names()...)
	}
	whole := strings.Join(append([]string{"seifc"}, path...), " ")
	name, _, _ := strings.Cut(strings.TrimLeft(given, "-"), "=")
	help := "run `" + whole + " --help` for its flags"
	if near := diag.Nearest(name, names); len(near) == 1 {
		help = "did you mean -" + near + "?"
	} else if near != "" {
		help = "did you mean --" + near + "?"
	}
	return usagef(help, "`%s` has no flag %s", whole, given)
}
