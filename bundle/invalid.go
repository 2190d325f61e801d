package bundle

import (
	"fmt"

	"github.com/seif-dev/seifc/diag"
)

// Invalid is the error for content that is not a Build, or not the one that was asked for.
type Invalid struct {
	// Path is the file or folder as it was named; empty for a stream.
	Path string
	// Problems says what is wrong; at least one and at most 200. Pointers lead into the document
	// that the datum `document` names, or, for a code of another room, into the definition.
	Problems []diag.Problem

	documents []string // where each problem stands: a digest, or empty for the Build as a whole
}

// Error is the first problem by its code, for logs; [Invalid.Diagnostics] has the sentences.
func (e *Invalid) Error() string {
	code := diag.Code("")
	if len(e.Problems) > 0 {
		code = e.Problems[0].Code
	}
	return fmt.Sprintf("not a valid Build: %s (%d problems)", code, len(e.Problems))
}

// Diagnostics are the problems with their places: a member of a document that is named by its digest, or the file.
func (e *Invalid) Diagnostics() []diag.Diagnostic {
	out := make([]diag.Diagnostic, 0, len(e.Problems))
	for i, p := range e.Problems {
		path := e.Path
		if path == "" {
			path = "-"
		}
		if i < len(e.documents) && e.documents[i] != "" {
			path = e.documents[i]
		}
		out = append(out, diag.At(diag.LocatorFunc(func(t diag.Target) diag.Place {
			return diag.Place{Path: path, Pointer: t.Pointer}
		}), p)...)
	}
	return out
}

// faults collects problems with the document that each is about, up to the limit.
type faults struct {
	problems  []diag.Problem
	documents []string
}

func (f *faults) add(document string, problems ...diag.Problem) {
	for _, p := range problems {
		if f.full() {
			return
		}
		f.problems = append(f.problems, p)
		f.documents = append(f.documents, document)
	}
}

// entry adds a problem about a file as a whole.
func (f *faults) entry(code diag.Code, pairs ...string) { f.add("", diag.New(code, "", pairs...)) }

func (f *faults) full() bool { return len(f.problems) >= maxProblems }

// err is nil when nothing was found.
func (f *faults) err() error {
	if len(f.problems) == 0 {
		return nil
	}
	return &Invalid{Problems: f.problems, documents: f.documents}
}
