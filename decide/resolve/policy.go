package resolve

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/expr"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

const (
	// maxNamedTools is how many tools a finding names.
	maxNamedTools = 10
	// maxPolicyNodes bounds the work of checking all policies against all their tools, in nodes of expressions. Each
	// check counts as checkNodes more, for what it takes and keeps however short the expression is.
	maxPolicyNodes = 10_000_000
	checkNodes     = 20
	// maxDenialCost bounds what all policies of one tool may cost when a call is decided.
	maxDenialCost = 5 * expr.MaxCost
)

// policy compiles a denial for every tool that it covers. Findings that several tools share are reported once, with
// the names of the tools.
func (p *preparation) policy(id string, authored definition.Policy) {
	at := canonical.JoinPointer("/policies", id)
	covered := authored.Tools
	if authored.AllTools {
		covered = sortedKeys(p.tools)
	}
	read := p.parse(authored.Deny)
	if read.expression == nil {
		p.under(at+"/deny", read.problems)
		return
	}
	if p.policyNodes > maxPolicyNodes {
		return // it was reported
	}
	if p.policyNodes += len(covered) * (read.expression.Nodes() + checkNodes); p.policyNodes > maxPolicyNodes {
		p.add(diag.New(diag.CodePoliciesTooLarge, at, "most", strconv.Itoa(maxPolicyNodes)))
		return
	}
	required := p.alwaysRequired(authored, covered)
	shared := newShared(len(covered))
	for i, name := range covered {
		t := p.tools[name]
		if t == nil {
			if !authored.AllTools {
				p.unknown(at+"/tools/"+strconv.Itoa(i), diag.CodeUnknownTool, name, sortedKeys(p.def.Tools))
			}
			continue
		}
		if t.arguments == nil {
			continue // its schema was reported
		}
		program, problems := read.expression.Check(expr.Scope{Inputs: p.inputsType, Args: t.argsType, RequiredInputs: required})
		shared.add(name, problems)
		if program != nil {
			if t.cost += program.Cost(); t.cost > maxDenialCost {
				p.add(diag.New(diag.CodeExpressionCost, at+"/deny", "cost", strconv.Itoa(t.cost), "most", strconv.Itoa(maxDenialCost), "what", "all policies of "+name))
				return
			}
			t.denials = append(t.denials, &denial{policy: id, profiles: authored.Profiles, objectives: authored.Objectives, program: program})
		}
	}
	p.under(at+"/deny", shared.problems())
}

// alwaysRequired names the optional inputs that are required by every profile in which the policy can apply: those
// that it names, or all, and that include a tool that it covers.
func (p *preparation) alwaysRequired(authored definition.Policy, covered []string) map[string]bool {
	var always map[string]bool
	for _, id := range sortedKeys(p.def.Profiles) {
		profile := p.def.Profiles[id]
		if !stands(authored.Profiles, id) || !includesAny(profile, covered) {
			continue
		}
		required := setOf(profile.Requires)
		if always == nil {
			always = required
			continue
		}
		for name := range always {
			if !required[name] {
				delete(always, name)
			}
		}
	}
	return always
}

func includesAny(profile definition.Profile, tools []string) bool {
	if len(tools) > len(profile.Include) {
		for name := range profile.Include {
			if _, found := slices.BinarySearch(tools, name); found {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(tools, func(name string) bool { _, ok := profile.Include[name]; return ok })
}

// sharedProblems gathers equal findings of several tools.
type sharedProblems struct {
	covered int
	order   []sharedKey
	first   map[sharedKey]diag.Problem
	tools   map[sharedKey][]string
}

type sharedKey struct {
	code           diag.Code
	offset, length int
}

func newShared(covered int) *sharedProblems {
	return &sharedProblems{covered: covered, first: map[sharedKey]diag.Problem{}, tools: map[sharedKey][]string{}}
}

func (s *sharedProblems) add(tool string, problems []diag.Problem) {
	for _, problem := range problems {
		key := sharedKey{problem.Code, problem.Target.Offset, problem.Target.Length}
		if _, seen := s.first[key]; !seen {
			s.order = append(s.order, key)
			s.first[key] = problem
		}
		s.tools[key] = append(s.tools[key], tool)
	}
}

// problems gives each finding once. The tools are named unless the finding has nothing to do with their arguments.
func (s *sharedProblems) problems() []diag.Problem {
	var all []diag.Problem
	for _, key := range s.order {
		problem, tools := s.first[key], s.tools[key]
		if problem.Data["root"] == "args" || len(tools) < s.covered {
			problem.Data["tools"] = enumerate(tools)
		}
		all = append(all, problem)
	}
	return all
}

// enumerate names the first few of a list and counts the rest.
func enumerate(names []string) string {
	if len(names) <= maxNamedTools {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:maxNamedTools], ", ") + " and " + strconv.Itoa(len(names)-maxNamedTools) + " more"
}
