package diag

// Codes that `decide/schema` reports.
const (
	CodeUnknownKeyword           Code = "unknown_keyword"
	CodeUnsupportedKeyword       Code = "unsupported_keyword"
	CodeSchemaValue              Code = "schema_value"
	CodeSchemaRepeated           Code = "schema_repeated"
	CodeSchemaBounds             Code = "schema_bounds"
	CodeSchemaRequired           Code = "schema_required"
	CodeSchemaRoot               Code = "schema_root"
	CodeSchemaInputsClosed       Code = "schema_inputs_closed"
	CodeSchemaDialect            Code = "schema_dialect"
	CodeSchemaDefinitions        Code = "schema_definitions"
	CodeSchemaReferenceRemote    Code = "schema_reference_remote"
	CodeSchemaReferenceDangling  Code = "schema_reference_dangling"
	CodeSchemaReferenceTarget    Code = "schema_reference_target"
	CodeSchemaReferenceRecursive Code = "schema_reference_recursive"
	CodeSchemaReferenceSiblings  Code = "schema_reference_siblings"
	CodeSchemaLimit              Code = "schema_limit"
	CodeSchemaNumber             Code = "schema_number"
	CodeSchemaText               Code = "schema_text"
	CodeHiddenCharacter          Code = "hidden_character"
	CodeUnsupportedFormat        Code = "unsupported_format"
	CodeUnsupportedPattern       Code = "unsupported_pattern"
	CodeInvalidPattern           Code = "invalid_pattern"
	CodeSchemaStripped           Code = "schema_stripped"
	CodeSchemaDefault            Code = "schema_default"
	CodeSchemaTitle              Code = "schema_title"
	CodeSchemaPropertyName       Code = "schema_property_name"
)

var schemaCodes = []Entry{
	{
		Code: CodeUnknownKeyword, Severity: Error, Room: "decide/schema",
		Message: "unknown schema keyword `{keyword}`[[; did you mean `{suggestion}`?]]",
		Help:    "{rewrite}",
		Explain: `JSON Schema lets a validator ignore words that it does not know, so a misspelt keyword is "valid" and
validates nothing: with {"maxLenght": 5} every text fits. The profile seif-schema/1 therefore refuses every word
that is not on its list and names the nearest one that is.

    requird: [student]        ->  required: [student]
    optional: true            ->  leave the name out of ` + "`required`" + `

Words that begin with "x-" are removed instead of refused: they are notes to other tools. A word that JSON Schema
does know but this profile does not take is unsupported_keyword.`,
	},
	{
		Code: CodeUnsupportedKeyword, Severity: Error, Room: "decide/schema",
		Message: "schema keyword `{keyword}` is not supported by this contract version",
		Help:    "{rewrite}",
		Explain: `The word is real, but the profile seif-schema/1 does not take it: it is hardly used in published tools, no
model provider enforces it, or its meaning depends on another dialect. Taking it and not enforcing it would be a
hole, so it is refused with a way to say the same.

    if/then/else              ->  two tools, or ` + "`oneOf`" + ` with a ` + "`const`" + ` in each branch
    nullable: true            ->  type: [string, "null"]
    items: [{...}, {...}]     ->  prefixItems: [{...}, {...}], items: false`,
	},
	{
		Code: CodeSchemaValue, Severity: Error, Room: "decide/schema",
		Message: "`{keyword}` must be {want}[[, not {got}]]",
		Help:    "write {want}[[; {rewrite}]]",
		Explain: `A keyword has a value of a kind that it cannot have, such as a text where a number belongs. A validator that
skips such a keyword enforces nothing, so it is refused.`,
	},
	{
		Code: CodeSchemaRepeated, Severity: Error, Room: "decide/schema",
		Message: "`{keyword}` has the same entry twice, at {first} and {second}",
		Help:    "delete one of them; values are compared as JSON values, so 1 and 1.0 are the same",
		Explain: `The entries of enum, required and type are sets. Two equal entries are most often a slip of the pen where
another value was meant.`,
	},
	{
		Code: CodeSchemaBounds, Severity: Error, Room: "decide/schema",
		Message: "no value fits: `{low}` and `{high}` exclude each other",
		Help:    "make `{low}` the smaller one",
		Explain: `Bounds such as minLength 5 with maxLength 3 let no value through. A tool with such an argument can never be
called, and a result with such a member is always withheld.`,
	},
	{
		Code: CodeSchemaRequired, Severity: Error, Room: "decide/schema",
		Message: "no value fits: `{name}` is required, but the object is closed and has no such property",
		Help:    "add `{name}` to `properties` or delete it from `required`[[; did you mean `{suggestion}`?]]",
		Explain: `With additionalProperties: false only the names under properties may be given. A required name that is not
among them makes every call invalid. Inputs of a Project are always closed.`,
	},
	{
		Code: CodeSchemaRoot, Severity: Error, Room: "decide/schema",
		Message: "the root of {use} must be an object schema with `type: object`[[; `{keyword}` cannot stand there]]",
		Help:    "write `type: object`; move alternatives into one property of the object",
		Explain: `Model providers answer a request with an error for all its tools when the root of one argument schema is not
exactly an object: a list of types, anyOf, oneOf, allOf, $ref, enum or const at the root is refused by one or
another of them. The rule holds for tool arguments and for the inputs of a Project; a result schema may have any
root.`,
	},
	{
		Code: CodeSchemaInputsClosed, Severity: Error, Room: "decide/schema",
		Message: "`additionalProperties` cannot stand at the root of inputs",
		Help:    "delete it: an input that is not named is always refused",
		Explain: `Inputs of a Project are always closed. Writing additionalProperties there could only repeat or contradict the
rule.`,
	},
	{
		Code: CodeSchemaDialect, Severity: Error, Room: "decide/schema",
		Message: "unsupported schema dialect[[ {dialect}]]",
		Help:    "delete `$schema`, or name 2020-12, 2019-09 or draft-07",
		Explain: `A schema is read with the meaning of JSON Schema 2020-12. Another $schema would make the same words mean
something else to another reader. Draft-07 and 2019-09 are let in because, within the profile, they differ only
where the difference is refused.`,
	},
	{
		Code: CodeSchemaDefinitions, Severity: Error, Room: "decide/schema",
		Message: "`definitions` and `$defs` cannot stand side by side",
		Help:    "move everything under `$defs`",
		Explain: `definitions is the older spelling of $defs and is renamed, so that two spellings of one contract have one
fingerprint. With both present the entries could collide.`,
	},
	{
		Code: CodeSchemaReferenceRemote, Severity: Error, Room: "decide/schema",
		Message: "the reference {ref} does not stay inside this schema",
		Help:    "copy the schema under `$defs` and write `$ref: \"#/$defs/NAME\"`",
		Explain: `A $ref is a JSON pointer into the same schema: "#/" and a path. URLs, file names, anchors and relative
references would need a network or a scope to resolve them; nothing is ever fetched.`,
	},
	{
		Code: CodeSchemaReferenceDangling, Severity: Error, Room: "decide/schema",
		Message: "the reference {ref} points at nothing: there is no {missing}",
		Help:    "correct the pointer; `/` in a name is written `~1`, `~` is written `~0`",
		Explain: `The JSON pointer of a $ref does not lead to a member of this schema. Members that stripping removes (x-*) do
not count.`,
	},
	{
		Code: CodeSchemaReferenceTarget, Severity: Error, Room: "decide/schema",
		Message: "the reference {ref} does not point at a schema",
		Help:    "point it at an entry of `$defs` or at another schema",
		Explain: `The target of a $ref must stand where a schema stands, or be a plain schema within an annotation such as
examples. "#/$defs" itself, a list or a text is not a schema.`,
	},
	{
		Code: CodeSchemaReferenceRecursive, Severity: Error, Room: "decide/schema",
		Message: "the reference {ref} leads back to itself",
		Help:    "unroll it to the depth that is needed, or pass the subtree as a JSON text",
		Explain: `A recursive schema has no bound for what a model may produce, and several providers refuse it. Trees can be
unrolled to a fixed depth, or passed as a string that holds JSON.`,
	},
	{
		Code: CodeSchemaReferenceSiblings, Severity: Error, Room: "decide/schema",
		Message: "`{keyword}` beside `$ref` would be ignored by draft-07",
		Help:    "delete `$schema`, or move the reference into `allOf`",
		Explain: `In draft-07 everything beside $ref is ignored; in 2020-12 it counts. A schema that declares draft-07 and has
constraints beside a $ref would be read in two ways, so it is refused. Titles, descriptions and other annotations
may stay.`,
	},
	{
		Code: CodeSchemaLimit, Severity: Error, Room: "decide/schema",
		Message: "over a limit of the schema profile: {limit} is {value}, at most {max}",
		Help:    "make it smaller: split the tool, or move rarely used parts into a text argument",
		Explain: `Every disclosed schema is paid for in tokens with every request and is evaluated with every call, so its size
is bounded. The limits stand in docs/schema-subset.md.`,
	},
	{
		Code: CodeSchemaNumber, Severity: Error, Room: "decide/schema",
		Message: "the number {number} cannot be kept exactly",
		Help:    "use a number that a double holds as it is written, or a text with a pattern",
		Explain: `Numbers travel through JSON readers that use doubles. A number whose canonical form has another decimal value
than what was written (9007199254740993, 1e400) would be another number to another reader.`,
	},
	{
		Code: CodeSchemaText, Severity: Error, Room: "decide/schema",
		Message: "a text or value here is not JSON: {reason}",
		Help:    "write valid UTF-8 and plain JSON values",
		Explain: `A schema consists of JSON values only; texts are valid UTF-8.`,
	},
	{
		Code: CodeHiddenCharacter, Severity: Error, Room: "decide/schema",
		Message: "hidden {class} character {character}[[, {count} in this text]]",
		Help:    "delete it; a tool's texts may not hold characters that a reader does not see",
		Explain: `Invisible characters can carry instructions to a model that nobody sees in review: the tag block is a shadow
of ASCII, zero-width characters hide words, bidirectional controls reorder what is shown. They are refused in every
name and text of a tool, enum values, defaults and property names included. Variation selectors are allowed. The
sources of a context may declare such characters; tools may not.`,
	},
	{
		Code: CodeUnsupportedFormat, Severity: Error, Room: "decide/schema",
		Message: "unsupported format {format}",
		Help:    "delete it and say it in `description`, or use `pattern`[[; did you mean `{suggestion}`?]]",
		Explain: `A format that is not enforced looks as if it were. The profile enforces date-time, date, time, duration, email,
uuid, uri, ipv4 and ipv6, and the ranges of int32 and int64; float, double, password, byte and binary may stand
without effect; every other word is refused.`,
	},
	{
		Code: CodeUnsupportedPattern, Severity: Error, Room: "decide/schema",
		Message: "the pattern uses {construct}, which cannot be evaluated in bounded time or has no fixed meaning",
		Help:    "restate the pattern without it and check the rest in the executor",
		Explain: `Patterns are ECMA-262 regular expressions and are evaluated by RE2, in time linear in the text. Lookaround,
backreferences, control escapes (\cX) and inline flags have no counterpart there.`,
	},
	{
		Code: CodeInvalidPattern, Severity: Error, Room: "decide/schema",
		Message: "not a regular expression: {reason}",
		Help:    "correct the pattern; a literal special character is written with a backslash",
		Explain: `The text of pattern is not a regular expression of ECMA-262.`,
	},
	{
		Code: CodeSchemaStripped, Severity: Info, Room: "decide/schema",
		Message: "`{keyword}` is not part of the contract and is removed",
		Help:    "nothing to do; delete it to silence this",
		Explain: `$schema and $id at the root, $comment and x-* are notes to other tools. They are removed before the fingerprint
and before a model sees the schema, so that two spellings of one contract are one.`,
		Suppressible: true,
	},
	{
		Code: CodeSchemaDefault, Severity: Warning, Room: "decide/schema",
		Message: "the default does not fit its own schema[[ ({kind})]]",
		Help:    "give a default that fits, or delete it",
		Explain: `A default is shown to the model as a hint and is never applied to the arguments. A model that follows a hint
that does not fit makes an invalid call.`,
		Suppressible: true,
	},
	{
		Code: CodeSchemaTitle, Severity: Info, Room: "decide/schema",
		Message: "the title only repeats the property's name",
		Help:    "delete the title; it costs tokens with every request",
		Explain: `Generators write titles such as "Student Id" for a property student_id. They tell a model nothing that the
name does not, and are paid for with every request.`,
		Suppressible: true,
	},
	{
		Code: CodeSchemaPropertyName, Severity: Warning, Room: "decide/schema",
		Message: "some model providers refuse the argument name `{name}`",
		Help:    "use a name of 1 to 64 letters, digits, `_`, `.` and `-`",
		Explain: `At least one provider answers a request with an error when an argument name does not match
^[a-zA-Z0-9_.-]{1,64}$. The schema stays valid; the tool cannot be offered there.`,
		Suppressible: true,
	},
}
