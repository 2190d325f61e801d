package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/document"
)

// maxInputBytes bounds an inputs file, and maxInputDepth its nesting, as the runtime bounds a request.
const (
	maxInputBytes = 4 << 20
	maxInputDepth = 32
)

// givenInputs are the inputs of a request, and where they stand.
type givenInputs struct {
	values   map[string]canonical.Value
	file     *document.File // nil when no file was named
	findings []diag.Diagnostic
}

// readInputs reads --inputs. What is wrong with the document is a finding at its line; an error is a file that cannot
// be read.
func (c *call) readInputs(file string) (*givenInputs, error) {
	data, err := c.readInput(file, maxInputBytes)
	if err != nil {
		return nil, fmt.Errorf("reading the inputs: %w", err)
	}
	shown := filepath.ToSlash(file)
	if file == "-" {
		shown = "<stdin>"
	}
	out := &givenInputs{file: document.JSONFile(shown, data)}
	value, err := canonical.Parse(data, canonical.Limits{Depth: maxInputDepth})
	if err != nil {
		parsed, findings := document.ParseJSON(shown, data)
		out.file, out.findings = parsed, findings
		var failed *canonical.Error
		if len(findings) == 1 && findings[0].Place.Pointer == "" && errors.As(err, &failed) {
			findings[0].Place.Pointer = failed.Pointer
		}
		if !diag.HasErrors(findings) {
			out.findings = diag.At(parsed, diag.New(diag.CodeJSONSyntax, "", "problem", err.Error()))
		}
		return out, nil
	}
	values, ok := value.(map[string]any)
	if !ok {
		parsed, _ := document.ParseJSON(shown, data)
		var d document.Decoder
		d.Root(parsed).Object()
		out.findings = parsed.Diagnose(d.Problems()...)
		return out, nil
	}
	out.values = values
	return out, nil
}

// Locate places a finding about a request: what is wrong with an input stands in the inputs.
func (g *givenInputs) Locate(t diag.Target) diag.Place {
	below, ok := strings.CutPrefix(t.Pointer, "/inputs")
	if g.file == nil || !ok {
		return diag.Place{Path: "request", Pointer: t.Pointer}
	}
	t.Pointer = below
	return g.file.Locate(t)
}

// readExisting reads an authored document that stands where the command line says. Nothing but a regular file of the
// size of one is read.
func readExisting(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	// One byte more than a document may have: the reader then says what is wrong with it.
	return io.ReadAll(io.LimitReader(file, document.MaxBytes+1))
}

// readInput reads a whole file, or stdin for `-`, up to a bound.
func (c *call) readInput(file string, most int64) ([]byte, error) {
	from := c.stdin
	if file != "-" {
		opened, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer opened.Close()
		from = opened
	}
	data, err := io.ReadAll(io.LimitReader(from, most+1))
	if err == nil && int64(len(data)) > most {
		err = errors.New(file + " is larger than " + fmt.Sprint(most) + " bytes")
	}
	return data, err
}
