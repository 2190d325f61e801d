package testsuite_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/testsuite"
)

func line(i testsuite.Item) string {
	return string(i.Kind) + " " + i.Profile + "/" + i.Name + " " + string(i.Reason) + " " + i.Pointer
}

// Without tests everything is missed; this is all that the definition has.
func TestWhatCoverageCounts(t *testing.T) {
	want := []string{
		"policy /even-only  /policies/even-only",
		"policy /own-orders  /policies/own-orders",
		"policy /refund-cap  /policies/refund-cap",
		"profile /customer  /profiles/customer",
		"profile /staff  /profiles/staff",
		"objective customer/ask  /profiles/customer/objectives",
		"objective customer/refund  /profiles/customer/objectives",
		"tool customer/cancel  /profiles/customer/tools/include/cancel",
		"tool customer/find  /profiles/customer/tools/include/find",
		"tool customer/refund  /profiles/customer/tools/include/refund",
		"withheld customer/cancel condition /profiles/customer/tools/include/cancel",
		"withheld customer/note excluded /profiles/customer/tools/exclude/note",
		"withheld customer/refund objective /profiles/customer/tools/include/refund",
		"tool staff/find  /profiles/staff/tools/include/find",
	}
	p := shopPlan(t)
	report := run(t, p, &testsuite.Suite{})
	var got []string
	for _, item := range report.Coverage.Missed {
		got = append(got, line(item))
		if item.Kind != testsuite.CoversObjective {
			if _, ok := canonical.Lookup(p.Definition().Value(), item.Pointer); !ok {
				t.Errorf("%s leads nowhere", item.Pointer)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || report.Coverage.Items != len(want) || report.Coverage.Reached != 0 {
		t.Error(diff, report.Coverage)
	}
}

// Each kind is reached by one test and by nothing else.
func TestWhatATestReaches(t *testing.T) {
	p := shopPlan(t)
	all := run(t, p, &testsuite.Suite{}).Coverage.Missed
	anyone := &testsuite.Expectation{Blocked: map[string]resolve.Reason{}}
	inputs := object(t, `{"customer": "Ana", "vip": false}`)
	for name, c := range map[string]struct {
		test testsuite.Test
		want []string
	}{
		"staff": {testsuite.Test{Profile: "staff", Inputs: inputs, Expect: anyone}, []string{"profile /staff", "tool staff/find"}},
		"asking": {testsuite.Test{Profile: "customer", Objective: "ask", Inputs: inputs, Expect: anyone}, []string{
			"profile /customer", "objective customer/ask", "tool customer/find", "withheld customer/cancel condition",
			"withheld customer/note excluded", "withheld customer/refund objective"}},
		"all that deny": {testsuite.Test{Profile: "customer", Objective: "refund", Inputs: object(t, `{"customer": "Ana", "vip": true}`), Calls: []testsuite.Call{
			{Tool: "refund", Arguments: object(t, `{"cents": 8000}`), Expect: resolve.PolicyDenied}}}, []string{
			"policy /even-only", "policy /refund-cap", "profile /customer", "objective customer/refund", "tool customer/cancel", "tool customer/find",
			"tool customer/refund", "withheld customer/note excluded"}},
		"a refused request reaches nothing":             {testsuite.Test{Profile: "staff", Expect: anyone}, nil},
		"a test that cannot be checked reaches nothing": {testsuite.Test{Profile: "staff", Inputs: inputs}, nil},
	} {
		report := run(t, p, &testsuite.Suite{Tests: map[string]testsuite.Test{"t": c.test}})
		missed := map[testsuite.Item]bool{}
		for _, item := range report.Coverage.Missed {
			missed[item] = true
		}
		var got []string
		for _, item := range all {
			if !missed[item] {
				text := string(item.Kind) + " " + item.Profile + "/" + item.Name
				if item.Reason != "" {
					text += " " + string(item.Reason)
				}
				got = append(got, text)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" || report.Coverage.Reached != len(c.want) || report.Coverage.Items != len(all) {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// What one test misses another reaches; what a test only withholds is not disclosed by it.
func TestCoverageOfASuite(t *testing.T) {
	suite := passing(t)
	coverage := run(t, shopPlan(t), suite).Coverage
	if len(coverage.Missed) != 1 || line(coverage.Missed[0]) != "tool staff/find  /profiles/staff/tools/include/find" || coverage.Reached != coverage.Items-1 {
		t.Error(coverage.Missed)
	}
	suite.Tests["more"] = testsuite.Test{Profile: "staff", Inputs: object(t, `{"customer": "Ana", "vip": false}`), Expect: &testsuite.Expectation{Disclosed: []string{"find"}}}
	if coverage := run(t, shopPlan(t), suite).Coverage; len(coverage.Missed) != 0 || coverage.Reached != coverage.Items {
		t.Error(coverage.Missed)
	}
}
