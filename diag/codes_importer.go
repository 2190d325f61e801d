package diag

// The codes of imports and drift.
const (
	CodeImportUnreadable         Code = "import_unreadable"
	CodeImportShape              Code = "import_shape"
	CodeImportNameMissing        Code = "import_name_missing"
	CodeImportNameTwice          Code = "import_name_twice"
	CodeImportIDProposed         Code = "import_id_proposed"
	CodeImportNameProposed       Code = "import_name_proposed"
	CodeImportDescriptionMissing Code = "import_description_missing"
	CodeImportIncomplete         Code = "import_incomplete"
	CodeImportUnwritable         Code = "import_unwritable"
	CodeImportTooLarge           Code = "import_too_large"
	CodeImportSkipped            Code = "import_skipped"
	CodeDriftName                Code = "drift_name"
	CodeDriftDescription         Code = "drift_description"
	CodeDriftSchema              Code = "drift_schema"
	CodeDriftChannel             Code = "drift_channel"
	CodeDriftClaims              Code = "drift_claims"
	CodeDriftGone                Code = "drift_gone"
	CodeDriftAdded               Code = "drift_added"
	CodeDriftRename              Code = "drift_rename"
)

// Codes that `compiler/importer` reports.
var importerCodes = []Entry{
	{
		Code: CodeImportUnreadable, Severity: Error, Room: "compiler/importer",
		Message: "the document cannot be read: {why}",
		Help:    "give the JSON as it was published, UTF-8 and complete",
		Explain: "Imports read one JSON document, strictly: no member twice, no number that JSON cannot carry exactly, nothing behind the end.",
	},
	{
		Code: CodeImportShape, Severity: Error, Room: "compiler/importer",
		Message: "this is not what `{from}` documents look like: {want} is needed here",
		Help:    "check that the subcommand fits the document: mcp, openapi or openai",
		Explain: "`seifc import mcp` reads a tools/list result, `import openapi` an OpenAPI 3 document in JSON, `import openai` an array of functions.",
	},
	{
		Code: CodeImportNameMissing, Severity: Error, Room: "compiler/importer",
		Message: "the tool has no name",
		Help:    "ask its publisher; a tool without a name cannot be called",
		Explain: "The name is what a model calls. Without one there is nothing to import.",
	},
	{
		Code: CodeImportNameTwice, Severity: Error, Room: "compiler/importer",
		Message: "the name {name} is published twice",
		Help:    "import the document in parts, or ask its publisher which of the two is meant",
		Explain: "Two tools under one name cannot both be called, and choosing one by its place in a list would be an accident.",
	},
	{
		Code: CodeImportIDProposed, Severity: Info, Room: "compiler/importer",
		Message: "{name} becomes the contract id {id}",
		Explain: "Contract ids are lower case and start with a letter. The model-facing name keeps its case.",
	},
	{
		Code: CodeImportNameProposed, Severity: Warning, Room: "compiler/importer",
		Message: "{name} is no name that providers take; the model would call {proposed}",
		Help:    "check that the executor maps {proposed} back to {name}",
		Explain: "Model-facing names have letters, digits, `_` and `-`, 64 at most, and start with a letter or `_`: what every provider takes.",
	},
	{
		Code: CodeImportDescriptionMissing, Severity: Warning, Room: "compiler/importer",
		Message: "{name} has no description, and its contract needs one",
		Help:    "write `description:` for {id}: say what the tool does, in words for a model",
		Explain: "A model chooses tools by their descriptions, so a contract without one is incomplete and cannot be pinned. The publisher gives none; a later import keeps the one that you write until the publisher has its own.",
	},
	{
		Code: CodeImportIncomplete, Severity: Warning, Room: "compiler/importer",
		Message: "this is one page of several: the tools behind nextCursor are not in it",
		Help:    "save all pages, or let `seifc import mcp -o CATALOGUE -- CMD` ask the server for them",
		Explain: "A tools/list result with a nextCursor has more pages. A comparison with one page alone reports the tools of the others as gone.",
	},
	{
		Code: CodeImportUnwritable, Severity: Error, Room: "compiler/importer",
		Message: "{name} cannot stand in a catalogue: it has control characters, or is too deep or too large",
		Help:    "ask its publisher for a description and schema without them",
		Explain: "Catalogues are read by people and by strict readers. A control character, more than 48 levels, or more than 4 MiB are refused there, so they are refused before anything is written.",
	},
	{
		Code: CodeImportTooLarge, Severity: Error, Room: "compiler/importer",
		Message: "the tools up to here have more than {most} values",
		Help:    "import the document in parts",
		Explain: "A tool of an OpenAPI document carries every component that it refers to, so a small document can describe more than any catalogue holds. The import stops there instead of running on.",
	},
	{
		Code: CodeImportSkipped, Severity: Warning, Room: "compiler/importer",
		Message: "{what} is left out: {why}",
		Help:    "write it into the contract by hand if the model must give it",
		Explain: "Some parts of what is published have no place in a tool contract. What is left out is said, never dropped silently.",
	},
	{
		Code: CodeDriftName, Severity: Error, Room: "compiler/importer",
		Message: "{id} is now called {new}; it was {old}",
		Help:    "check that texts and tests that name the tool still fit, then update the pin",
		Explain: "The model-facing name is part of a contract. Text that tells the model to call the old name would mislead it.",
	},
	{
		Code: CodeDriftDescription, Severity: Error, Room: "compiler/importer",
		Message: "the description of {id} changed: {difference}[[; it now names {mentions}]]",
		Help:    "read the new text as instructions to a model, because it is; a pin keeps the old contract until you update it",
		Explain: "A model reads descriptions as instructions. A changed one changes what the model does, and may be an attack.",
	},
	{
		Code: CodeDriftSchema, Severity: Error, Room: "compiler/importer",
		Message: "the {what} schema of {id} changed at {pointer}: {difference}",
		Help:    "check policies and tests that use it; a pin keeps the old contract until you update it",
		Explain: "The published schema is not the one in the catalogue any more. The pinned contract stays what it is until somebody updates the pin.",
	},
	{
		Code: CodeDriftChannel, Severity: Error, Room: "compiler/importer",
		Message: "{id} has a new argument {argument}, a new data channel ({pointer})",
		Help:    "ask what the argument is for; a policy can deny calls that set it",
		Explain: "An argument that did not exist is a new way for data to leave: a model may be told to fill it with the conversation.",
	},
	{
		Code: CodeDriftClaims, Severity: Error, Room: "compiler/importer",
		Message: "the server's claims about {id} changed from {old} to {new}",
		Help:    "check the effect that was decided for the tool",
		Explain: "Claims decide nothing, but a tool that stops calling itself read-only is worth a look.",
	},
	{
		Code: CodeDriftGone, Severity: Error, Room: "compiler/importer",
		Message: "{id} ({name}) is not published any more",
		Help:    "remove it from the Project, or keep it if the executor still serves it",
		Explain: "An import never deletes an entry: a Project may be pinned to it.",
	},
	{
		Code: CodeDriftAdded, Severity: Error, Room: "compiler/importer",
		Message: "{name} is new",
		Help:    "nothing uses it until its effect is decided and it is pinned and included",
		Explain: "A new tool is no danger by itself: what a Project does not include is not disclosed.",
	},
	{
		Code: CodeDriftRename, Severity: Error, Room: "compiler/importer",
		Message: "{name} is new and reads like {id} ({old}): a possible rename",
		Help:    "compare the two; the same text under another name is another contract",
		Explain: "Pinning by content alone would not notice that a tool was swapped for another under its old name. The name is part of a contract here.",
	},
}
