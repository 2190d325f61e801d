package resolve

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/seif-dev/seifc/decide/tokens"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// LineKind says what a line of a budget is about.
type LineKind string

const (
	SegmentLine LineKind = "source"
	ToolLine    LineKind = "tool"
)

// BudgetLine is what one source or one tool takes. Text, Description, Schema and Overhead add up to Tokens.
type BudgetLine struct {
	Kind LineKind `json:"kind"`
	ID   string   `json:"id"` // of the source or the tool
	// Segments is how many segments of the source there can be; 0 for a tool.
	Segments int `json:"segments,omitempty"`
	// Required tools cannot be left out without changing what the profile is for.
	Required bool `json:"required,omitempty"`
	Tokens   int  `json:"tokens"`
	// Text is the text of a source.
	Text int `json:"text,omitempty"`
	// Description and Schema are parts of a tool.
	Description int `json:"description,omitempty"`
	Schema      int `json:"schema,omitempty"`
	// Overhead is the fixed part per segment or tool, for a tool with its name and the frame around its members.
	Overhead int `json:"overhead"`
}

// Budget is the worst case of a profile with an objective: every condition true, every input at its declared
// maximum.
type Budget struct {
	Profile   string
	Objective string
	Estimator string
	Limit     int
	// Lines are the largest first. Total is their sum.
	Lines []BudgetLine
	Total int
}

// Fits tells whether the worst case is within the limit.
func (b Budget) Fits() bool { return b.Total <= b.Limit }

// Cut is something whose removal saves tokens.
type Cut struct {
	Kind  LineKind `json:"kind"`
	ID    string   `json:"id"`
	Saves int      `json:"saves"`
}

// String is the cut in words.
func (c Cut) String() string { return string(c.Kind) + " " + c.ID + " (" + strconv.Itoa(c.Saves) + ")" }

// Cuts lists a smallest set of lines without which the profile would fit: one line if one suffices, the smallest
// such; otherwise the largest first. Required tools are never among them. It is nil when the profile fits already,
// or when nothing that may go would make it fit.
func (b Budget) Cuts() []Cut {
	var cuts []Cut
	excess := b.Total - b.Limit
	for _, line := range b.Lines {
		if excess <= 0 {
			break
		}
		if line.Required {
			continue
		}
		if line.Tokens >= excess {
			last := b.smallest(excess, len(cuts))
			return append(cuts, last)
		}
		cuts = append(cuts, Cut{line.Kind, line.ID, line.Tokens})
		excess -= line.Tokens
	}
	return nil
}

// smallest is the smallest line that saves enough, the first taken ones left out.
func (b Budget) smallest(excess, taken int) Cut {
	var found Cut
	for _, line := range b.Lines {
		if line.Required {
			continue
		}
		if taken > 0 {
			taken--
			continue
		}
		if line.Tokens >= excess {
			found = Cut{line.Kind, line.ID, line.Tokens}
		}
	}
	return found
}

// Budget measures a profile with an objective at its worst. An unknown profile has no lines and no limit.
func (p *Plan) Budget(profile, objective string) Budget {
	b := Budget{Profile: profile, Objective: objective, Estimator: tokens.Estimator}
	r := p.profiles[profile]
	if r == nil {
		return b
	}
	b.Limit = r.profile.BudgetTokens
	seen := map[string]bool{}
	for _, e := range r.entries {
		if !stands(e.objectives, objective) || seen[e.material.id] {
			continue
		}
		seen[e.material.id] = true
		if e.material.segments > 0 {
			b.Lines = append(b.Lines, e.material.line())
		}
	}
	for _, i := range r.includes {
		if _, excluded := r.profile.Exclude[i.tool.id]; !excluded && stands(i.objectives, objective) {
			b.Lines = append(b.Lines, i.line())
		}
	}
	b.order()
	return b
}

// order sorts the lines and adds them up.
func (b *Budget) order() {
	slices.SortFunc(b.Lines, func(a, b BudgetLine) int {
		return cmp.Or(cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID))
	})
	b.Total = 0
	for _, line := range b.Lines {
		b.Total = add(b.Total, line.Tokens)
	}
}

// add counts one more segment of a source.
func (l *BudgetLine) add(s Segment) {
	l.Segments++
	l.Tokens += s.Tokens
	l.Overhead += tokens.PerSegment
	l.Text = l.Tokens - l.Overhead
}

func (m *material) line() BudgetLine {
	overhead := multiply(m.segments, tokens.PerSegment)
	total := max(multiply(m.segments, m.worst), overhead)
	return BudgetLine{
		Kind: SegmentLine, ID: m.id, Segments: m.segments, Tokens: total, Text: total - overhead, Overhead: overhead,
	}
}

func (i *include) line() BudgetLine {
	t := i.tool
	// The parts are measured here, for a reader, and not for every tool of every plan.
	most := t.tokens - tokens.PerTool
	description := min(countValue(t.contract.Description), most)
	arguments := min(countValue(t.contract.Schema), most-description)
	return BudgetLine{
		Kind: ToolLine, ID: t.id, Required: i.required, Tokens: t.tokens,
		Description: description, Schema: arguments, Overhead: t.tokens - description - arguments,
	}
}

// worst finds the total of the most expensive objective in one pass: what stands in all objectives is counted once.
func (r *recipe) worst() (objective string, total int) {
	everywhere, extra := 0, map[string]int{}
	always := map[string]bool{}
	for _, e := range r.entries {
		if len(e.objectives) == 0 && !always[e.material.id] {
			always[e.material.id] = true
			everywhere = add(everywhere, e.material.line().Tokens)
		}
	}
	type place struct{ objective, source string }
	placed := map[place]bool{}
	for _, e := range r.entries {
		if always[e.material.id] {
			continue
		}
		for _, name := range e.objectives {
			if here := (place{name, e.material.id}); !placed[here] {
				placed[here] = true
				extra[name] = add(extra[name], e.material.line().Tokens)
			}
		}
	}
	for _, i := range r.includes {
		if _, excluded := r.profile.Exclude[i.tool.id]; excluded {
			continue
		}
		if len(i.objectives) == 0 {
			everywhere = add(everywhere, i.tool.tokens)
		}
		for _, name := range i.objectives {
			extra[name] = add(extra[name], i.tool.tokens)
		}
	}
	for at, name := range r.objectives() {
		if sum := add(everywhere, extra[name]); at == 0 || sum > total {
			objective, total = name, sum
		}
	}
	return objective, total
}

// maxShownLines is how many lines of a budget a finding shows; the rest is one line, so that the sum is the total.
const maxShownLines = 20

// overBudget reports every profile that could exceed its budget.
func (p *Plan) overBudget() []diag.Problem {
	var problems []diag.Problem
	for _, id := range sortedKeys(p.profiles) {
		r := p.profiles[id]
		objective, total := r.worst()
		if total <= r.profile.BudgetTokens {
			continue
		}
		problems = append(problems, p.Budget(id, objective).problem(canonical.JoinPointer("/profiles", id)+"/budget/tokens"))
	}
	return problems
}

// problem is the finding about a budget that is exceeded, with one line per source and tool.
func (b Budget) problem(pointer string) diag.Problem {
	var cuts []string
	for _, cut := range b.Cuts() {
		cuts = append(cuts, cut.String())
	}
	problem := diag.New(diag.CodeBudgetExceeded, pointer,
		"profile", b.Profile, "objective", b.Objective, "total", strconv.Itoa(b.Total), "limit", strconv.Itoa(b.Limit),
		"estimator", b.Estimator, "cuts", enumerate(cuts))
	rest := 0
	for i, line := range b.Lines {
		if i >= maxShownLines {
			rest += line.Tokens
			continue
		}
		problem = problem.With(diag.NoteDetail, "", "text", line.text())
	}
	if rest > 0 {
		problem = problem.With(diag.NoteDetail, "", "text", strconv.Itoa(rest)+" "+strconv.Itoa(len(b.Lines)-maxShownLines)+" more")
	}
	return problem
}

func (l BudgetLine) text() string {
	text := strconv.Itoa(l.Tokens) + " " + string(l.Kind) + " " + l.ID
	if detail := l.Detail(); detail != "" {
		text += " (" + detail + ")"
	}
	return text
}

// Detail says what the line is made of; empty for a single segment.
func (l BudgetLine) Detail() string {
	switch {
	case l.Kind == ToolLine:
		return "description " + strconv.Itoa(l.Description) + ", schema " + strconv.Itoa(l.Schema) + ", overhead " + strconv.Itoa(l.Overhead)
	case l.Segments > 1:
		return strconv.Itoa(l.Segments) + " segments"
	}
	return ""
}
