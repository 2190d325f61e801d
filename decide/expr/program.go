package expr

import (
	"errors"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Program is an expression that was checked in a scope. It is immutable and safe for concurrent use.
type Program struct {
	program cel.Program
	scope   Scope
	cost    int64
}

// Cost is the static bound of the work of one evaluation, at most [MaxCost].
func (p *Program) Cost() int { return int(p.cost) }

// Compile parses an expression and checks it in a scope. Problems have the pointer "" and spans of bytes within the
// source. The program is nil if there is any.
func Compile(text string, scope Scope) (*Program, []diag.Problem) {
	e, problems := Parse(text)
	if len(problems) > 0 {
		return nil, problems
	}
	return e.Check(scope)
}

// Check types the expression in a scope. Parsing and planning are not repeated, so an expression may be checked in
// thousands of scopes. The program is nil if there is any problem.
func (e *Expression) Check(scope Scope) (*Program, []diag.Problem) {
	c := &checker{Expression: e, scope: scope, variables: map[string]shape{}}
	found := c.check(e.root, nil)
	c.finish(found)
	if len(c.problems) > 0 {
		return nil, c.problems
	}
	program, err := e.program()
	if err != nil {
		return nil, []diag.Problem{diag.New(diag.CodeExpressionSyntax, "", "why", "it cannot be planned")}
	}
	return &Program{program: program, scope: scope, cost: found.cost}, nil
}

// Failure is why an expression that was admitted could not be evaluated.
type Failure string

const (
	Overflow Failure = "overflow" // an integer left 64 bits
	Absent   Failure = "absent"   // a field that the schema requires was not there
	Mistyped Failure = "mistyped" // a value did not fit its schema
	Failed   Failure = "failed"   // anything else
)

// Error is a failed evaluation. It holds no value that took part.
type Error struct{ Failure Failure }

func (e *Error) Error() string { return "the expression failed: " + string(e.Failure) }

var errConversion = errors.New("no conversion")

// Eval gives the verdict for inputs and arguments that fit the scope's types. Arguments are nil where the scope has
// none. Every error is an [*Error].
func (p *Program) Eval(inputs map[string]canonical.Value, args canonical.Value) (bool, error) {
	variables := map[string]any{inputsName: &members{value: inputs, of: p.scope.Inputs}}
	if p.scope.Args != nil {
		object, ok := args.(map[string]any)
		if !ok {
			return false, &Error{Mistyped}
		}
		variables[argsName] = &members{value: object, of: p.scope.Args}
	}
	value, _, err := p.program.Eval(variables)
	if err != nil {
		return false, &Error{classify(err.Error())}
	}
	verdict, ok := value.(types.Bool)
	if !ok {
		return false, &Error{Mistyped}
	}
	return bool(verdict), nil
}

func classify(message string) Failure {
	switch {
	case strings.Contains(message, "overflow"):
		return Overflow
	case strings.Contains(message, "no such key"), strings.Contains(message, "no such attribute"):
		return Absent
	case strings.Contains(message, "no such overload"):
		return Mistyped
	}
	return Failed
}
