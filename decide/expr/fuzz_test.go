package expr_test

import (
	"testing"
	"unicode/utf8"

	"github.com/seif-dev/seifc/decide/expr"
)

// No source makes the compiler panic, work without end, or point outside of the source; what it admits can be
// evaluated, and gives a verdict or an error of ours.
func FuzzCompile(f *testing.F) {
	for _, seed := range []string{
		`args.amount > 5000`, `has(args.currency) && args.currency != "EUR"`, `!has(args.currency) || true`, `args.items.exists(i, i.sku.startsWith("x"))`,
		`args.items.all(i, has(i.count) ? i.count > 1 : true)`, `inputs.language in ["a", "b"]`, `size(args.items) > 1`, `a.b.c(d, [1, {2: 3}], x{y: 1})`,
		`args.customer_id.matches("^a+$")`, "args.`content-type` == ''", `((((((((((1))))))))))`, `"é" + "漢" == "x" // note`, `1 in [1, 2.0]`, `-(-1) < 1e9`,
		`args.items[0]`, `has(has(args))`, `args.items.all(all, all.all(all, true))`, "\"\"\"a\"\"\" == r'a'", `args.?x.orValue(1)`, "\x00", `null == args.either`,
	} {
		f.Add(seed)
	}
	scope := both(f)
	inputs, args := value(f, someInputs).(map[string]any), value(f, someArgs)
	f.Fuzz(func(t *testing.T, source string) {
		program, problems := expr.Compile(source, scope)
		if (program == nil) == (len(problems) == 0) {
			t.Fatalf("%q: program %v, problems %v", source, program, problems)
		}
		for _, p := range problems {
			at := p.Target
			if at.Offset < 0 || at.Length < 0 || at.Offset+at.Length > len(source) {
				t.Fatalf("%q: a problem at %v", source, at)
			}
			if utf8.ValidString(source) && !utf8.ValidString(source[at.Offset:at.Offset+at.Length]) {
				t.Fatalf("%q: a problem that cuts a character", source)
			}
		}
		if program == nil {
			return
		}
		if program.Cost() > expr.MaxCost {
			t.Fatalf("%q costs %d", source, program.Cost())
		}
		first, err := program.Eval(inputs, args)
		again, _ := program.Eval(inputs, args)
		if first != again || err != nil && first {
			t.Fatalf("%q: %v, then %v, %v", source, first, again, err)
		}
	})
}
