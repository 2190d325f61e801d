package expr_test

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/decide/expr"
	"github.com/seif-dev/seifc/decide/schema"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

const inputsSchema = `{
	"type": "object",
	"required": ["customer_id", "language", "level"],
	"properties": {
		"customer_id": {"type": "string", "maxLength": 12},
		"language": {"enum": ["English", "Norsk"]},
		"level": {"type": "integer", "minimum": 0, "maximum": 9},
		"is_manager": {"type": "boolean"},
		"agent": {"type": "string", "maxLength": 80},
		"articles": {"type": "array", "maxItems": 3, "items": {"type": "string", "maxLength": 4000}}
	}
}`

const argsSchema = `{
	"type": "object",
	"required": ["customer_id", "amount", "price", "items", "open", "free", "either", "nothing", "nested", "content-type", "same"],
	"properties": {
		"customer_id": {"type": "string", "maxLength": 12},
		"amount": {"type": "integer"},
		"price": {"type": "number"},
		"currency": {"type": "string", "maxLength": 3},
		"items": {"type": "array", "maxItems": 20, "items": {
			"type": "object", "required": ["sku"], "properties": {
				"sku": {"type": "string", "maxLength": 40}, "count": {"type": "integer"}}}},
		"tags": {"type": "array", "maxItems": 5, "items": {"type": "string", "maxLength": 10}},
		"open": {"type": "array", "items": {"type": "string", "maxLength": 10}},
		"huge": {"type": "array", "maxItems": 1000000, "items": {"type": "integer"}},
		"grid": {"type": "array", "maxItems": 3, "items": {"type": "array", "maxItems": 3, "items": {
			"type": "object", "required": ["note"], "properties": {"note": {"type": "string"}}}}},
		"rows": {"type": "array", "maxItems": 3, "items": {"type": "array", "items": {"type": "integer"}}},
		"free": {"type": "string"},
		"same": {"type": "string"},
		"either": {"type": ["string", "integer"]},
		"nothing": {"type": ["string", "null"]},
		"nested": {"type": "object", "required": ["a"], "properties": {
			"a": {"type": "integer"}, "b": {"type": "object", "properties": {"c": {"type": "boolean"}}}}},
		"content-type": {"type": "string", "maxLength": 30}
	}
}`

func typeOf(t testing.TB, text string, use schema.Use) *schema.Type {
	t.Helper()
	compiled, problems := schema.Compile(value(t, text), use)
	if compiled == nil {
		t.Fatalf("schema: %v", problems)
	}
	return compiled.Type()
}

func value(t testing.TB, text string) canonical.Value {
	t.Helper()
	v, err := canonical.Parse([]byte(text), canonical.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func both(t testing.TB) expr.Scope {
	return expr.Scope{Inputs: typeOf(t, inputsSchema, schema.Inputs), Args: typeOf(t, argsSchema, schema.Arguments)}
}

const someInputs = `{"customer_id": "c-1", "language": "Norsk", "level": 3, "articles": ["one", "two"]}`

const someArgs = `{"customer_id": "c-2", "amount": 5001, "price": 2, "items": [{"sku": "x-1", "count": 2}, {"sku": "y-1"}],
	"open": [], "free": "any", "same": "any", "either": 4, "nothing": null, "nested": {"a": 1, "b": {}}, "content-type": "text/plain"}`

func TestExpressionsEvaluate(t *testing.T) {
	scope := both(t)
	for source, want := range map[string]bool{
		`args.customer_id != inputs.customer_id`:                                              true,
		`args.amount > 5000`:                                                                  true,
		`args.amount > 5000.5 && args.amount >= 5001.0`:                                       true,
		`args.price == 2 && args.price < 2.5 && args.price * 2.0 == 4`:                        true,
		`has(args.currency) && args.currency != "EUR"`:                                        false,
		`!has(args.currency) || args.currency == "EUR"`:                                       true,
		`has(args.currency) ? args.currency == "EUR" : inputs.level == 3`:                     true,
		`!has(args.currency) ? true : args.currency == "EUR"`:                                 true,
		`!(has(args.currency) && args.currency == "EUR")`:                                     true,
		`args.amount > 50000 && !(has(inputs.is_manager) && inputs.is_manager)`:               false,
		`args.items.exists(i, i.sku.startsWith("x"))`:                                         true,
		`args.items.all(i, has(i.count) && i.count > 1)`:                                      false,
		`args.items.all(i, !has(i.count) || i.count > 1)`:                                     true,
		`has(args.tags) && args.tags.exists(t, t == "a")`:                                     false,
		`inputs.language in ["Norsk", "English"]`:                                             true,
		`args.either in ["a", "b"] || args.either == 4`:                                       true,
		`args.either == 4.0`:                                                                  true,
		`args.nothing == null`:                                                                true,
		`args.nothing != "x"`:                                                                 true,
		`has(args.nested.b) && !has(args.nested.b.c)`:                                         true,
		`has(args.nested.b) && has(args.nested.b.c) && args.nested.b.c`:                       false,
		`size(args.items) == 2 && args.items.size() < 3 && size(inputs.customer_id) == 3`:     true,
		`args.customer_id.matches("^c-[0-9]+$")`:                                              true,
		`args.customer_id + "/" + inputs.customer_id == "c-2/c-1"`:                            true,
		`args.customer_id.contains("-") && args.customer_id.endsWith("2")`:                    true,
		`args.free == "any" && args.free.startsWith("an")`:                                    true,
		"args.`content-type` == \"text/plain\"":                                               true,
		`-args.nested.a + 2 * args.amount - 1 == 10000`:                                       true,
		`"b" < "é" && args.customer_id >= "c"`:                                                true,
		`has(inputs.articles) && inputs.articles.exists(a, args.items.exists(i, i.sku == a))`: false,
		`args.items.exists(i, i.sku == "y-1" && !has(i.count))`:                               true,
		`args.amount in []`:                                                                   false,
		`(inputs.level > 2 ? args.amount : args.nested.a) == 5001`:                            true,
	} {
		t.Run(source, func(t *testing.T) {
			program, problems := expr.Compile(source, scope)
			if program == nil {
				t.Fatalf("problems: %v", problems)
			}
			got, err := program.Eval(value(t, someInputs).(map[string]any), value(t, someArgs))
			if err != nil || got != want {
				t.Errorf("= %v, %v; want %v", got, err, want)
			}
		})
	}
}

func TestExpressionsAreRefused(t *testing.T) {
	scope := both(t)
	for _, c := range []struct {
		source string
		code   diag.Code
		span   string // what the problem points at
		data   diag.Data
	}{
		{"", diag.CodeExpressionSyntax, "", nil},
		{"args.amount >", diag.CodeExpressionSyntax, "", nil},
		{`args.currency == "EU`, diag.CodeExpressionSyntax, `"EU`, nil},
		{`args.amount = 3`, diag.CodeExpressionSyntax, `= `, diag.Data{"hint": "equality is written =="}},
		{`args.amount > 1 and true`, diag.CodeExpressionSyntax, `and`, diag.Data{"hint": "and is written &&"}},
		{"\xff", diag.CodeExpressionSyntax, "", nil},
		{strings.Repeat(" ", expr.MaxSourceBytes) + "true", diag.CodeExpressionTooLarge, "", nil},
		{strings.Repeat("true && ", 400) + "true", diag.CodeExpressionTooLarge, "", nil},
		{`args.items.map(i, i.sku) == []`, diag.CodeExpressionFunction, `args.items.map(i, i.sku)`, diag.Data{"name": "map"}},
		{`args.items.exists_one(i, true)`, diag.CodeExpressionFunction, `args.items.exists_one(i, true)`, nil},
		{`timestamp("2026-01-01T00:00:00Z") < 3`, diag.CodeExpressionFunction, `timestamp("2026-01-01T00:00:00Z")`, diag.Data{"name": "timestamp"}},
		{`args.customer_id.startswith("c")`, diag.CodeExpressionFunction, `args.customer_id.startswith("c")`, diag.Data{"name": "startswith", "nearest": "startsWith"}},
		{`startsWith(args.customer_id, "c")`, diag.CodeExpressionFunction, `startsWith(args.customer_id, "c")`, nil},
		{`args.amount / 2 == 1`, diag.CodeExpressionFunction, `args.amount / 2`, diag.Data{"name": "/"}},
		{`args.amount % 2 == 1`, diag.CodeExpressionFunction, `args.amount % 2`, nil},
		{`args.items[0].sku == "a"`, diag.CodeExpressionFunction, `args.items[0]`, diag.Data{"name": "[]"}},
		{`string(args.amount) == "1"`, diag.CodeExpressionFunction, `string(args.amount)`, nil},
		{`type(args.amount) == 3`, diag.CodeExpressionFunction, `type(args.amount)`, nil},
		{`args.nested == {"a": 1}`, diag.CodeExpressionConstruct, ``, nil},
		{`args.amount == 9007199254740993`, diag.CodeExpressionConstruct, `9007199254740993`, nil},
		{`args.amount == 3u`, diag.CodeExpressionConstruct, `3u`, nil},
		{`args.customer_id == b"c"`, diag.CodeExpressionConstruct, `b"c"`, nil},
		{`args.items.exists(args, true)`, diag.CodeExpressionConstruct, ``, nil},
		{`arg.amount == 3`, diag.CodeExpressionUnknownName, `arg`, diag.Data{"nearest": "args"}},
		{`args.ammount == 3`, diag.CodeExpressionUnknownField, `ammount`, diag.Data{"field": "ammount", "in": "args", "nearest": "amount", "root": "args"}},
		{`has(args.curency) && true`, diag.CodeExpressionUnknownField, `curency`, nil},
		{`args.items.exists(i, i.skew == "a")`, diag.CodeExpressionUnknownField, `skew`, nil},
		{"args.`content-typ` == \"a\"", diag.CodeExpressionUnknownField, "`content-typ`", nil},
		{`args.amount == "3"`, diag.CodeExpressionTypeMismatch, `"3"`, diag.Data{"want": "int", "got": "string"}},
		{`"é" == args.amount`, diag.CodeExpressionTypeMismatch, `args.amount`, nil},
		{`args.price * 2 == 4.0`, diag.CodeExpressionTypeMismatch, `2`, diag.Data{"want": "double", "got": "int"}},
		{`args.amount && true`, diag.CodeExpressionTypeMismatch, `args.amount`, nil},
		{`args.nested == args.nested`, diag.CodeExpressionTypeMismatch, `args.nested`, nil},
		{`args.amount == null`, diag.CodeExpressionTypeMismatch, `args.amount`, nil},
		{`args.amount.a == 1`, diag.CodeExpressionTypeMismatch, `args.amount.a`, nil},
		{`args.customer_id.exists(c, true)`, diag.CodeExpressionTypeMismatch, `args.customer_id`, nil},
		{`args.amount in ["a"]`, diag.CodeExpressionTypeMismatch, `args.amount`, nil},
		{`["a", 1] == []`, diag.CodeExpressionTypeMismatch, `1`, nil},
		{`args.currency == "EUR"`, diag.CodeExpressionOptional, `args.currency`, diag.Data{"field": "args.currency", "root": "args"}},
		{`has(args.currency) || args.currency == "EUR"`, diag.CodeExpressionOptional, `args.currency`, nil},
		{`args.currency == "EUR" && has(args.currency)`, diag.CodeExpressionOptional, `args.currency`, nil},
		{`has(args.currency) ? true : args.currency == "EUR"`, diag.CodeExpressionOptional, `args.currency`, nil},
		{`has(args.nested.b.c)`, diag.CodeExpressionOptional, `args.nested.b`, nil},
		{`inputs.is_manager`, diag.CodeExpressionOptional, `inputs.is_manager`, nil},
		{`args.items.exists(i, has(i.count)) && args.items.all(i, i.count > 1)`, diag.CodeExpressionOptional, `i.count`, nil},
		{`args.either > 3`, diag.CodeExpressionUnion, `args.either`, diag.Data{"type": "one of integer, string"}},
		{`args.either.startsWith("a")`, diag.CodeExpressionUnion, `args.either`, nil},
		{`args.either == args.nothing`, diag.CodeExpressionUnion, `args.either`, nil},
		{`args.nothing.x == 1`, diag.CodeExpressionUnion, `args.nothing.x`, nil},
		{`args.free.contains("a")`, diag.CodeExpressionUnbounded, `args.free`, diag.Data{"field": "args.free", "keyword": "maxLength", "schema": "/properties/free"}},
		{`args.free == args.same`, diag.CodeExpressionUnbounded, `args.free`, nil},
		{`size(args.free) > 3`, diag.CodeExpressionUnbounded, `args.free`, nil},
		{`args.free + "a" == "b"`, diag.CodeExpressionUnbounded, `args.free`, nil},
		{`args.free.matches("a")`, diag.CodeExpressionUnbounded, `args.free`, nil},
		{`args.open.exists(o, o == "a")`, diag.CodeExpressionUnbounded, `args.open`, diag.Data{"keyword": "maxItems", "schema": "/properties/open"}},
		{`has(args.grid) && args.grid.exists(g, g.exists(h, h.note.contains("a")))`, diag.CodeExpressionUnbounded, `h.note`,
			diag.Data{"field": "h.note", "schema": "/properties/grid/items/items/properties/note", "root": "args"}},
		{`has(args.rows) && args.rows.exists(r, r.exists(x, x == 1))`, diag.CodeExpressionUnbounded, `r`, diag.Data{"field": "args.rows[]", "keyword": "maxItems", "schema": "/properties/rows/items"}},
		{`"a" in args.open`, diag.CodeExpressionUnbounded, `args.open`, nil},
		{`has(args.huge) && args.huge.exists(h, h == 1)`, diag.CodeExpressionCost, `has(args.huge) && args.huge.exists(h, h == 1)`, nil},
		{`args.amount`, diag.CodeExpressionNotBool, `args.amount`, diag.Data{"got": "int"}},
		{`args.customer_id.matches("(?=a)")`, diag.CodeExpressionPattern, `"(?=a)"`, nil},
		{`args.customer_id.matches(inputs.customer_id)`, diag.CodeExpressionPattern, `inputs.customer_id`, nil},
		{`args.customer_id.matches("((a{30}){30}){30}")`, diag.CodeExpressionPattern, `"((a{30}){30}){30}"`, nil},
	} {
		t.Run(c.source[:min(len(c.source), 60)], func(t *testing.T) {
			program, problems := expr.Compile(c.source, scope)
			if program != nil || len(problems) != 1 {
				t.Fatalf("program %v, problems %v; want exactly one problem", program, problems)
			}
			p := problems[0]
			d := diag.At(diag.LocatorFunc(func(diag.Target) diag.Place { return diag.Place{} }), p)[0]
			if text := d.Message() + d.Help(); unfilled.MatchString(text) {
				t.Errorf("reads %q", text)
			}
			if p.Code != c.code {
				t.Fatalf("code %s %v, want %s", p.Code, p.Data, c.code)
			}
			if c.span != "" {
				if got := c.source[p.Target.Offset : p.Target.Offset+p.Target.Length]; got != c.span || !p.Target.Spanned {
					t.Errorf("points at %q, want %q", got, c.span)
				}
			}
			for name, want := range c.data {
				if p.Data[name] != want {
					t.Errorf("data %s = %q, want %q", name, p.Data[name], want)
				}
			}
		})
	}
}

var unfilled = regexp.MustCompile(`\{[a-z_]+\}|\[\[|\]\]`)

func TestConditionsCannotReadArguments(t *testing.T) {
	_, problems := expr.Compile("args.amount > 1", expr.Scope{Inputs: typeOf(t, inputsSchema, schema.Inputs)})
	if len(problems) != 1 || problems[0].Code != diag.CodeExpressionArgsUnavailable {
		t.Errorf("problems %v", problems)
	}
}

func TestRequiredInputsNeedNoGuard(t *testing.T) {
	scope := both(t)
	scope.RequiredInputs = map[string]bool{"agent": true}
	if _, problems := expr.Compile(`inputs.agent != ""`, scope); len(problems) != 0 {
		t.Errorf("problems %v", problems)
	}
	if _, problems := expr.Compile(`inputs.is_manager`, scope); len(problems) != 1 {
		t.Errorf("another input is covered too: %v", problems)
	}
}

func TestEachMistakeIsToldOnce(t *testing.T) {
	_, problems := expr.Compile(`args.ammount > 3 && (args.currncy == "x" || inputs.levle in [1])`, both(t))
	var codes []diag.Code
	for _, p := range problems {
		codes = append(codes, p.Code)
	}
	want := []diag.Code{diag.CodeExpressionUnknownField, diag.CodeExpressionUnknownField, diag.CodeExpressionUnknownField}
	if diff := cmp.Diff(want, codes); diff != "" {
		t.Error(diff)
	}
}

// A failure says what kind it is and nothing of the values.
func TestFailuresHoldNoValues(t *testing.T) {
	scope := both(t)
	for _, c := range []struct {
		source, args string
		want         expr.Failure
	}{
		{`args.amount * 4611686018427387904 > 0`, `{"amount": 4}`, ""},
		{`args.amount * args.amount > 0`, `{"amount": 9007199254740992}`, expr.Overflow},
		{`args.amount > 1`, `{}`, expr.Absent},
		{`args.nested.a > 1`, `{"nested": "secret"}`, expr.Absent},
		{`args.customer_id.startsWith("a")`, `{"customer_id": 5}`, expr.Mistyped},
		{`args.amount + 1 > 1`, `{"amount": 100000000000000000000}`, expr.Mistyped},
		{`args.amount > 1`, `"secret"`, expr.Mistyped},
	} {
		program, problems := expr.Compile(c.source, scope)
		if program == nil {
			if c.want != "" {
				t.Errorf("%s: %v", c.source, problems)
			}
			continue
		}
		got, err := program.Eval(nil, value(t, c.args))
		var failure *expr.Error
		if !errors.As(err, &failure) || failure.Failure != c.want || got {
			t.Errorf("%s: %v, %v; want %s", c.source, got, err, c.want)
			continue
		}
		if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "9007") {
			t.Errorf("%s: the error holds a value: %v", c.source, err)
		}
	}
}

// Numbers keep their value, whatever their spelling and size.
func TestNumbersCompareExactly(t *testing.T) {
	scope := both(t)
	for _, c := range []struct {
		source, member, spelled string
		want                    bool
	}{
		{`args.amount == 100`, "amount", "1e2", true},
		{`args.amount == 1`, "amount", "1.0", true},
		{`args.amount > 9007199254740991`, "amount", "9007199254740992", true},
		{`args.amount > 5`, "amount", "100000000000000000000", true},
		{`args.amount < -5`, "amount", "-100000000000000000000", true},
		{`args.price == 3`, "price", "3", true},
		{`args.price > 0.1`, "price", "0.10000000000000002", true},
		{`args.price + 0.5 == 3.5`, "price", "3", true},
		{`args.either == 1`, "either", "1.0", true},
		{`args.either == 1.5`, "either", "1.5", true},
		{`args.either in [1, 2.5]`, "either", "2.5", true},
	} {
		program, problems := expr.Compile(c.source, scope)
		if program == nil {
			t.Fatalf("%s: %v", c.source, problems)
		}
		got, err := program.Eval(nil, map[string]any{c.member: json.Number(c.spelled)})
		if err != nil || got != c.want {
			t.Errorf("%s with %s: %v, %v; want %v", c.source, c.spelled, got, err, c.want)
		}
	}
}

// Nothing that depends on a clock, a zone or an order can be named.
func TestTheDialectIsAnAllowList(t *testing.T) {
	var names []string
	for _, f := range expr.Functions() {
		names = append(names, f.Name)
	}
	want := []string{"!", "!=", "&&", "*", "+", "-", "- (sign)", "<", "<=", "==", ">", ">=", "?:", "all", "contains", "endsWith",
		"exists", "has", "in", "matches", "size", "startsWith", "||"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	scope := both(t)
	for _, call := range []string{
		`timestamp("x")`, `duration("1s")`, `int("1")`, `uint("1")`, `double("1")`, `bytes("a")`, `bool("true")`, `dyn(args)`,
		`type(1)`, `args.customer_id.getFullYear()`, `args.items.filter(i, true)`, `args.items.map(i, i)`, `args.items.exists_one(i, true)`,
		`args.customer_id.replace("a", "b")`, `args.customer_id.lowerAscii()`, `optional.none()`, `cel.bind(x, 1, x)`, `args.customer_id.size(1)`,
		`size()`, `size(1, 2)`, `args.items[0]`,
	} {
		_, problems := expr.Compile(call+" == 1", scope)
		if len(problems) == 0 || problems[0].Code != diag.CodeExpressionFunction {
			t.Errorf("%s: %v", call, problems)
		}
	}
}

func TestParsedOnceCheckedInManyScopes(t *testing.T) {
	parsed, problems := expr.Parse(`args.x > 1`)
	if len(problems) != 0 {
		t.Fatal(problems)
	}
	number := typeOf(t, `{"type":"object","required":["x"],"properties":{"x":{"type":"integer"}}}`, schema.Arguments)
	text := typeOf(t, `{"type":"object","required":["x"],"properties":{"x":{"type":"string"}}}`, schema.Arguments)
	program, problems := parsed.Check(expr.Scope{Args: number})
	if program == nil {
		t.Fatal(problems)
	}
	if _, problems := parsed.Check(expr.Scope{Args: text}); len(problems) != 1 {
		t.Errorf("a string is no number: %v", problems)
	}
	if got, err := program.Eval(nil, map[string]any{"x": json.Number("2")}); !got || err != nil {
		t.Errorf("= %v, %v", got, err)
	}
}
