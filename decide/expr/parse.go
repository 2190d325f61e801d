package expr

import (
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/env"

	"github.com/seif-dev/seifc/diag"
)

// Expression is a parsed expression. It is immutable, safe for concurrent use, and may be checked in any number of
// scopes.
type Expression struct {
	source  source
	root    ast.Expr
	info    *ast.SourceInfo
	nodes   int
	program func() (cel.Program, error)
}

// environment is CEL restricted to the dialect. It is built when the first expression is parsed, so that a command
// without expressions does not pay for it.
var environment = sync.OnceValues(func() (*cel.Env, error) {
	var allowed []*env.Function
	for _, f := range functions {
		allowed = append(allowed, env.NewFunction(f.internal))
	}
	// What the macros expand to.
	allowed = append(allowed, env.NewFunction("@not_strictly_false"))
	return cel.NewCustomEnv(
		cel.StdLib(cel.StdLibSubset(&env.LibrarySubset{DisableMacros: true, IncludeFunctions: allowed})),
		cel.Macros(cel.HasMacro, cel.AllMacro, cel.ExistsMacro),
		cel.EnableIdentifierEscapeSyntax(),
		cel.Variable("inputs", cel.DynType),
		cel.Variable("args", cel.DynType),
		cel.ParserExpressionSizeLimit(MaxSourceBytes),
		cel.ParserRecursionLimit(MaxDepth),
		cel.ParserErrorRecoveryLimit(4),
	)
})

// Parse reads the source of an expression. Problems have the pointer "" and spans within the source.
func Parse(text string) (*Expression, []diag.Problem) {
	if len(text) > MaxSourceBytes {
		return nil, tooLarge("bytes", len(text), MaxSourceBytes)
	}
	if !utf8.ValidString(text) {
		return nil, []diag.Problem{diag.New(diag.CodeExpressionSyntax, "", "why", "it is not UTF-8")}
	}
	if strings.TrimSpace(text) == "" {
		return nil, []diag.Problem{diag.New(diag.CodeExpressionSyntax, "", "why", "it is empty")}
	}
	environment, err := environment()
	if err != nil {
		return nil, []diag.Problem{diag.New(diag.CodeExpressionSyntax, "", "why", "the dialect cannot be set up")}
	}
	src := newSource(text)
	parsed, issues := environment.Parse(text)
	if errs := issues.Errors(); len(errs) > 0 {
		return nil, []diag.Problem{syntaxProblem(src, errs[0])}
	}
	tree := parsed.NativeRep()
	e := &Expression{source: src, root: tree.Expr(), info: tree.SourceInfo()}
	nodes, depth := measure(e.root, 1)
	switch {
	case nodes > MaxNodes:
		return nil, tooLarge("parts", nodes, MaxNodes)
	case depth > MaxDepth:
		return nil, tooLarge("levels", depth, MaxDepth)
	}
	e.nodes = nodes
	e.program = sync.OnceValues(func() (cel.Program, error) {
		return environment.Program(parsed, cel.EvalOptions(cel.OptOptimize))
	})
	return e, nil
}

// Nodes is the size of the syntax tree, at most [MaxNodes]: what one check costs.
func (e *Expression) Nodes() int { return e.nodes }

func tooLarge(what string, value, most int) []diag.Problem {
	return []diag.Problem{diag.New(diag.CodeExpressionTooLarge, "", "what", what, "value", strconv.Itoa(value), "most", strconv.Itoa(most))}
}

// measure counts the nodes below and with e, and the levels down to the deepest one.
func measure(e ast.Expr, level int) (nodes, depth int) {
	nodes, depth = 1, level
	for _, child := range children(e) {
		n, d := measure(child, level+1)
		nodes, depth = nodes+n, max(depth, d)
	}
	return nodes, depth
}

func children(e ast.Expr) []ast.Expr {
	switch e.Kind() {
	case ast.CallKind:
		call := e.AsCall()
		if call.IsMemberFunction() {
			return append([]ast.Expr{call.Target()}, call.Args()...)
		}
		return call.Args()
	case ast.SelectKind:
		return []ast.Expr{e.AsSelect().Operand()}
	case ast.ListKind:
		return e.AsList().Elements()
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		return []ast.Expr{c.IterRange(), c.AccuInit(), c.LoopCondition(), c.LoopStep(), c.Result()}
	case ast.MapKind:
		var all []ast.Expr
		for _, entry := range e.AsMap().Entries() {
			all = append(all, entry.AsMapEntry().Key(), entry.AsMapEntry().Value())
		}
		return all
	case ast.StructKind:
		var all []ast.Expr
		for _, field := range e.AsStruct().Fields() {
			all = append(all, field.AsStructField().Value())
		}
		return all
	}
	return nil
}

// syntaxProblem says what CEL's parser stumbled over, in our words: its own change between releases.
func syntaxProblem(src source, err *cel.Error) diag.Problem {
	offset := src.offsetOf(err.Location.Line(), err.Location.Column())
	message, token := err.Message, ""
	for _, start := range []string{"mismatched input '", "extraneous input '", "no viable alternative at input '", "token recognition error at: '"} {
		if _, rest, found := strings.Cut(message, start); found {
			token, _, _ = cutLast(strings.SplitN(rest, " expecting", 2)[0], "'")
			message = ""
			break
		}
	}
	why, length := "", len(token)
	switch {
	case message != "":
		why = plain(message)
	case token == "<EOF>":
		why, length = "it ends too early", 0
	default:
		why = "it cannot go on with " + token
	}
	if offset+length > len(src.text) || length > 0 && !strings.HasPrefix(src.text[offset:], token) {
		length = 0
	}
	p := diag.New(diag.CodeExpressionSyntax, "", "why", why, "hint", hint(src.text, offset, token))
	return p.Within(offset, length)
}

// plain drops what CEL's messages begin with, and lists of expected tokens.
func plain(message string) string {
	message = strings.TrimPrefix(message, "Syntax error: ")
	message, _, _ = strings.Cut(message, " expecting {")
	return message
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// hint guesses at the usual slips.
func hint(text string, offset int, token string) string {
	word := strings.Fields(text[min(offset, len(text)):] + " ")
	first := ""
	if len(word) > 0 {
		first = word[0]
	}
	switch {
	case token == "<EOF>" || strings.HasPrefix(token, `"`) || strings.HasPrefix(token, "'"):
		return "in YAML, ` #` begins a comment and cuts a plain value: put the whole expression in quotes if it holds one"
	case first == "and":
		return "and is written &&"
	case first == "or":
		return "or is written ||"
	case strings.HasPrefix(text, "not "):
		return "not is written !"
	case strings.HasPrefix(token, "=") || first == "=":
		return "equality is written =="
	}
	return ""
}
