package diag

import (
	"bufio"
	"cmp"
)

type gitlabFinding struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
}

// omittedCheck names the entry that stands for findings over the limit; it is not a code.
const omittedCheck = "findings_not_shown"

// printGitLab writes a Code Quality report. GitLab drops an entry without a path, a line or a fingerprint of its
// own, so every entry has all three.
func printGitLab(out *bufio.Writer, r report) error {
	findings := make([]gitlabFinding, 0, len(r.shown)+1)
	var prints fingerprints
	for _, d := range r.shown {
		path := r.options.reportPath(d.Place.Path)
		findings = append(findings, gitlabFinding{
			Description: oneLine(d.Message()),
			CheckName:   oneLine(string(d.Code)),
			Fingerprint: prints.of(d, path),
			Severity:    gitlabSeverity(d.Severity),
			Location:    gitlabLocation{Escape(path), gitlabLines{max(1, d.Place.Start.Line)}},
		})
	}
	if omission := r.omission(); omission != "" {
		path := r.options.reportPath(cmp.Or(r.options.Project, defaultProject))
		findings = append(findings, gitlabFinding{
			Description: omission, CheckName: omittedCheck, Severity: gitlabSeverity(Info),
			Fingerprint: prints.of(Diagnostic{Code: omittedCheck}, path),
			Location:    gitlabLocation{Escape(path), gitlabLines{1}},
		})
	}
	return encode(out, findings)
}

func gitlabSeverity(s Severity) string {
	switch s {
	case Error:
		return "major"
	case Warning:
		return "minor"
	default:
		return "info"
	}
}
