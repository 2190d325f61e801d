package resolve

import (
	"strconv"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/tokens"
	"github.com/seif-dev/seifc/diag"
)

// A resolution over its budget is refused with its real values. Prepare refuses whatever could come to this, so the
// limit is lowered behind its back.
func TestAResolutionOverItsBudget(t *testing.T) {
	def := &definition.Definition{
		Estimator: tokens.Estimator, Sources: map[string]definition.Source{"long": {}, "short": {}},
		Tools: map[string]definition.Tool{"t": {Contract: definition.Contract{ID: "t", Name: "t", Version: "1.0.0", Schema: map[string]any{"type": "object"}}}},
		Profiles: map[string]definition.Profile{"p": {
			BudgetTokens: 1000, Context: []definition.ContextEntry{{Source: "short"}, {Source: "long"}}, Include: map[string]definition.Inclusion{"t": {}},
		}},
	}
	plan, problems := Prepare(def, map[string]string{"short": "a", "long": strings.Repeat("word ", 50)})
	if plan == nil {
		t.Fatal(problems)
	}
	fits, _ := plan.Resolve(Request{Profile: "p"}, Observations{AssumeReady: true})
	plan.profiles["p"].profile.BudgetTokens = fits.Tokens
	if again, problems := plan.Resolve(Request{Profile: "p"}, Observations{AssumeReady: true}); again == nil {
		t.Fatalf("the budget itself does not fit: %v", problems)
	}
	plan.profiles["p"].profile.BudgetTokens = fits.Tokens - 1
	res, problems := plan.Resolve(Request{Profile: "p"}, Observations{AssumeReady: true})
	if res != nil || len(problems) != 1 || problems[0].Code != diag.CodeBudgetExceeded || problems[0].Target.Pointer != "/profile" {
		t.Fatalf("%v, %v", res, problems)
	}
	sum := 0
	for _, note := range problems[0].Notes {
		first, _, _ := strings.Cut(note.Data["text"], " ")
		n, err := strconv.Atoi(first)
		if err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	if problems[0].Data["total"] != strconv.Itoa(sum) || sum != fits.Tokens || !strings.Contains(problems[0].Notes[0].Data["text"], "source long") {
		t.Errorf("lines have %d, the resolution %d: %v", sum, fits.Tokens, problems[0])
	}
}
