package document

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seif-dev/seifc/diag"
)

// snippetBytes bounds the source line that goes along with a place. A longer line is cut behind it; a place
// beyond it has no snippet.
const snippetBytes = 16 << 10

var byteOrderMark = []byte("\uFEFF")

// lineIndex knows lines and columns. Only LF ends a line, with or without CR before it (formats.md 31). A position
// costs the same on any line, however long: hostile files put everything on one.
type lineIndex struct {
	text   string
	starts []int32
	runes  []int32 // code points before each block of blockBytes bytes
}

const blockBytes = 1 << 10

func newLineIndex(source []byte) lineIndex {
	l := lineIndex{text: string(source), starts: make([]int32, 1, 1+bytes.Count(source, []byte{'\n'}))}
	if bytes.HasPrefix(source, byteOrderMark) {
		l.starts[0] = int32(len(byteOrderMark))
	}
	for i := 0; ; {
		n := bytes.IndexByte(source[i:], '\n')
		if n < 0 {
			break
		}
		i += n + 1
		l.starts = append(l.starts, int32(i))
	}
	count := 0
	for i := 0; i <= len(source); i += blockBytes {
		l.runes = append(l.runes, int32(count))
		count += runeStarts(l.text[i:min(i+blockBytes, len(source))])
	}
	return l
}

// runeStarts counts code points by their first bytes, so that a text may be cut anywhere.
func runeStarts(text string) int {
	n := 0
	for i := range len(text) {
		if utf8.RuneStart(text[i]) {
			n++
		}
	}
	return n
}

// before counts the code points before an offset.
func (l *lineIndex) before(offset int) int {
	block := offset / blockBytes
	return int(l.runes[block]) + runeStarts(l.text[block*blockBytes:offset])
}

// line is the index of the line that holds offset.
func (l *lineIndex) line(offset int) int {
	i, found := slices.BinarySearch(l.starts, int32(offset))
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
	from := int(f.lines.starts[place.Start.Line-1])
	if start-from < snippetBytes {
		place.Snippet = f.snippet(place.Start.Line - 1)
	}
	return place
}

func (f *File) position(offset int) diag.Position {
	if len(f.lines.starts) == 0 {
		return diag.Position{Offset: offset}
	}
	line := f.lines.line(offset)
	from := min(int(f.lines.starts[line]), offset)
	return diag.Position{Offset: offset, Line: line + 1, Column: f.lines.before(offset) - f.lines.before(from) + 1}
}

// snippet is a line without its end, bounded.
func (f *File) snippet(line int) string {
	text := f.lines.text[f.lines.starts[line]:]
	if line+1 < len(f.lines.starts) {
		text = f.lines.text[f.lines.starts[line] : f.lines.starts[line+1]-1]
	}
	text = strings.TrimSuffix(text, "\r")
	if len(text) > snippetBytes {
		cut := snippetBytes
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut]
	}
	return text
}
