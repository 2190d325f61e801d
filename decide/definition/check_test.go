package definition_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

type change = func(*definition.Definition)

func profile(id string, edit func(*definition.Profile)) change {
	return func(d *definition.Definition) {
		p := d.Profiles[id]
		p.Include, p.Exclude = maps.Clone(p.Include), maps.Clone(p.Exclude)
		edit(&p)
		d.Profiles[id] = p
	}
}

func policy(id string, edit func(*definition.Policy)) change {
	return func(d *definition.Definition) {
		p := d.Policies[id]
		edit(&p)
		d.Policies[id] = p
	}
}

func source(id string, s definition.Source) change {
	return func(d *definition.Definition) { d.Sources[id] = s }
}

func contract(tool string, edit func(*definition.Contract)) change {
	return func(d *definition.Definition) {
		entry := d.Tools[tool]
		edit(&entry.Contract)
		d.Tools[tool] = entry
	}
}

func include(tool string, edit func(*definition.Inclusion)) change {
	return profile("student", func(p *definition.Profile) {
		i := p.Include[tool]
		edit(&i)
		p.Include[tool] = i
	})
}

func allow(characters, reason string) change {
	return source("flags", definition.Source{Blob: blob("Flags.\n"), AllowCharacters: []definition.AllowedCharacters{{Characters: characters, Reason: reason}}})
}

func inputs(t *testing.T, text string) change {
	return func(d *definition.Definition) {
		d.Inputs, d.Forward = value(t, text), nil
		d.Sources = map[string]definition.Source{"rules": d.Sources["rules"], "notes": d.Sources["notes"]}
		d.Profiles = map[string]definition.Profile{"guest": d.Profiles["guest"]}
		d.Policies = nil
	}
}

// R71, R81, R82: each fault alone, with its code and its place and no other finding.
func TestCheck(t *testing.T) {
	const zero = "\u200b"
	cases := []struct {
		name   string
		change change
		want   []string
	}{
		{"sound", func(*definition.Definition) {}, nil},

		{"Project id", func(d *definition.Definition) { d.Project = "Estuda" }, []string{"id_form /project"}},
		{"objective id", func(d *definition.Definition) { d.Objectives["Plan"] = "x" }, []string{"id_form /objectives/Plan"}},
		{"source id", source("a b", definition.Source{Blob: blob("x")}), []string{"id_form /sources/a b"}},
		{"id with a slash", source("a/b", definition.Source{Blob: blob("x")}), []string{"id_form /sources/a~1b"}},
		{"source named as a device", source("con.rules", definition.Source{Blob: blob("x")}), []string{"id_reserved /sources/con.rules"}},
		{"source named almost as a device", source("com", definition.Source{Blob: blob("x")}), nil},
		{"source named as a port", source("lpt1", definition.Source{Blob: blob("x")}), []string{"id_reserved /sources/lpt1"}},
		{"two sources that fold to one", func(d *definition.Definition) {
			source("a-b", definition.Source{Blob: blob("x")})(d)
			source("a.b", definition.Source{Blob: blob("x")})(d)
		}, []string{"id_clash /sources/a.b"}},
		{"two objectives that fold to one", func(d *definition.Definition) { d.Objectives["plan.a"], d.Objectives["plan_a"] = "x", "y" }, []string{"id_clash /objectives/plan_a"}},
		{"two tools that fold to one", func(d *definition.Definition) { d.Tools["grade-lookup"] = d.Tools["grade.lookup"] }, []string{"id_clash /tools/grade.lookup"}},

		{"input name", inputs(t, `{"type":"object","properties":{"a-b":{"type":"string"}}}`), []string{"id_form /inputs/properties/a-b"}},
		{"input name of a reserved word", inputs(t, `{"type":"object","properties":{"in":{"type":"string"}}}`), []string{"input_reserved /inputs/properties/in"}},
		{"inputs schema", inputs(t, `{"type":"object","properties":{"a":{"optional":true}}}`), []string{"unknown_keyword /inputs/properties/a/optional"}},
		{"open inputs", inputs(t, `{"type":"object","additionalProperties":false}`), []string{"schema_inputs_closed /inputs/additionalProperties"}},
		{"inputs not stripped", inputs(t, `{"$id":"x","type":"object"}`), []string{"schema_not_stripped /inputs/$id"}},
		{"forward of nothing", func(d *definition.Definition) { d.Forward = []string{"student"} }, []string{"unknown_input /forward/0"}},
		{"source of no input", source("x", definition.Source{Input: "lesons"}), []string{"unknown_input /sources/x/input"}},

		{"estimator", func(d *definition.Definition) { d.Estimator = "seif-est/2" }, []string{"estimator_unknown /estimator"}},
		{"dialect", func(d *definition.Definition) { d.Expressions = "seif-cel/2" }, []string{"dialect_unknown /expressions"}},
		{"schema profile", func(d *definition.Definition) { d.ToolSchemaProfile = "seif-schema/2" }, []string{"dialect_unknown /tool_schema_profile"}},
		{"no profile", func(d *definition.Definition) { d.Profiles, d.Policies = nil, nil }, []string{"no_profile /profiles"}},

		{"undecided where pinned", contract("grade.lookup", func(c *definition.Contract) { c.Effect = definition.Undecided }), []string{"effect_undecided /tools/grade.lookup/contract/effect"}},
		{"contract", contract("enroll", func(c *definition.Contract) { c.Version = "2" }), []string{"version_form /tools/enroll/contract/version"}},
		{"write without approval", contract("enroll", func(c *definition.Contract) { c.Approval = definition.NoApproval }), []string{"write_needs_approval /tools/enroll/contract/approval"}},
		{"schema of a tool", contract("enroll", func(c *definition.Contract) {
			c.Schema = value(t, `{"type":"object","properties":{"a":{"type":"strin"}},"additionalProperties":false}`)
		}),
			[]string{"schema_value /tools/enroll/contract/schema/properties/a/type"}},

		{"policy of no profile", policy("own", func(p *definition.Policy) { p.Profiles = []string{"studnet"} }), []string{"unknown_profile /policies/own/profiles/0"}},
		{"policy of no objective", policy("own", func(p *definition.Policy) { p.Objectives = []string{"planning"} }), []string{"unknown_objective /policies/own/objectives/0"}},
		{"policy of no tool", policy("own", func(p *definition.Policy) { p.Tools = []string{"grade.look"} }), []string{"unknown_tool /policies/own/tools/0"}},
		{"policy without effect", policy("own", func(p *definition.Policy) { p.Profiles, p.Objectives = []string{"guest"}, nil }), []string{"policy_without_effect /policies/own"}},
		{"policy under an objective that its profile lacks", func(d *definition.Definition) {
			d.Objectives["relax"] = "Rest."
			policy("own", func(p *definition.Policy) { p.Objectives = []string{"relax"} })(d)
		}, []string{"policy_without_effect /policies/own"}},

		{"budget of nothing", profile("guest", func(p *definition.Profile) { p.BudgetTokens = 0 }), []string{"number_out_of_range /profiles/guest/budget/tokens"}},
		{"negative budget", profile("guest", func(p *definition.Profile) { p.BudgetTokens = -1 }), []string{"number_out_of_range /profiles/guest/budget/tokens"}},
		{"budget beyond its bound", profile("guest", func(p *definition.Profile) { p.BudgetTokens = 10_000_001 }), []string{"number_out_of_range /profiles/guest/budget/tokens"}},
		{"profile of no objective", profile("guest", func(p *definition.Profile) { p.Objectives = []string{"exlpain"} }), []string{"unknown_objective /profiles/guest/objectives/0"}},
		{"requires no input", profile("guest", func(p *definition.Profile) { p.Requires = []string{"lessen"} }), []string{"unknown_input /profiles/guest/requires/0"}},
		{"requires what everybody must bring", profile("guest", func(p *definition.Profile) { p.Requires = []string{"student_id"} }), []string{"requires_required /profiles/guest/requires/0"}},
		{"context of no source", profile("guest", func(p *definition.Profile) { p.Context = []definition.ContextEntry{{Source: "note"}} }), []string{"unknown_source /profiles/guest/context/0"}},
		{"context under no objective", profile("student", func(p *definition.Profile) {
			p.Context = []definition.ContextEntry{{Source: "rules"}, {Source: "lesson", Objectives: []string{"nap"}}}
		}), []string{"unknown_objective /profiles/student/context/1/objectives/0"}},
		{"context under an objective that the profile lacks", profile("guest", func(p *definition.Profile) {
			p.Context = []definition.ContextEntry{{Source: "notes", Objectives: []string{"plan"}}}
		}), []string{"objective_not_in_profile /profiles/guest/context/0/objectives/0"}},
		{"empty profile", profile("guest", func(p *definition.Profile) { p.Context = nil }), []string{"profile_empty /profiles/guest"}},

		{"include of no tool", profile("student", func(p *definition.Profile) { p.Include["enrol"] = definition.Inclusion{} }), []string{"unknown_tool /profiles/student/tools/include/enrol"}},
		{"include under no objective", include("grade.lookup", func(i *definition.Inclusion) { i.Objectives = []string{"nap"} }), []string{"unknown_objective /profiles/student/tools/include/grade.lookup/objectives/0"}},
		{"wider call limit", include("enroll", func(i *definition.Inclusion) { i.CallLimit = 3 }), []string{"call_limit_widened /profiles/student/tools/include/enroll/call_limit"}},
		{"equal call limit", include("enroll", func(i *definition.Inclusion) { i.CallLimit = 2 }), nil},
		{"negative call limit", include("enroll", func(i *definition.Inclusion) { i.CallLimit = -1 }), []string{"number_out_of_range /profiles/student/tools/include/enroll/call_limit"}},
		{"exclude of no tool", profile("guest", func(p *definition.Profile) { p.Exclude["enrol"] = "No." }), []string{"unknown_tool /profiles/guest/tools/exclude/enrol"}},
		{"included and excluded", profile("student", func(p *definition.Profile) { p.Exclude = map[string]string{"grade.lookup": "Not now."} }), nil},
		{"required and excluded", profile("student", func(p *definition.Profile) { p.Exclude = map[string]string{"enroll": "Not now."} }), []string{"required_excluded /profiles/student/tools/include/enroll"}},
		{"one name in a profile", contract("enroll", func(c *definition.Contract) { c.Name = "Grade-Lookup" }), []string{"model_name_clash /profiles/student/tools/include/grade.lookup"}},

		{"allowance of a letter", allow("a", "why"), []string{"allow_needless /sources/flags/allow_characters/0/characters"}},
		{"allowance of a joiner", allow("U+200D", "why"), []string{"allow_needless /sources/flags/allow_characters/0/characters"}},
		{"allowance of nothing", allow(" , ", "why"), []string{"allow_needless /sources/flags/allow_characters/0/characters"}},
		{"allowance that cannot be read", allow("U+E0020..", "why"), []string{"allow_malformed /sources/flags/allow_characters/0/characters"}},
		{"allowance backwards", allow("U+E0030..U+E0020", "why"), []string{"allow_malformed /sources/flags/allow_characters/0/characters"}},
		{"allowance of the characters themselves", allow("\U000E0067 \u202e", "why"), nil},
		{"allowance without a reason", allow("U+00AD", " "), []string{"allow_reason /sources/flags/allow_characters/0/reason"}},

		{"a control in the description", func(d *definition.Definition) { d.Description = "a\x1b[31m" }, []string{"text_control /description"}},
		{"a control in an objective", func(d *definition.Definition) { d.Objectives["plan"] = "pl\ran" }, []string{"text_control /objectives/plan"}},
		{"a control in a policy's message", policy("own", func(p *definition.Policy) { p.Message = "a\u009b2J" }), []string{"text_control /policies/own/message"}},
		{"a control in the reason of an exclusion", profile("guest", func(p *definition.Profile) { p.Exclude["enroll"] = "a\x00" }), []string{"text_control /profiles/guest/tools/exclude/enroll"}},
		{"a control in an input", inputs(t, `{"type":"object","properties":{"a":{"type":"string","description":"\u0007"}}}`), []string{"text_control /inputs/properties/a/description"}},
		{"a control in a tool", contract("enroll", func(c *definition.Contract) { c.Description += "\x7f" }), []string{"text_control /tools/enroll/contract/description"}},
		{"tab, line feed and NEL are text", func(d *definition.Definition) { d.Description = "a\tb\nc\u0085d" }, nil},
		{"hidden in the description", func(d *definition.Definition) { d.Description = "a" + zero }, []string{"hidden_character /description"}},
		{"hidden in an objective", func(d *definition.Definition) { d.Objectives["plan"] = "\u202eplan" }, []string{"hidden_character /objectives/plan"}},
		{"hidden in an id", func(d *definition.Definition) { d.Objectives["pl"+zero+"an"] = "x" }, []string{"id_form /objectives/pl" + zero + "an", "hidden_character /objectives/pl" + zero + "an"}},
		{"hidden in a policy's message", policy("own", func(p *definition.Policy) { p.Message = "a\U000e0041" }), []string{"hidden_character /policies/own/message"}},
		{"hidden in an expression", policy("own", func(p *definition.Policy) { p.Deny = `args.student != "a` + zero + `"` }), []string{"hidden_character /policies/own/deny"}},
		{"hidden in a condition", include("enroll", func(i *definition.Inclusion) { i.When = "true" + zero }), []string{"hidden_character /profiles/student/tools/include/enroll/when"}},
		{"hidden in the reason of an exclusion", profile("guest", func(p *definition.Profile) { p.Exclude["enroll"] = "a\u2066" }), []string{"hidden_character /profiles/guest/tools/exclude/enroll"}},
		{"hidden in an input", inputs(t, `{"type":"object","properties":{"a":{"type":"string","description":"\u200b"}}}`), []string{"hidden_character /inputs/properties/a/description"}},
		{"hidden in a tool", contract("enroll", func(c *definition.Contract) { c.Description += zero }), []string{"hidden_character /tools/enroll/contract/description"}},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			def := estuda(t)
			test.change(def)
			problems := def.Check()
			if d := cmp.Diff(test.want, places(problems)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			for _, p := range problems {
				codeRow(t, p)
			}
		})
	}
}

func TestCheckWithoutTools(t *testing.T) {
	def := estuda(t)
	def.Version, def.Tools = definition.V1, nil
	student := def.Profiles["student"]
	student.Include = nil
	def.Profiles = map[string]definition.Profile{"student": student}
	def.Policies = map[string]definition.Policy{"stop": {AllTools: true, Deny: "true"}}
	if d := cmp.Diff([]string{"needs_tools /forward", "needs_tools /policies"}, places(def.Check())); d != "" {
		t.Error(d)
	}
}

// case 09: both tools are named with both of their places.
func TestModelNameClashNamesBothPlaces(t *testing.T) {
	def := estuda(t)
	contract("enroll", func(c *definition.Contract) { c.Name = "GRADE-lookup" })(def)
	want := []diag.Problem{diag.New(diag.CodeModelNameClash, "/profiles/student/tools/include/grade.lookup",
		"tool", "grade.lookup", "name", "grade_lookup", "other", "enroll", "other_name", "GRADE-lookup").
		With(diag.NoteDefinedHere, "/tools/grade.lookup/contract/name", "text", "grade_lookup").
		With(diag.NoteIncludedHere, "/profiles/student/tools/include/enroll").
		With(diag.NoteDefinedHere, "/tools/enroll/contract/name", "text", "GRADE-lookup")}
	if d := cmp.Diff(want, def.Check()); d != "" {
		t.Error(d)
	}
	// Tools that are never in one profile may share a name.
	profile("student", func(p *definition.Profile) { delete(p.Include, "enroll") })(def)
	profile("guest", func(p *definition.Profile) {
		p.Exclude, p.Include = nil, map[string]definition.Inclusion{"enroll": {}}
	})(def)
	if problems := def.Check(); len(problems) > 0 {
		t.Error(places(problems))
	}
}

func TestCheckSuggestsNames(t *testing.T) {
	def := estuda(t)
	profile("guest", func(p *definition.Profile) { p.Exclude = map[string]string{"enrol": "x"} })(def)
	problems := def.Check()
	if len(problems) != 1 || problems[0].Data["name"] != "enrol" || problems[0].Data["nearest"] != "enroll" || problems[0].Target.Part != diag.PartKey {
		t.Errorf("got %v", problems)
	}
}

// In a definition with thousands of names that lead nowhere only some are compared with what was meant: each comparison
// allocates, and there would be hundreds of millions.
func TestCheckOfManyUnknownNamesIsBounded(t *testing.T) {
	n := 20_000
	if testing.Short() {
		n = 4_000
	}
	def := estuda(t)
	def.Inputs = nil
	include := map[string]definition.Inclusion{}
	for i := range n {
		def.Objectives[fmt.Sprintf("objective-%d", i)] = "x"
		include[fmt.Sprintf("tool.number.%d", i)] = definition.Inclusion{Objectives: []string{"objectivf-1"}}
	}
	profile("guest", func(p *definition.Profile) { p.Include = include })(def)
	var problems []diag.Problem
	allocated := testing.AllocsPerRun(1, func() { problems = def.Check() })
	if len(problems) < 2*n || allocated > 2_000_000 {
		t.Errorf("%d problems allocate %v times", len(problems), allocated)
	}
}

// R80: the same findings in the same order, whatever the order of maps.
func TestCheckIsDeterministic(t *testing.T) {
	def := estuda(t)
	for _, id := range []string{"A", "B", "C", "D"} {
		def.Objectives[id], def.Sources[id] = "\u200b", definition.Source{Input: id}
	}
	first := def.Check()
	if len(first) < 12 {
		t.Fatalf("only %v", places(first))
	}
	if !slices.IsSortedFunc(first, func(a, b diag.Problem) int { return strings.Compare(a.Target.Pointer, b.Target.Pointer) }) {
		t.Errorf("not sorted: %v", places(first))
	}
	for range 20 {
		if d := cmp.Diff(first, def.Check()); d != "" {
			t.Fatal(d)
		}
	}
}

// Every pointer leads to a member of the definition, but for what is missing.
func TestPointersLeadIntoTheDefinition(t *testing.T) {
	def := estuda(t)
	def.Description = "\u200b"
	include("enroll", func(i *definition.Inclusion) { i.CallLimit = 9 })(def)
	contract("enroll", func(c *definition.Contract) { c.Name, c.Version = "grade_lookup", "x" })(def)
	v := def.Value()
	problems := def.Check()
	if len(problems) != 4 {
		t.Errorf("got %v", places(problems))
	}
	for _, p := range problems {
		for _, pointer := range append([]string{p.Target.Pointer}, notePointers(p)...) {
			if _, ok := canonical.Lookup(v, pointer); !ok {
				t.Errorf("%s: %s leads nowhere", p.Code, pointer)
			}
		}
	}
}

func notePointers(p diag.Problem) []string {
	var out []string
	for _, n := range p.Notes {
		out = append(out, n.Target.Pointer)
	}
	return out
}
