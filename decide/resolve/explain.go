package resolve

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Step is one link in the chain of why a tool is disclosed or not.
type Step struct {
	Code diag.Code
	// Pointer is what in the definition the step rests on; "" is the definition as a whole.
	Pointer string
	Data    diag.Data
}

// Problem is the step as a finding, to be placed and printed like one.
func (s Step) Problem() diag.Problem {
	return diag.Problem{Code: s.Code, Target: diag.Target{Pointer: s.Pointer}, Data: s.Data}
}

// Explain tells why a tool is disclosed in a profile or not, from the pinned contract to the executor. With a
// resolution of that profile it says what happened in it; with nil, what can happen. The last step always states
// that no text of a source took part.
func (p *Plan) Explain(profile, tool string, res *Resolution) []Step {
	e := &explanation{plan: p, res: res}
	e.explain(profile, tool)
	e.step(diag.CodeExplainNoSource, "")
	return e.steps
}

type explanation struct {
	plan  *Plan
	res   *Resolution
	steps []Step
}

func (e *explanation) step(code diag.Code, pointer string, pairs ...string) {
	e.steps = append(e.steps, Step{Code: code, Pointer: pointer, Data: diag.New(code, "", pairs...).Data})
}

func (e *explanation) explain(profile, id string) {
	r, t := e.plan.profiles[profile], e.plan.tools[id]
	if t == nil {
		e.step(diag.CodeExplainUnknown, "/tools", "tool", id, "nearest", diag.Nearest(id, sortedKeys(e.plan.tools)))
		return
	}
	e.step(diag.CodeExplainPinned, canonical.JoinPointer("/tools", id), "tool", id, "contract", t.contract.ID,
		"version", t.contract.Version, "fingerprint", t.fingerprint.String(), "name", t.contract.Name, "effect", string(t.contract.Effect))
	if r == nil {
		e.step(diag.CodeExplainVerdict, "/profiles", "verdict", "not disclosed", "reason", "there is no profile "+profile)
		return
	}
	at := canonical.JoinPointer("/profiles", profile)
	if reason, excluded := r.profile.Exclude[id]; excluded {
		e.step(diag.CodeExplainExcluded, canonical.JoinPointer(at+"/tools/exclude", id), "profile", profile, "reason", reason)
		e.verdict(at, id)
		return
	}
	found := slices.IndexFunc(r.includes, func(i include) bool { return i.tool.id == id })
	if found < 0 {
		e.step(diag.CodeExplainNotIncluded, at, "profile", profile)
		e.verdict(at, id)
		return
	}
	i := &r.includes[found]
	required := ""
	if i.required {
		required = "required"
	}
	e.step(diag.CodeExplainIncluded, i.pointer, "profile", profile, "required", required)
	e.narrowing(r, i)
	e.policies(r, t)
	if !t.free() {
		e.step(diag.CodeExplainApproval, canonical.JoinPointer("/tools", id))
	}
	e.readiness(t)
	e.verdict(at, id)
}

// narrowing tells what the profile's entry adds: objectives, a condition, a limit.
func (e *explanation) narrowing(r *recipe, i *include) {
	objectives := "every objective"
	if len(i.objectives) > 0 {
		objectives = "objective " + strings.Join(i.objectives, ", ")
	}
	if e.res != nil && !stands(i.objectives, e.res.Objective) {
		e.step(diag.CodeExplainOffObjective, i.pointer, "objectives", strings.Join(i.objectives, ", "), "objective", e.res.Objective)
	} else {
		e.step(diag.CodeExplainObjective, i.pointer, "objectives", objectives)
	}
	if i.when != nil {
		verdict := ""
		if e.res != nil {
			if holds, err := i.when.Eval(e.res.Inputs, nil); err == nil {
				verdict = strconv.FormatBool(holds)
			}
		}
		e.step(diag.CodeExplainCondition, i.pointer+"/when", "when", r.profile.Include[i.tool.id].When, "verdict", verdict)
	}
	contract := ""
	if i.limit != i.tool.contract.CallLimit {
		contract = strconv.Itoa(i.tool.contract.CallLimit)
	}
	e.step(diag.CodeExplainLimit, i.pointer, "limit", strconv.Itoa(i.limit), "contract", contract)
}

// policies tells the denials that calls in this profile, and in a resolution with its objective, must pass.
func (e *explanation) policies(r *recipe, t *tool) {
	for _, d := range t.denials {
		if !stands(d.profiles, r.id) || e.res != nil && !stands(d.objectives, e.res.Objective) {
			continue
		}
		policy := e.plan.def.Policies[d.policy]
		e.step(diag.CodeExplainPolicy, canonical.JoinPointer("/policies", d.policy), "policy", d.policy, "deny", policy.Deny, "message", policy.Message)
	}
}

func (e *explanation) readiness(t *tool) {
	readiness := "asked when a context is resolved, and must serve this exact contract"
	if e.res != nil {
		switch e.res.Withheld[t.id] {
		case Unavailable:
			readiness = "not available"
		case Incompatible:
			readiness = "serving another version or contract"
		case "":
			readiness = "ready"
		}
	}
	e.step(diag.CodeExplainReadiness, canonical.JoinPointer("/tools", t.id), "readiness", readiness)
}

func (e *explanation) verdict(at, id string) {
	if e.res == nil {
		return
	}
	switch reason := e.res.Withheld[id]; {
	case slices.ContainsFunc(e.res.Disclosed, func(d Disclosed) bool { return d.ID == id }):
		e.step(diag.CodeExplainVerdict, at, "verdict", "disclosed")
	case reason != "":
		e.step(diag.CodeExplainVerdict, at, "verdict", "withheld", "reason", string(reason))
	case len(e.res.Blocked) > 0:
		e.step(diag.CodeExplainVerdict, at, "verdict", "not disclosed", "reason", "the resolution is blocked")
	default:
		e.step(diag.CodeExplainVerdict, at, "verdict", "not disclosed")
	}
}
