package diag

// Problem is one finding of a check, before anybody knows which file it is in.
type Problem struct {
	Code   Code
	Target Target
	Data   Data
	Notes  []Note
}

// Target says what in the checked document a finding is about.
type Target struct {
	// Pointer is an RFC 6901 JSON pointer into the checked document; "" is its root.
	Pointer string
	// Part is which aspect of the pointed-at member is meant.
	Part Part
	// Offset and Length delimit a range of bytes within the decoded string (PartValue, PartKey) or within the
	// text that the value refers to (PartText). They count only if Spanned is set.
	Offset, Length int
	Spanned        bool
}

// Part is the aspect of a member that a finding is about.
type Part int

const (
	// PartValue is the member's value.
	PartValue Part = iota
	// PartKey is the member's name.
	PartKey
	// PartText is the text that the value refers to, such as the file of a source.
	PartText
)

// Data holds the values of a finding by name. The code table's templates refer to them; JSON output carries
// them one by one, escaped as all output is. Values may be hostile: only printers make them safe.
type Data map[string]string

// Note is a second place that belongs to a finding.
type Note struct {
	Kind   NoteKind
	Target Target
	// Place is set instead of Target by a reporter that knows the file itself.
	Place *Place
	Data  Data
}

// NoteKind names what a note says; its text stands in the note table.
type NoteKind string

// New makes a problem about the value at pointer. The rest are alternating names and values of its data; a
// trailing name without a value has the empty string.
func New(code Code, pointer string, pairs ...string) Problem {
	return Problem{Code: code, Target: Target{Pointer: pointer}, Data: dataOf(pairs)}
}

// AtKey is the same problem about the member's name instead of its value.
func (p Problem) AtKey() Problem {
	p.Target.Part = PartKey
	return p
}

// Within is the same problem about length bytes from offset of the decoded string.
func (p Problem) Within(offset, length int) Problem {
	p.Target.Offset, p.Target.Length, p.Target.Spanned = offset, length, true
	return p
}

// InText is the same problem about length bytes from offset of the text that the value refers to.
func (p Problem) InText(offset, length int) Problem {
	p.Target.Part = PartText
	return p.Within(offset, length)
}

// With is the same problem with one more note about the member at pointer.
func (p Problem) With(kind NoteKind, pointer string, pairs ...string) Problem {
	note := Note{Kind: kind, Target: Target{Pointer: pointer}, Data: dataOf(pairs)}
	p.Notes = append(p.Notes[:len(p.Notes):len(p.Notes)], note)
	return p
}

// Under is the same problem seen from a document in which the checked one stands at prefix.
func (p Problem) Under(prefix string) Problem {
	p.Target.Pointer = prefix + p.Target.Pointer
	if len(p.Notes) > 0 {
		notes := make([]Note, len(p.Notes))
		for i, n := range p.Notes {
			if n.Place == nil {
				n.Target.Pointer = prefix + n.Target.Pointer
			}
			notes[i] = n
		}
		p.Notes = notes
	}
	return p
}

// Severity is the severity that the code table gives the problem.
func (p Problem) Severity() Severity { return p.Code.Severity() }

// Failed tells whether any of the problems is an error.
func Failed(problems []Problem) bool {
	for _, p := range problems {
		if p.Severity() == Error {
			return true
		}
	}
	return false
}

func dataOf(pairs []string) Data {
	if len(pairs) == 0 {
		return nil
	}
	d := make(Data, (len(pairs)+1)/2)
	for i := 0; i < len(pairs); i += 2 {
		value := ""
		if i+1 < len(pairs) {
			value = pairs[i+1]
		}
		d[pairs[i]] = value
	}
	return d
}
