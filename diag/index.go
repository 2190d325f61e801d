package diag

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// WriteIndex writes the whole code table as a Markdown page, sorted by code: docs/diagnostics.md. It is made from
// the table that the program runs on, so the page and the program cannot differ.
func WriteIndex(w io.Writer) error {
	out := bufio.NewWriter(w)
	out.WriteString(indexHead)
	writeContents(out)
	for _, e := range Entries() {
		fmt.Fprintf(out, "\n## `%s`\n\n", e.Code)
		fmt.Fprintf(out, "%s, found by `%s`, %s.\n\n", e.Severity, e.Room, suppressionRule(e))
		fmt.Fprintf(out, "```text\n%s\n```\n", oneLine(plainTemplate(e.Message)))
		if e.Explain != "" {
			fmt.Fprintf(out, "\n%s\n", strings.TrimSpace(EscapeLines(e.Explain)))
		}
		if e.Help != "" {
			fmt.Fprintf(out, "\nHelp:\n\n```text\n%s\n```\n", oneLine(plainTemplate(e.Help)))
		}
		if len(e.Aliases) > 0 {
			fmt.Fprintf(out, "\nAlso known as `%s`.\n", strings.Join(e.Aliases, "`, `"))
		}
	}
	return out.Flush()
}

// writeContents lists the codes by the room that finds them.
func writeContents(out *bufio.Writer) {
	byRoom := map[string][]string{}
	for _, e := range Entries() {
		byRoom[e.Room] = append(byRoom[e.Room], fmt.Sprintf("[`%s`](#%s)", e.Code, e.Code))
	}
	for _, room := range slices.Sorted(maps.Keys(byRoom)) {
		fmt.Fprintf(out, "\n**`%s`**: %s\n", room, strings.Join(byRoom[room], ", "))
	}
}

const indexHead = "# Diagnostics\n\n" +
	"Every finding has a code. A code keeps its meaning for ever and is never used again for something else, so\n" +
	"scripts and suppressions may refer to it. `seifc explain CODE` prints the same text.\n\n" +
	"An error makes the command that found it fail. A warning should be looked at and fails nothing by itself. An\n" +
	"info changes no outcome. Names in braces stand for the values of the finding; in JSON they are the members of\n" +
	"`data`.\n\n" +
	"This page is generated from the table that the program runs on.\n"
