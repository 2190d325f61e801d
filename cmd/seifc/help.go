package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"
)

const usageHead = `seifc compiles a Context Project into a tested, content-addressed Build.

  seifc init DIR              start a Project
  seifc test DIR              run its Context Tests
  seifc build DIR             write DIR/build/NAME.seif
  seifc show FILE.seif        look inside

`

// help prints the usage text: to stdout when it was asked for, otherwise to stderr as the answer to an empty
// command line.
func (a *app) help(inv invocation, chosen *cli.Command) (int, error) {
	out, exit := a.env.stdout, exitGood
	if !inv.help {
		out, exit = a.env.stderr, exitUsage
	}
	var text bytes.Buffer
	if chosen == nil {
		writeCommands(&text, a.commands)
	} else {
		writeCommand(&text, inv.path, a.commandAt(inv.path))
	}
	_, err := out.Write(text.Bytes())
	return exit, err
}

func writeCommands(w io.Writer, all []*command) {
	fmt.Fprint(w, usageHead+"commands:\n")
	for _, c := range all {
		fmt.Fprintf(w, "  %-12s %s\n", c.Name, c.Usage)
	}
	fmt.Fprint(w, "\n`seifc COMMAND --help` says more about each.\n")
	writeExits(w)
}

func writeExits(w io.Writer) {
	fmt.Fprint(w, `
exit codes: 0 done and good; 1 judged and found wanting; 2 wrong usage; 3 could not do it;
            4 not verified; 70 a defect of seifc; 130 and 143 interrupted
`)
}

func writeCommand(w io.Writer, path []string, c *command) {
	whole := "seifc " + strings.Join(path, " ")
	fmt.Fprintf(w, "%s: %s\n\nusage: %s", whole, c.Usage, whole)
	if len(c.subcommands) > 0 {
		fmt.Fprint(w, " SUBCOMMAND\n\nsubcommands:\n")
		for _, sub := range c.subcommands {
			fmt.Fprintf(w, "  %-18s %s\n", sub.Name, sub.Usage)
		}
		return
	}
	fmt.Fprintf(w, " [FLAGS] %s\n\nflags:\n", c.ArgsUsage)
	for _, flag := range c.Flags {
		names, usage, takes := describeFlag(flag)
		fmt.Fprintf(w, "  %-24s %s\n", names+takes, usage)
	}
	fmt.Fprintf(w, "  %-24s one of %s\n", "--format FORMAT", strings.Join(c.formats, ", "))
	writeExits(w)
}

// describeFlag gives a flag's names, its usage text and what it takes, which the usage text names in backquotes.
func describeFlag(flag cli.Flag) (names, usage, takes string) {
	for i, name := range flag.Names() {
		if i > 0 {
			names += ", "
		}
		if len(name) == 1 {
			names += "-" + name
		} else {
			names += "--" + name
		}
	}
	documented, ok := flag.(cli.DocGenerationFlag)
	if !ok {
		return names, "", ""
	}
	usage = documented.GetUsage()
	if open := strings.IndexByte(usage, '`'); open >= 0 {
		if end := strings.IndexByte(usage[open+1:], '`'); end >= 0 {
			takes = " " + usage[open+1:open+1+end]
			usage = strings.ReplaceAll(usage, "`", "")
		}
	}
	if documented.TakesValue() && takes == "" {
		takes = " VALUE"
	}
	return names, usage, takes
}
