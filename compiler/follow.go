package compiler

import (
	"slices"
	"strings"

	"github.com/seif-dev/seifc/diag"
)

// withoutFollowing drops findings that only follow from another one: what could not be read is judged as if it were
// absent, and a person who is told both would mend the wrong one. Every finding that is dropped stands beside an error
// that is kept. The Project is the path of its file.
func withoutFollowing(project string, report []diag.Diagnostic) []diag.Diagnostic {
	f := following{unread: map[diag.Place]diag.Code{}, tags: map[line]bool{}, separated: map[string]bool{}, merged: map[string]bool{}, misread: map[string]bool{}, controls: map[line]bool{}}
	for _, d := range report {
		f.note(project, d)
	}
	return slices.DeleteFunc(report, f.follows)
}

type line struct {
	path string
	line int
}

// following is what was found while reading.
type following struct {
	// unread are the places of values that could not be read, with the first reason.
	unread map[diag.Place]diag.Code
	// tags are the lines on which an expression was read as a tag, controls those with control characters.
	tags, controls map[line]bool
	// misread are the files of which a value could not be read, so that their contracts may not be what was meant.
	misread map[string]bool
	// separated are the files with characters that only YAML takes for the end of a line.
	separated map[string]bool
	// merged are the files with merge keys, which would have brought fields.
	merged map[string]bool
	// profiles is set when the Project has no such field, inputs is set when the inputs' schema has an error, so that none of them is known.
	profiles, inputs bool
}

func place(p diag.Place) diag.Place {
	return diag.Place{Path: p.Path, Start: p.Start, End: p.End}
}

// unreadable are the codes of a value that is then judged as if it were absent.
func unreadable(code diag.Code) bool {
	switch code {
	case diag.CodeInexactNumber, diag.CodeNotFinite, diag.CodeYAMLTag, diag.CodeUnquotedScalar, diag.CodeAmbiguousScalar,
		diag.CodeWrongType, diag.CodeUnexpectedNull, diag.CodeUnknownWord, diag.CodeNumberOutOfRange, diag.CodeStringEmpty,
		diag.CodeListEmpty, diag.CodeReferenceForm, diag.CodeUnknownAnchor, diag.CodeAliasCycle:
		return true
	}
	return false
}

func (f *following) note(project string, d diag.Diagnostic) {
	if d.Severity != diag.Error {
		return
	}
	if _, known := f.unread[place(d.Place)]; !known && unreadable(d.Code) {
		f.unread[place(d.Place)] = d.Code
	}
	if entry, _ := diag.Lookup(string(d.Code)); entry.Room == "document" {
		f.misread[d.Place.Path] = true
	}
	switch {
	case d.Code == diag.CodeControlCharacter:
		f.controls[line{d.Place.Path, d.Place.Start.Line}] = true
	case d.Code == diag.CodeMissingField && d.Data["field"] == "profiles":
		f.profiles = true
	case d.Code == diag.CodeTagExpression:
		f.tags[line{d.Place.Path, d.Place.Start.Line}] = true
	case d.Code == diag.CodeMergeKey:
		f.merged[d.Place.Path] = true
	case d.Code == diag.CodeLineSeparator:
		f.separated[d.Place.Path] = true
	}
	if d.Place.Path == project && strings.HasPrefix(d.Place.Pointer+"/", "/inputs/") {
		f.inputs = true
	}
}

func (f *following) follows(d diag.Diagnostic) bool {
	switch d.Code {
	case diag.CodeYAMLSyntax:
		return f.separated[d.Place.Path]
	case diag.CodeUnexpectedNull, diag.CodeExpressionSyntax:
		if f.tags[line{d.Place.Path, d.Place.Start.Line}] {
			return true
		}
	case diag.CodeBudgetExceeded:
		return d.Data["limit"] == "0" // no Project may say 0, so it could not be read
	case diag.CodeContractIncomplete, diag.CodeMissingField:
		return f.merged[d.Place.Path]
	case diag.CodeTestIDInvalid:
		return f.controls[line{d.Place.Path, d.Place.Start.Line}]
	case diag.CodeUnknownFingerprint:
		return slices.ContainsFunc(d.Notes, func(n diag.PlacedNote) bool { return n.Kind == diag.NoteDefinedHere && f.misread[n.Place.Path] })
	case diag.CodeNoProfile:
		return f.profiles
	case diag.CodeIDForm:
		return d.Data["id"] == "" // an empty one is refused where it stands
	case diag.CodeUnknownInput, diag.CodePlaceholderUnknown:
		return f.inputs
	case diag.CodeExpressionUnknownField:
		return f.inputs && d.Data["in"] == "inputs"
	case diag.CodeTestNamesUnknown:
		return f.inputs && d.Data["what"] == "input"
	}
	first, unread := f.unread[place(d.Place)]
	return unread && d.Code != first && d.Code != diag.CodeMoreProblems
}
