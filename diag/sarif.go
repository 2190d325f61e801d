package diag

import (
	"cmp"
	"io"
	"strings"
)

// The part of SARIF 2.1.0 that we write. Fields without omitempty are ones that a reader rejects the file without.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations,omitempty"`
	ColumnKind  string            `json:"columnKind"`
	Results     []sarifResult     `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string             `json:"id"`
	ShortDescription sarifMessage       `json:"shortDescription"`
	FullDescription  sarifMessage       `json:"fullDescription"`
	Help             sarifMessage       `json:"help"`
	Default          sarifConfiguration `json:"defaultConfiguration"`
}

type sarifConfiguration struct {
	Level string `json:"level"`
}

type sarifMessage struct {
	Text string `json:"text"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications"`
}

type sarifNotification struct {
	Level   string       `json:"level"`
	Message sarifMessage `json:"message"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifMessage      `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Related      []sarifLocation   `json:"relatedLocations,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	ID       int            `json:"id,omitempty"`
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	Message  *sarifMessage  `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"`
}

type sarifLogical struct {
	FullyQualifiedName string `json:"fullyQualifiedName"`
}

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	// fingerprintName is versioned as SARIF asks: another way to compute it gets another name.
	fingerprintName = "seifFinding/v1"
)

// printSARIF writes a SARIF 2.1.0 log with one run. Every result points at a line of a file by a relative URI, at
// line 1 where the finding has none: a reader refuses the whole log for one result without.
func printSARIF(out io.Writer, r report) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: make([]sarifResult, 0, len(r.shown))}
	run.Tool.Driver = sarifDriver{Name: "seifc", Version: oneLine(cmp.Or(r.options.ToolVersion, "unknown")), Rules: []sarifRule{}}
	rules := map[Code]int{}
	var prints fingerprints
	for _, d := range r.shown {
		index, known := rules[d.Code]
		if !known {
			index = len(run.Tool.Driver.Rules)
			rules[d.Code] = index
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(d.Code))
		}
		run.Results = append(run.Results, sarifResultOf(d, index, r.options, &prints))
	}
	if omission := r.omission(); omission != "" {
		run.Invocations = []sarifInvocation{{true, []sarifNotification{{"warning", sarifText(omission)}}}}
	}
	return encode(out, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

func sarifRuleOf(code Code) sarifRule {
	entry, ok := Lookup(string(code))
	if !ok {
		entry = Entry{Severity: code.Severity(), Message: string(code)}
	}
	short := plainTemplate(entry.Message)
	return sarifRule{
		ID:               oneLine(string(code)),
		ShortDescription: sarifText(oneLine(short)),
		FullDescription:  sarifText(EscapeLines(cmp.Or(entry.Explain, short))),
		Help:             sarifText(oneLine(cmp.Or(plainTemplate(entry.Help), short))),
		Default:          sarifConfiguration{sarifLevel(entry.Severity)},
	}
}

func sarifResultOf(d Diagnostic, rule int, options Options, prints *fingerprints) sarifResult {
	text := oneLine(d.Message())
	if help := d.Help(); help != "" {
		text += "\nhelp: " + oneLine(help)
	}
	path := options.reportPath(d.Place.Path)
	result := sarifResult{
		RuleID: oneLine(string(d.Code)), RuleIndex: rule, Level: sarifLevel(d.Severity), Message: sarifText(text),
		Locations:    []sarifLocation{sarifLocationOf(d.Place, options)},
		Fingerprints: map[string]string{fingerprintName: prints.of(d, path)},
	}
	for i, n := range d.Notes {
		place := n.Place
		if place.Path == "" {
			place = d.Place
		}
		related := sarifLocationOf(place, options)
		message := sarifText(EscapeLines(clipped(n.Text(), mostOfText)))
		related.ID, related.Message = i+1, &message
		result.Related = append(result.Related, related)
	}
	return result
}

func sarifLocationOf(p Place, options Options) sarifLocation {
	location := sarifLocation{Physical: sarifPhysical{
		Artifact: sarifArtifact{URI: uriPath(options.reportPath(p.Path))},
		Region:   sarifRegion{StartLine: max(1, p.Start.Line)},
	}}
	if p.Start.Line > 0 && p.Start.Column > 0 {
		end := endOf(p)
		location.Physical.Region = sarifRegion{p.Start.Line, p.Start.Column, end.Line, max(1, end.Column)}
	}
	if p.Pointer != "" {
		location.Logical = []sarifLogical{{Escape(p.Pointer)}}
	}
	return location
}

func sarifLevel(s Severity) string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	default:
		return "note"
	}
}

// sarifText keeps text from being read as more than text: "{0}" would be a placeholder and "[x](y)" a link.
func sarifText(s string) sarifMessage {
	return sarifMessage{Text: doubled(strings.ReplaceAll(s, "](", "] ("))}
}

// doubled doubles the braces around digits, which is how SARIF writes them when they are no placeholder.
func doubled(s string) string {
	var b strings.Builder
	for {
		open := strings.IndexByte(s, '{')
		if open < 0 {
			break
		}
		end := open + 1
		for end < len(s) && s[end] >= '0' && s[end] <= '9' {
			end++
		}
		if end > open+1 && end < len(s) && s[end] == '}' {
			b.WriteString(s[:open] + "{{" + s[open+1:end] + "}}")
			end++
		} else {
			b.WriteString(s[:end])
		}
		s = s[end:]
	}
	b.WriteString(s)
	return b.String()
}
