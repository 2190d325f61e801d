package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/seif-dev/seifc/diag"
)

// answer is what a command has to say, before anybody knows in which format.
type answer struct {
	// exit is exitGood or why not; an error-level finding makes it at least exitWanting.
	exit     int
	findings []diag.Diagnostic
	// members are the command's own part of the JSON document.
	members any
	// text writes the answer for a person; nil when the findings are all there is to say.
	text func(io.Writer) error
	// raw writes the answer in a format of the command's own (junit, markdown).
	raw map[string]func(io.Writer) error
	// payload says that stdout carries the text as data, so that findings and talk go to stderr.
	payload bool
}

// failed is the answer of a command that only has findings.
func failed(findings []diag.Diagnostic) answer {
	return answer{exit: exitWanting, findings: findings}
}

// asPayload says that stdout carries data when the command succeeds, so that what it says otherwise is on stderr.
func (a answer) asPayload(payload bool) answer {
	a.payload = a.payload || payload
	return a
}

// needStdout refuses a format that is one document on stdout where stdout carries data already.
func (c *call) needStdout(flag string) error {
	if c.format == "text" || c.format == "line" {
		return nil
	}
	return usagef("name a file, or drop --format "+c.format, "%s - and --format %s both write to stdout", flag, c.format)
}

func (a answer) code() int {
	if a.exit == exitGood && diag.HasErrors(a.findings) {
		return exitWanting
	}
	return a.exit
}

// jsonError is the `error` member of a JSON document for what is not a finding.
type jsonError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Help    string `json:"help,omitempty"`
}

// document is the one JSON document of every outcome: the command's members between what all commands share.
func jsonDocument(command string, exit int, a answer, failure *jsonError, shown diag.Options) ([]byte, error) {
	out := map[string]json.RawMessage{}
	if a.members != nil {
		own, err := json.Marshal(a.members)
		if err != nil {
			return nil, fmt.Errorf("writing the answer as JSON: %w", err)
		}
		if err := json.Unmarshal(own, &out); err != nil {
			return nil, fmt.Errorf("writing the answer as JSON: %w", err)
		}
	}
	findings, err := diag.JSONMembers(a.findings, shown)
	if err != nil {
		return nil, err
	}
	for name, value := range findings {
		out[name] = value
	}
	for name, value := range map[string]any{"version": 1, "command": command, "exit": exit, "ok": exit == exitGood} {
		if out[name], err = json.Marshal(value); err != nil {
			return nil, err
		}
	}
	if failure != nil {
		if out["error"], err = json.Marshal(failure); err != nil {
			return nil, err
		}
	}
	whole, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(whole, '\n'), nil
}
