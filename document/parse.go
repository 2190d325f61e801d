package document

import (
	"bytes"
	"path"
	"strings"

	"github.com/seif-dev/seifc/diag"
)

// Parse reads one authored document: JSON if the path ends in `.json`, YAML otherwise. It reports as many problems
// as it can; Root is nil if nothing sound is left. A tree with problems is good for finding further problems, not
// for use.
func Parse(name string, source []byte) (*File, []diag.Diagnostic) {
	return parse(&File{Path: name, Source: source, JSON: strings.EqualFold(path.Ext(name), ".json")})
}

// ParseJSON reads a document as JSON whatever its name ends in.
func ParseJSON(name string, source []byte) (*File, []diag.Diagnostic) {
	return parse(&File{Path: name, Source: source, JSON: true})
}

func parse(f *File) (*File, []diag.Diagnostic) {
	source := f.Source
	r := &reader{file: f}
	if len(source) > MaxBytes {
		f.Source = source[:0]
		f.lines = newLineIndex(nil)
		r.report(0, 0, diag.CodeFileTooLarge)
		return f, r.finish()
	}
	f.lines = newLineIndex(source)
	from := 0
	if bytes.HasPrefix(source, byteOrderMark) {
		from = len(byteOrderMark)
	}
	if r.checkBytes(from) {
		if f.JSON {
			r.readJSON(from)
		} else {
			r.readYAML(from)
		}
	}
	return f, r.finish()
}
