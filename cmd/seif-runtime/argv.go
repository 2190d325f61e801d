package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seif-dev/seifc/diag"
)

// usageError is a command line that means nothing. Its help says what to write instead.
type usageError struct {
	message, help string
}

func (u *usageError) Error() string { return u.message }

func usagef(help, format string, args ...any) error {
	return &usageError{message: fmt.Sprintf(format, args...), help: help}
}

// flag is one flag of a command.
type flag struct {
	name, value, usage string // value names what is written behind it; empty for a flag that stands alone
	required           bool
	words              []string // the values that it takes; nil for any
}

var commonFlags = []flag{
	{name: "format", value: "FORMAT", usage: "how to print the answer: text or json", words: []string{"text", "json"}},
	{name: "help", usage: "say how to use it"},
}

// invocation is a command line that was understood.
type invocation struct {
	command *command // nil for the program itself
	values  map[string]string
}

func (i invocation) is(name string) bool { return i.values[name] != "" }

// understand reads a command line. Every word of it has a meaning, or it is an error: no flag is read and ignored,
// and none is given twice.
func understand(commands []*command, args []string) (invocation, error) {
	inv := invocation{values: map[string]string{}}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case strings.HasPrefix(arg, "-") && len(arg) > 1:
			used, err := inv.flag(args[i:])
			if err != nil {
				return inv, err
			}
			i += used
		case inv.command == nil:
			if inv.command = find(commands, arg); inv.command == nil {
				return inv, unknownCommand(commands, arg)
			}
		default:
			return inv, usagef("write `"+inv.usage()+"`", "`seif-runtime %s` does not know what to do with %q", inv.command.name, arg)
		}
	}
	if inv.command == nil || inv.is("help") {
		return inv, nil
	}
	for _, f := range inv.command.flags {
		if f.required && !inv.is(f.name) {
			return inv, usagef("write `"+inv.usage()+"`", "`seif-runtime %s` needs --%s %s", inv.command.name, f.name, f.value)
		}
	}
	return inv, nil
}

// flag reads the flag at rest[0] and says how many further words it took.
func (i invocation) flag(rest []string) (int, error) {
	name, value, joined := strings.Cut(strings.TrimLeft(rest[0], "-"), "=")
	known := i.find(name)
	switch {
	case known == nil:
		return 0, i.unknownFlag(rest[0], name)
	case i.is(name):
		return 0, usagef("write it once", "the flag --%s is given twice", name)
	case known.value == "" && joined:
		return 0, usagef("write --"+name+" alone", "the flag --%s takes no value", name)
	case known.value == "":
		i.values[name] = "true"
		return 0, nil
	}
	used := 0
	if !joined && len(rest) > 1 && !strings.HasPrefix(rest[1], "--") {
		value, used = rest[1], 1
	}
	switch {
	case value == "":
		return 0, usagef("write --"+name+" "+known.value, "the flag --%s needs a value", name)
	case known.words != nil && !slices.Contains(known.words, value):
		return 0, usagef("write one of "+strings.Join(known.words, ", "), "the flag --%s does not take %q", name, value)
	}
	i.values[name] = value
	return used, nil
}

func (i invocation) flags() []flag {
	if i.command == nil {
		return commonFlags
	}
	return slices.Concat(i.command.flags, commonFlags)
}

func (i invocation) find(name string) *flag {
	for _, f := range i.flags() {
		if f.name == name {
			return &f
		}
	}
	return nil
}

func (i invocation) unknownFlag(given, name string) error {
	whole := "seif-runtime"
	if i.command != nil {
		whole += " " + i.command.name
	}
	var names []string
	for _, f := range i.flags() {
		names = append(names, f.name)
	}
	help := "run `" + whole + " --help` for its flags"
	if near := diag.Nearest(name, names); near != "" {
		help = "did you mean --" + near + "?"
	}
	given, _, _ = strings.Cut(given, "=")
	return usagef(help, "`%s` has no flag %s", whole, given)
}

// usage is the command with its flags on one line.
func (i invocation) usage() string {
	line := "seif-runtime " + i.command.name
	for _, f := range i.command.flags {
		word := strings.TrimSpace("--" + f.name + " " + f.value)
		if !f.required {
			word = "[" + word + "]"
		}
		line += " " + word
	}
	return line
}

func find(commands []*command, name string) *command {
	for _, c := range commands {
		if c.name == name {
			return c
		}
	}
	return nil
}

func unknownCommand(commands []*command, name string) error {
	var names []string
	for _, c := range commands {
		names = append(names, c.name)
	}
	help := "the commands are " + strings.Join(names, ", ")
	if near := diag.Nearest(name, names); near != "" {
		help = "did you mean `seif-runtime " + near + "`?"
	}
	return usagef(help, "unknown command %q", "seif-runtime "+name)
}
