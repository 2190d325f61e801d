package diag

// The codes of authored documents as documents of a kind.
const (
	CodeSchemaUnknown     Code = "schema_unknown"
	CodeStringEmpty       Code = "string_empty"
	CodeListEmpty         Code = "list_empty"
	CodeExpressionComment Code = "expression_comment"
	CodeIDForm            Code = "id_form"
	CodeSourceMixed       Code = "source_mixed"
	CodeSourceEmpty       Code = "source_empty"
	CodeReferenceForm     Code = "reference_form"
)

// Codes that `manifest` reports.
var manifestCodes = []Entry{
	{
		Code: CodeSchemaUnknown, Severity: Error, Room: "manifest",
		Message: "the document says that it is {schema}, and {want} is needed here",
		Help:    "[[{place}; ]]write `schema: {want}` only if that is what the document is",
		Explain: "Every authored document says in its first field what it is: a Project, a tool catalogue or Context Tests. A document of another kind is not read any further.",
	},
	{
		Code: CodeStringEmpty, Severity: Error, Room: "manifest",
		Message: "the text is empty",
		Help:    "write something, or drop the field if it is optional",
		Explain: "An empty text says nothing, and in most places it is a slip: a name that a template did not fill, a message that was never written.",
	},
	{
		Code: CodeListEmpty, Severity: Error, Room: "manifest",
		Message: "the list is empty",
		Help:    "list something, or drop the field",
		Explain: "An empty list of objectives or profiles could mean all of them or none. Leave the field out to mean all.",
	},
	{
		Code: CodeExpressionComment, Severity: Error, Room: "manifest",
		Message: "a comment follows the expression, and may have cut it",
		Help:    "put the expression in quotes, and the comment on a line of its own",
		Explain: "In YAML a space and `#` begin a comment, also inside of what is meant as an expression. What stands behind it would not be part of the rule.",
	},
	{
		Code: CodeIDForm, Severity: Error, Room: "manifest",
		Message: "{id} cannot be the name of a {what}",
		Help:    "use the form {form}",
		Explain: "Names of tools, sources, profiles, objectives, policies, Projects and catalogues are lower case, so that they are safe in file names, headers and reports. Inputs are identifiers, because expressions name them.",
	},
	{
		Code: CodeSourceMixed, Severity: Error, Room: "manifest",
		Message: "a source with `input` has nothing else",
		Help:    "drop the other fields; text that arrives at run time is always untrusted and never has placeholders",
		Explain: "A source is either a file of the Project or text that arrives at run time.",
	},
	{
		Code: CodeSourceEmpty, Severity: Error, Room: "manifest",
		Message: "the source names neither a file nor an input",
		Help:    "write `path: FILE`, or `input: NAME` for text that arrives at run time",
		Explain: "A source is either a file of the Project or text that arrives at run time.",
	},
	{
		Code: CodeReferenceForm, Severity: Error, Room: "manifest",
		Message: "{ref} does not refer to a tool contract",
		Help:    "write `tool_contract:` and the id of the contract",
		Explain: "References here name a contract of a listed catalogue, as in `$ref: tool_contract:order.get`, with its fingerprint beside it.",
	},
}
