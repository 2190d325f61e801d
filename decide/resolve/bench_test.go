package resolve_test

import (
	"fmt"
	"testing"

	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/digest/canonical"
)

// A Project of 1,000 tools, a policy over all of them and 100 policies of their own.
func BenchmarkPrepare1000(b *testing.B) {
	def, texts := manyTools(b, 1000, 100)
	for b.Loop() {
		if plan, problems := resolve.Prepare(def, texts); plan == nil {
			b.Fatal(problems)
		}
	}
}

// The same without any policy: the difference is what expressions cost.
func BenchmarkPrepare1000WithoutPolicies(b *testing.B) {
	def, texts := manyTools(b, 1000, 0)
	def.Policies = nil
	for b.Loop() {
		if plan, problems := resolve.Prepare(def, texts); plan == nil {
			b.Fatal(problems)
		}
	}
}

// One resolution as a Context Test makes it, with one tool that is not ready.
func BenchmarkResolve1000(b *testing.B) {
	def, texts := manyTools(b, 1000, 1)
	plan := prepare(b, def, texts)
	r := resolve.Request{Profile: "all", Inputs: map[string]canonical.Value{"tenant": "t-1"}}
	n := 0
	for b.Loop() {
		n++
		down := map[string]resolve.Executor{fmt.Sprintf("tool.t%04d", n%100): {}}
		if res, problems := plan.Resolve(r, resolve.Observations{AssumeReady: true, Executors: down}); res == nil {
			b.Fatal(problems)
		}
	}
}

func BenchmarkDecide(b *testing.B) {
	def, texts := manyTools(b, 1000, 1000)
	plan := prepare(b, def, texts)
	res, problems := plan.Resolve(resolve.Request{Profile: "all", Inputs: map[string]canonical.Value{"tenant": "t-1"}}, ready)
	if res == nil {
		b.Fatal(problems)
	}
	c := resolve.Call{ID: "c", Tool: "tool.t0500", Arguments: map[string]canonical.Value{"tenant": "t-1"}}
	for b.Loop() {
		if d := plan.Decide(res, ready, resolve.CallState{}, c, res.At); d.Outcome != resolve.Allowed {
			b.Fatal(d)
		}
	}
}

func BenchmarkBudget1000(b *testing.B) {
	def, texts := manyTools(b, 1000, 1)
	plan := prepare(b, def, texts)
	for b.Loop() {
		plan.Budget("all", "")
	}
}
