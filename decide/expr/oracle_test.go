package expr

import (
	"strings"
	"testing"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"

	"github.com/seif-dev/seifc/decide/schema"
	"github.com/seif-dev/seifc/digest/canonical"
)

// schemaTypes shows schema types to CEL's own checker as structs.
type schemaTypes struct {
	types.Provider
	structs map[string]*schema.Type
}

func (s *schemaTypes) FindStructType(name string) (*types.Type, bool) {
	_, ok := s.structs[name]
	return types.NewTypeTypeWithParam(types.NewObjectType(name)), ok
}

func (s *schemaTypes) FindStructFieldType(name, fieldName string) (*types.FieldType, bool) {
	of, _, ok := field(s.structs[name], fieldName)
	if !ok {
		return nil, false
	}
	return &types.FieldType{Type: s.of(name+"/"+fieldName, of)}, true
}

func (s *schemaTypes) of(name string, t *schema.Type) *types.Type {
	switch kindOf(t) {
	case boolean:
		return types.BoolType
	case integer:
		return types.IntType
	case double:
		return types.DoubleType
	case text:
		return types.StringType
	case list:
		return types.NewListType(s.of(name+"/items", items(t)))
	case object:
		s.structs[name] = t
		return types.NewObjectType(name)
	}
	return types.DynType
}

const oracleSchema = `{
	"type": "object", "required": ["id", "n", "d", "l", "u", "o"],
	"properties": {
		"id": {"type": "string", "maxLength": 12}, "n": {"type": "integer"}, "d": {"type": "number"}, "b": {"type": "boolean"},
		"l": {"type": "array", "maxItems": 9, "items": {"type": "object", "required": ["s"], "properties": {
			"s": {"type": "string", "maxLength": 5}, "t": {"type": "array", "maxItems": 3, "items": {"type": "number"}}}}},
		"u": {"type": ["string", "null"]}, "o": {"type": "object", "properties": {"p": {"type": "integer"}}}
	}
}`

func oracle(t testing.TB) (Scope, *cel.Env) {
	t.Helper()
	v, err := canonical.Parse([]byte(oracleSchema), canonical.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	compiled, problems := schema.Compile(v, schema.Arguments)
	if compiled == nil {
		t.Fatal(problems)
	}
	scope := Scope{Inputs: compiled.Type(), Args: compiled.Type()}
	provider := &schemaTypes{Provider: types.NewEmptyRegistry(), structs: map[string]*schema.Type{}}
	environment, err := cel.NewEnv(
		cel.CustomTypeProvider(provider), cel.EnableIdentifierEscapeSyntax(), cel.CrossTypeNumericComparisons(true),
		cel.Variable("inputs", provider.of("/inputs", scope.Inputs)), cel.Variable("args", provider.of("/args", scope.Args)))
	if err != nil {
		t.Fatal(err)
	}
	return scope, environment
}

// What this checker admits, CEL's own checker admits too, as a bool.
func TestAdmittedExpressionsAreCEL(t *testing.T) {
	for _, source := range oracleSeeds {
		if !agrees(t, source) {
			t.Errorf("%s is not admitted", source)
		}
	}
}

var oracleSeeds = []string{
	`args.id == "a"`, `args.n > 1 && args.d < 2`, `args.n + 1 * args.n - -args.n >= 1.5`, `args.d * 2.0 - 1.0 == 3`,
	`has(args.b) && args.b`, `!has(args.b) || !args.b`, `has(args.b) ? args.b : inputs.n == 1`, `args.l.exists(x, x.s.startsWith("a"))`,
	`args.l.all(x, !has(x.t) || x.t.exists(y, y > 1 && y in [1.0, 2.0]))`, `args.u == null || args.u == "x"`, `args.u in ["a", "b"]`,
	`args.u != args.id`, `size(args.l) == args.id.size()`, `(args.id + "-" + inputs.id).contains("x")`, `args.id.matches("^[a-z]+$")`,
	`has(args.o.p) && args.o.p in [1, 2]`, `args.n in []`, `(args.n > 1 ? "a" : args.id) < "b"`, `args.n in [1.0, 2]`,
}

func agrees(t *testing.T, source string) bool {
	t.Helper()
	scope, environment := oracle(t)
	program, _ := Compile(source, scope)
	if program == nil {
		return false
	}
	checked, issues := environment.Compile(source)
	for _, issue := range issues.Errors() {
		if !numbersDiffer(issue.Message) {
			t.Fatalf("%s: CEL refuses it: %s", source, issue.Message)
		}
	}
	if issues.Err() == nil && checked.OutputType() != types.BoolType {
		t.Fatalf("%s: CEL gives %v", source, checked.OutputType())
	}
	return true
}

// numbersDiffer tells the one thing that this dialect admits and CEL's checker does not: int and double compare with
// == and in as they do with <.
func numbersDiffer(message string) bool {
	for _, applied := range []string{
		"'_==_' applied to '(double, int)'", "'_==_' applied to '(int, double)'", "'_!=_' applied to '(double, int)'", "'_!=_' applied to '(int, double)'",
		"'@in' applied to '(int, list(double))'", "'@in' applied to '(double, list(int))'",
	} {
		if strings.Contains(message, applied) {
			return true
		}
	}
	return false
}

func FuzzAdmittedExpressionsAreCEL(f *testing.F) {
	for _, seed := range oracleSeeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) { agrees(t, source) })
}
