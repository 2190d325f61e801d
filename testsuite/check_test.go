package testsuite_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/testsuite"
)

// checks is one suite per finding: a test that is sound but for one change.
var checks = []struct {
	name   string
	id     string
	change func(test *testsuite.Test)
	want   []string
}{
	{name: "sound", want: nil},
	{name: "an empty id", id: "-", want: []string{"test_id_invalid /tests/"}},
	{name: "a long id", id: strings.Repeat("é", 129), want: []string{"test_id_invalid /tests/" + strings.Repeat("é", 129)}},
	{name: "the longest id", id: strings.Repeat("é", 128)},
	{name: "a control character in the id", id: "a\nb", want: []string{"test_id_invalid /tests/a\nb"}},
	{name: "an invisible character in the id", id: "a\u200Bb", want: []string{"test_id_invalid /tests/a\u200Bb"}},
	{name: "no expectation", change: func(t *testsuite.Test) { t.Expect, t.Calls = nil, nil }, want: []string{"test_checks_nothing /tests/t"}},
	{name: "calls alone", change: func(t *testsuite.Test) { t.Expect = nil }},
	{name: "an unknown profile", change: func(t *testsuite.Test) { t.Profile = "custommer" }, want: []string{"test_names_unknown /tests/t/profile"}},
	{name: "no profile", change: func(t *testsuite.Test) { t.Profile = "" }, want: []string{"test_names_unknown /tests/t/profile"}},
	{name: "an unknown objective", change: func(t *testsuite.Test) { t.Objective = "aks" }, want: []string{"test_names_unknown /tests/t/objective"}},
	{name: "no objective", change: func(t *testsuite.Test) { t.Objective = "" }, want: []string{"test_needs_objective /tests/t"}},
	{name: "an objective where there are none", change: func(t *testsuite.Test) { t.Profile = "staff" }, want: []string{"test_names_unknown /tests/t/objective"}},
	{name: "an unknown input", change: func(t *testsuite.Test) { t.Inputs = map[string]canonical.Value{"x/y": nil} }, want: []string{"test_names_unknown /tests/t/inputs/x~1y"}},
	{name: "an unknown executor", change: func(t *testsuite.Test) { t.Executors = map[string]testsuite.Executor{"finds": {}} }, want: []string{"test_names_unknown /tests/t/executors/finds"}},
	{name: "an empty expectation", change: expect(testsuite.Expectation{}), want: []string{"expectation_empty /tests/t/expect"}},
	{name: "emptiness is an expectation", change: expect(testsuite.Expectation{Disclosed: []string{}, Segments: []string{}, Blocked: map[string]resolve.Reason{}})},
	{name: "an unknown disclosed tool", change: expect(testsuite.Expectation{Disclosed: []string{"find", "gone"}}), want: []string{"test_names_unknown /tests/t/expect/disclosed/1"}},
	{name: "an unknown segment", change: expect(testsuite.Expectation{Segments: []string{"tone", "gone"}}), want: []string{"test_names_unknown /tests/t/expect/segments/1"}},
	{name: "an unknown withheld tool", change: expect(testsuite.Expectation{Withheld: map[string]resolve.Reason{"gone": resolve.Excluded}}), want: []string{"test_names_unknown /tests/t/expect/withheld/gone"}},
	{name: "an unknown reason", change: expect(testsuite.Expectation{Withheld: map[string]resolve.Reason{"find": "exclude"}}), want: []string{"test_names_unknown /tests/t/expect/withheld/find"}},
	{name: "nothing withheld", change: expect(testsuite.Expectation{Withheld: map[string]resolve.Reason{}}), want: []string{"expectation_empty /tests/t/expect/withheld"}},
	{name: "an unknown blocking tool", change: expect(testsuite.Expectation{Blocked: map[string]resolve.Reason{"gone": resolve.Unavailable}}), want: []string{"test_names_unknown /tests/t/expect/blocked/gone"}},
	{name: "a reason that never blocks", change: expect(testsuite.Expectation{Blocked: map[string]resolve.Reason{"refund": resolve.Excluded}}), want: []string{"test_names_unknown /tests/t/expect/blocked/refund"}},
	{name: "no texts", change: expect(testsuite.Expectation{Contains: []string{}, Excludes: []string{}}), want: []string{"expectation_empty /tests/t/expect/text/contains", "expectation_empty /tests/t/expect/text/excludes"}},
	{name: "empty texts", change: expect(testsuite.Expectation{Contains: []string{"a", ""}, Excludes: []string{""}}), want: []string{"expectation_empty /tests/t/expect/text/contains/1", "expectation_empty /tests/t/expect/text/excludes/0"}},
	{name: "negative tokens", change: func(t *testsuite.Test) { n := -1; t.Expect = &testsuite.Expectation{MaxTokens: &n} }, want: []string{"test_out_of_bounds /tests/t/expect/tokens/max"}},
	{name: "a context beside blocked", change: func(t *testsuite.Test) {
		n := 5
		t.Expect = &testsuite.Expectation{
			Blocked: map[string]resolve.Reason{"refund": resolve.Unavailable}, Withheld: map[string]resolve.Reason{"find": resolve.Unavailable},
			Disclosed: []string{}, Segments: []string{}, Excludes: []string{"x"}, MaxTokens: &n,
		}
	}, want: []string{
		"test_beside_blocked /tests/t/expect/disclosed", "test_beside_blocked /tests/t/expect/segments",
		"test_beside_blocked /tests/t/expect/text", "test_beside_blocked /tests/t/expect/tokens",
	}},
	{name: "too many calls", change: func(t *testsuite.Test) { t.Calls = make([]testsuite.Call, testsuite.MaxCalls+1) }, want: []string{"test_out_of_bounds /tests/t/calls"}},
	{name: "a call of an unknown tool", change: call(func(c *testsuite.Call) { c.Tool = "gone" }), want: []string{"test_names_unknown /tests/t/calls/0/tool"}},
	{name: "an unknown outcome", change: call(func(c *testsuite.Call) { c.Expect = "denied" }), want: []string{"test_names_unknown /tests/t/calls/0/expect"}},
	{name: "no outcome", change: call(func(c *testsuite.Call) { c.Expect = "" }), want: []string{"test_names_unknown /tests/t/calls/0/expect"}},
	{name: "an unknown approval", change: call(func(c *testsuite.Call) { c.Tool, c.Approval = "refund", "given" }), want: []string{"test_names_unknown /tests/t/calls/0/approval"}},
	{name: "an approval that nothing needs", change: call(func(c *testsuite.Call) { c.Approval = testsuite.ExpiredGrant }), want: []string{"test_approval_needless /tests/t/calls/0/approval"}},
	{name: "a call id with a space", change: call(func(c *testsuite.Call) { c.ID = "a b" }), want: []string{"call_id_invalid /tests/t/calls/0/call_id"}},
	{name: "a call id that is too long", change: call(func(c *testsuite.Call) { c.ID = strings.Repeat("a", 129) }), want: []string{"call_id_invalid /tests/t/calls/0/call_id"}},
	{name: "the longest call id", change: call(func(c *testsuite.Call) { c.ID = strings.Repeat("a", 128) })},
	{name: "negative times", change: call(func(c *testsuite.Call) { c.Times = -1 }), want: []string{"test_out_of_bounds /tests/t/calls/0/times"}},
	{name: "too many times", change: call(func(c *testsuite.Call) { c.Times = testsuite.MaxTimes + 1 }), want: []string{"test_out_of_bounds /tests/t/calls/0/times"}},
	{name: "times with an id", change: call(func(c *testsuite.Call) { c.Times, c.ID = 2, "a" }), want: []string{"test_times_with_id /tests/t/calls/0/times"}},
	{name: "before the resolution", change: call(func(c *testsuite.Call) { c.AtMS = -1 }), want: []string{"test_out_of_bounds /tests/t/calls/0/at_ms"}},
	{name: "after a day", change: call(func(c *testsuite.Call) { c.AtMS = testsuite.MaxAtMS + 1 }), want: []string{"test_out_of_bounds /tests/t/calls/0/at_ms"}},
	{name: "an unknown policy", change: call(func(c *testsuite.Call) { c.Expect, c.Policy = resolve.PolicyDenied, "own-order" }), want: []string{"test_names_unknown /tests/t/calls/0/policy"}},
	{name: "a policy that is not looked at", change: call(func(c *testsuite.Call) { c.Policy = "own-orders" }), want: []string{"test_member_misplaced /tests/t/calls/0/policy"}},
	{name: "a pointer that is not looked at", change: call(func(c *testsuite.Call) { root := ""; c.Pointer = &root }), want: []string{"test_member_misplaced /tests/t/calls/0/pointer"}},
}

func expect(e testsuite.Expectation) func(*testsuite.Test) {
	return func(t *testsuite.Test) { t.Expect = &e }
}

func call(change func(*testsuite.Call)) func(*testsuite.Test) {
	return func(t *testsuite.Test) {
		c := testsuite.Call{Tool: "find", Arguments: map[string]any{}, Expect: resolve.Allowed}
		change(&c)
		t.Calls = []testsuite.Call{c}
	}
}

func TestCheck(t *testing.T) {
	def, _ := shop(t)
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			test := testsuite.Test{
				Profile: "customer", Objective: "ask", Inputs: object(t, `{"customer": "Ana", "vip": false}`),
				Expect: &testsuite.Expectation{Disclosed: []string{"find"}},
				Calls:  []testsuite.Call{{Tool: "find", Arguments: object(t, `{}`), Expect: resolve.Allowed}},
			}
			if c.change != nil {
				c.change(&test)
			}
			id := c.id
			switch id {
			case "":
				id = "t"
			case "-":
				id = ""
			}
			suite := &testsuite.Suite{Tests: map[string]testsuite.Test{id: test}}
			problems := suite.Check(def)
			if diff := cmp.Diff(c.want, told(problems)); diff != "" {
				t.Error(diff)
			}
			for _, p := range problems {
				if p.Severity() != diag.Error {
					t.Errorf("%s is no error", p.Code)
				}
				message := diag.At(nowhere, p)[0].Message()
				if strings.Contains(message, "{") {
					t.Errorf("%s lacks data: %s", p.Code, message)
				}
			}
		})
	}
}

var nowhere = diag.LocatorFunc(func(diag.Target) diag.Place { return diag.Place{} })

// A misspelled name gets the one that was meant. R83, and a typo is never a failed expectation.
func TestCheckSaysWhatWasMeant(t *testing.T) {
	def, _ := shop(t)
	suite := &testsuite.Suite{Tests: map[string]testsuite.Test{"t": {Profile: "custommer", Expect: &testsuite.Expectation{Disclosed: []string{"refunt"}}}}}
	problems := suite.Check(def)
	if len(problems) != 2 || problems[0].Data["nearest"] != "customer" || problems[1].Data["nearest"] != "refund" {
		t.Error(problems)
	}
}

// Every code of this room is triggered by a test here.
func TestEveryCodeIsTriggered(t *testing.T) {
	triggered := map[string]bool{}
	for _, c := range checks {
		for _, want := range c.want {
			code, _, _ := strings.Cut(want, " ")
			triggered[code] = true
		}
	}
	for _, file := range []string{"run_test.go", "codec_test.go", "junit_test.go"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`"([a-z_]+) (?:/tests)?`).FindAllStringSubmatch(string(text), -1) {
			triggered[found[1]] = true
		}
	}
	// These two are said by the commands, of a report.
	triggered[string(diag.CodeNoTests)], triggered[string(diag.CodeTestNotCovered)] = true, true
	for _, entry := range diag.Entries() {
		if entry.Room == "testsuite" && !triggered[string(entry.Code)] {
			t.Errorf("nothing triggers %s", entry.Code)
		}
	}
}

func TestCheckIsInOrder(t *testing.T) {
	def, _ := shop(t)
	suite := &testsuite.Suite{Tests: map[string]testsuite.Test{}}
	for i := range 50 {
		suite.Tests[fmt.Sprintf("t%02d", i)] = testsuite.Test{Profile: "gone", Inputs: map[string]canonical.Value{"b": 1, "a": 1}}
	}
	want := told(suite.Check(def))
	for range 20 {
		if diff := cmp.Diff(want, told(suite.Check(def))); diff != "" {
			t.Fatal(diff)
		}
	}
}
