package diag

import (
	"bufio"
	"fmt"
	"strings"
)

// printGitHub writes a workflow command for each finding, which GitHub Actions shows at the line. Columns are given
// only for a range within one line: GitHub drops them otherwise.
func printGitHub(out *bufio.Writer, r report) {
	for _, d := range r.shown {
		properties := []string{"file=" + commandProperty(Escape(r.options.reportPath(d.Place.Path)))}
		if start := d.Place.Start; start.Line > 0 {
			end := endOf(d.Place)
			properties = append(properties, fmt.Sprintf("line=%d,endLine=%d", start.Line, end.Line))
			if start.Line == end.Line && start.Column > 0 {
				properties = append(properties, fmt.Sprintf("col=%d,endColumn=%d", start.Column, end.Column))
			}
		}
		properties = append(properties, "title="+commandProperty(oneLine(string(d.Code))))
		fmt.Fprintf(out, "::%s %s::%s\n", commandName(d.Severity), strings.Join(properties, ","), commandData(annotation(d)))
	}
	if omission := r.omission(); omission != "" {
		fmt.Fprintf(out, "::notice::%s\n", commandData(omission))
	}
}

// annotation is all that there is to say, one sentence per line.
func annotation(d Diagnostic) string {
	lines := []string{oneLine(d.Message())}
	for _, n := range d.Notes {
		lines = append(lines, "note: "+noteLines(n))
	}
	if help := d.Help(); help != "" {
		lines = append(lines, "help: "+oneLine(help))
	}
	return strings.Join(lines, "\n")
}

func commandName(s Severity) string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	default:
		return "notice"
	}
}

// commandData and commandProperty are GitHub's escaping of the two parts of a workflow command.
func commandData(s string) string { return dataEscapes.Replace(s) }

func commandProperty(s string) string { return propertyEscapes.Replace(s) }

var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
