package testsuite

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Bounds of a test.
const (
	MaxIDRunes = 128
	MaxTimes   = 1000
	MaxCalls   = 1000
	// MaxAtMS is a day: no retained context lives longer.
	MaxAtMS = 24 * 60 * 60 * 1000
)

// isCallID tells 1 to 128 of A-Z a-z 0-9 . _ : and -.
func isCallID(id string) bool {
	for i := range len(id) {
		c := id[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (c < '0' || c > '9') && strings.IndexByte("._:-", c) < 0 {
			return false
		}
	}
	return id != "" && len(id) <= 128
}

// Outcomes are the call expectations, in the words of the runtime.
func Outcomes() []resolve.Outcome {
	return []resolve.Outcome{
		resolve.Allowed, resolve.ApprovalRequired, resolve.PolicyDenied, resolve.ToolNotDisclosed, resolve.ArgumentsInvalid,
		resolve.CallLimitReached, resolve.CallIDConflict, resolve.ContextExpired, resolve.ExecutorIncompatible, resolve.Replayed,
	}
}

// Reasons are the words of `withheld`; those that can block are the last two.
func Reasons() []resolve.Reason {
	return []resolve.Reason{resolve.Excluded, resolve.OffObjective, resolve.Condition, resolve.Unavailable, resolve.Incompatible}
}

// Check reports every test that names what does not exist or that could pass without checking anything. The
// pointers are into tests.json.
func (s *Suite) Check(def *definition.Definition) []diag.Problem {
	all := definition.CheckSecrets(s.Value())
	for _, id := range sortedKeys(s.Tests) {
		all = append(all, s.checkTest(def, id)...)
	}
	return all
}

func (s *Suite) checkTest(def *definition.Definition, id string) []diag.Problem {
	c := &checker{def: def, at: canonical.JoinPointer("/tests", id), test: s.Tests[id]}
	c.check(id)
	return c.problems
}

type checker struct {
	def      *definition.Definition
	at       string
	test     Test
	problems []diag.Problem
}

func (c *checker) add(p diag.Problem) { c.problems = append(c.problems, p) }

func (c *checker) check(id string) {
	if n := len([]rune(id)); n == 0 || n > MaxIDRunes || strings.ContainsFunc(id, unprintable) {
		c.add(diag.New(diag.CodeTestIDInvalid, c.at, "id", id).AtKey())
	}
	if incident := c.test.Incident; len([]rune(incident)) > MaxIDRunes || strings.ContainsFunc(incident, unprintable) {
		c.add(diag.New(diag.CodeTestIDInvalid, c.at+"/incident/id", "id", incident))
	}
	if c.test.Expect == nil && len(c.test.Calls) == 0 {
		c.add(diag.New(diag.CodeTestChecksNothing, c.at, "id", id).AtKey())
	}
	c.names()
	c.executors()
	if c.test.Expect != nil {
		c.expectation(c.test.Expect)
	}
	if len(c.test.Calls) > MaxCalls {
		c.add(diag.New(diag.CodeTestOutOfBounds, c.at+"/calls", "what", "calls", "value", strconv.Itoa(len(c.test.Calls)), "most", strconv.Itoa(MaxCalls)))
		return
	}
	for i, call := range c.test.Calls {
		c.call(c.at+"/calls/"+strconv.Itoa(i), call)
	}
}

func unprintable(r rune) bool {
	_, hidden := diag.Hidden(r)
	return hidden || r < 0x20 || r >= 0x7f && r <= 0x9f
}

func (c *checker) names() {
	profile, ok := c.def.Profiles[c.test.Profile]
	if !ok {
		c.unknown(c.at+"/profile", "profile", c.test.Profile, sortedKeys(c.def.Profiles))
		return
	}
	switch {
	case c.test.Objective != "" && !slices.Contains(profile.Objectives, c.test.Objective):
		c.unknown(c.at+"/objective", "objective", c.test.Objective, profile.Objectives)
	case c.test.Objective == "" && len(profile.Objectives) > 0:
		c.add(diag.New(diag.CodeTestNeedsObjective, c.at, "profile", c.test.Profile, "objectives", strings.Join(profile.Objectives, ", ")).AtKey())
	}
	inputs, _ := canonical.Lookup(c.def.Inputs, "/properties")
	declared, _ := inputs.(map[string]any)
	for _, name := range sortedKeys(c.test.Inputs) {
		if _, ok := declared[name]; !ok {
			c.add(c.unknownProblem(canonical.JoinPointer(c.at+"/inputs", name), "input", name, sortedKeys(declared)).AtKey())
		}
	}
}

func (c *checker) executors() {
	for _, id := range sortedKeys(c.test.Executors) {
		c.tool(canonical.JoinPointer(c.at+"/executors", id), id)
	}
}

func (c *checker) expectation(e *Expectation) {
	at := c.at + "/expect"
	if e.Disclosed == nil && e.Withheld == nil && e.Segments == nil && e.Contains == nil && e.Excludes == nil && e.MaxTokens == nil && e.Blocked == nil {
		c.empty(at)
	}
	for i, id := range e.Disclosed {
		c.tool(at+"/disclosed/"+strconv.Itoa(i), id)
	}
	for i, id := range e.Segments {
		if _, ok := c.def.Sources[id]; !ok {
			c.unknown(at+"/segments/"+strconv.Itoa(i), "source", id, sortedKeys(c.def.Sources))
		}
	}
	c.reasons(at+"/withheld", e.Withheld, Reasons())
	c.reasons(at+"/blocked", e.Blocked, Reasons()[3:])
	if e.Withheld != nil && len(e.Withheld) == 0 {
		c.empty(at + "/withheld")
	}
	c.blockedAlone(at, e)
	c.fragments(at+"/text/contains", e.Contains)
	c.fragments(at+"/text/excludes", e.Excludes)
	if e.MaxTokens != nil && *e.MaxTokens < 0 {
		c.add(diag.New(diag.CodeTestOutOfBounds, at+"/tokens/max", "what", "tokens.max", "value", strconv.Itoa(*e.MaxTokens), "least", "0"))
	}
}

// blockedAlone refuses what is said of a context beside the expectation that there is none: a blocked resolution
// shows nothing, so that most of it would hold of everything.
func (c *checker) blockedAlone(at string, e *Expectation) {
	if len(e.Blocked) == 0 {
		return
	}
	for _, member := range []struct {
		name string
		said bool
	}{
		{"disclosed", e.Disclosed != nil}, {"segments", e.Segments != nil},
		{"text", e.Contains != nil || e.Excludes != nil}, {"tokens", e.MaxTokens != nil},
	} {
		if member.said {
			c.add(diag.New(diag.CodeTestBesideBlocked, at+"/"+member.name, "member", member.name))
		}
	}
}

// fragments refuses expectations about text that always or never hold.
func (c *checker) fragments(at string, texts []string) {
	if texts != nil && len(texts) == 0 {
		c.empty(at)
	}
	for i, text := range texts {
		if text == "" {
			c.empty(at + "/" + strconv.Itoa(i))
		}
	}
}

func (c *checker) reasons(at string, reasons map[string]resolve.Reason, known []resolve.Reason) {
	for _, id := range sortedKeys(reasons) {
		member := canonical.JoinPointer(at, id)
		if _, ok := c.def.Tools[id]; !ok {
			c.add(c.unknownProblem(member, "tool", id, sortedKeys(c.def.Tools)).AtKey())
		}
		if !slices.Contains(known, reasons[id]) {
			c.unknown(member, "reason", string(reasons[id]), words(known))
		}
	}
}

func (c *checker) call(at string, call Call) {
	c.tool(at+"/tool", call.Tool)
	if !slices.Contains(Outcomes(), call.Expect) {
		c.unknown(at+"/expect", "call expectation", string(call.Expect), words(Outcomes()))
	}
	if !slices.Contains([]Approval{NoGrant, Valid, ExpiredGrant, OtherCall, OtherArguments}, call.Approval) {
		c.unknown(at+"/approval", "approval", string(call.Approval), []string{"expired", "other_arguments", "other_call", "valid"})
	}
	if tool, ok := c.def.Tools[call.Tool]; ok && call.Approval != NoGrant && free(tool) {
		c.add(diag.New(diag.CodeTestApprovalNeedless, at+"/approval", "tool", call.Tool))
	}
	if call.ID != "" && !isCallID(call.ID) {
		c.add(diag.New(diag.CodeCallIDInvalid, at+"/call_id", "id", call.ID))
	}
	if call.Times < 0 || call.Times > MaxTimes {
		c.add(diag.New(diag.CodeTestOutOfBounds, at+"/times", "what", "times", "value", strconv.Itoa(call.Times), "least", "1", "most", strconv.Itoa(MaxTimes)))
	}
	if call.ID != "" && call.Times > 1 {
		c.add(diag.New(diag.CodeTestTimesWithID, at+"/times", "id", call.ID))
	}
	if call.AtMS < 0 || call.AtMS > MaxAtMS {
		c.add(diag.New(diag.CodeTestOutOfBounds, at+"/at_ms", "what", "at", "value", strconv.FormatInt(call.AtMS, 10)+" ms", "least", "0", "most", strconv.Itoa(MaxAtMS)+" ms"))
	}
	if call.Policy != "" {
		if _, ok := c.def.Policies[call.Policy]; !ok {
			c.unknown(at+"/policy", "policy", call.Policy, sortedKeys(c.def.Policies))
		}
		if call.Expect != resolve.PolicyDenied {
			c.add(diag.New(diag.CodeTestMemberMisplaced, at+"/policy", "member", "policy", "expect", string(resolve.PolicyDenied)))
		}
	}
	if call.Pointer != nil && call.Expect != resolve.ArgumentsInvalid {
		c.add(diag.New(diag.CodeTestMemberMisplaced, at+"/pointer", "member", "pointer", "expect", string(resolve.ArgumentsInvalid)))
	}
}

// free tells whether calls of a tool need no approval.
func free(tool definition.Tool) bool {
	return tool.Contract.Approval == definition.NoApproval && tool.Contract.Effect == definition.Read
}

func (c *checker) tool(at, id string) {
	if _, ok := c.def.Tools[id]; !ok {
		c.unknown(at, "tool", id, sortedKeys(c.def.Tools))
	}
}

func (c *checker) unknown(at, what, name string, known []string) {
	c.add(c.unknownProblem(at, what, name, known))
}

func (c *checker) unknownProblem(at, what, name string, known []string) diag.Problem {
	return diag.New(diag.CodeTestNamesUnknown, at, "what", what, "name", name, "nearest", diag.Nearest(name, known))
}

func (c *checker) empty(at string) {
	c.add(diag.New(diag.CodeExpectationEmpty, at))
}

func words[T ~string](all []T) []string {
	out := make([]string, len(all))
	for i, word := range all {
		out[i] = string(word)
	}
	return out
}
