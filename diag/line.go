package diag

import "bufio"

// printLines writes each finding in exactly one line: path:line:col: error[code]: message.
func printLines(out *bufio.Writer, r report) {
	p := painter{on: r.options.Color}
	for _, d := range r.shown {
		out.WriteString(headline(p, d))
	}
	if omission := r.omission(); omission != "" {
		out.WriteString("(" + omission + ")\n")
	}
}
