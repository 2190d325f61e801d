package testsuite

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// MaxBytes bounds tests.json, as every blob of a Build.
const MaxBytes = 64 << 20

// Decode reads tests.json from a Build. Only the bytes that [Suite.Encode] would give are accepted, so a member
// that this version does not know, or a value spelled in another way, is refused and never ignored.
func Decode(data []byte) (*Suite, []diag.Problem) {
	value, err := canonical.Parse(data, canonical.Limits{Bytes: MaxBytes})
	if err != nil {
		return nil, []diag.Problem{diag.New(diag.CodeTestsUnreadable, "", "why", err.Error())}
	}
	d := &decoder{}
	suite := d.suite(value)
	if len(d.problems) > 0 {
		return nil, d.problems
	}
	again, err := suite.Encode()
	if err != nil || !slices.Equal(again, data) {
		return nil, []diag.Problem{diag.New(diag.CodeTestsUnreadable, "", "why", "it is not in canonical form")}
	}
	return suite, nil
}

// decoder reads canonical values and collects what does not fit.
type decoder struct{ problems []diag.Problem }

func (d *decoder) wrong(pointer, want string) {
	d.problems = append(d.problems, diag.New(diag.CodeTestsMalformed, pointer, "want", want))
}

func (d *decoder) suite(value canonical.Value) *Suite {
	root := d.object("", value, "schema", "tests")
	if root["schema"] != Schema {
		d.wrong("/schema", Schema)
	}
	out := &Suite{Tests: map[string]Test{}}
	for _, id := range sortedKeys(d.object("/tests", root["tests"])) {
		members := root["tests"].(map[string]any)
		out.Tests[id] = d.test(canonical.JoinPointer("/tests", id), members[id])
	}
	return out
}

func (d *decoder) test(at string, value canonical.Value) Test {
	members := d.object(at, value, "profile", "objective", "inputs", "executors", "expect", "calls", "incident")
	test := Test{
		Profile:   d.text(at+"/profile", members["profile"], true),
		Objective: d.optionalText(at, members, "objective"),
	}
	if inputs, ok := members["inputs"]; ok {
		test.Inputs = map[string]canonical.Value{}
		for name, value := range d.object(at+"/inputs", inputs) {
			test.Inputs[name] = value
		}
	}
	if executors, ok := members["executors"]; ok {
		test.Executors = map[string]Executor{}
		named := d.object(at+"/executors", executors)
		for _, id := range sortedKeys(named) {
			test.Executors[id] = d.executor(canonical.JoinPointer(at+"/executors", id), named[id])
		}
	}
	if expect, ok := members["expect"]; ok {
		test.Expect = d.expectation(at+"/expect", expect)
	}
	for i, call := range d.list(at+"/calls", members, "calls") {
		test.Calls = append(test.Calls, d.call(at+"/calls/"+strconv.Itoa(i), call))
	}
	if incident, ok := members["incident"]; ok {
		test.Incident = d.text(at+"/incident/id", d.object(at+"/incident", incident, "id")["id"], true)
	}
	return test
}

func (d *decoder) executor(at string, value canonical.Value) Executor {
	if value == "unavailable" {
		return Executor{Unavailable: true}
	}
	members := d.object(at, value, "version", "fingerprint")
	out := Executor{Version: d.optionalText(at, members, "version")}
	if text := d.optionalText(at, members, "fingerprint"); text != "" {
		fingerprint, err := digest.ParseFingerprint(text)
		if err != nil {
			d.wrong(at+"/fingerprint", "a fingerprint")
		}
		out.Fingerprint = &fingerprint
	}
	return out
}

func (d *decoder) expectation(at string, value canonical.Value) *Expectation {
	members := d.object(at, value, "disclosed", "withheld", "segments", "text", "tokens", "blocked")
	out := &Expectation{
		Disclosed: d.texts(at, members, "disclosed"),
		Withheld:  d.reasons(at, members, "withheld"),
		Segments:  d.texts(at, members, "segments"),
		Blocked:   d.reasons(at, members, "blocked"),
	}
	if text, ok := members["text"]; ok {
		parts := d.object(at+"/text", text, "contains", "excludes")
		out.Contains = d.texts(at+"/text", parts, "contains")
		out.Excludes = d.texts(at+"/text", parts, "excludes")
	}
	if tokens, ok := members["tokens"]; ok {
		most := int(d.integer(at+"/tokens/max", d.object(at+"/tokens", tokens, "max")["max"]))
		out.MaxTokens = &most
	}
	return out
}

func (d *decoder) call(at string, value canonical.Value) Call {
	members := d.object(at, value, "tool", "call_id", "arguments", "approval", "executor", "at_ms", "times", "expect", "policy", "pointer")
	out := Call{
		Tool:      d.text(at+"/tool", members["tool"], true),
		ID:        d.optionalText(at, members, "call_id"),
		Arguments: members["arguments"],
		Approval:  Approval(d.optionalText(at, members, "approval")),
		Expect:    resolve.Outcome(d.text(at+"/expect", members["expect"], true)),
		Policy:    d.optionalText(at, members, "policy"),
	}
	if _, ok := members["arguments"]; !ok {
		d.wrong(at+"/arguments", "a value")
	}
	if executor, ok := members["executor"]; ok {
		assumed := d.executor(at+"/executor", executor)
		out.Executor = &assumed
	}
	if after, ok := members["at_ms"]; ok {
		out.AtMS = d.integer(at+"/at_ms", after)
	}
	if times, ok := members["times"]; ok {
		out.Times = int(d.integer(at+"/times", times))
	}
	if pointer, ok := members["pointer"]; ok {
		text := d.text(at+"/pointer", pointer, false)
		out.Pointer = &text
	}
	return out
}

// object gives the members of an object; with known names, any other member is wrong.
func (d *decoder) object(at string, value canonical.Value, known ...string) map[string]any {
	members, ok := value.(map[string]any)
	if !ok {
		d.wrong(at, "an object")
		return nil
	}
	if len(known) > 0 {
		for _, name := range sortedKeys(members) {
			if !slices.Contains(known, name) {
				d.wrong(canonical.JoinPointer(at, name), "no such member")
			}
		}
	}
	return members
}

func (d *decoder) text(at string, value canonical.Value, filled bool) string {
	text, ok := value.(string)
	if !ok || filled && text == "" {
		d.wrong(at, "a string")
	}
	return text
}

func (d *decoder) optionalText(at string, members map[string]any, name string) string {
	value, ok := members[name]
	if !ok {
		return ""
	}
	return d.text(at+"/"+name, value, true)
}

func (d *decoder) list(at string, members map[string]any, name string) []any {
	value, ok := members[name]
	if !ok {
		return nil
	}
	list, ok := value.([]any)
	if !ok {
		d.wrong(at, "an array")
		return nil
	}
	return list
}

// texts gives a list of strings; one that was written is never nil.
func (d *decoder) texts(at string, members map[string]any, name string) []string {
	if _, ok := members[name]; !ok {
		return nil
	}
	out := []string{}
	for i, value := range d.list(at+"/"+name, members, name) {
		out = append(out, d.text(at+"/"+name+"/"+strconv.Itoa(i), value, false))
	}
	return out
}

func (d *decoder) reasons(at string, members map[string]any, name string) map[string]resolve.Reason {
	value, ok := members[name]
	if !ok {
		return nil
	}
	out := map[string]resolve.Reason{}
	named := d.object(at+"/"+name, value)
	for _, id := range sortedKeys(named) {
		out[id] = resolve.Reason(d.text(canonical.JoinPointer(at+"/"+name, id), named[id], true))
	}
	return out
}

func (d *decoder) integer(at string, value canonical.Value) int64 {
	number, ok := value.(json.Number)
	if ok {
		if n, err := number.Int64(); err == nil && n >= 0 {
			return n
		}
	}
	d.wrong(at, "a whole number that is not negative")
	return 0
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
