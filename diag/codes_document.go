package diag

// The codes that `document` reports.
const (
	CodeFileTooLarge     Code = "file_too_large"
	CodeNotUTF8          Code = "not_utf8"
	CodeMisplacedMark    Code = "misplaced_byte_order_mark"
	CodeControlCharacter Code = "control_character"
	CodeLineSeparator    Code = "line_separator"
	CodeTooManyNodes     Code = "too_many_nodes"
	CodeTooDeep          Code = "too_deep"
	CodeAliasExpansion   Code = "alias_expansion"
	CodeAliasCycle       Code = "alias_cycle"
	CodeUnknownAnchor    Code = "unknown_anchor"
	CodeYAMLSyntax       Code = "yaml_syntax"
	CodeUnclearYAML      Code = "unclear_yaml"
	CodeJSONSyntax       Code = "json_syntax"
	CodeSeveralDocuments Code = "several_documents"
	CodeYAMLDirective    Code = "yaml_directive"
	CodeEmptyDocument    Code = "empty_document"
	CodeDuplicateKey     Code = "duplicate_key"
	CodeKeyNotString     Code = "key_not_string"
	CodeMergeKey         Code = "merge_key"
	CodeYAMLTag          Code = "yaml_tag"
	CodeTagExpression    Code = "tag_expression"
	CodeInexactNumber    Code = "inexact_number"
	CodeNotFinite        Code = "not_finite"
	CodeMoreProblems     Code = "more_problems"

	CodeUnquotedScalar   Code = "unquoted_scalar"
	CodeAmbiguousScalar  Code = "ambiguous_scalar"
	CodeWrongType        Code = "wrong_type"
	CodeUnexpectedNull   Code = "unexpected_null"
	CodeMissingField     Code = "missing_field"
	CodeUnknownField     Code = "unknown_field"
	CodeUnknownWord      Code = "unknown_word"
	CodeNumberOutOfRange Code = "number_out_of_range"
)

var documentCodes = []Entry{
	{
		Code: CodeFileTooLarge, Severity: Error, Room: "document",
		Message: "the file is larger than 4 MiB",
		Help:    "split it: a Project may list several catalogues and test files",
		Explain: "An authored file has at most 4 MiB. The limit keeps a mistaken or hostile file from taking the memory of the\n" +
			"machine that checks it. Tool contracts and tests can be spread over any number of files.",
	},
	{
		Code: CodeNotUTF8, Severity: Error, Room: "document",
		Message: "the byte {byte} is not UTF-8",
		Help:    "save the file as UTF-8",
		Explain: "Authored files are UTF-8 and nothing else, so that every reader sees the same text. Editors on Windows may\n" +
			"save UTF-16 or a code page; choose \"UTF-8\" when saving. Nothing behind the byte was read.",
	},
	{
		Code: CodeMisplacedMark, Severity: Error, Room: "document",
		Message: "a byte order mark (U+FEFF) stands inside the file",
		Help:    "remove it; write \"\\uFEFF\" in a double-quoted text if it belongs to the text",
		Explain: "One byte order mark at the very start of a file is ignored. Anywhere else it is an invisible character that\n" +
			"makes two names look the same. It usually comes from joining files that each began with one.",
	},
	{
		Code: CodeControlCharacter, Severity: Error, Room: "document",
		Message: "the control character {character} is not allowed",
		Help:    "remove it",
		Explain: "Control characters can rewrite what a terminal shows and mean nothing to a model or a tool. Tab, line feed and\n" +
			"NEL are the only ones that may be in a text; writing another one as an escape changes nothing.",
	},
	{
		Code: CodeLineSeparator, Severity: Error, Room: "document",
		Message: "the character {character} ends a line for some YAML readers only",
		Help:    "end the line as the others are ended, or write the character as an escape in a double-quoted text",
		Explain: "YAML 1.1 ends a line, and with it a comment, at a lone CR, at NEL (U+0085), LS (U+2028) and PS (U+2029). YAML 1.2\n" +
			"and editors do not. A text that looks like a comment could so be a field for one reader. In double quotes\n" +
			"write \\N, \\L or \\P.",
	},
	{
		Code: CodeTooManyNodes, Severity: Error, Room: "document",
		Message: "the file has more than 200000 values",
		Help:    "split it: a Project may list several catalogues and test files",
		Explain: "Maps, lists, keys and values of an authored file are counted before memory is taken for them. No Project that\n" +
			"people review comes near the limit.",
	},
	{
		Code: CodeTooDeep, Severity: Error, Room: "document",
		Message: "maps and lists are nested more than 48 deep",
		Help:    "share parts of a schema by `$defs`, and keep test values flat",
		Explain: "The depth of authored documents is bounded, so that no reader in the chain runs out of stack.",
	},
	{
		Code: CodeAliasExpansion, Severity: Error, Room: "document",
		Message: "with its aliases written out, the file has more than 200000 values",
		Help:    "use fewer aliases; a few that name each other multiply",
		Explain: "An alias (`*name`) stands for all that its anchor (`&name`) marks. Aliases of aliases grow exponentially: a file\n" +
			"of one kilobyte can stand for billions of values. So values are counted as if every alias were written out.",
	},
	{
		Code: CodeAliasCycle, Severity: Error, Room: "document",
		Message: "the alias *{anchor} stands inside of what it names",
		Help:    "write out what is meant",
		Explain: "A value that contains itself has no JSON form and no end.",
	},
	{
		Code: CodeUnknownAnchor, Severity: Error, Room: "document",
		Message: "there is no anchor &{anchor} before this alias",
		Help:    "define the anchor above, or quote the value if it is text that begins with `*`",
		Explain: "`*name` refers to the value that was marked with `&name` earlier in the same file. A text that begins with an\n" +
			"asterisk needs quotes.",
	},
	{
		Code: CodeYAMLSyntax, Severity: Error, Room: "document",
		Message: "this is not YAML: {problem}",
		Help:    "{remedy}",
		Explain: "The file could not be read from this place on, so nothing behind it was checked. Most often a value needs quotes\n" +
			"(it holds `: ` or ` #`, or begins with a character that has a meaning in YAML), or a line is indented by a tab\n" +
			"or differently from its neighbours.",
	},
	{
		Code: CodeUnclearYAML, Severity: Error, Room: "document",
		Message: "this can be read as YAML in more than one way",
		Help:    "quote the value, or write it in a simpler style",
		Explain: "Two readings of this place do not agree on where a value ends or what its text is. What cannot be read with\n" +
			"certainty is refused.",
	},
	{
		Code: CodeJSONSyntax, Severity: Error, Room: "document",
		Message: "this is not JSON[[: {problem}]]",
		Help:    "write it as RFC 8259 has it: no comments, no comma behind the last member, text in double quotes",
		Explain: "Files whose name ends in `.json` are read as JSON, not as YAML. Nothing behind this place was checked.",
	},
	{
		Code: CodeSeveralDocuments, Severity: Error, Room: "document",
		Message: "a second document begins here",
		Help:    "put it into a file of its own; quote or indent `---` if it belongs to a text",
		Explain: "A file holds one document. A reader that takes the first one only would never see what follows the second `---`.",
	},
	{
		Code: CodeYAMLDirective, Severity: Error, Room: "document",
		Message: "YAML directives are not allowed",
		Help:    "remove the line",
		Explain: "`%YAML` and `%TAG` change how the rest of a file is read. Authored files are YAML 1.2 with the core schema.",
	},
	{
		Code: CodeEmptyDocument, Severity: Error, Room: "document",
		Message: "the file is empty",
		Help:    "begin it with `schema:`; `seifc init` writes an example",
		Explain: "The file has no value: it is empty or holds comments only.",
	},
	{
		Code: CodeDuplicateKey, Severity: Error, Room: "document",
		Message: "the key \"{key}\" stands twice in one map",
		Help:    "keep one of the two",
		Explain: "Readers disagree on which of two equal keys wins, so a tool could be reviewed as a read and run as a write. Keys are\n" +
			"compared after quotes and escapes are resolved. The note shows the first one.",
	},
	{
		Code: CodeKeyNotString, Severity: Error, Room: "document",
		Message: "the key[[ {text}]] is {kind}, not a string",
		Help:    "put the key into quotes[[: \"{text}\"]]",
		Explain: "Keys are strings, as in JSON. `1`, `true`, `null`, `no` and `2026-11-02` without quotes are something else, for all\n" +
			"YAML readers or for some of them.",
	},
	{
		Code: CodeMergeKey, Severity: Error, Room: "document",
		Message: "merge keys (`<<`) are not allowed",
		Help:    "write the fields out; a whole value may still be an alias",
		Explain: "`<<: *base` brings fields in that a reviewer does not see in place, and lets a line below change one of them: a\n" +
			"write tool could lose its approval out of sight. YAML 1.2 has no merge keys either. An alias for a whole value\n" +
			"(`order_id: *order_id`) is fine.",
	},
	{
		Code: CodeYAMLTag, Severity: Error, Room: "document",
		Message: "the tag {tag} is not allowed here[[: {why}]]",
		Help:    "remove the tag; quote the value if it is text that begins with `!`",
		Explain: "A tag (`!name`) changes the type of a value. Only the tags of the core schema (`!!str` and the like) may be written,\n" +
			"and only where the value has that type. A text that begins with `!` needs quotes.",
	},
	{
		Code: CodeTagExpression, Severity: Error, Room: "document",
		Message: "{tag} is read as a YAML tag, not as an expression",
		Help:    "put the whole expression into quotes",
		Explain: "A value that begins with `!` is a tag in YAML. An expression that begins with a negation needs quotes:\n" +
			"`deny: \"!has(args.reason)\"`.",
	},
	{
		Code: CodeInexactNumber, Severity: Error, Room: "document",
		Message: "the number {text} cannot be kept exactly",
		Help:    "write a number that a 64-bit float holds, or quote it and treat it as text",
		Explain: "Numbers are hashed and sent as RFC 8785 writes them, which is the nearest 64-bit float. 9007199254740993 would become\n" +
			"9007199254740992, and an approval for one could be used for the other. So a number must have a decimal value that\n" +
			"this form keeps: integers up to 9007199254740991, 0.1, 1e20 are fine.",
	},
	{
		Code: CodeNotFinite, Severity: Error, Room: "document",
		Message: "{text} is not a number that JSON has",
		Help:    "leave the bound out, or quote the text",
		Explain: "Infinity and NaN have no JSON form.",
	},
	{
		Code: CodeMoreProblems, Severity: Error, Room: "document",
		Message: "{count} more problems in this file are not shown",
		Help:    "mend those above first",
		Explain: "At most 200 problems of reading are shown for one file.",
	},
	{
		Code: CodeUnquotedScalar, Severity: Error, Room: "document",
		Message: "a string is expected, but {text} without quotes is {reading}",
		Help:    "quote it: \"{text}\"",
		Explain: "`no`, `1.10`, `017`, `2026-11-02` and `null` without quotes are no strings in YAML, or not for every reader of it.\n" +
			"Taken as they look, version 1.10 would become 1.1 somewhere down the line. In quotes they are what they look like.",
	},
	{
		Code: CodeAmbiguousScalar, Severity: Error, Room: "document",
		Message: "{text} without quotes is {reading}",
		Help:    "{remedy}",
		Explain: "Readers of YAML 1.1 and 1.2 take this for different values. Say which is meant: text in quotes, true, false or null,\n" +
			"or a number in plain decimal digits.",
	},
	{
		Code: CodeWrongType, Severity: Error, Room: "document",
		Message: "{want} is expected here, not {kind}",
		Help:    "write {want}",
		Explain: "The field has one type; the format reference and `seifc schema` list them.",
	},
	{
		Code: CodeUnexpectedNull, Severity: Error, Room: "document",
		Message: "{want} is expected here, but there is no value",
		Help:    "write {want}, or remove the field",
		Explain: "A key without a value is null. Where null has no meaning it is most often a forgotten value, or the lines below are\n" +
			"not indented.",
	},
	{
		Code: CodeMissingField, Severity: Error, Room: "document",
		Message: "the field \"{field}\" is missing",
		Help:    "add `{field}:`",
		Explain: "The map must have this field; the format reference and `seifc schema` list them.",
	},
	{
		Code: CodeUnknownField, Severity: Error, Room: "document",
		Message: "there is no field \"{field}\" here[[; did you mean \"{suggestion}\"?]]",
		Help:    "known fields: {known}",
		Explain: "Unknown fields are refused, so that a misspelled limit or approval is never silently without effect.",
	},
	{
		Code: CodeUnknownWord, Severity: Error, Room: "document",
		Message: "\"{word}\" is not one of the words that may stand here[[; did you mean \"{suggestion}\"?]]",
		Help:    "write one of: {words}",
		Explain: "The field takes one of a few fixed words.",
	},
	{
		Code: CodeNumberOutOfRange, Severity: Error, Room: "document",
		Message: "{number} is not a whole number from {least} to {most}",
		Help:    "write a whole number from {least} to {most}",
		Explain: "The field takes whole numbers within bounds.",
	},
}
