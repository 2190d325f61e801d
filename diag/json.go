package diag

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// mostOfSnippet is how much of a source line the JSON document carries, in terminal cells.
const mostOfSnippet = 400

// The JSON document. Its schema stands in diagnostics.schema.json; version 1 only ever gains members.
type jsonReport struct {
	Version     int              `json:"version"`
	Diagnostics []jsonDiagnostic `json:"diagnostics"`
	Summary     Summary          `json:"summary"`
	Omitted     int              `json:"omitted"`
}

type jsonDiagnostic struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	jsonPlace
	Snippet string            `json:"snippet,omitempty"`
	Help    string            `json:"help,omitempty"`
	Notes   []jsonNote        `json:"notes,omitempty"`
	Data    map[string]string `json:"data,omitempty"`
}

type jsonNote struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
	jsonPlace
	Data map[string]string `json:"data,omitempty"`
}

type jsonPlace struct {
	Path    string `json:"path"`
	Pointer string `json:"pointer"`
	*jsonRange
}

type jsonRange struct {
	Line      int `json:"line"`
	Column    int `json:"column"`
	EndLine   int `json:"endLine"`
	EndColumn int `json:"endColumn"`
	Offset    int `json:"offset"`
	EndOffset int `json:"endOffset"`
}

func printJSON(out io.Writer, r report) error { return encode(out, jsonOf(r)) }

// JSONMembers gives the members of the JSON document (all but `version`) by name, for a command that has members
// of its own beside them.
func JSONMembers(list []Diagnostic, options Options) (map[string]json.RawMessage, error) {
	whole := jsonOf(newReport(JSON, list, options))
	members := map[string]json.RawMessage{}
	for name, value := range map[string]any{
		"diagnostics": whole.Diagnostics, "summary": whole.Summary, "omitted": whole.Omitted,
	} {
		var b bytes.Buffer
		if err := encode(&b, value); err != nil {
			return nil, err
		}
		members[name] = bytes.TrimRight(b.Bytes(), "\n")
	}
	return members, nil
}

// encode writes a document of strings that are already safe. encoding/json takes care of quotes and backslashes.
func encode(out io.Writer, value any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return fmt.Errorf("writing the findings: %w", err)
	}
	return nil
}

func jsonOf(r report) jsonReport {
	whole := jsonReport{Version: 1, Diagnostics: make([]jsonDiagnostic, 0, len(r.shown)), Summary: r.all, Omitted: r.left.total()}
	var cutter excerpts
	for _, d := range r.shown {
		one := jsonDiagnostic{
			Code: oneLine(string(d.Code)), Severity: d.Severity.String(), Message: oneLine(d.Message()),
			jsonPlace: jsonPlaceOf(d.Place), Help: oneLine(d.Help()), Data: jsonDataOf(d.Data),
		}
		if e, ok := cutter.of(d.Place, mostOfSnippet); ok {
			one.Snippet = e.show(Escape)
		}
		for _, n := range d.Notes {
			one.Notes = append(one.Notes, jsonNote{
				Kind: oneLine(string(n.Kind)), Message: EscapeLines(clipped(n.Text(), mostOfText)),
				jsonPlace: jsonPlaceOf(n.Place), Data: jsonDataOf(n.Data),
			})
		}
		whole.Diagnostics = append(whole.Diagnostics, one)
	}
	return whole
}

func jsonPlaceOf(p Place) jsonPlace {
	out := jsonPlace{Path: Escape(p.Path), Pointer: Escape(p.Pointer)}
	if p.Start.Line < 1 {
		return out
	}
	end := endOf(p)
	out.jsonRange = &jsonRange{
		Line: p.Start.Line, Column: max(1, p.Start.Column), EndLine: end.Line, EndColumn: max(1, end.Column),
		Offset: max(0, p.Start.Offset), EndOffset: max(0, end.Offset),
	}
	return out
}

// endOf is the end of a place that has a line, never before its start.
func endOf(p Place) Position {
	if p.End.Line < p.Start.Line || p.End.Line == p.Start.Line && p.End.Column < p.Start.Column {
		return p.Start
	}
	return p.End
}

func jsonDataOf(d Data) map[string]string {
	if len(d) == 0 {
		return nil
	}
	out := make(map[string]string, len(d))
	for name, value := range d {
		out[oneLine(name)] = EscapeLines(clipped(value, mostOfData))
	}
	return out
}
