package resolve

import (
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/expr"
	"github.com/seif-dev/seifc/decide/schema"
	"github.com/seif-dev/seifc/decide/tokens"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Plan is a definition made ready: schemas and expressions compiled, placeholders parsed, tokens counted. It never
// changes for its callers and is safe for concurrent use.
type Plan struct {
	def *definition.Definition
	// inputs and inputsType are nil when the Project has no inputs.
	inputs     *schema.Schema
	inputsType *schema.Type
	sources    map[string]*material
	tools      map[string]*tool
	profiles   map[string]*recipe
	// outlines are what a profile and an objective yield before anything is observed, made when first asked for.
	outlines sync.Map // outlineKey -> *outline
}

// material is a source made ready.
type material struct {
	id        string
	input     string // of run-time text
	untrusted bool
	pieces    []piece
	// fixed is the finished segment of a text without placeholders.
	fixed *Segment
	// worst is the most that one segment can take, its overhead included; segments is how many there can be.
	worst    int
	segments int
	last     atomic.Pointer[counted]
}

// tool is a pinned contract made ready.
type tool struct {
	id          string
	contract    *definition.Contract
	fingerprint digest.Fingerprint
	arguments   *schema.Schema
	argsType    *schema.Type
	text        []byte
	tokens      int       // overhead included
	denials     []*denial // sorted by policy
	cost        int       // of all denials
}

// denial is a policy as it applies to one tool.
type denial struct {
	policy     string
	profiles   []string
	objectives []string
	program    *expr.Program
}

func (d *denial) applies(profile, objective string) bool {
	return stands(d.profiles, profile) && stands(d.objectives, objective)
}

// recipe is a profile made ready.
type recipe struct {
	id       string
	profile  definition.Profile
	entries  []entry
	includes []include // sorted by tool
}

type entry struct {
	material   *material
	objectives []string
	when       *expr.Program // nil means always
	pointer    string
}

type include struct {
	tool       *tool
	objectives []string
	required   bool
	limit      int
	when       *expr.Program
	pointer    string
}

// stands tells whether a sorted list of names covers a name; an empty list covers all.
func stands(names []string, name string) bool {
	if len(names) == 0 {
		return true
	}
	_, found := slices.BinarySearch(names, name)
	return found
}

// Definition is what the plan was made from. It must not be changed.
func (p *Plan) Definition() *definition.Definition { return p.def }

// Prepare makes a plan from a definition and the normalised texts of its file sources, by source id. It reports all
// that it finds, with pointers into the definition; the plan is nil if any finding is an error. The definition must
// not be changed afterwards.
//
// Prepare expects a definition that passes its own checks and compiles whatever it can of one that does not, so that
// an author sees everything at once; a name that leads nowhere is always an error. The texts are judged here, for they
// are no part of the definition: what nobody sees and is not declared, and secrets.
func Prepare(def *definition.Definition, texts map[string]string) (*Plan, []diag.Problem) {
	plan, problems := prepare(def, texts)
	problems = append(problems, plan.overBudget()...)
	problems = append(problems, checkTexts(def, texts)...)
	if diag.Failed(problems) {
		return nil, problems
	}
	return plan, problems
}

// Budgets measures every profile with each of its objectives at its worst, whether it fits or not. It is nil when
// the definition has other errors, which Prepare reports.
func Budgets(def *definition.Definition, texts map[string]string) []Budget {
	plan, problems := prepare(def, texts)
	if diag.Failed(problems) {
		return nil
	}
	var all []Budget
	for _, id := range sortedKeys(plan.profiles) {
		for _, objective := range plan.profiles[id].objectives() {
			all = append(all, plan.Budget(id, objective))
		}
	}
	return all
}

// objectives lists what a request may name; the empty name if the profile has none.
func (r *recipe) objectives() []string {
	if len(r.profile.Objectives) == 0 {
		return []string{""}
	}
	return r.profile.Objectives
}

// preparation collects what Prepare finds.
type preparation struct {
	*Plan
	texts       map[string]string
	expressions map[string]parsed
	// users lists the profiles that use a source; made when first asked for.
	users map[string][]string
	// policyNodes is the work done for policies so far.
	policyNodes int
	dangling    int
	problems    []diag.Problem
}

// parsed is a source of an expression that was parsed once for all places where it stands.
type parsed struct {
	expression *expr.Expression
	problems   []diag.Problem
}

func prepare(def *definition.Definition, texts map[string]string) (*Plan, []diag.Problem) {
	p := &preparation{
		Plan: &Plan{
			def: def, sources: map[string]*material{}, tools: map[string]*tool{}, profiles: map[string]*recipe{},
		},
		texts:       texts,
		expressions: map[string]parsed{},
	}
	p.dialects()
	if def.Inputs != nil {
		compiled, problems := schema.Compile(def.Inputs, schema.Inputs)
		p.under("/inputs", problems)
		if compiled != nil {
			p.inputs, p.inputsType = compiled, compiled.Type()
		}
	}
	for _, id := range sortedKeys(def.Sources) {
		p.source(id, def.Sources[id])
	}
	for _, id := range sortedKeys(def.Tools) {
		p.tool(id, def.Tools[id])
	}
	for _, id := range sortedKeys(def.Policies) {
		p.policy(id, def.Policies[id])
	}
	for _, id := range sortedKeys(def.Profiles) {
		p.profile(id, def.Profiles[id])
	}
	return p.Plan, p.problems
}

// dialects refuses what this version would judge or count otherwise than the version that made the definition.
func (p *preparation) dialects() {
	if p.def.Estimator != tokens.Estimator {
		p.add(diag.New(diag.CodeEstimatorUnknown, "/estimator", "estimator", p.def.Estimator, "known", tokens.Estimator))
	}
	if d := p.def.Expressions; d != "" && d != expr.Dialect {
		p.add(diag.New(diag.CodeDialectUnknown, "/expressions", "dialect", d, "known", expr.Dialect))
	}
	if d := p.def.ToolSchemaProfile; d != "" && d != schema.Profile {
		p.add(diag.New(diag.CodeDialectUnknown, "/tool_schema_profile", "dialect", d, "known", schema.Profile))
	}
}

func (p *preparation) add(problems ...diag.Problem) { p.problems = append(p.problems, problems...) }

func (p *preparation) under(pointer string, problems []diag.Problem) {
	for _, problem := range problems {
		p.add(problem.Under(pointer))
	}
}

// maxDangling is how many names that lead nowhere are reported; the definition's own check reports all.
const maxDangling = 100

// unknown reports a name that leads nowhere, in the words of the definition's own check, so that a finding that both
// make is one finding.
func (p *preparation) unknown(pointer string, code diag.Code, name string, known []string) {
	if p.dangling++; p.dangling <= maxDangling {
		p.add(diag.New(code, pointer, "name", name, "nearest", diag.Nearest(name, known)))
	}
}

func (p *preparation) tool(id string, authored definition.Tool) {
	at := canonical.JoinPointer("/tools", id)
	contract := authored.Contract
	t := &tool{id: id, contract: &contract, fingerprint: authored.Fingerprint}
	p.Plan.tools[id] = t
	compiled, problems := p.def.ArgumentSchema(id)
	p.under(at+"/contract/schema", problems)
	if compiled != nil {
		t.arguments, t.argsType = compiled, compiled.Type()
	}
	text, err := ToolText(&contract)
	if err != nil {
		p.add(diag.New(diag.CodeToolUnwritable, at, "tool", id))
		return
	}
	t.text = text
	t.tokens = tokens.Count(string(text)) + tokens.PerTool
}

func countValue(v canonical.Value) int {
	text, err := canonical.Marshal(v)
	if err != nil {
		return 0
	}
	return tokens.Count(string(text))
}

// parse parses the source of an expression, once for all places where it stands.
func (p *preparation) parse(text string) parsed {
	done, ok := p.expressions[text]
	if !ok {
		done.expression, done.problems = expr.Parse(text)
		p.expressions[text] = done
	}
	return done
}

// condition compiles a `when`, which sees the inputs and knows what the profile requires.
func (p *preparation) condition(text, pointer string, required map[string]bool) *expr.Program {
	if text == "" {
		return nil
	}
	read := p.parse(text)
	if read.expression == nil {
		p.under(pointer, read.problems)
		return nil
	}
	program, problems := read.expression.Check(expr.Scope{Inputs: p.inputsType, RequiredInputs: required})
	p.under(pointer, problems)
	return program
}

func (p *preparation) profile(id string, authored definition.Profile) {
	at := canonical.JoinPointer("/profiles", id)
	r := &recipe{id: id, profile: authored}
	required := setOf(authored.Requires)
	for i, written := range authored.Context {
		pointer := at + "/context/" + strconv.Itoa(i)
		source := p.sources[written.Source]
		if source == nil {
			p.unknown(pointer, diag.CodeUnknownSource, written.Source, sortedKeys(p.def.Sources))
			continue
		}
		r.entries = append(r.entries, entry{
			material: source, objectives: written.Objectives, pointer: pointer,
			when: p.condition(written.When, pointer+"/when", required),
		})
	}
	for _, name := range sortedKeys(authored.Include) {
		pointer := canonical.JoinPointer(at+"/tools/include", name)
		t := p.tools[name]
		if t == nil {
			p.unknown(pointer, diag.CodeUnknownTool, name, sortedKeys(p.def.Tools))
			continue
		}
		written := authored.Include[name]
		limit := t.contract.CallLimit
		if written.CallLimit > 0 {
			limit = min(limit, written.CallLimit)
		}
		r.includes = append(r.includes, include{
			tool: t, objectives: written.Objectives, required: written.Required, limit: limit, pointer: pointer,
			when: p.condition(written.When, pointer+"/when", required),
		})
	}
	p.profiles[id] = r
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
