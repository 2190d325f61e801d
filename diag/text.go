package diag

import (
	"bufio"
	"fmt"
	"strings"
)

const defaultWidth = 100

// printText writes findings for people:
//
//	path:line:col: error[code]: message
//	 12 | the source line
//	    |     ^^^^^^
//	note: pinned here: path:line:col
//	help: what to do
//
// with an empty line between findings.
func printText(out *bufio.Writer, r report) {
	p := painter{on: r.options.Color}
	width := r.options.Width
	if width <= 0 {
		width = defaultWidth
	}
	var cutter excerpts
	for i, d := range r.shown {
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(headline(p, d))
		if e, ok := cutter.of(d.Place, max(width, 20)); ok {
			writeExcerpt(out, p, e, d.Place)
		}
		for _, n := range d.Notes {
			writeNote(out, p, n)
		}
		if help := d.Help(); help != "" {
			fmt.Fprintf(out, "%s %s\n", p.paint(helpColor, "help:"), oneLine(help))
		}
	}
	if omission := r.omission(); omission != "" {
		fmt.Fprintf(out, "\n%s\n", omission)
	}
}

// headline is a finding in one line, with its line end.
func headline(p painter, d Diagnostic) string {
	where := location(d.Place)
	if where != "" {
		where = p.paint(placeColor, where+":") + " "
	}
	kind := fmt.Sprintf("%s[%s]", d.Severity, oneLine(string(d.Code)))
	return where + p.paint(severityColor(d.Severity), kind+":") + " " + oneLine(d.Message()) + "\n"
}

// location is a place as people and editors read it: path:line:col, or path#pointer where there are no lines.
func location(p Place) string {
	path := oneLine(p.Path)
	switch {
	case p.Start.Line > 0 && p.Start.Column > 0:
		return fmt.Sprintf("%s:%d:%d", path, p.Start.Line, p.Start.Column)
	case p.Start.Line > 0:
		return fmt.Sprintf("%s:%d", path, p.Start.Line)
	case p.Pointer != "":
		return path + "#" + oneLine(p.Pointer)
	default:
		return path
	}
}

func writeExcerpt(out *bufio.Writer, p painter, e excerpt, place Place) {
	number := fmt.Sprint(place.Start.Line)
	blank := strings.Repeat(" ", len(number))
	pad, width := e.caret(place)
	fmt.Fprintf(out, " %s%s\n", p.paint(gutterColor, number+" | "), e.show(safeLine))
	fmt.Fprintf(out, " %s%s%s\n", p.paint(gutterColor, blank+" | "), strings.Repeat(" ", pad),
		p.paint(caretColor, strings.Repeat("^", width)))
}

// safeLine shows a part of a source line; its width is that of [cells].
func safeLine(s string) string {
	return Escape(strings.ReplaceAll(s, "\t", strings.Repeat(" ", tabCells)))
}

func writeNote(out *bufio.Writer, p painter, n PlacedNote) {
	fmt.Fprintf(out, "%s %s\n", p.paint(noteColor, "note:"), noteLines(n))
}

// noteLines is what a note says and where. Further lines of its text are indented, so that none can pass for a line
// of ours.
func noteLines(n PlacedNote) string {
	text := EscapeLines(clipped(strings.TrimRight(n.Text(), "\n"), mostOfText))
	text = strings.ReplaceAll(text, "\n", "\n      ")
	if n.Place.Path != "" {
		text += ": " + location(n.Place)
	}
	return text
}

// color is a parameter of the terminal's "select graphic rendition".
type color string

const (
	placeColor  color = "1"
	gutterColor color = "2"
	caretColor  color = "1;32"
	noteColor   color = "1;36"
	helpColor   color = "1;32"
)

func severityColor(s Severity) color {
	switch s {
	case Error:
		return "1;31"
	case Warning:
		return "1;33"
	default:
		return "1;34"
	}
}

// painter colours text that is already safe, or leaves it.
type painter struct{ on bool }

func (p painter) paint(c color, text string) string {
	if !p.on {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}
