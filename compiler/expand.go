package compiler

import (
	"strconv"
	"strings"
	"time"

	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/manifest"
	"github.com/seif-dev/seifc/testsuite"
)

// expansion turns authored tests into the tests that a Build carries: defaults applied, one map by id.
type expansion struct {
	suite   *testsuite.Suite
	origins *origins
	first   map[string]manifest.Origin
	report  *[]diag.Diagnostic
}

// expand gives the suite of a Project and where each part of it was written.
func expand(in *loaded, report *[]diag.Diagnostic) (*testsuite.Suite, *origins) {
	x := &expansion{
		suite: &testsuite.Suite{Tests: map[string]testsuite.Test{}}, origins: newOrigins(in.project.Origin),
		first: map[string]manifest.Origin{}, report: report,
	}
	for _, file := range in.tests {
		for _, entry := range file.Tests {
			if first, twice := x.first[entry.ID]; twice {
				x.duplicate(entry, first)
				continue
			}
			x.first[entry.ID] = entry.Origin
			x.suite.Tests[entry.ID] = x.test(entry, file.Defaults)
		}
	}
	return x.suite, x.origins
}

func (x *expansion) duplicate(entry manifest.Entry[manifest.TestBody], first manifest.Origin) {
	problem := diag.New(diag.CodeTestDuplicate, entry.Pointer, "id", entry.ID).AtKey()
	place := first.File.Locate(diag.Target{Pointer: first.Pointer, Part: diag.PartKey})
	problem.Notes = append(problem.Notes, diag.Note{Kind: diag.NoteFirstHere, Place: &place})
	*x.report = append(*x.report, diag.At(entry.File, problem)...)
}

func (x *expansion) test(entry manifest.Entry[manifest.TestBody], defaults manifest.TestBody) testsuite.Test {
	at := canonical.JoinPointer("/tests", entry.ID)
	x.origins.bind(at, entry.Origin)
	body := entry.Value
	out := testsuite.Test{
		Profile:   x.text(at+"/profile", body.Profile, defaults.Profile),
		Objective: x.text(at+"/objective", body.Objective, defaults.Objective),
	}
	x.inputs(at, &out, defaults.Inputs)
	x.inputs(at, &out, body.Inputs)
	executors := body.Executors
	if executors == nil {
		executors = defaults.Executors
	}
	for _, e := range executors {
		x.executor(at, &out, e)
	}
	if body.Expect != nil {
		out.Expect = x.expectation(at+"/expect", body.Expect)
	}
	for i, step := range body.Calls {
		out.Calls = append(out.Calls, x.call(indexPointer(at+"/calls", i), step))
	}
	if body.Incident != nil {
		out.Incident = body.Incident.ID
		x.origins.bind(at+"/incident", body.Incident.Origin)
	}
	return out
}

func (x *expansion) text(pointer string, own, inherited manifest.Text) string {
	chosen := own
	if chosen.File == nil {
		chosen = inherited
	}
	x.origins.bind(pointer, chosen.Origin)
	return chosen.Value
}

// inputs merges by name: what comes later wins.
func (x *expansion) inputs(at string, out *testsuite.Test, values []manifest.Entry[canonical.Value]) {
	for _, value := range values {
		if out.Inputs == nil {
			out.Inputs = map[string]canonical.Value{}
		}
		out.Inputs[value.ID] = value.Value
		x.origins.bind(canonical.JoinPointer(at+"/inputs", value.ID), value.Origin)
	}
}

func (x *expansion) executor(at string, out *testsuite.Test, entry manifest.Entry[manifest.Executor]) {
	if out.Executors == nil {
		out.Executors = map[string]testsuite.Executor{}
	}
	x.origins.bind(canonical.JoinPointer(at+"/executors", entry.ID), entry.Origin)
	out.Executors[entry.ID] = x.assumed(entry)
}

// assumed is an authored state of an executor. One that cannot be read is reported.
func (x *expansion) assumed(entry manifest.Entry[manifest.Executor]) testsuite.Executor {
	out := testsuite.Executor{Unavailable: entry.Value.State == "unavailable", Version: entry.Value.Version}
	if entry.Value.Fingerprint == "" {
		return out
	}
	fingerprint, err := digest.ParseFingerprint(entry.Value.Fingerprint)
	if err != nil {
		problem := diag.New(diag.CodePinMalformed, entry.Pointer+"/fingerprint", "id", entry.ID, "pinned", entry.Value.Fingerprint, "why", err.Error())
		*x.report = append(*x.report, diag.At(entry.File, problem)...)
	}
	out.Fingerprint = &fingerprint
	return out
}

func (x *expansion) expectation(at string, authored *manifest.Expectation) *testsuite.Expectation {
	x.origins.bind(at, authored.Origin)
	return &testsuite.Expectation{
		Disclosed: x.set(at+"/disclosed", authored.Disclosed),
		Withheld:  x.reasons(at+"/withheld", authored.Withheld),
		Segments:  x.list(at+"/segments", authored.Segments),
		Contains:  x.list(at+"/text/contains", authored.Contains),
		Excludes:  x.list(at+"/text/excludes", authored.Excludes),
		MaxTokens: authored.MaxTokens,
		Blocked:   x.reasons(at+"/blocked", authored.Blocked),
	}
}

func (x *expansion) list(at string, texts []manifest.Text) []string {
	if texts == nil {
		return nil
	}
	out := []string{}
	for i, text := range texts {
		x.origins.bind(indexPointer(at, i), text.Origin)
		out = append(out, text.Value)
	}
	return out
}

// set sorts, because order says nothing in a set and must not change a digest.
func (x *expansion) set(at string, texts []manifest.Text) []string {
	if texts == nil {
		return nil
	}
	w := lowering{origins: x.origins, report: x.report}
	out := w.idSet(at, texts)
	if out == nil {
		out = []string{}
	}
	return out
}

func (x *expansion) reasons(at string, entries []manifest.Entry[string]) map[string]resolve.Reason {
	if entries == nil {
		return nil
	}
	out := map[string]resolve.Reason{}
	for _, entry := range entries {
		x.origins.bind(canonical.JoinPointer(at, entry.ID), entry.Origin)
		out[entry.ID] = resolve.Reason(entry.Value)
	}
	return out
}

func (x *expansion) call(at string, step manifest.CallStep) testsuite.Call {
	x.origins.bind(at, step.Origin)
	out := testsuite.Call{
		Tool: step.Tool.Value, ID: step.CallID, Arguments: step.Arguments, Approval: testsuite.Approval(step.Approval),
		Times: step.Times, Expect: resolve.Outcome(step.Expect), Policy: step.Policy.Value,
	}
	if step.Pointer != nil {
		pointer := step.Pointer.Value
		out.Pointer = &pointer
	}
	if step.Executor != nil && step.Executor.Value != (manifest.Executor{State: "ready"}) {
		assumed := x.assumed(*step.Executor)
		out.Executor = &assumed
		x.origins.bind(at+"/executor", step.Executor.Origin)
	}
	if step.At != "" {
		after, ok := parseOffset(step.At)
		if !ok {
			problem := diag.New(diag.CodeOffsetInvalid, step.Origin.Pointer+"/at", "at", step.At)
			*x.report = append(*x.report, diag.At(step.File, problem)...)
		}
		out.AtMS = after
		x.origins.bind(at+"/at_ms", manifest.Origin{File: step.File, Pointer: step.Origin.Pointer + "/at"})
	}
	return out
}

// parseOffset reads an offset such as 90s, 2m, 14m59s999ms: whole units from h to ms, largest first, no sign.
func parseOffset(text string) (ms int64, ok bool) {
	units := []struct {
		name string
		ms   int64
	}{{"h", int64(time.Hour / time.Millisecond)}, {"m", int64(time.Minute / time.Millisecond)}, {"s", 1000}, {"ms", 1}}
	rest := text
	for _, unit := range units {
		digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
		after := rest[len(digits):]
		if digits == "" || len(digits) > 9 || !strings.HasPrefix(after, unit.name) || unit.name == "m" && strings.HasPrefix(after, "ms") {
			continue
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return 0, false
		}
		ms += n * unit.ms
		rest = after[len(unit.name):]
	}
	return ms, rest == "" && text != ""
}
