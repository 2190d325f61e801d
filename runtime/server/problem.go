package server

import (
	"encoding/json"
	"net/http"

	"github.com/seif-dev/seifc/diag"
)

// maxFindings bounds what an answer tells of one request.
const maxFindings = 100

// refusal is an answer that is not the one that was asked for: a code of the table of statuses, and what was found
// in the request.
type refusal struct {
	problem  diag.Problem
	findings []diag.Problem
	// allowed is the method that the path has, for the header Allow.
	allowed string
}

func refused(code diag.Code, pairs ...string) *refusal {
	return &refusal{problem: diag.New(code, "", pairs...)}
}

func refusedFor(code diag.Code, findings []diag.Problem, pairs ...string) *refusal {
	return &refusal{problem: diag.New(code, "", pairs...), findings: findings}
}

// problemDocument is application/problem+json (RFC 9457). The type is always about:blank; programs read `code`.
type problemDocument struct {
	Type      string          `json:"type"`
	Title     string          `json:"title"`
	Status    int             `json:"status"`
	Code      diag.Code       `json:"code"`
	Detail    string          `json:"detail"`
	Help      string          `json:"help"`
	Retryable bool            `json:"retryable"`
	RequestID string          `json:"request_id"`
	Findings  json.RawMessage `json:"findings"`
	// Omitted counts the findings beyond maxFindings.
	Omitted json.RawMessage `json:"omitted"`
}

// document gives the refusal as it is sent. Findings have the form that `--format json` gives them everywhere, and
// their pointers lead into the request.
func (r *refusal) document(requestID string) (problemDocument, error) {
	row := rowOf(r.problem.Code)
	if row.code != r.problem.Code {
		r = refused(row.code)
	}
	whole := diag.At(inRequest, r.problem)[0]
	members, err := diag.JSONMembers(diag.At(inRequest, r.findings...), diag.Options{Limit: maxFindings})
	if err != nil {
		return problemDocument{}, err
	}
	return problemDocument{
		Type: "about:blank", Title: http.StatusText(row.status), Status: row.status, Code: row.code,
		Detail: diag.Escape(whole.Message()), Help: diag.Escape(whole.Help()), Retryable: row.retryable,
		RequestID: requestID, Findings: members["diagnostics"], Omitted: members["omitted"],
	}, nil
}

// inRequest is the place of everything that is found in a request.
var inRequest = diag.LocatorFunc(func(t diag.Target) diag.Place { return diag.Place{Path: "request", Pointer: t.Pointer} })
