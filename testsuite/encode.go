package testsuite

import (
	"encoding/json"
	"strconv"

	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Encode gives the bytes of tests.json, in RFC 8785 form. A suite without tests has them too.
func (s *Suite) Encode() ([]byte, error) {
	const most, perTest = 1 << 10, 640 // a guess, so that the bytes are seldom moved
	return canonical.Append(make([]byte, 0, most+len(s.Tests)*perTest), s.Value())
}

// Value is the suite as a canonical value.
func (s *Suite) Value() canonical.Value {
	tests := make(map[string]any, len(s.Tests))
	for id, test := range s.Tests {
		tests[id] = test.Value()
	}
	return map[string]any{"schema": Schema, "tests": tests}
}

// ObligationDigest identifies one expanded test: SHA-256 of the canonical {"id":ID,"test":{...}}.
func ObligationDigest(id string, test Test) (digest.Digest, error) {
	return digest.OfValue(map[string]any{"id": id, "test": test.Value()})
}

// Value is the test as a canonical value: what was not said is not written.
func (t Test) Value() canonical.Value {
	out := map[string]any{"profile": t.Profile}
	putString(out, "objective", t.Objective)
	if len(t.Inputs) > 0 {
		inputs := make(map[string]any, len(t.Inputs))
		for name, value := range t.Inputs {
			inputs[name] = value
		}
		out["inputs"] = inputs
	}
	if executors := executorsValue(t.Executors); len(executors) > 0 {
		out["executors"] = executors
	}
	if t.Expect != nil {
		out["expect"] = t.Expect.value()
	}
	if len(t.Calls) > 0 {
		calls := make([]any, len(t.Calls))
		for i, call := range t.Calls {
			calls[i] = call.value()
		}
		out["calls"] = calls
	}
	if t.Incident != "" {
		out["incident"] = map[string]any{"id": t.Incident}
	}
	return out
}

// executorsValue leaves out what is ready in its exact contract, which is the default.
func executorsValue(executors map[string]Executor) map[string]any {
	out := map[string]any{}
	for id, e := range executors {
		if value := e.value(); value != nil {
			out[id] = value
		}
	}
	return out
}

// value is nil for an executor that is ready in its exact contract.
func (e Executor) value() canonical.Value {
	described := map[string]any{}
	putString(described, "version", e.Version)
	if e.Fingerprint != nil {
		described["fingerprint"] = e.Fingerprint.String()
	}
	switch {
	case e.Unavailable:
		return "unavailable"
	case len(described) > 0:
		return described
	default:
		return nil
	}
}

func (e *Expectation) value() canonical.Value {
	out := map[string]any{}
	putList(out, "disclosed", e.Disclosed)
	putReasons(out, "withheld", e.Withheld)
	putList(out, "segments", e.Segments)
	text := map[string]any{}
	putList(text, "contains", e.Contains)
	putList(text, "excludes", e.Excludes)
	if len(text) > 0 {
		out["text"] = text
	}
	if e.MaxTokens != nil {
		out["tokens"] = map[string]any{"max": number(int64(*e.MaxTokens))}
	}
	putReasons(out, "blocked", e.Blocked)
	return out
}

func (c Call) value() canonical.Value {
	out := map[string]any{"tool": c.Tool, "arguments": c.Arguments, "expect": string(c.Expect)}
	putString(out, "call_id", c.ID)
	putString(out, "approval", string(c.Approval))
	putString(out, "policy", c.Policy)
	if c.Executor != nil {
		if executor := c.Executor.value(); executor != nil {
			out["executor"] = executor
		}
	}
	if c.AtMS > 0 {
		out["at_ms"] = number(c.AtMS)
	}
	if c.Times > 1 {
		out["times"] = number(int64(c.Times))
	}
	if c.Pointer != nil {
		out["pointer"] = *c.Pointer
	}
	return out
}

func putString(out map[string]any, name, value string) {
	if value != "" {
		out[name] = value
	}
}

// putList writes a list that was given, an empty one included: it expects emptiness.
func putList(out map[string]any, name string, values []string) {
	if values == nil {
		return
	}
	list := make([]any, len(values))
	for i, value := range values {
		list[i] = value
	}
	out[name] = list
}

func putReasons(out map[string]any, name string, reasons map[string]resolve.Reason) {
	if reasons == nil {
		return
	}
	members := make(map[string]any, len(reasons))
	for id, reason := range reasons {
		members[id] = string(reason)
	}
	out[name] = members
}

func number(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }
