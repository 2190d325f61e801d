package diag

import (
	"cmp"
	"slices"
)

// Position is a point in a text. Line and Column are 1-based and count lines and code points; Offset counts
// bytes from 0. A zero Line means that there is no text position.
type Position struct {
	Offset, Line, Column int
}

// Place is where a finding stands: a range of a file, or a member of a document without lines.
type Place struct {
	// Path is the file as the user may open it, with forward slashes, or the digest of a Build.
	Path string
	// Pointer is the member, in the coordinates of the document at Path.
	Pointer    string
	Start, End Position
	// Snippet is the whole source line of Start, as it stands in the file; unsafe to print as it is.
	Snippet string
}

// Locator knows where the members of one document stand.
type Locator interface {
	Locate(Target) Place
}

// LocatorFunc is a function as a Locator.
type LocatorFunc func(Target) Place

// Locate calls f.
func (f LocatorFunc) Locate(t Target) Place { return f(t) }

// Diagnostic is a finding with its place.
type Diagnostic struct {
	Code     Code
	Severity Severity
	Place    Place
	Data     Data
	Notes    []PlacedNote
}

// PlacedNote is a note with its place; a Place without a Path has none.
type PlacedNote struct {
	Kind  NoteKind
	Place Place
	Data  Data
}

// Message is the finding in one sentence, unescaped.
func (d Diagnostic) Message() string {
	e, ok := Lookup(string(d.Code))
	if !ok {
		return string(d.Code)
	}
	return render(e.Message, d.Data)
}

// Help is the remedy, unescaped; empty when the code has none.
func (d Diagnostic) Help() string {
	e, _ := Lookup(string(d.Code))
	return render(e.Help, d.Data)
}

// Text is what the note says, unescaped.
func (n PlacedNote) Text() string { return render(n.Kind.template(), n.Data) }

// At places problems. The result is not sorted; see [Sort].
func At(locator Locator, problems ...Problem) []Diagnostic {
	out := make([]Diagnostic, 0, len(problems))
	for _, p := range problems {
		d := Diagnostic{Code: p.Code, Severity: p.Severity(), Place: locator.Locate(p.Target), Data: p.Data}
		for _, n := range p.Notes {
			placed := PlacedNote{Kind: n.Kind, Data: n.Data}
			switch {
			case n.Place != nil:
				placed.Place = *n.Place
			case n.Kind != NoteDetail:
				placed.Place = locator.Locate(n.Target)
			}
			d.Notes = append(d.Notes, placed)
		}
		out = append(out, d)
	}
	return out
}

// AtPlace makes a diagnostic about a place that the caller already knows.
func AtPlace(place Place, code Code, pairs ...string) Diagnostic {
	return Diagnostic{Code: code, Severity: code.Severity(), Place: place, Data: dataOf(pairs)}
}

// HasErrors tells whether any of the diagnostics is an error.
func HasErrors(all []Diagnostic) bool {
	return slices.ContainsFunc(all, func(d Diagnostic) bool { return d.Severity == Error })
}

// Sort orders diagnostics by path, position, pointer, code and message and drops exact repetitions. The order
// is total over what printers show, so equal input gives equal output.
func Sort(all []Diagnostic) []Diagnostic {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, compare)
	return slices.CompactFunc(sorted, func(a, b Diagnostic) bool { return compare(a, b) == 0 })
}

func compare(a, b Diagnostic) int {
	return cmp.Or(
		cmp.Compare(a.Place.Path, b.Place.Path),
		cmp.Compare(a.Place.Start.Offset, b.Place.Start.Offset),
		cmp.Compare(a.Place.End.Offset, b.Place.End.Offset),
		cmp.Compare(a.Place.Pointer, b.Place.Pointer),
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.Message(), b.Message()),
	)
}
