package testsuite

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/decide/schema"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// expectations compares the resolution with what the test says of it. Every kind of expectation is one line here.
// It tells whether there is a context in which calls can be decided.
func (r *runner) expectations() bool {
	e := r.test.Expect
	blocked := len(r.resolution.Blocked) > 0
	switch {
	case blocked && (e == nil || e.Blocked == nil):
		// What else the test says is about a context, and there is none.
		at := r.at
		if e != nil {
			at += "/expect"
		}
		r.fail(diag.New(diag.CodeExpectationFailed, at, "test", r.id, "what", "resolution",
			"expected", "a context", "actual", "blocked by "+showReasons(r.resolution.Blocked)))
		return false
	case e == nil:
		return true
	}
	r.disclosed(e)
	r.withheld(e)
	r.segments(e)
	r.text(e)
	r.tokens(e)
	r.blocked(e)
	if blocked && len(r.test.Calls) > 0 {
		r.fail(diag.New(diag.CodeExpectationFailed, r.at+"/calls", "test", r.id, "what", "calls",
			"expected", "a context that is not blocked", "actual", showReasons(r.resolution.Blocked)))
	}
	return !blocked
}

func (r *runner) expected(member, what, want, got, difference string) {
	r.fail(diag.New(diag.CodeExpectationFailed, r.at+"/expect"+member, "test", r.id, "what", what,
		"expected", want, "actual", got, "difference", difference))
}

func (r *runner) disclosed(e *Expectation) {
	if e.Disclosed == nil {
		return
	}
	got := make([]string, len(r.resolution.Disclosed))
	for i, tool := range r.resolution.Disclosed {
		got[i] = tool.ID
	}
	want := slices.Sorted(slices.Values(e.Disclosed))
	if !slices.Equal(want, got) {
		r.expected("/disclosed", "disclosed tools", showList(want), showList(got), r.whyNotDisclosed(want, got))
	}
}

// whyNotDisclosed is the smallest difference between two sets, with the reason for each tool that is missing.
func (r *runner) whyNotDisclosed(want, got []string) string {
	var parts []string
	for _, id := range want {
		if !slices.Contains(got, id) {
			reason, ok := r.resolution.Withheld[id]
			if !ok {
				reason = "not included"
			}
			parts = append(parts, fmt.Sprintf("%s is missing (%s)", id, reason))
		}
	}
	for _, id := range got {
		if !slices.Contains(want, id) {
			parts = append(parts, id+" is disclosed too")
		}
	}
	return strings.Join(parts, ", ")
}

func (r *runner) withheld(e *Expectation) {
	for _, id := range sortedKeys(e.Withheld) {
		want := e.Withheld[id]
		got, ok := r.resolution.Withheld[id]
		switch {
		case !ok && r.discloses(id):
			r.expected(canonical.JoinPointer("/withheld", id), "withheld tool "+id, string(want), "disclosed", "")
		case !ok:
			r.expected(canonical.JoinPointer("/withheld", id), "withheld tool "+id, string(want), "not mentioned by the profile", "")
		case got != want:
			r.expected(canonical.JoinPointer("/withheld", id), "withheld tool "+id, string(want), string(got), "")
		}
	}
}

func (r *runner) discloses(id string) bool {
	return slices.ContainsFunc(r.resolution.Disclosed, func(d resolve.Disclosed) bool { return d.ID == id })
}

func (r *runner) segments(e *Expectation) {
	if e.Segments == nil {
		return
	}
	got := make([]string, len(r.resolution.Segments))
	for i, segment := range r.resolution.Segments {
		got[i] = segment.Source
	}
	if !slices.Equal(e.Segments, got) {
		r.expected("/segments", "segments", showList(e.Segments), showList(got), firstDifference(e.Segments, got))
	}
}

func firstDifference(want, got []string) string {
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(got):
			return fmt.Sprintf("%s is missing at position %d", want[i], i+1)
		case i >= len(want):
			return fmt.Sprintf("%s is one too many at position %d", got[i], i+1)
		case want[i] != got[i]:
			return fmt.Sprintf("position %d is %s instead of %s", i+1, got[i], want[i])
		}
	}
	return ""
}

func (r *runner) text(e *Expectation) {
	if e.Contains == nil && e.Excludes == nil {
		return
	}
	text := r.resolution.Text()
	for i, want := range e.Contains {
		if !strings.Contains(text, want) {
			r.expected("/text/contains/"+strconv.Itoa(i), "text", "contains "+showText(want), "does not", nearMiss(text, want))
		}
	}
	for i, unwanted := range e.Excludes {
		if at := strings.Index(text, unwanted); at >= 0 {
			r.expected("/text/excludes/"+strconv.Itoa(i), "text", "does not contain "+showText(unwanted), "contains it", "in the line "+showText(lineAt(text, at)))
		}
	}
}

// nearMiss says when the text is there in another case, which is the usual surprise.
func nearMiss(text, want string) string {
	lower := strings.ToLower(text)
	if at := strings.Index(lower, strings.ToLower(want)); at >= 0 && len(lower) == len(text) {
		return "only in another case, in the line " + showText(lineAt(text, at))
	}
	return ""
}

func lineAt(text string, at int) string {
	start := strings.LastIndexByte(text[:at], '\n') + 1
	line, _, _ := strings.Cut(text[start:], "\n")
	return line
}

func (r *runner) tokens(e *Expectation) {
	if e.MaxTokens != nil && r.resolution.Tokens > *e.MaxTokens {
		r.expected("/tokens/max", "token estimate", "at most "+strconv.Itoa(*e.MaxTokens), strconv.Itoa(r.resolution.Tokens),
			strconv.Itoa(r.resolution.Tokens-*e.MaxTokens)+" over")
	}
}

func (r *runner) blocked(e *Expectation) {
	if e.Blocked != nil && !maps.Equal(e.Blocked, r.resolution.Blocked) {
		r.expected("/blocked", "blocking tools", showReasons(e.Blocked), showReasons(r.resolution.Blocked), "")
	}
}

// explain is what a decision says beyond its outcome.
func explain(d resolve.Decision) string {
	switch {
	case len(d.Policies) > 0:
		return "denied by " + strings.Join(d.Policies, ", ")
	case len(d.Violations) > 0:
		return "invalid: " + showViolations(d.Violations)
	default:
		return ""
	}
}

func pointsTo(pointer string) func(schema.Violation) bool {
	return func(v schema.Violation) bool { return v.Pointer == pointer }
}

func showViolations(violations []schema.Violation) string {
	parts := make([]string, len(violations))
	for i, v := range violations {
		parts[i] = fmt.Sprintf("%s (%s)", showText(v.Pointer), v.Keyword)
	}
	return strings.Join(parts, ", ")
}

func showList(all []string) string {
	if len(all) == 0 {
		return "none"
	}
	return strings.Join(all, ", ")
}

func showReasons(reasons map[string]resolve.Reason) string {
	if len(reasons) == 0 {
		return "none"
	}
	parts := make([]string, 0, len(reasons))
	for _, id := range sortedKeys(reasons) {
		parts = append(parts, id+": "+string(reasons[id]))
	}
	return strings.Join(parts, ", ")
}

// showText quotes a text and cuts a long one.
func showText(text string) string {
	const most = 120
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "..."
	}
	return strconv.Quote(text)
}
