package expr

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"

	"github.com/seif-dev/seifc/decide/schema"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Scope is what an expression may read.
type Scope struct {
	// Inputs is the type of the Project's inputs; nil when it has none.
	Inputs *schema.Type
	// Args is the type of the call's arguments; nil where only inputs are read.
	Args *schema.Type
	// RequiredInputs names optional inputs that are always present here.
	RequiredInputs map[string]bool
}

// The two names that an expression can read.
const (
	inputsName = "inputs"
	argsName   = "args"
)

// checker finds what an expression yields in one scope. A node that is wrong is reported once and is invalid from
// there on, so that one mistake gives one problem.
type checker struct {
	*Expression
	scope     Scope
	variables map[string]shape // of all and exists
	problems  []diag.Problem
}

// finding is what is known about a node: its shape, the work to evaluate it, and, for a bool, which fields are
// present when it is true and when it is false.
type finding struct {
	shape
	cost    int64
	yes, no facts
}

func (c *checker) report(node ast.Expr, code diag.Code, pairs ...string) finding {
	offset, length := c.span(node)
	c.problems = append(c.problems, diag.New(code, "", pairs...).Within(offset, length))
	return finding{}
}

func (c *checker) source(node ast.Expr) string {
	offset, length := c.span(node)
	return c.Expression.source.text[offset : offset+length]
}

// check finds the shape of a node, given the fields that are present.
func (c *checker) check(node ast.Expr, present facts) finding {
	switch node.Kind() {
	case ast.LiteralKind:
		return c.literal(node)
	case ast.IdentKind:
		return c.ident(node)
	case ast.SelectKind:
		return c.selection(node, present)
	case ast.ListKind:
		return c.list(node, present)
	case ast.CallKind:
		return c.call(node, present)
	case ast.ComprehensionKind:
		return c.comprehension(node, present)
	}
	return c.report(node, diag.CodeExpressionConstruct, "what", "an object literal")
}

func (c *checker) literal(node ast.Expr) finding {
	f := finding{shape: shape{most: unbounded}, cost: 1}
	switch v := node.AsLiteral().(type) {
	case types.Bool:
		f.kind = boolean
	case types.Int:
		if v > MaxInteger || v < -MaxInteger {
			return c.report(node, diag.CodeExpressionConstruct, "what", "an integer beyond 2^53")
		}
		f.kind = integer
	case types.Double:
		f.kind = double
	case types.String:
		f.kind, f.most = text, int64(len([]rune(string(v))))
	case types.Null:
		f.kind = null
	default:
		return c.report(node, diag.CodeExpressionConstruct, "what", "a literal of type "+node.AsLiteral().Type().TypeName())
	}
	return f
}

func (c *checker) ident(node ast.Expr) finding {
	name := node.AsIdent()
	if variable, ok := c.variables[name]; ok {
		return finding{shape: variable, cost: 1}
	}
	switch {
	case name == inputsName:
		return finding{shape: shape{kind: object, of: c.scope.Inputs, most: unbounded}, cost: 1}
	case name == argsName && c.scope.Args != nil:
		return finding{shape: shape{kind: object, of: c.scope.Args, most: unbounded}, cost: 1}
	case name == argsName:
		return c.report(node, diag.CodeExpressionArgsUnavailable)
	}
	known := append(slices.Sorted(maps.Keys(c.variables)), inputsName)
	if c.scope.Args != nil {
		known = append(known, argsName)
	}
	return c.report(node, diag.CodeExpressionUnknownName, "name", name, "nearest", diag.Nearest(name, known), "known", strings.Join(known, ", "))
}

// path is the key of a chain of selections in facts; empty for anything else.
func path(node ast.Expr) string {
	switch node.Kind() {
	case ast.IdentKind:
		return node.AsIdent()
	case ast.SelectKind:
		if s := node.AsSelect(); !s.IsTestOnly() {
			if under := path(s.Operand()); under != "" {
				return under + "\x00" + s.FieldName()
			}
		}
	}
	return ""
}

// selection checks e.field and has(e.field).
func (c *checker) selection(node ast.Expr, present facts) finding {
	s := node.AsSelect()
	operand := c.check(s.Operand(), present)
	switch {
	case operand.kind == invalid:
		return finding{}
	case operand.kind == union:
		return c.report(node, diag.CodeExpressionUnion, "field", c.source(s.Operand()), "what", "."+s.FieldName(), "type", operand.describe())
	case operand.kind != object:
		return c.report(node, diag.CodeExpressionTypeMismatch, "what", "."+s.FieldName(), "want", "object", "got", operand.describe())
	}
	property, required, ok := field(operand.of, s.FieldName())
	if !ok {
		return c.unknownField(node, operand.of)
	}
	under := path(s.Operand())
	required = required || under == inputsName && c.scope.RequiredInputs[s.FieldName()]
	key := under + "\x00" + s.FieldName()
	if s.IsTestOnly() {
		f := finding{shape: shape{kind: boolean, most: unbounded}, cost: operand.cost + 1}
		if under != "" {
			f.yes = facts{key}
		}
		return f
	}
	if !required && (under == "" || !present.has(key)) {
		return c.report(node, diag.CodeExpressionOptional, "field", c.source(node), "root", c.root(node))
	}
	return finding{shape: read(property, node, 0), cost: operand.cost + 1}
}

func (c *checker) unknownField(node ast.Expr, of *schema.Type) finding {
	s := node.AsSelect()
	known := fields(of)
	offset, length := c.name(node)
	where := c.source(s.Operand())
	c.problems = append(c.problems, diag.New(diag.CodeExpressionUnknownField, "",
		"field", s.FieldName(), "in", where, "nearest", diag.Nearest(s.FieldName(), known), "root", c.root(node)).Within(offset, length))
	return finding{}
}

// root is the name that a chain of selections begins with; of a variable, the root of the list that it runs over.
func (c *checker) root(node ast.Expr) string {
	for node.Kind() == ast.SelectKind {
		node = node.AsSelect().Operand()
	}
	if node.Kind() != ast.IdentKind {
		return ""
	}
	if v, ok := c.variables[node.AsIdent()]; ok && v.node != nil {
		return c.root(v.node)
	}
	return node.AsIdent()
}

func (c *checker) list(node ast.Expr, present facts) finding {
	elements := node.AsList().Elements()
	f := finding{shape: shape{kind: list, most: int64(len(elements))}, cost: 1}
	for _, element := range elements {
		e := c.check(element, present)
		switch {
		case e.kind == invalid:
			return finding{}
		case e.kind == list || e.kind == object:
			return c.report(element, diag.CodeExpressionConstruct, "what", "a list of "+e.kind.String()+"s")
		}
		f.cost = plus(f.cost, e.cost)
		if f.elem == nil {
			f.elem = &e.shape
			continue
		}
		if !comparable(f.elem.kind, e.kind) {
			return c.report(element, diag.CodeExpressionTypeMismatch, "what", "a list of "+f.elem.describe(), "want", f.elem.describe(), "got", e.describe())
		}
		f.elem.most = widest(f.elem.most, e.most)
	}
	return f
}

// comprehension checks list.all(x, e) and list.exists(x, e), which CEL expands to a loop.
func (c *checker) comprehension(node ast.Expr, present facts) finding {
	loop := node.AsComprehension()
	predicate, ok := body(loop)
	if !ok {
		return c.report(node, diag.CodeExpressionConstruct, "what", "this macro")
	}
	over := c.check(loop.IterRange(), present)
	name := loop.IterVar()
	_, taken := c.variables[name]
	switch {
	case over.kind == invalid:
		return finding{}
	case over.kind == union:
		return c.report(node, diag.CodeExpressionUnion, "field", c.source(loop.IterRange()), "what", macroOf(loop), "type", over.describe())
	case over.kind != list:
		return c.report(loop.IterRange(), diag.CodeExpressionTypeMismatch, "what", macroOf(loop), "want", "list", "got", over.describe())
	case taken || name == inputsName || name == argsName:
		return c.report(node, diag.CodeExpressionConstruct, "what", "the variable name "+name+", which is taken")
	case over.most == unbounded:
		return c.unbounded(loop.IterRange(), over.shape)
	}
	element := shape{kind: union, most: unbounded}
	if over.elem != nil {
		element = *over.elem
	}
	c.variables[name] = element
	inner := c.check(predicate, present)
	delete(c.variables, name)
	if inner.kind == invalid {
		return finding{}
	}
	if inner.kind != boolean {
		return c.report(predicate, diag.CodeExpressionTypeMismatch, "what", macroOf(loop), "want", "bool", "got", inner.describe())
	}
	return finding{
		shape: shape{kind: boolean, most: unbounded},
		cost:  plus(plus(over.cost, 1), times(over.most, plus(inner.cost, 2))),
	}
}

// body is the condition of all or exists: the second operand of what the loop joins with.
func body(loop ast.ComprehensionExpr) (ast.Expr, bool) {
	if loop.LoopStep().Kind() != ast.CallKind || loop.HasIterVar2() {
		return nil, false
	}
	args := loop.LoopStep().AsCall().Args()
	if len(args) != 2 {
		return nil, false
	}
	return args[1], true
}

func macroOf(loop ast.ComprehensionExpr) string {
	if loop.AccuInit().Kind() == ast.LiteralKind && loop.AccuInit().AsLiteral() == types.True {
		return "all"
	}
	return "exists"
}

func (c *checker) unbounded(node ast.Expr, s shape) finding {
	keyword := "maxLength"
	if s.kind == list {
		keyword = "maxItems"
	}
	name, at := c.source(node), ""
	if s.node != nil {
		name = c.source(s.node) + strings.Repeat("[]", s.hops)
		at = c.pointer(s.node) + strings.Repeat("/items", s.hops)
	}
	return c.report(node, diag.CodeExpressionUnbounded, "field", name, "keyword", keyword, "schema", at, "root", c.root(node))
}

// pointer leads to the schema of a field, within the schema of its root.
func (c *checker) pointer(node ast.Expr) string {
	if node.Kind() == ast.SelectKind {
		return canonical.JoinPointer(c.pointer(node.AsSelect().Operand())+"/properties", node.AsSelect().FieldName())
	}
	if node.Kind() == ast.IdentKind {
		if v, ok := c.variables[node.AsIdent()]; ok && v.node != nil {
			return c.pointer(v.node) + strings.Repeat("/items", v.hops)
		}
	}
	return ""
}

// finish judges the whole expression.
func (c *checker) finish(f finding) {
	switch {
	case f.kind == invalid:
	case f.kind != boolean:
		c.report(c.Expression.root, diag.CodeExpressionNotBool, "got", f.describe())
	case f.cost > MaxCost:
		c.report(c.Expression.root, diag.CodeExpressionCost, "cost", strconv.FormatInt(f.cost, 10), "most", strconv.Itoa(MaxCost))
	}
}

// The arithmetic of costs saturates: a declared maximum may be any number.
const endless = int64(1) << 60

func plus(a, b int64) int64 {
	if a >= endless-b {
		return endless
	}
	return a + b
}

func times(a, b int64) int64 {
	if a != 0 && b > endless/a {
		return endless
	}
	return a * b
}

func widest(a, b int64) int64 {
	if a == unbounded || b == unbounded {
		return unbounded
	}
	return max(a, b)
}
