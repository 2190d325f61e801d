package resolve

import (
	"maps"
	"slices"
	"strconv"

	"github.com/seif-dev/seifc/decide/expr"
	"github.com/seif-dev/seifc/decide/schema"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Resolve yields what a request is shown under the observations. Problems have pointers into the request document:
// /profile, /objective, /inputs and below. The resolution is nil if there is any.
//
// A required tool that is not ready is no problem of the request: the resolution then has Blocked set and shows
// nothing.
func (p *Plan) Resolve(r Request, o Observations) (*Resolution, []diag.Problem) {
	recipe, problems := p.recipe(r)
	problems = append(problems, p.checkInputs(r, recipe)...)
	if len(problems) > 0 {
		return nil, problems
	}
	outline := p.outline(recipe, r.Objective)
	res := &Resolution{
		Profile: r.Profile, Objective: r.Objective, Inputs: maps.Clone(r.Inputs), At: o.At,
		Withheld: maps.Clone(outline.withheld), Blocked: map[string]Reason{},
	}
	disclosed, problems := p.disclose(res, recipe, outline, o)
	segments, more := p.segments(recipe, outline, r.Inputs)
	problems = append(problems, more...)
	switch {
	case len(problems) > 0:
		return nil, problems
	case len(res.Blocked) > 0:
		res.Disclosed = nil
		res.ToolsDigest = toolsDigest(nil)
		return res, nil
	}
	res.Segments = segments
	res.ToolsDigest = outline.toolsDigest(disclosed)
	for _, s := range res.Segments {
		res.Tokens += s.Tokens
	}
	for _, d := range res.Disclosed {
		res.Tokens += d.Tokens
	}
	if res.Tokens > recipe.profile.BudgetTokens {
		return nil, []diag.Problem{p.measured(res, recipe.profile.BudgetTokens).problem("/profile")}
	}
	return res, nil
}

// recipe finds the profile of a request and checks the objective.
func (p *Plan) recipe(r Request) (*recipe, []diag.Problem) {
	found := p.profiles[r.Profile]
	if found == nil {
		return nil, []diag.Problem{unknownProfile(r.Profile, sortedKeys(p.profiles))}
	}
	if problem := checkObjective(r.Profile, found.profile.Objectives, r.Objective); problem != nil {
		return found, []diag.Problem{*problem}
	}
	return found, nil
}

func checkObjective(profile string, objectives []string, objective string) *diag.Problem {
	var problem diag.Problem
	switch {
	case objective == "" && len(objectives) > 0:
		problem = diag.New(diag.CodeRequestObjectiveNeeds, "/objective", "profile", profile, "objectives", enumerate(objectives))
	case objective != "" && !slices.Contains(objectives, objective):
		problem = diag.New(diag.CodeRequestObjective, "/objective", "profile", profile, "objective", objective,
			"nearest", diag.Nearest(objective, objectives), "objectives", enumerate(objectives))
	default:
		return nil
	}
	return &problem
}

func unknownProfile(name string, profiles []string) diag.Problem {
	return diag.New(diag.CodeRequestProfile, "/profile", "profile", name, "nearest", diag.Nearest(name, profiles))
}

// checkInputs checks the inputs against the Project's schema and, with a profile, its requirements and its texts.
func (p *Plan) checkInputs(r Request, recipe *recipe) []diag.Problem {
	var problems []diag.Problem
	if p.inputs == nil {
		for _, name := range sortedKeys(r.Inputs) {
			problems = append(problems, diag.New(diag.CodeRequestInput, canonical.JoinPointer("/inputs", name), "input", name, "kind", "additionalProperties"))
		}
		return problems
	}
	given := r.Inputs
	if given == nil {
		given = map[string]canonical.Value{}
	}
	for _, v := range p.inputs.Validate(given) {
		problems = append(problems, p.inputProblem(v))
	}
	if recipe == nil {
		return problems
	}
	for i, name := range recipe.profile.Requires {
		if _, ok := given[name]; !ok {
			problems = append(problems, diag.New(diag.CodeRequestInputMissing, canonical.JoinPointer("/inputs", name),
				"profile", recipe.id, "input", name, "entry", canonical.JoinPointer("/profiles", recipe.id, "requires", strconv.Itoa(i))))
		}
	}
	if len(problems) > 0 {
		return problems
	}
	return p.checkInsertions(recipe, r)
}

// inputProblem tells a violation without its value. A missing input is told at the place where it would stand.
func (p *Plan) inputProblem(v schema.Violation) diag.Problem {
	name, at := "", ""
	if tokens, err := canonical.SplitPointer(v.Pointer); err == nil && len(tokens) > 0 {
		name = tokens[0]
		if len(tokens) > 1 {
			at = v.Pointer
		}
	}
	pointer := v.Pointer
	if name == "" && v.Keyword == "required" {
		if missing, ok := canonical.Lookup(p.inputs.Value(), v.SchemaPointer); ok {
			name, _ = missing.(string)
			pointer = canonical.JoinPointer("", name)
		}
	}
	if name == "" {
		name = "(all)"
	}
	return diag.New(diag.CodeRequestInput, "/inputs"+pointer, "input", name, "kind", v.Keyword, "at", at, "schema", v.SchemaPointer)
}

// checkInsertions refuses values that must not stand amid an author's words, for the texts that the request can be
// shown.
func (p *Plan) checkInsertions(recipe *recipe, r Request) []diag.Problem {
	var problems []diag.Problem
	judged := map[string]bool{}
	for _, e := range recipe.entries {
		if !stands(e.objectives, r.Objective) || e.material.fixed != nil {
			continue
		}
		for _, piece := range e.material.pieces {
			text, ok := r.Inputs[piece.input].(string)
			if piece.input == "" || !ok || judged[piece.input] {
				continue
			}
			judged[piece.input] = true
			if class := refusedClass(text); class != "" {
				problems = append(problems, diag.New(diag.CodePlaceholderRefused, canonical.JoinPointer("/inputs", piece.input),
					"input", piece.input, "source", e.material.id, "class", class))
			}
		}
	}
	return problems
}

// disclose decides on every offered tool and says which are disclosed.
func (p *Plan) disclose(res *Resolution, recipe *recipe, outline *outline, o Observations) ([]bool, []diag.Problem) {
	var problems []diag.Problem
	disclosed := make([]bool, len(outline.offered))
	res.Disclosed = make([]Disclosed, 0, len(outline.offered))
	for n := range outline.offered {
		i := &outline.offered[n]
		holds, err := holds(i.when, res.Inputs)
		if err != nil {
			problems = append(problems, conditionFailed("tool", i.tool.id, recipe.id, i.pointer, err))
			continue
		}
		reason := Reason("")
		if !holds {
			reason = Condition
		} else if reason = o.readiness(i.tool); reason != "" && i.required {
			res.Blocked[i.tool.id] = reason
		}
		if reason != "" {
			res.Withheld[i.tool.id] = reason
			continue
		}
		disclosed[n] = true
		res.Disclosed = append(res.Disclosed, Disclosed{
			ID: i.tool.id, Name: i.tool.contract.Name, Contract: i.tool.contract, Fingerprint: i.tool.fingerprint,
			Required: i.required, CallLimit: i.limit, Tokens: i.tool.tokens,
		})
	}
	return disclosed, problems
}

// readiness says why the executor of a tool cannot serve it; empty when it can.
func (o Observations) readiness(t *tool) Reason {
	seen, known := o.Executors[t.id]
	switch {
	case !known && o.AssumeReady:
		return ""
	case !known || !seen.Ready:
		return Unavailable
	case seen.Version != t.contract.Version || seen.Fingerprint != t.fingerprint:
		return Incompatible
	}
	return ""
}

func holds(when *expr.Program, inputs map[string]canonical.Value) (bool, error) {
	if when == nil {
		return true, nil
	}
	return when.Eval(inputs, nil)
}

func conditionFailed(what, name, profile, pointer string, err error) diag.Problem {
	return diag.New(diag.CodeConditionFailed, "/inputs", "what", what, "name", name, "profile", profile, "entry", pointer+"/when", "why", err.Error())
}

// segments makes the segments of a resolution. Every condition is evaluated, so that one that fails is never hidden
// by the order of entries.
func (p *Plan) segments(recipe *recipe, outline *outline, inputs map[string]canonical.Value) ([]Segment, []diag.Problem) {
	var problems []diag.Problem
	var segments []Segment
	placed := map[string]bool{}
	for _, e := range outline.entries {
		holds, err := holds(e.when, inputs)
		if err != nil {
			problems = append(problems, conditionFailed("source", e.material.id, recipe.id, e.pointer, err))
			continue
		}
		if !holds || placed[e.material.id] {
			continue
		}
		placed[e.material.id] = true
		segments = e.material.appendSegments(segments, inputs)
	}
	return segments, problems
}

// appendSegments appends what a source shows: one segment, or one per item of run-time text. A text or an array
// that is absent or empty shows none; an empty item is an item.
func (m *material) appendSegments(segments []Segment, inputs map[string]canonical.Value) []Segment {
	switch {
	case m.fixed != nil:
		return append(segments, *m.fixed)
	case m.input == "":
		return append(segments, segment(m, -1, m.fill(inputs)))
	}
	switch value := inputs[m.input].(type) {
	case string:
		if value != "" {
			segments = append(segments, segment(m, -1, Fence(m.id, value)))
		}
	case []any:
		for index, item := range value {
			text, _ := item.(string)
			segments = append(segments, segment(m, index, Fence(m.id, text)))
		}
	}
	return segments
}

// measured is a resolution as a budget, for the finding that it exceeds one.
func (p *Plan) measured(res *Resolution, limit int) Budget {
	b := p.Budget(res.Profile, res.Objective)
	b.Limit, b.Total, b.Lines = limit, 0, nil
	sources := map[string]int{}
	for _, s := range res.Segments {
		at, ok := sources[s.Source]
		if !ok {
			at = len(b.Lines)
			sources[s.Source] = at
			b.Lines = append(b.Lines, BudgetLine{Kind: SegmentLine, ID: s.Source})
		}
		b.Lines[at].add(s)
	}
	for _, d := range res.Disclosed {
		t := p.tools[d.ID]
		b.Lines = append(b.Lines, (&include{tool: t, required: d.Required}).line())
	}
	b.order()
	return b
}
