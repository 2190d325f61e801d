package diag

import (
	"cmp"
	"maps"
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

// compare renders messages only for findings that everything cheaper leaves equal.
func compare(a, b Diagnostic) int {
	if c := comparePlaces(a.Place, b.Place); c != 0 {
		return c
	}
	if c := cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(b.Severity, a.Severity)); c != 0 {
		return c
	}
	if c := compareData(a.Data, b.Data); c != 0 {
		return cmp.Or(cmp.Compare(a.Message(), b.Message()), c)
	}
	return slices.CompareFunc(a.Notes, b.Notes, func(a, b PlacedNote) int {
		if c := cmp.Or(cmp.Compare(a.Kind, b.Kind), comparePlaces(a.Place, b.Place)); c != 0 {
			return c
		}
		return compareData(a.Data, b.Data)
	})
}

func comparePlaces(a, b Place) int {
	if c := cmp.Compare(a.Path, b.Path); c != 0 {
		return c
	}
	return cmp.Or(
		cmp.Compare(a.Start.Offset, b.Start.Offset),
		cmp.Compare(a.Start.Line, b.Start.Line),
		cmp.Compare(a.Start.Column, b.Start.Column),
		cmp.Compare(a.End.Offset, b.End.Offset),
		cmp.Compare(a.End.Line, b.End.Line),
		cmp.Compare(a.End.Column, b.End.Column),
		cmp.Compare(a.Pointer, b.Pointer),
	)
}

// compareData orders by the names and then by the values in the order of the names.
func compareData(a, b Data) int {
	if maps.Equal(a, b) {
		return 0
	}
	names := slices.Sorted(maps.Keys(a))
	if c := slices.Compare(names, slices.Sorted(maps.Keys(b))); c != 0 {
		return c
	}
	for _, name := range names {
		if c := cmp.Compare(a[name], b[name]); c != 0 {
			return c
		}
	}
	return 0
}
