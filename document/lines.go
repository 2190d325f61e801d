package document

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/seif-dev/seifc/diag"
)

// snippetBytes bounds the source line that goes along with a place. A longer line is cut behind it; a place
// beyond it has no snippet.
const snippetBytes = 16 << 10

var byteOrderMark = []byte("\uFEFF")

// lineIndex holds where lines start. Only LF ends a line, with or without CR before it (formats.md 31).
type lineIndex []int32

func newLineIndex(source []byte) lineIndex {
	first := 0
	if bytes.HasPrefix(source, byteOrderMark) {
		first = len(byteOrderMark)
	}
	lines := make(lineIndex, 1, 1+bytes.Count(source, []byte{'\n'}))
	lines[0] = int32(first)
	for i := first; ; {
		n := bytes.IndexByte(source[i:], '\n')
		if n < 0 {
			return lines
		}
		i += n + 1
		lines = append(lines, int32(i))
	}
}

// line is the index of the line that holds offset.
func (l lineIndex) line(offset int) int {
	i, found := slices.BinarySearch(l, int32(offset))
	if !found && i > 0 {
		i--
	}
	return i
}

// Place is the place of a range of bytes. Offsets outside of the source are moved to its ends.
func (f *File) Place(start, end int) diag.Place {
	start = min(max(start, 0), len(f.Source))
	end = min(max(end, start), len(f.Source))
	place := diag.Place{Path: f.Path, Start: f.position(start), End: f.position(end)}
	if place.Start.Line == 0 {
		return place
	}
	from := int(f.lines[place.Start.Line-1])
	if start-from < snippetBytes {
		place.Snippet = f.snippet(from)
	}
	return place
}

func (f *File) position(offset int) diag.Position {
	if len(f.lines) == 0 {
		return diag.Position{Offset: offset}
	}
	line := f.lines.line(offset)
	from := min(int(f.lines[line]), offset)
	return diag.Position{Offset: offset, Line: line + 1, Column: utf8.RuneCount(f.Source[from:offset]) + 1}
}

func (f *File) snippet(from int) string {
	text := f.Source[from:]
	if n := bytes.IndexByte(text, '\n'); n >= 0 {
		text = text[:n]
	}
	text = bytes.TrimSuffix(text, []byte{'\r'})
	if len(text) > snippetBytes {
		cut := snippetBytes
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut]
	}
	return string(text)
}
