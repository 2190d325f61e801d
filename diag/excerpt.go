package diag

import (
	"strings"
	"unicode/utf8"
)

// cut is what stands where an excerpt leaves out a part of a long line.
const cut = "..."

// excerpt is the part of a source line around a finding, raw: before ends where the finding starts.
type excerpt struct {
	before, from         string
	cutBefore, cutBehind bool
}

// show joins the parts as shown by the given function.
func (e excerpt) show(safe func(string) string) string {
	text := safe(e.before + e.from)
	if e.cutBefore {
		text = cut + text
	}
	if e.cutBehind {
		text += cut
	}
	return text
}

// excerpts cuts the excerpts of one sorted list. It remembers where it was in a line, so that many findings in one
// very long line take no longer than the line is long.
type excerpts struct {
	path                        string
	line, length, column, index int
}

// of gives the excerpt of a place, at most so many cells wide; false when there is no line to show.
func (x *excerpts) of(p Place, most int) (excerpt, bool) {
	if p.Start.Line < 1 {
		return excerpt{}, false
	}
	line := strings.TrimRight(p.Snippet, "\r\n")
	// A line that is all blank has nothing to show. Only its beginning is looked at: a longer one is cut anyway.
	if strings.TrimSpace(line[:min(len(line), 4*most)]) == "" && len(line) <= 4*most {
		return excerpt{}, false
	}
	at := x.seek(p, line)
	before, from := line[:at], line[at:]
	left, right := tail(before, most), head(from, most)
	if left == before && right == from && cells(left)+cells(right) <= most {
		return excerpt{before: before, from: from}, true
	}
	room := most - 2*len(cut)
	space := max(room/2, room-cells(right))
	left = tail(before, min(space, room))
	right = head(from, room-cells(left))
	return excerpt{before: left, from: right, cutBefore: left != before, cutBehind: right != from}, true
}

// seek finds the byte at which the place's column starts.
func (x *excerpts) seek(p Place, line string) int {
	known := x.path == p.Path && x.line == p.Start.Line && x.length == len(line) && x.column <= p.Start.Column
	if !known {
		*x = excerpts{path: p.Path, line: p.Start.Line, length: len(line), column: 1}
	}
	for x.column < p.Start.Column && x.index < len(line) {
		_, size := utf8.DecodeRuneInString(line[x.index:])
		x.index += size
		x.column++
	}
	return x.index
}

// head is the longest beginning of s that takes no more than the given cells.
func head(s string, most int) string {
	used := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		used += cellsOf(r, s[i], size)
		if used > most {
			return s[:i]
		}
		i += size
	}
	return s
}

// tail is the longest end of s that takes no more than the given cells.
func tail(s string, most int) string {
	used := 0
	for i := len(s); i > 0; {
		r, size := utf8.DecodeLastRuneInString(s[:i])
		used += cellsOf(r, s[i-size], size)
		if used > most {
			return s[i:]
		}
		i -= size
	}
	return s
}

// caret gives how many cells stand before the marked range of an excerpt and how many it takes, at least one.
func (e excerpt) caret(p Place) (pad, width int) {
	pad = cells(e.before)
	if e.cutBefore {
		pad += len(cut)
	}
	marked := e.from
	if p.End.Line <= p.Start.Line {
		length := 0
		if p.End.Line == p.Start.Line {
			length = p.End.Column - p.Start.Column
		}
		index := 0
		for ; length > 0 && index < len(marked); length-- {
			_, size := utf8.DecodeRuneInString(marked[index:])
			index += size
		}
		marked = marked[:index]
	}
	return pad, max(1, cells(marked))
}
