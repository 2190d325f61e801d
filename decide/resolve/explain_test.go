package resolve_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/diag"
)

func chain(steps []resolve.Step) []string {
	var all []string
	for _, s := range steps {
		all = append(all, strings.TrimPrefix(string(s.Code), "explain_")+" "+s.Pointer)
	}
	return all
}

func TestExplanations(t *testing.T) {
	plan := shopPlan(t)
	asked := resolved(t, plan, request(t, "ask", customerInputs), ready)
	refunding := resolved(t, plan, request(t, "refund", customerInputs), ready)
	down := resolved(t, plan, request(t, "refund", customerInputs), resolve.Observations{
		AssumeReady: true, Executors: map[string]resolve.Executor{"refund.issue": {}}})
	const customer = "/profiles/customer"
	refund := []string{
		"pinned /tools/refund.issue", "included " + customer + "/tools/include/refund.issue", "objective " + customer + "/tools/include/refund.issue",
		"limit " + customer + "/tools/include/refund.issue", "policy /policies/euro-only", "policy /policies/refund-cap",
		"approval /tools/refund.issue", "readiness /tools/refund.issue", "verdict " + customer, "no_source ",
	}
	for name, c := range map[string]struct {
		profile, tool string
		res           *resolve.Resolution
		want          []string
		verdict       string
	}{
		"disclosed": {"customer", "refund.issue", refunding, refund, "disclosed"},
		"blocked":   {"customer", "refund.issue", down, refund, "withheld unavailable"},
		"off objective": {"customer", "refund.issue", asked, []string{
			"pinned /tools/refund.issue", "included " + customer + "/tools/include/refund.issue", "off_objective " + customer + "/tools/include/refund.issue",
			"limit " + customer + "/tools/include/refund.issue", "policy /policies/euro-only", "policy /policies/overflows", "policy /policies/refund-cap",
			"approval /tools/refund.issue", "readiness /tools/refund.issue", "verdict " + customer, "no_source "}, "withheld objective"},
		"a condition": {"customer", "order.cancel", asked, []string{
			"pinned /tools/order.cancel", "included " + customer + "/tools/include/order.cancel", "objective " + customer + "/tools/include/order.cancel",
			"condition " + customer + "/tools/include/order.cancel/when", "limit " + customer + "/tools/include/order.cancel",
			"approval /tools/order.cancel", "readiness /tools/order.cancel", "verdict " + customer, "no_source "}, "withheld condition"},
		"excluded": {"customer", "note.write", asked, []string{
			"pinned /tools/note.write", "excluded " + customer + "/tools/exclude/note.write", "verdict " + customer, "no_source "}, "withheld excluded"},
		"not included":       {"staff", "order.cancel", nil, []string{"pinned /tools/order.cancel", "not_included /profiles/staff", "no_source "}, ""},
		"an unknown tool":    {"customer", "order.fnd", nil, []string{"unknown_tool /tools", "no_source "}, ""},
		"an unknown profile": {"gone", "order.find", nil, []string{"pinned /tools/order.find", "verdict /profiles", "no_source "}, "not disclosed there is no profile gone"},
		"what can happen": {"staff", "order.find", nil, []string{
			"pinned /tools/order.find", "included /profiles/staff/tools/include/order.find", "objective /profiles/staff/tools/include/order.find",
			"limit /profiles/staff/tools/include/order.find", "policy /policies/own-orders", "readiness /tools/order.find", "no_source "}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			steps := plan.Explain(c.profile, c.tool, c.res)
			if diff := cmp.Diff(c.want, chain(steps)); diff != "" {
				t.Error(diff)
			}
			verdict := ""
			for _, s := range steps {
				if s.Code == diag.CodeExplainVerdict {
					verdict = strings.TrimSpace(s.Data["verdict"] + " " + s.Data["reason"])
				}
				d := diag.At(diag.LocatorFunc(func(diag.Target) diag.Place { return diag.Place{} }), s.Problem())[0]
				if d.Severity != diag.Info || strings.ContainsAny(d.Message(), "{}[]") {
					t.Errorf("step reads %q", d.Message())
				}
			}
			if verdict != c.verdict {
				t.Errorf("verdict %q, want %q", verdict, c.verdict)
			}
		})
	}
}

// Asking for a tool that the Project does not have says so and nothing else.
func TestExplainUnknownTool(t *testing.T) {
	plan := shopPlan(t)
	res := resolved(t, plan, request(t, "ask", customerInputs), ready)
	steps := plan.Explain("customer", "order.fnd", res)
	if len(steps) == 0 {
		t.Fatal("no step")
	}
	if p := steps[0].Problem(); p.Code != diag.CodeExplainUnknown || p.Data["nearest"] != "order.find" {
		t.Errorf("%+v", p)
	}
}
