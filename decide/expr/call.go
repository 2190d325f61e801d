package expr

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"

	"github.com/seif-dev/seifc/diag"
)

// call checks operators, functions and methods.
func (c *checker) call(node ast.Expr, present facts) finding {
	call := node.AsCall()
	if f, ok := c.refused(node); !ok {
		return f
	}
	switch call.FunctionName() {
	case operators.LogicalAnd, operators.LogicalOr:
		return c.logical(node, present)
	case operators.Conditional:
		return c.conditional(node, present)
	}
	var operands []finding
	nodes := children(node)
	for _, child := range nodes {
		operands = append(operands, c.check(child, present))
	}
	cost := int64(1)
	for _, operand := range operands {
		if operand.kind == invalid {
			return finding{}
		}
		cost = plus(cost, operand.cost)
	}
	f := c.apply(node, nodes, operands)
	f.cost = plus(f.cost, cost)
	return f
}

// refused reports what the dialect lacks, by name.
func (c *checker) refused(node ast.Expr) (finding, bool) {
	call := node.AsCall()
	name := call.FunctionName()
	row, known := lookup(name)
	form := Global
	if call.IsMemberFunction() {
		form = Member
	}
	if known && (isWord(name) && slices.Contains(row.Forms, form) && len(call.Args()) == arity(name, form) || !isWord(name) && !call.IsMemberFunction()) {
		return finding{}, true
	}
	nearest := ""
	if isWord(name) {
		if nearest = diag.Nearest(name, named()); nearest == name {
			nearest = ""
		}
	}
	usage := ""
	if known {
		usage = row.Takes
	}
	return c.report(node, diag.CodeExpressionFunction, "name", shown(name), "nearest", nearest, "usage", usage), false
}

func arity(name string, form Form) int {
	if name == "size" && form == Member {
		return 0
	}
	return 1
}

// logical checks && and ||. The right side sees what the left side has shown.
func (c *checker) logical(node ast.Expr, present facts) finding {
	args := node.AsCall().Args()
	and := node.AsCall().FunctionName() == operators.LogicalAnd
	left := c.check(args[0], present)
	shown := left.no
	if and {
		shown = left.yes
	}
	right := c.check(args[1], present.and(shown))
	if !c.bools(node, args, left, right) {
		return finding{}
	}
	f := finding{shape: shape{kind: boolean, most: unbounded}, cost: plus(1, plus(left.cost, right.cost))}
	if and {
		f.yes, f.no = left.yes.and(right.yes), left.no.or(right.no)
	} else {
		f.yes, f.no = left.yes.or(right.yes), left.no.and(right.no)
	}
	return f
}

// bools reports operands that are not bool.
func (c *checker) bools(node ast.Expr, args []ast.Expr, operands ...finding) bool {
	sound := true
	for i, operand := range operands {
		if operand.kind != boolean {
			sound = false
			if operand.kind != invalid {
				c.mismatch(node, args[i], "bool", operand.shape)
			}
		}
	}
	return sound
}

func (c *checker) conditional(node ast.Expr, present facts) finding {
	args := node.AsCall().Args()
	test := c.check(args[0], present)
	then := c.check(args[1], present.and(test.yes))
	other := c.check(args[2], present.and(test.no))
	if !c.bools(node, args, test) || then.kind == invalid || other.kind == invalid {
		return finding{}
	}
	if then.kind != other.kind {
		return c.mismatch(node, args[2], then.describe(), other.shape)
	}
	f := finding{shape: then.shape, cost: plus(plus(1, test.cost), plus(then.cost, other.cost))}
	f.most = widest(then.most, other.most)
	if then.kind == object || then.kind == list {
		return c.report(node, diag.CodeExpressionConstruct, "what", "a choice between "+then.kind.String()+"s")
	}
	f.yes = test.yes.and(then.yes).or(test.no.and(other.yes))
	f.no = test.yes.and(then.no).or(test.no.and(other.no))
	return f
}

// mismatch reports an operand of the wrong type; for a union with the union's own code.
func (c *checker) mismatch(node, operand ast.Expr, want string, got shape) finding {
	what := shown(node.AsCall().FunctionName())
	if got.kind == union {
		return c.report(operand, diag.CodeExpressionUnion, "field", c.source(operand), "what", what, "type", got.describe(), "root", c.root(operand))
	}
	return c.report(operand, diag.CodeExpressionTypeMismatch, "what", what, "want", want, "got", got.describe(), "root", c.root(operand))
}

// apply finds what a function yields. The cost is that of its own work.
func (c *checker) apply(node ast.Expr, nodes []ast.Expr, operands []finding) finding {
	truth := finding{shape: shape{kind: boolean, most: unbounded}}
	switch name := node.AsCall().FunctionName(); name {
	case operators.LogicalNot:
		if !c.bools(node, nodes, operands[0]) {
			return finding{}
		}
		truth.yes, truth.no = operands[0].no, operands[0].yes
		return truth
	case operators.Equals, operators.NotEquals:
		return c.equality(node, nodes, operands)
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		return c.order(node, nodes, operands)
	case operators.In:
		return c.membership(node, nodes, operands)
	case operators.Add, operators.Subtract, operators.Multiply, operators.Negate:
		return c.arithmetic(node, nodes, operands)
	case "size":
		return c.size(node, nodes, operands)
	case "matches":
		return c.matches(node, nodes, operands)
	default: // contains, endsWith, startsWith
		return c.affix(node, nodes, operands)
	}
}

// comparable tells whether == between two kinds can be true.
func comparable(a, b kind) bool {
	switch {
	case a == union || b == union:
		return true
	case a == list || a == object || b == list || b == object:
		return false
	}
	return a == b || a.numeric() && b.numeric()
}

// equality checks == and !=. The work is bounded by the shorter side, as strings of unequal length are unequal.
func (c *checker) equality(node ast.Expr, nodes []ast.Expr, operands []finding) finding {
	a, b := operands[0], operands[1]
	for i, side := range operands {
		if side.kind == list || side.kind == object {
			return c.report(nodes[i], diag.CodeExpressionTypeMismatch, "what", shown(node.AsCall().FunctionName()), "want", "a value that is not a "+side.kind.String(), "got", side.describe(), "root", c.root(nodes[i]))
		}
	}
	if a.kind == null && b.kind != union && b.kind != null {
		return c.mismatch(node, nodes[1], "a union that may be null", b.shape)
	}
	if !comparable(a.kind, b.kind) {
		if b.kind == null {
			return c.mismatch(node, nodes[0], "a union that may be null", a.shape)
		}
		return c.mismatch(node, nodes[1], a.describe(), b.shape)
	}
	cost, ok := c.comparing(nodes, a.shape, b.shape)
	if !ok {
		return finding{}
	}
	return finding{shape: shape{kind: boolean, most: unbounded}, cost: cost}
}

// comparing is the cost of comparing two values; reported when neither has a bound.
func (c *checker) comparing(nodes []ast.Expr, a, b shape) (int64, bool) {
	open := func(s shape) bool { return s.kind == text || s.kind == union }
	if !open(a) || !open(b) {
		return 1, true
	}
	most := least(a.most, b.most)
	if most != unbounded {
		return 1 + most/10, true
	}
	if a.kind == union && b.kind == union {
		c.report(nodes[0], diag.CodeExpressionUnion, "field", c.source(nodes[0]), "what", "a comparison with another union", "type", a.describe(), "root", c.root(nodes[0]))
		return 0, false
	}
	if a.kind == union {
		a, nodes = b, nodes[1:]
	}
	c.unbounded(nodes[0], a)
	return 0, false
}

func (c *checker) order(node ast.Expr, nodes []ast.Expr, operands []finding) finding {
	a, b := operands[0], operands[1]
	for i, side := range operands {
		if !side.kind.numeric() && side.kind != text {
			return c.mismatch(node, nodes[i], "a number or a string", side.shape)
		}
	}
	if !comparable(a.kind, b.kind) {
		return c.mismatch(node, nodes[1], a.describe(), b.shape)
	}
	cost, ok := c.comparing(nodes, a.shape, b.shape)
	if !ok {
		return finding{}
	}
	return finding{shape: shape{kind: boolean, most: unbounded}, cost: cost}
}

func (c *checker) membership(node ast.Expr, nodes []ast.Expr, operands []finding) finding {
	value, in := operands[0], operands[1]
	switch {
	case in.kind != list:
		return c.mismatch(node, nodes[1], "list", in.shape)
	case value.kind == list || value.kind == object:
		return c.mismatch(node, nodes[0], "a value that is not a "+value.kind.String(), value.shape)
	case in.most == unbounded:
		return c.unbounded(nodes[1], in.shape)
	case in.elem == nil: // the empty list
		return finding{shape: shape{kind: boolean, most: unbounded}, cost: 1}
	case !comparable(value.kind, in.elem.kind):
		return c.mismatch(node, nodes[0], in.elem.describe(), value.shape)
	}
	cost, ok := c.comparing(nodes, value.shape, *in.elem)
	if !ok {
		return finding{}
	}
	return finding{shape: shape{kind: boolean, most: unbounded}, cost: times(in.most, cost)}
}

func (c *checker) arithmetic(node ast.Expr, nodes []ast.Expr, operands []finding) finding {
	add := node.AsCall().FunctionName() == operators.Add
	first := operands[0]
	want := "a number"
	if add {
		want = "a number or a string"
	}
	for i, side := range operands {
		if !side.kind.numeric() && !(add && side.kind == text) {
			return c.mismatch(node, nodes[i], want, side.shape)
		}
		if side.kind != first.kind {
			return c.mismatch(node, nodes[i], first.describe(), side.shape)
		}
	}
	f := finding{shape: shape{kind: first.kind, most: unbounded}}
	if first.kind != text {
		return f
	}
	f.most = 0
	for i, side := range operands {
		if side.most == unbounded {
			return c.unbounded(nodes[i], side.shape)
		}
		f.most = plus(f.most, side.most)
	}
	if f.most > MaxConcatenation {
		return c.report(node, diag.CodeExpressionCost, "cost", strconv.FormatInt(f.most, 10), "most", strconv.Itoa(MaxConcatenation), "what", "the joined string")
	}
	f.cost = f.most / 10
	return f
}

func (c *checker) size(node ast.Expr, nodes []ast.Expr, operands []finding) finding {
	of := operands[0]
	f := finding{shape: shape{kind: integer, most: unbounded}}
	switch {
	case of.kind == list:
		return f
	case of.kind != text:
		return c.mismatch(node, nodes[0], "a string or a list", of.shape)
	case of.most == unbounded:
		return c.unbounded(nodes[0], of.shape)
	}
	f.cost = of.most / 10
	return f
}

// affix checks contains, startsWith and endsWith. An affix is looked at only as far as it is long.
func (c *checker) affix(node ast.Expr, nodes []ast.Expr, operands []finding) finding {
	for i, side := range operands {
		if side.kind != text {
			return c.mismatch(node, nodes[i], "string", side.shape)
		}
	}
	in, affix := operands[0], operands[1]
	most := least(in.most, affix.most)
	if node.AsCall().FunctionName() == "contains" {
		if affix.most == unbounded {
			in, nodes = affix, nodes[1:]
		}
		most = widest(in.most, affix.most)
	}
	if most == unbounded {
		return c.unbounded(nodes[0], in.shape)
	}
	return finding{shape: shape{kind: boolean, most: unbounded}, cost: most / 10}
}

// matches takes literal patterns only: their cost must be known, and a wrong one must not wait for a call.
func (c *checker) matches(node ast.Expr, nodes []ast.Expr, operands []finding) finding {
	in := operands[0]
	if in.kind != text {
		return c.mismatch(node, nodes[0], "string", in.shape)
	}
	if nodes[1].Kind() != ast.LiteralKind || operands[1].kind != text {
		return c.report(nodes[1], diag.CodeExpressionPattern, "why", "it is not a string literal")
	}
	pattern := string(nodes[1].AsLiteral().(types.String))
	if len(pattern) > MaxPatternBytes {
		return c.report(nodes[1], diag.CodeExpressionPattern, "why", "it has more than "+strconv.Itoa(MaxPatternBytes)+" bytes")
	}
	size, err := patternSize(pattern)
	if err != "" {
		return c.report(nodes[1], diag.CodeExpressionPattern, "why", err)
	}
	if size > MaxPatternSize {
		return c.report(nodes[1], diag.CodeExpressionPattern, "why", "its repetitions make it too large")
	}
	if in.most == unbounded {
		return c.unbounded(nodes[0], in.shape)
	}
	return finding{shape: shape{kind: boolean, most: unbounded}, cost: times(1+in.most/10, int64(1+size/4))}
}

// patternSize counts the instructions of a pattern in RE2 syntax, or says what is wrong with it.
func patternSize(pattern string) (int, string) {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		if wrong, ok := err.(*syntax.Error); ok {
			return 0, wrong.Code.String()
		}
		return 0, "it is not an RE2 pattern"
	}
	compiled, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return 0, "it is not an RE2 pattern"
	}
	if _, err := regexp.Compile(pattern); err != nil {
		return 0, "it is not an RE2 pattern"
	}
	return len(compiled.Inst), ""
}
