package diag

// The codes of expressions.
const (
	CodeExpressionSyntax          Code = "expression_syntax"
	CodeExpressionTooLarge        Code = "expression_too_large"
	CodeExpressionFunction        Code = "expression_function"
	CodeExpressionConstruct       Code = "expression_construct"
	CodeExpressionUnknownName     Code = "expression_unknown_name"
	CodeExpressionArgsUnavailable Code = "expression_args_unavailable"
	CodeExpressionUnknownField    Code = "expression_unknown_field"
	CodeExpressionTypeMismatch    Code = "expression_type_mismatch"
	CodeExpressionOptional        Code = "expression_optional"
	CodeExpressionUnion           Code = "expression_union"
	CodeExpressionUnbounded       Code = "expression_unbounded"
	CodeExpressionCost            Code = "expression_cost"
	CodeExpressionNotBool         Code = "expression_not_bool"
	CodeExpressionPattern         Code = "expression_pattern"
)

// Codes that `decide/expr` reports. The datum tools lists the tools whose arguments a denial does not fit.
var exprCodes = []Entry{
	{
		Code: CodeExpressionSyntax, Severity: Error, Room: "decide/expr",
		Message: "the expression cannot be read: {why}",
		Help:    "correct the expression[[; {hint}]]",
		Explain: "Conditions (`when`) and denials (`deny`) are CEL expressions. They stand inside YAML, which has its own rules: ` #` begins a comment and cuts a plain value, a plain value that begins with `!` is a tag (`!has(x)`), and one that begins with `{`, `[`, `*`, `&`, `%`, `@` or a quote is something else than text. Put such an expression in quotes:\n\n  deny: \"!has(args.reason)\"",
	},
	{
		Code: CodeExpressionTooLarge, Severity: Error, Room: "decide/expr",
		Message: "the expression has {value} {what}, more than {most}",
		Help:    "split it: several policies over the same tools each deny on their own",
		Explain: "Expressions are bounded in bytes, parts and nesting, so that a Build from a stranger cannot make its readers work without end.",
	},
	{
		Code: CodeExpressionFunction, Severity: Error, Room: "decide/expr",
		Message: "{name} cannot be used like this in an expression[[; it takes {usage}]]",
		Help:    "[[did you mean {nearest}? ]]the dialect seif-cel/1 has ! != && * + - < <= == > >= ?: in || all contains endsWith exists has matches size startsWith",
		Explain: "seif-cel/1 is an explicit list. What reads a clock or a zone, depends on the order of a map, converts types, or builds new lists is not in it, so that a decision depends on nothing but the inputs and the arguments. `size` may be written as a function or a method; `contains`, `startsWith`, `endsWith` and `matches` are methods of a string; `all` and `exists` are macros over a list.",
	},
	{
		Code: CodeExpressionConstruct, Severity: Error, Room: "decide/expr",
		Message: "an expression cannot hold {what}",
		Help:    "use fields of inputs and args, and bool, int, double, string, null and list literals",
		Explain: "Expressions read values and compare them; they build no objects. Integer literals end at 2^53, where JSON numbers stop being exact. The variable of `all` or `exists` needs a name of its own.",
	},
	{
		Code: CodeExpressionUnknownName, Severity: Error, Room: "decide/expr",
		Message: "there is no {name} in an expression",
		Help:    "[[did you mean {nearest}? ]]known here: {known}; a text is written in quotes",
		Explain: "An expression sees `inputs`, in a denial also `args`, and the variables of `all` and `exists`. Everything begins with one of these: `inputs.language`, not `language`.",
	},
	{
		Code: CodeExpressionArgsUnavailable, Severity: Error, Room: "decide/expr",
		Message: "a condition cannot read args",
		Help:    "read inputs, or move the rule to a policy's deny",
		Explain: "A `when` is evaluated when the context is resolved. No call has been made then, so there are no arguments. What depends on arguments is a policy.",
	},
	{
		Code: CodeExpressionUnknownField, Severity: Error, Room: "decide/expr",
		Message: "{in} has no field {field}[[ in {tools}]]",
		Help:    "[[did you mean {nearest}? ]]name a property that the schema declares",
		Explain: "Fields are those that the schemas declare under `properties`. An open schema lets other members through, but an expression about them would be a guess. A policy with `tools: all` must fit every tool; list the tools that have the argument instead.",
	},
	{
		Code: CodeExpressionTypeMismatch, Severity: Error, Room: "decide/expr",
		Message: "{what} takes {want} here, not {got}[[ (in {tools})]]",
		Help:    "compare and combine values of one type; int and double compare, arithmetic between them needs 2.0 instead of 2",
		Explain: "Types come from the schemas: integer is int, number is double. A comparison that can never be true is refused, as it is always a mistake. Objects and lists are not compared; compare their fields, or use `in`, `all` and `exists`.",
	},
	{
		Code: CodeExpressionOptional, Severity: Error, Room: "decide/expr",
		Message: "{field} may be absent[[ in {tools}]]",
		Help:    "ask first: has({field}) && ..., or !has({field}) || ...; or make the property required",
		Explain: "An optional field that is absent has no value, and reading it would fail when the call is made: a denial would then deny every such call. Write what an absent field means:\n\n  deny: has(args.currency) && args.currency != \"EUR\"\n\nThe check must stand to the left. An input can also be made required for one profile by its `requires`.",
	},
	{
		Code: CodeExpressionUnion, Severity: Error, Room: "decide/expr",
		Message: "{field} is {type}, so {what} cannot be used on it[[ (in {tools})]]",
		Help:    "compare it with == or !=, or look it up with in; or give the property one type",
		Explain: "The schema allows several types here, so nothing is known about the value but that it can be compared. A nullable property is such a union: compare it with null, or leave it out of `required` instead.",
	},
	{
		Code: CodeExpressionUnbounded, Severity: Error, Room: "decide/expr",
		Message: "{field} has no {keyword}, so the work of the expression has no bound[[ (in {tools})]]",
		Help:    "add {keyword} to its schema[[ at {schema}]]",
		Explain: "The work of an expression is bounded before it ever runs, from the declared maxima of what it reads. Comparing with something short needs no maximum; searching, measuring, joining and matching do.",
	},
	{
		Code: CodeExpressionCost, Severity: Error, Room: "decide/expr",
		Message: "the expression may cost {cost}, more than {most}[[ ({what})]][[ (in {tools})]]",
		Help:    "lower maxLength or maxItems of what it reads, or do not search lists within lists",
		Explain: "One unit is one evaluated part, or ten code points looked at; the declared maxima are taken. The bound keeps a decision below a tenth of a second even for the worst arguments.",
	},
	{
		Code: CodeExpressionNotBool, Severity: Error, Room: "decide/expr",
		Message: "the expression gives {got}, not bool",
		Help:    "make it a comparison",
		Explain: "`when` and `deny` are true or false. There is no truthiness: write `size(args.items) > 0`, `args.note != \"\"`.",
	},
	{
		Code: CodeExpressionPattern, Severity: Error, Room: "decide/expr",
		Message: "the pattern of matches cannot be used: {why}",
		Help:    "write a literal RE2 pattern, without lookaround and back-references; anchor it with ^ and $",
		Explain: "`matches` takes a literal pattern in RE2 syntax, so that its cost is known and a mistake is found now. It is not anchored: \"a\" matches every text with an a in it.",
	},
}
