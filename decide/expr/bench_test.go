package expr_test

import (
	"fmt"
	"testing"

	"github.com/seif-dev/seifc/decide/expr"
	"github.com/seif-dev/seifc/decide/schema"
)

// 100 different expressions in one scope.
func BenchmarkCompile100(b *testing.B) {
	scope := both(b)
	var sources []string
	for i := range 100 {
		sources = append(sources, fmt.Sprintf(`args.amount > %d && !(has(inputs.is_manager) && inputs.is_manager) && args.customer_id != "c-%d"`, i, i))
	}
	for b.Loop() {
		for _, source := range sources {
			if _, problems := expr.Compile(source, scope); len(problems) > 0 {
				b.Fatal(problems)
			}
		}
	}
}

// One policy over 1,000 tools.
func BenchmarkCheck1000Scopes(b *testing.B) {
	var scopes []expr.Scope
	for i := range 1000 {
		scopes = append(scopes, expr.Scope{Args: typeOf(b, fmt.Sprintf(
			`{"type":"object","required":["tenant"],"properties":{"tenant":{"type":"string","maxLength":%d},"x":{"type":"integer"}}}`, i+1), schema.Arguments)})
	}
	for b.Loop() {
		e, problems := expr.Parse(`args.tenant != "a" && (!has(args.x) || args.x > 5)`)
		if e == nil {
			b.Fatal(problems)
		}
		for _, scope := range scopes {
			if _, problems := e.Check(scope); len(problems) > 0 {
				b.Fatal(problems)
			}
		}
	}
}

func BenchmarkEval(b *testing.B) {
	program, problems := expr.Compile(`args.customer_id != inputs.customer_id || args.amount > 5000`, both(b))
	if program == nil {
		b.Fatal(problems)
	}
	inputs, args := value(b, someInputs).(map[string]any), value(b, someArgs)
	for b.Loop() {
		if _, err := program.Eval(inputs, args); err != nil {
			b.Fatal(err)
		}
	}
}

// Evaluation at the bound of its cost takes less than a tenth of a second.
func BenchmarkEvalAtTheBound(b *testing.B) {
	scope := expr.Scope{Args: typeOf(b, `{"type":"object","required":["l"],"properties":{"l":{"type":"array","maxItems":320,"items":{"type":"integer"}}}}`, schema.Arguments)}
	program, problems := expr.Compile(`args.l.all(a, args.l.all(b, a + b > 0))`, scope)
	if program == nil {
		b.Fatal(problems)
	}
	var list []any
	for range 320 {
		list = append(list, value(b, "3"))
	}
	b.ReportMetric(float64(program.Cost()), "units")
	for b.Loop() {
		if ok, err := program.Eval(nil, map[string]any{"l": list}); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}
