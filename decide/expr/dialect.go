package expr

import (
	"slices"

	"cel.dev/cel-go/common/operators"
)

// Dialect is the name of this dialect. It is written into definitions.
const Dialect = "seif-cel/1"

// Bounds of an expression. They are part of the dialect.
const (
	MaxSourceBytes = 4096
	MaxNodes       = 512 // of the syntax tree, macros expanded
	MaxDepth       = 64
	// MaxCost bounds the work of one evaluation: one unit per evaluated node and per ten code points looked at.
	MaxCost = 1_000_000
	// MaxConcatenation bounds the result of joining strings, in code points.
	MaxConcatenation = 65_536
	MaxPatternBytes  = 1024
	MaxPatternSize   = 2000 // instructions of the compiled pattern
	// MaxInteger bounds integer literals, so that they compare exactly with doubles.
	MaxInteger = 1 << 53
)

// Form is how a function is written.
type Form string

const (
	Operator Form = "operator"
	Global   Form = "function" // size(x)
	Member   Form = "method"   // x.startsWith(y)
	Macro    Form = "macro"
)

// Function is one row of the dialect: something that may stand in an expression.
type Function struct {
	// Name is what an author writes.
	Name  string
	Forms []Form
	// Takes and Gives say what it accepts and yields.
	Takes, Gives string

	internal string // CEL's own name
}

// Functions is all that an expression may use, sorted by name. Literals are bool, int, double, string, null (to
// compare a union with) and lists of such.
//
//	!            bool                                    bool
//	!=  ==       equal types, int with double, unions    bool
//	&&  ||       bool                                    bool
//	*  -         two ints or two doubles                 the same
//	+            two ints, two doubles, bounded strings  the same
//	- (sign)     int or double                           the same
//	<  <= > >=   numbers, strings                        bool
//	?:           bool, then two of one type              that type
//	all          list.all(x, bool)                       bool
//	contains     string.contains(string)                 bool
//	endsWith     string.endsWith(string)                 bool
//	exists       list.exists(x, bool)                    bool
//	has          has(field)                              bool
//	in           value in list                           bool
//	matches      string.matches("literal RE2 pattern")   bool
//	size         size(string or list), also x.size()     int
//	startsWith   string.startsWith(string)               bool
func Functions() []Function { return slices.Clone(functions[:]) }

// The order is by name. [Functions] shows the same table.
var functions = [...]Function{
	{"!", []Form{Operator}, "bool", "bool", operators.LogicalNot},
	{"!=", []Form{Operator}, "equal types, int with double, unions", "bool", operators.NotEquals},
	{"&&", []Form{Operator}, "bool", "bool", operators.LogicalAnd},
	{"*", []Form{Operator}, "two ints or two doubles", "the same", operators.Multiply},
	{"+", []Form{Operator}, "two ints, two doubles, bounded strings", "the same", operators.Add},
	{"-", []Form{Operator}, "two ints or two doubles", "the same", operators.Subtract},
	{"- (sign)", []Form{Operator}, "int or double", "the same", operators.Negate},
	{"<", []Form{Operator}, "numbers, strings", "bool", operators.Less},
	{"<=", []Form{Operator}, "numbers, strings", "bool", operators.LessEquals},
	{"==", []Form{Operator}, "equal types, int with double, unions", "bool", operators.Equals},
	{">", []Form{Operator}, "numbers, strings", "bool", operators.Greater},
	{">=", []Form{Operator}, "numbers, strings", "bool", operators.GreaterEquals},
	{"?:", []Form{Operator}, "bool, then two of one type", "that type", operators.Conditional},
	{"all", []Form{Macro}, "list.all(x, bool)", "bool", operators.All},
	{"contains", []Form{Member}, "string.contains(string)", "bool", "contains"},
	{"endsWith", []Form{Member}, "string.endsWith(string)", "bool", "endsWith"},
	{"exists", []Form{Macro}, "list.exists(x, bool)", "bool", operators.Exists},
	{"has", []Form{Macro}, "has(field)", "bool", operators.Has},
	{"in", []Form{Operator}, "value in list", "bool", operators.In},
	{"matches", []Form{Member}, "string.matches(\"literal RE2 pattern\")", "bool", "matches"},
	{"size", []Form{Global, Member}, "string or list", "int", "size"},
	{"startsWith", []Form{Member}, "string.startsWith(string)", "bool", "startsWith"},
	{"||", []Form{Operator}, "bool", "bool", operators.LogicalOr},
}

// lookup finds the row of CEL's name of a function.
func lookup(internal string) (Function, bool) {
	for _, f := range functions {
		if f.internal == internal {
			return f, true
		}
	}
	return Function{}, false
}

// shown is how an author writes a function that CEL names in its own way.
func shown(internal string) string {
	if f, ok := lookup(internal); ok {
		return f.Name
	}
	if symbol, ok := operators.FindReverse(internal); ok && symbol != "" {
		return symbol
	}
	switch internal {
	case operators.Index:
		return "[]"
	case operators.OptIndex:
		return "[?]"
	case operators.OptSelect:
		return ".?"
	}
	return internal
}

// named lists the functions that are written as words.
func named() []string {
	var names []string
	for _, f := range functions {
		if f.Name[0] >= 'a' && f.Name[0] <= 'z' {
			names = append(names, f.Name)
		}
	}
	return names
}
