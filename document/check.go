package document

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/seif-dev/seifc/diag"
)

// maxProblems bounds the findings about one file; one more says how many were left out.
const maxProblems = 200

// reader gathers the findings about one file.
type reader struct {
	file  *File
	found []diag.Diagnostic
	more  int
}

func (r *reader) report(start, end int, code diag.Code, pairs ...string) *diag.Diagnostic {
	if len(r.found) >= maxProblems {
		r.more++
		return &diag.Diagnostic{}
	}
	r.found = append(r.found, diag.AtPlace(r.file.Place(start, end), code, pairs...))
	return &r.found[len(r.found)-1]
}

// note adds a place to a finding, which may be one that was left out.
func (r *reader) note(d *diag.Diagnostic, kind diag.NoteKind, start, end int, data diag.Data) {
	if d.Code == "" { // left out
		return
	}
	d.Notes = append(d.Notes, diag.PlacedNote{Kind: kind, Place: r.file.Place(start, end), Data: data})
}

// finish is all that was found, in the order of the file.
func (r *reader) finish() []diag.Diagnostic {
	if r.more > 0 {
		last := r.found[len(r.found)-1].Place
		r.found = append(r.found, diag.AtPlace(last, diag.CodeMoreProblems, "count", fmt.Sprint(r.more)))
	}
	return diag.Sort(r.found)
}

// checkBytes reports what no text of ours may hold, wherever it stands: bytes that are not UTF-8, control
// characters, marks in the middle. It tells whether a parser may see the text.
func (r *reader) checkBytes(from int) bool {
	source, sound := r.file.Source, true
	for i := from; i < len(source); {
		c := source[i]
		if c >= 0x20 && c < 0x7F || c == '\n' || c == '\t' {
			i++
			continue
		}
		char, size := utf8.DecodeRune(source[i:])
		if char == utf8.RuneError && size == 1 {
			r.report(i, i+1, diag.CodeNotUTF8, "byte", fmt.Sprintf("0x%02X", c))
			return false
		}
		sound = r.checkCharacter(i, size, char) && sound
		i += size
	}
	return sound
}

func (r *reader) checkCharacter(i, size int, char rune) bool {
	source := r.file.Source
	switch {
	case char == '\r' && bytes.HasPrefix(source[i:], []byte("\r\n")):
	case char == 0x2028, char == 0x2029, char == 0x85, char == '\r':
		if !r.file.JSON || char == '\r' {
			r.report(i, i+size, diag.CodeLineSeparator, "character", characterName(char))
		}
	case char == 0xFEFF:
		r.report(i, i+size, diag.CodeMisplacedMark)
		return false
	case control(char), char == 0xFFFE, char == 0xFFFF:
		r.report(i, i+size, diag.CodeControlCharacter, "character", characterName(char))
		return false
	}
	return true
}

// control tells the characters that stand in no text: C0 and C1 and DEL, except tab, line feed and NEL
// (formats.md 7).
func control(char rune) bool {
	return char < 0x20 && char != '\t' && char != '\n' || char >= 0x7F && char < 0xA0 && char != 0x85
}

func characterName(char rune) string { return fmt.Sprintf("U+%04X", char) }

// checkText reports the first control character of a decoded scalar, which an escape must have brought in.
func (r *reader) checkText(n *Node) {
	for i, char := range n.Text {
		if !control(char) {
			continue
		}
		start, end := r.file.spot(n, i, utf8.RuneLen(char))
		r.report(start, end, diag.CodeControlCharacter, "character", characterName(char))
		return
	}
}
