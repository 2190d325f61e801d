package resolve_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/decide/tokens"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// The lines of a budget add up to its total, and the parts of a line to the line; the largest stand first.
func TestTheLinesAddUp(t *testing.T) {
	plan := shopPlan(t)
	for _, c := range [][2]string{{"customer", "ask"}, {"customer", "refund"}, {"staff", ""}} {
		b := plan.Budget(c[0], c[1])
		total, last := 0, b.Lines[0].Tokens
		for _, line := range b.Lines {
			total += line.Tokens
			if line.Tokens > last {
				t.Errorf("%v: %s stands behind a smaller line", c, line.ID)
			}
			last = line.Tokens
			if sum := line.Text + line.Description + line.Schema + line.Overhead; sum != line.Tokens {
				t.Errorf("%v: the parts of %s have %d, the line %d", c, line.ID, sum, line.Tokens)
			}
			if line.Overhead <= 0 || line.Text < 0 || line.Description < 0 || line.Schema < 0 {
				t.Errorf("%v: %+v", c, line)
			}
		}
		if total != b.Total || b.Estimator != tokens.Estimator || b.Limit != 20000 || !b.Fits() {
			t.Errorf("%v: lines have %d, budget %+v", c, total, b)
		}
	}
}

func TestWhatABudgetCounts(t *testing.T) {
	plan := shopPlan(t)
	var got []string
	for _, line := range plan.Budget("customer", "ask").Lines {
		got = append(got, fmt.Sprintf("%s %s %d", line.Kind, line.ID, line.Segments))
	}
	// Every condition counts as true, a source that stands twice once, an excluded tool never.
	want := []string{"source articles 3", "source foreign 1", "source raw 1", "source tone 1", "tool order.cancel 0", "tool order.find 0"}
	sorted := slices.Clone(got)
	slices.Sort(sorted)
	if diff := cmp.Diff(want, sorted); diff != "" {
		t.Error(diff)
	}
	if b := plan.Budget("gone", ""); len(b.Lines) != 0 || b.Total != 0 {
		t.Errorf("an unknown profile: %+v", b)
	}
}

// What is checked when a Project is compiled bounds every resolution of it, whatever the inputs.
func TestTheWorstCaseBoundsEveryResolution(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	def, texts := shop(t)
	for round := range 300 {
		texts["tone"] = randomTemplate(random)
		plan := prepare(t, def, texts)
		for range 10 {
			objective := []string{"ask", "refund"}[random.IntN(2)]
			r := resolve.Request{Profile: "customer", Objective: objective, Inputs: randomInputs(random)}
			res, problems := plan.Resolve(r, ready)
			if res == nil {
				t.Fatalf("round %d: %v", round, problems)
			}
			b := plan.Budget("customer", objective)
			if res.Tokens > b.Total {
				t.Fatalf("round %d: %d tokens, the worst case has %d\n%q\n%v", round, res.Tokens, b.Total, texts["tone"], r.Inputs)
			}
			most := map[string]int{}
			for _, line := range b.Lines {
				most[line.ID] = line.Tokens
			}
			for _, s := range res.Segments {
				if most[s.Source] -= s.Tokens; most[s.Source] < 0 {
					t.Fatalf("round %d: source %s takes more than its worst case\n%q", round, s.Source, s.Text)
				}
			}
		}
	}
}

// alphabet has characters of every price.
var alphabet = []string{"a", "e", "q", "z", "the", "ion", "A", "Q", "0", "7", " ", "  ", "\n", "\n\n", ".", ",", ">", "<", "-", "_", "\"", "é", "漢", "あ", "ש", "😀", "𝔘", "ﷺ", "x1", "------", "    "}

func randomText(random *rand.Rand, most int) string {
	var b strings.Builder
	for n, left := random.IntN(most+1), most; n > 0; n-- {
		part := alphabet[random.IntN(len(alphabet))]
		if left -= len([]rune(part)); left < 0 {
			break
		}
		b.WriteString(part)
	}
	return b.String()
}

func randomTemplate(random *rand.Rand) string {
	var b strings.Builder
	b.WriteString(randomText(random, 10))
	for range random.IntN(8) {
		b.WriteString("{{ inputs." + []string{"customer", "language", "count", "vip"}[random.IntN(4)] + " }}")
		b.WriteString(randomText(random, 12))
	}
	return b.String() + "."
}

func randomInputs(random *rand.Rand) map[string]canonical.Value {
	name := randomText(random, 12)
	for strings.ContainsAny(name, "\n") {
		name = randomText(random, 12)
	}
	articles := []any{}
	for range random.IntN(4) {
		articles = append(articles, randomText(random, 100))
	}
	return map[string]canonical.Value{
		"customer": name, "language": []string{"English", "Português"}[random.IntN(2)], "count": number(random.IntN(1001)),
		"vip": random.IntN(2) == 0, "articles": articles, "note": randomText(random, 200),
	}
}

// A finding about a budget has one line per source and tool, the largest first, and says what to cut.
func TestABudgetThatIsExceeded(t *testing.T) {
	def, texts := shop(t)
	p := def.Profiles["customer"]
	p.BudgetTokens = 600
	def.Profiles["customer"] = p
	plan, problems := resolve.Prepare(def, texts)
	if plan != nil || len(problems) != 1 {
		t.Fatalf("problems: %v", problems)
	}
	budgets := resolve.Budgets(def, texts)
	if len(budgets) != 3 {
		t.Fatalf("budgets %v", budgets)
	}
	worst := budgets[1]
	if worst.Profile != "customer" || worst.Objective != "refund" || worst.Fits() {
		t.Fatalf("%+v", worst)
	}
	found := problems[0]
	if found.Data["total"] != fmt.Sprint(worst.Total) || found.Data["estimator"] != tokens.Estimator || len(found.Notes) != len(worst.Lines) {
		t.Errorf("finding %v", found)
	}
	for i, note := range found.Notes {
		if !strings.HasPrefix(note.Data["text"], fmt.Sprintf("%d %s %s", worst.Lines[i].Tokens, worst.Lines[i].Kind, worst.Lines[i].ID)) {
			t.Errorf("line %d is %q", i, note.Data["text"])
		}
	}
	// Without the cuts the profile compiles.
	for _, cut := range worst.Cuts() {
		if cut.Kind == resolve.ToolLine {
			delete(p.Include, cut.ID)
			continue
		}
		kept := []definition.ContextEntry{}
		for _, e := range p.Context {
			if e.Source != cut.ID {
				kept = append(kept, e)
			}
		}
		p.Context = kept
	}
	def.Profiles["customer"] = p
	if _, problems := resolve.Prepare(def, texts); len(problems) != 0 {
		t.Errorf("after the cuts %v: %v", worst.Cuts(), problems)
	}
}

func TestCuts(t *testing.T) {
	budget := func(limit int, lines ...resolve.BudgetLine) resolve.Budget {
		b := resolve.Budget{Limit: limit, Lines: lines}
		for _, line := range lines {
			b.Total += line.Tokens
		}
		return b
	}
	a, b, c := resolve.BudgetLine{ID: "a", Tokens: 100}, resolve.BudgetLine{ID: "b", Tokens: 50}, resolve.BudgetLine{ID: "c", Tokens: 10}
	must := a
	must.Required = true
	for name, test := range map[string]struct {
		budget resolve.Budget
		want   []resolve.Cut
	}{
		"fits":                     {budget(160, a, b, c), nil},
		"the smallest that does":   {budget(120, a, b, c), []resolve.Cut{{ID: "b", Saves: 50}}},
		"exactly":                  {budget(150, a, b, c), []resolve.Cut{{ID: "c", Saves: 10}}},
		"more than one":            {budget(20, a, b, c), []resolve.Cut{{ID: "a", Saves: 100}, {ID: "b", Saves: 50}}},
		"the second is the last":   {budget(55, a, b, c), []resolve.Cut{{ID: "a", Saves: 100}, {ID: "c", Saves: 10}}},
		"what is required stays":   {budget(120, must, b, c), []resolve.Cut{{ID: "b", Saves: 50}}},
		"nothing that may go does": {budget(20, must, b, c), nil},
	} {
		if diff := cmp.Diff(test.want, test.budget.Cuts()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// A long budget is shown in part, and the part that is not shown is one line, so that the sum is the total.
func TestALongBudgetIsShownInPart(t *testing.T) {
	def, texts := manyTools(t, 60, 0)
	p := def.Profiles["all"]
	p.BudgetTokens = 10
	def.Profiles["all"] = p
	_, problems := resolve.Prepare(def, texts)
	if len(problems) != 1 || len(problems[0].Notes) != 21 {
		t.Fatalf("problems %v", problems)
	}
	sum := 0
	for _, note := range problems[0].Notes {
		if note.Kind != diag.NoteDetail {
			t.Errorf("note %v", note)
		}
		n := 0
		if _, err := fmt.Sscanf(note.Data["text"], "%d", &n); err != nil {
			t.Error(err)
		}
		sum += n
	}
	if problems[0].Data["total"] != fmt.Sprint(sum) {
		t.Errorf("lines have %d, total %s", sum, problems[0].Data["total"])
	}
}

// A declared maximum may be any number: sums do not overflow.
func TestHugeMaximaDoNotOverflow(t *testing.T) {
	def, texts := shop(t)
	def.Inputs.(map[string]any)["properties"].(map[string]any)["articles"] = value(t,
		`{"type":"array","maxItems":9007199254740991,"items":{"type":"string","maxLength":9007199254740991}}`)
	_, problems := resolve.Prepare(def, texts)
	if got := told(problems); len(got) != 1 || !strings.HasPrefix(got[0], "budget_exceeded") {
		t.Errorf("%v", got)
	}
}

// The cost of a tool is that of its whole model-facing form: two different tools differ.
func TestToolsAreCountedWhole(t *testing.T) {
	def, texts := shop(t)
	tool := def.Tools["order.find"]
	tool.Contract.Description = strings.Repeat("A longer description of what it does. ", 20)
	def.Tools["order.find"] = tool
	before := shopPlan(t).Budget("customer", "ask")
	after := prepare(t, def, texts).Budget("customer", "ask")
	if after.Total <= before.Total {
		t.Errorf("%d tokens with a longer description, %d before", after.Total, before.Total)
	}
}
