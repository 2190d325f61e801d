package document

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/seif-dev/seifc/digest/canonical"
)

// spell writes a value on one line, in the language of the file.
func (f *File) spell(pointer string, value canonical.Value) (string, error) {
	if f.JSON {
		text, err := canonical.Marshal(plain(value))
		if err != nil {
			return "", &EditError{pointer, EditValue}
		}
		return string(text), nil
	}
	w := &writer{}
	text := w.flow(value, 0)
	if w.err != nil {
		return "", &EditError{pointer, EditValue}
	}
	return text, nil
}

// newBlock writes a member, or an item if the name is empty, as lines of its own at a column, to stand at where.
func (f *File) newBlock(pointer string, where, column int, name string, value canonical.Value) (string, error) {
	w := &writer{lineEnd: f.lineEnd()}
	w.text(strings.Repeat(" ", column))
	if name == "" {
		w.items([]any{value}, column, 0)
	} else {
		w.members(Pairs{{name, value}}, column, 0)
	}
	if w.err != nil {
		return "", &EditError{pointer, EditValue}
	}
	text := string(w.out)
	if where > 0 && f.Source[where-1] != '\n' { // the last line has no end
		return w.lineEnd + text, nil
	}
	return text + w.lineEnd, nil
}

// newFlow writes a member or an item of a collection in brackets: where, and what.
func (f *File) newFlow(pointer string, n *Node, name string, value canonical.Value) (int, string, error) {
	text, err := f.spell(pointer, value)
	if err != nil {
		return 0, "", err
	}
	if n.Kind == Mapping {
		key, err := f.spell(pointer, name)
		if err != nil {
			return 0, "", err
		}
		text = key + ": " + text
	}
	spans := f.childSpans(n)
	if len(spans) == 0 {
		return n.Start + 1, text, nil
	}
	last := spans[len(spans)-1]
	separator := ", "
	if f.indentedOnly(last.Start) {
		separator = "," + f.lineEnd() + string(f.Source[f.lineStart(last.Start):last.Start])
	}
	return last.End, separator + text, nil
}

// lineEnd is how the file ends its lines.
func (f *File) lineEnd() string {
	if i := bytes.IndexByte(f.Source, '\n'); i > 0 && f.Source[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

func (f *File) lineStart(offset int) int { return int(f.lines.starts[f.lines.line(offset)]) }

// column is how many characters stand before an offset on its line.
func (f *File) column(offset int) int {
	return utf8.RuneCount(f.Source[f.lineStart(offset):offset])
}

// indentedOnly tells whether only blanks stand before an offset on its line.
func (f *File) indentedOnly(offset int) bool {
	return len(bytes.Trim(f.Source[f.lineStart(offset):offset], " \t")) == 0
}

// behindLine is the start of the line behind the one that an offset belongs to; an offset at the start of a line,
// as behind a block scalar, is behind its line already.
func (f *File) behindLine(offset int) int {
	if offset > 0 && f.Source[offset-1] == '\n' {
		return offset
	}
	return f.nextLine(offset)
}

func (f *File) nextLine(offset int) int {
	if offset > 0 && f.Source[offset-1] == '\n' {
		return offset
	}
	if i := bytes.IndexByte(f.Source[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(f.Source)
}
