package diag

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Format is one of the forms in which findings are printed.
type Format string

// The formats.
const (
	Text   Format = "text"   // for people: source line, caret, notes, help
	Line   Format = "line"   // one line per finding
	JSON   Format = "json"   // one versioned document, see [JSONSchema]
	SARIF  Format = "sarif"  // SARIF 2.1.0
	GitHub Format = "github" // workflow commands of GitHub Actions
	GitLab Format = "gitlab" // a Code Quality report
)

// Formats are all formats that [Print] knows.
func Formats() []Format { return []Format{Text, Line, JSON, SARIF, GitHub, GitLab} }

// UnknownFormat is the error for a format that does not exist or that a command lacks.
type UnknownFormat struct {
	Name    string
	Allowed []Format
}

func (e *UnknownFormat) Error() string {
	names := make([]string, len(e.Allowed))
	for i, f := range e.Allowed {
		names[i] = string(f)
	}
	return fmt.Sprintf("there is no format %s here; use one of %s", oneLine(e.Name), strings.Join(names, ", "))
}

// ParseFormat finds the format of that name among the allowed ones, by default all. The error is *UnknownFormat.
func ParseFormat(name string, allowed ...Format) (Format, error) {
	if len(allowed) == 0 {
		allowed = Formats()
	}
	if f := Format(name); slices.Contains(allowed, f) {
		return f, nil
	}
	return "", &UnknownFormat{Name: name, Allowed: allowed}
}

// Options are the choices of a caller of [Print]. The zero value prints plain and complete reports.
type Options struct {
	// Color allows terminal colours in the text and line formats.
	Color bool
	// Limit is how many findings are printed at most; the rest is counted and the output says so. 0 is the
	// format's own limit ([DefaultLimit] in text and line, none elsewhere), less than 0 is none. The gravest
	// findings stay.
	Limit int
	// Width is how many terminal cells a source line may take before it is cut around the caret; 0 is 100.
	Width int
	// ToolVersion is the version of the program that reports, for formats that want one.
	ToolVersion string
	// RelativePath makes a path relative to the repository, for formats whose readers know only that (sarif,
	// github, gitlab). Nil keeps paths. What is still absolute or leads upwards loses its beginning.
	RelativePath func(path string) string
	// Project is the file to point at where a format needs a file and a finding has none; "" is seif.yaml.
	Project string
}

// DefaultLimit is how many findings the text and line formats print when nothing else is asked for.
const DefaultLimit = 100

// Summary counts findings by severity.
type Summary struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
}

// Summarize counts findings as [Print] does: repeated ones once.
func Summarize(all []Diagnostic) Summary { return count(Sort(all)) }

func count(all []Diagnostic) Summary {
	var s Summary
	for _, d := range all {
		switch d.Severity {
		case Error:
			s.Errors++
		case Warning:
			s.Warnings++
		default:
			s.Infos++
		}
	}
	return s
}

func (s Summary) total() int { return s.Errors + s.Warnings + s.Infos }

// String is the counts in words, those that are zero left out: "2 errors, 1 warning".
func (s Summary) String() string {
	var parts []string
	for _, p := range []struct {
		n    int
		word string
	}{{s.Errors, "error"}, {s.Warnings, "warning"}, {s.Infos, "info"}} {
		switch p.n {
		case 0:
		case 1:
			parts = append(parts, "1 "+p.word)
		default:
			parts = append(parts, fmt.Sprintf("%d %ss", p.n, p.word))
		}
	}
	if len(parts) == 0 {
		return "no findings"
	}
	return strings.Join(parts, ", ")
}

// report is what a printer gets: sorted, without repetitions, within the limit, and counted.
type report struct {
	shown     []Diagnostic
	all, left Summary
	options   Options
}

// omission is the sentence about findings that are not shown; "" when all are.
func (r report) omission() string {
	switch n := r.left.total(); n {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("1 more finding is not shown (%s)", r.left)
	default:
		return fmt.Sprintf("%d more findings are not shown (%s)", n, r.left)
	}
}

func newReport(format Format, list []Diagnostic, options Options) report {
	sorted := Sort(list)
	r := report{shown: sorted, all: count(sorted), options: options}
	limit := options.Limit
	if limit == 0 && (format == Text || format == Line) {
		limit = DefaultLimit
	}
	if limit > 0 && len(sorted) > limit {
		r.shown = gravest(sorted, limit)
		shown := count(r.shown)
		r.left = Summary{r.all.Errors - shown.Errors, r.all.Warnings - shown.Warnings, r.all.Infos - shown.Infos}
	}
	return r
}

// gravest keeps so many findings, the gravest first in choice and all in their order.
func gravest(sorted []Diagnostic, limit int) []Diagnostic {
	order := make([]int, len(sorted))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(sorted[b].Severity) - int(sorted[a].Severity) })
	order = order[:limit]
	slices.Sort(order)
	kept := make([]Diagnostic, limit)
	for i, at := range order {
		kept[i] = sorted[at]
	}
	return kept
}

// Print writes findings in a format. It sorts them and drops repetitions itself, so equal findings give equal
// bytes in whatever order they come. No control or hidden character of a finding reaches w: every value passes
// [Escape] first (LF stands only where the format itself breaks lines). An error of w is returned.
func Print(w io.Writer, format Format, list []Diagnostic, options Options) error {
	r := newReport(format, list, options)
	out := bufio.NewWriter(w)
	var err error
	switch format {
	case Text:
		printText(out, r)
	case Line:
		printLines(out, r)
	case JSON:
		err = printJSON(out, r)
	case SARIF:
		err = printSARIF(out, r)
	case GitHub:
		printGitHub(out, r)
	case GitLab:
		err = printGitLab(out, r)
	default:
		err = &UnknownFormat{Name: string(format), Allowed: Formats()}
	}
	if err != nil {
		return err
	}
	return out.Flush()
}
