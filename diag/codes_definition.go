package diag

// The codes of definitions, contracts and source texts.
const (
	CodeDefinitionUnreadable   Code = "definition_unreadable"
	CodeDefinitionNotCanonical Code = "definition_not_canonical"
	CodeDefinitionMalformed    Code = "definition_malformed"
	CodeDefinitionMember       Code = "definition_member"
	CodeDefinitionVersion      Code = "definition_version"
	CodeDefinitionContract     Code = "definition_contract"
	CodeDefinitionFingerprint  Code = "definition_fingerprint"
	CodeDefinitionMissing      Code = "definition_member_missing"
	CodeDefinitionDefault      Code = "definition_default"
	CodeDefinitionOrder        Code = "definition_order"
	CodeDefinitionDigest       Code = "definition_digest"

	CodeIDReserved       Code = "id_reserved"
	CodeIDClash          Code = "id_clash"
	CodeInputReserved    Code = "input_reserved"
	CodeUnknownInput     Code = "unknown_input"
	CodeUnknownSource    Code = "unknown_source"
	CodeUnknownTool      Code = "unknown_tool"
	CodeUnknownObjective Code = "unknown_objective"
	CodeUnknownProfile   Code = "unknown_profile"
	CodeNeedsTools       Code = "needs_tools"
	CodeNoProfile        Code = "no_profile"
	CodeProfileEmpty     Code = "profile_empty"
	CodeRequiresRequired Code = "requires_required"
	CodeCallLimitWidened Code = "call_limit_widened"
	CodeModelNameClash   Code = "model_name_clash"

	CodeObjectiveNotInProfile Code = "objective_not_in_profile"
	CodeRequiredExcluded      Code = "required_excluded"
	CodePolicyWithoutEffect   Code = "policy_without_effect"

	CodeModelName          Code = "model_name"
	CodeVersionForm        Code = "version_form"
	CodeEffectUnknown      Code = "effect_unknown"
	CodeApprovalUnknown    Code = "approval_unknown"
	CodeWriteNeedsApproval Code = "write_needs_approval"
	CodeContractBounds     Code = "contract_bounds"
	CodeWriteOpen          Code = "write_open"
	CodeSchemaNotStripped  Code = "schema_not_stripped"

	CodeTextNotUTF8 Code = "text_not_utf8"
	CodeTextControl Code = "text_control"
	CodeTextEmpty   Code = "text_empty"
	CodeTextHidden  Code = "text_hidden"
	CodeSecret      Code = "secret"

	CodeAllowMalformed Code = "allow_malformed"
	CodeAllowNeedless  Code = "allow_needless"
	CodeAllowReason    Code = "allow_reason"
)

// Codes that `decide/definition` reports.
var definitionCodes = []Entry{
	{
		Code: CodeDefinitionUnreadable, Severity: Error, Room: "decide/definition",
		Message: "the definition cannot be read: {why}",
		Help:    "the Build was not written by seifc, or was changed afterwards; get it again from where it was built",
		Explain: "A definition is one JSON document, read strictly: no member twice, no number that JSON cannot carry exactly, bounded in size and depth.",
	},
	{
		Code: CodeDefinitionNotCanonical, Severity: Error, Room: "decide/definition",
		Message: "the definition is not in the form in which definitions are written[[, from byte {offset} on]]",
		Help:    "the Build was not written by seifc; rebuild it",
		Explain: "A definition is accepted only byte for byte as seifc writes it: RFC 8785 form, defaults left out in Project parts and written out in contracts. Otherwise two spellings of one meaning would have two digests.",
	},
	{
		Code: CodeDefinitionMalformed, Severity: Error, Room: "decide/definition",
		Message: "the definition has something else where it must have {want}",
		Help:    "the Build was not written by seifc, or by a later one; rebuild it",
		Explain: "Every member of a definition has one type and one place.",
	},
	{
		Code: CodeDefinitionMember, Severity: Error, Room: "decide/definition",
		Message: "the definition has a member {name} that does not exist in this version",
		Help:    "the Build was not written by seifc, or by a later one; rebuild it, or use a later runtime",
		Explain: "A member that a reader does not know could be a rule. It is refused, never ignored.",
	},
	{
		Code: CodeDefinitionVersion, Severity: Error, Room: "decide/definition",
		Message: "the definition says that it is {found}; known are {known}",
		Help:    "use a seifc or seif-runtime that knows it",
		Explain: "Definitions with tools are version 2, so that a runtime which knows version 1 alone refuses them instead of ignoring their rules.",
	},
	{
		Code: CodeDefinitionContract, Severity: Error, Room: "decide/definition",
		Message: "the definition asks for the runtime contract {found}, and its version goes with {want}",
		Help:    "the Build was not written by seifc; rebuild it",
		Explain: "The version of a definition and the runtime contract that it needs belong together.",
	},
	{
		Code: CodeDefinitionFingerprint, Severity: Error, Room: "decide/definition",
		Message: "the definition states the fingerprint {stated} for the contract {id}, whose content has {actual}",
		Help:    "the Build was not written by seifc, or was changed afterwards; get it again from where it was built",
		Explain: "A fingerprint in a Build is a claim like any other. It is recomputed, and both values are named.",
	},
	{
		Code: CodeDefinitionMissing, Severity: Error, Room: "decide/definition",
		Message: "the definition lacks the member {name} here",
		Help:    "the Build was not written by seifc, or was changed afterwards; get it again from where it was built",
		Explain: "Members that a definition must have are always written; no default takes the place of one that is missing.",
	},
	{
		Code: CodeDefinitionDefault, Severity: Error, Room: "decide/definition",
		Message: "the member {name} has a value that is left out when it is meant, or one that it cannot have",
		Help:    "the Build was not written by seifc, or was changed afterwards; get it again from where it was built",
		Explain: "In what a Project says a value equal to its default is left out, so that one meaning has one digest.",
	},
	{
		Code: CodeDefinitionOrder, Severity: Error, Room: "decide/definition",
		Message: "{name} does not stand in its place behind {other}",
		Help:    "the Build was not written by seifc, or was changed afterwards; get it again from where it was built",
		Explain: "Sets are written in order and without repetitions, so that one set has one digest.",
	},
	{
		Code: CodeDefinitionDigest, Severity: Error, Room: "decide/definition",
		Message: "{found} is not a {what}: {why}",
		Help:    "the Build was not written by seifc, or was changed afterwards; get it again from where it was built",
		Explain: "Digests and fingerprints are `sha256:` and 64 lowercase hex digits. They are read whole, never shortened or completed.",
	},
	{
		Code: CodeIDReserved, Severity: Error, Room: "decide/definition",
		Message: "{id} is the name of a device on Windows",
		Help:    "choose another id",
		Explain: "Sources become files of a Build. A file called con, nul or com1 cannot be written on Windows.",
	},
	{
		Code: CodeIDClash, Severity: Error, Room: "decide/definition",
		Message: "the {what} {id} reads like {other}",
		Help:    "give one of them another id; `.`, `-` and `_` count as the same character",
		Explain: "Two ids that differ only in `.`, `-` and `_` are taken for each other by people and become one model-facing name.",
	},
	{
		Code: CodeInputReserved, Severity: Error, Room: "decide/definition",
		Message: "{name} is a word of the expression language",
		Help:    "choose another name for the input",
		Explain: "Expressions name inputs as `inputs.NAME`, and some words cannot stand there.",
	},
	{
		Code: CodeUnknownInput, Severity: Error, Room: "decide/definition",
		Message: "there is no input {name}",
		Help:    "[[did you mean {nearest}? otherwise ]]name it under `inputs.properties`",
		Explain: "Inputs are closed: a request may bring what the inputs schema names, and nothing else.",
	},
	{
		Code: CodeUnknownSource, Severity: Error, Room: "decide/definition",
		Message: "there is no source {name}",
		Help:    "[[did you mean {nearest}? otherwise ]]add it under `sources:`",
		Explain: "A profile's context lists sources of the Project by id.",
	},
	{
		Code: CodeUnknownTool, Severity: Error, Room: "decide/definition",
		Message: "there is no tool {name}",
		Help:    "[[did you mean {nearest}? otherwise ]]add it under `tools:` and run `seifc pin`",
		Explain: "Profiles and policies name tools of the Project by the id under `tools:`. A misspelled exclusion would exclude nothing.",
	},
	{
		Code: CodeUnknownObjective, Severity: Error, Room: "decide/definition",
		Message: "there is no objective {name} here",
		Help:    "[[did you mean {nearest}? otherwise ]]declare it under `objectives:` and list it in the profile",
		Explain: "Objectives are declared for the Project and listed by each profile that has them. An entry narrowed to an objective that its profile does not have would never stand.",
	},
	{
		Code: CodeUnknownProfile, Severity: Error, Room: "decide/definition",
		Message: "there is no profile {name}",
		Help:    "[[did you mean {nearest}? otherwise ]]add it under `profiles:`",
		Explain: "A policy that is narrowed to a profile which does not exist would deny nothing.",
	},
	{
		Code: CodeNeedsTools, Severity: Error, Room: "decide/definition",
		Message: "`{member}` means nothing without tools",
		Help:    "drop it, or add the tools that it is about",
		Explain: "Policies deny calls and `forward` sends inputs along with them. A Project without tools has neither.",
	},
	{
		Code: CodeNoProfile, Severity: Error, Room: "decide/definition",
		Message: "there is no profile",
		Help:    "add at least one under `profiles:`",
		Explain: "Nothing can be resolved without a profile.",
	},
	{
		Code: CodeProfileEmpty, Severity: Error, Room: "decide/definition",
		Message: "the profile {profile} shows nothing and discloses nothing",
		Help:    "list sources under `context:`, or tools under `tools.include:`",
		Explain: "A profile is a recipe of context and tools. One that has neither is a slip.",
	},
	{
		Code: CodeRequiresRequired, Severity: Error, Room: "decide/definition",
		Message: "the input {name} is required of every request already",
		Help:    "drop it from `requires`",
		Explain: "`requires` lists optional inputs that a profile needs.",
	},
	{
		Code: CodeCallLimitWidened, Severity: Error, Room: "decide/definition",
		Message: "{tool} may be called {contract} times per context, and the profile says {limit}",
		Help:    "a profile may only narrow: use {contract} or less",
		Explain: "The contract's call limit is what was agreed with whoever runs the tool. A profile can lower it, never raise it.",
	},
	{
		Code: CodeModelNameClash, Severity: Error, Room: "decide/definition",
		Message: "{tool} is called {name} by the model, which reads like {other_name} of {other}",
		Help:    "give one of the two contracts another `name`, or include one of them only",
		Explain: "Names that differ only in case, `-` and `_` are mixed up by models and by providers. Within a profile they must be told apart. Two tools that are never in one profile may share a name.",
	},
	{
		Code: CodeObjectiveNotInProfile, Severity: Error, Room: "decide/definition",
		Message: "the profile does not have the objective {name}",
		Help:    "list it under the profile's `objectives:`, or drop it here",
		Explain: "An entry that is narrowed to an objective which its profile does not list would never stand: no request can name that objective there.",
	},
	{
		Code: CodeRequiredExcluded, Severity: Error, Room: "decide/definition",
		Message: "{tool} is required and excluded in one profile",
		Help:    "drop `required: true`, or the exclusion",
		Explain: "An exclusion beats an inclusion, so the tool is never disclosed; and a required tool that is not disclosed blocks every resolution of the profile.",
	},
	{
		Code: CodePolicyWithoutEffect, Severity: Warning, Room: "decide/definition", Suppressible: true,
		Message: "the policy {id} never applies: no profile that it covers includes a tool that it is about",
		Help:    "correct its profiles, objectives or tools, or drop it",
		Explain: "A policy that covers nothing reads like protection and is none. It may be meant for a tool that is still to be included.",
	},
	{
		Code: CodeModelName, Severity: Error, Room: "decide/definition",
		Message: "{name} is no name that a model can call",
		Help:    "use the form {form}",
		Explain: "Every provider takes letters, digits, `_` and `-`, at most 64, starting with a letter or `_`. One bad name makes a provider refuse the whole request.",
	},
	{
		Code: CodeVersionForm, Severity: Error, Room: "decide/definition",
		Message: "{version} is no version",
		Help:    "use SemVer without build metadata, such as 1.2.0 or 2.0.0-rc.1",
		Explain: "Versions order contracts for people. The fingerprint, not the version, is what a pin names.",
	},
	{
		Code: CodeEffectUnknown, Severity: Error, Room: "decide/definition",
		Message: "{effect} is no effect",
		Help:    "use read, write or undecided",
		Explain: "A tool reads or writes. What an import could not know is undecided.",
	},
	{
		Code: CodeApprovalUnknown, Severity: Error, Room: "decide/definition",
		Message: "{approval} is no approval",
		Help:    "use none or operator",
		Explain: "A call needs the approval of an operator, or none.",
	},
	{
		Code: CodeWriteNeedsApproval, Severity: Error, Room: "decide/definition",
		Message: "{id} writes and must have `approval: operator`",
		Help:    "drop `approval`, or write `approval: operator`",
		Explain: "Every write is approved by an operator, for exactly one call. There is no setting that turns this off.",
	},
	{
		Code: CodeContractBounds, Severity: Error, Room: "decide/definition",
		Message: "{what} of {id} is {value}; it must be from {least} to {most}",
		Help:    "stay within the bounds",
		Explain: "A contract's limits are themselves bounded, so that no runtime waits for ever and no description swallows a model's window.",
	},
	{
		Code: CodeWriteOpen, Severity: Warning, Room: "decide/definition", Suppressible: true,
		Message: "{id} writes and takes arguments that its schema does not name",
		Help:    "write `additionalProperties: false` at the root of its schema",
		Explain: "An open argument object lets a model send members that nobody described and no policy looks at. For a write that is worth closing.",
	},
	{
		Code: CodeSchemaNotStripped, Severity: Error, Room: "decide/definition",
		Message: "`{keyword}` stands in a schema of the definition",
		Help:    "the Build was not written by seifc, or was changed afterwards; get it again from where it was built",
		Explain: "Notes to other tools are removed from a schema before it is hashed, and `definitions` becomes `$defs`. A definition that holds one was not written by seifc, and its fingerprint is another than that of the contract it shows.",
	},
	{
		Code: CodeTextNotUTF8, Severity: Error, Room: "decide/definition",
		Message: "the byte {byte} is not UTF-8",
		Help:    "save the file as UTF-8",
		Explain: "Source texts are UTF-8, so that every reader sees the same characters.",
	},
	{
		Code: CodeTextControl, Severity: Error, Room: "decide/definition",
		Message: "the text has the control character {character}",
		Help:    "delete it; tab and line feed are allowed, and CRLF is read as LF",
		Explain: "Control characters are not seen in review and move the cursor, change colours or end lines in one tool and not in another.",
	},
	{
		Code: CodeTextEmpty, Severity: Error, Room: "decide/definition",
		Message: "the text is empty",
		Help:    "write something, or drop the source",
		Explain: "An empty source is usually a file that was not saved or not generated.",
	},
	{
		Code: CodeTextHidden, Severity: Error, Room: "decide/definition",
		Message: "the text has the {class} character {character}[[, {count} of its kind]], which nobody sees",
		Help:    "delete it, or declare it under `allow_characters` with a reason",
		Explain: "Invisible, bidirectional-control and tag characters can carry text to a model that a reviewer does not see. Where a text needs them it says so and why. Joiners, variation selectors and right-to-left letters are ordinary text.",
	},
	{
		Code: CodeSecret, Severity: Error, Room: "decide/definition",
		Message: "this looks like a {kind}",
		Help:    "take it out, and replace it where it is used: it has been in a file; credentials belong to Bindings, by reference",
		Explain: "A Build is copied to registries, machines and people. It has no place for a credential, and known shapes of credentials are refused in every value, text and test of a Project. Comments enter no Build and are not searched.",
	},
	{
		Code: CodeAllowMalformed, Severity: Error, Room: "decide/definition",
		Message: "{found} names no characters",
		Help:    "write U+200B for one, U+E0020..U+E007F for a range, or the characters themselves, separated by spaces or commas",
		Explain: "`characters` lists what the source may hold although nobody sees it. A part that cannot be read would allow something else than what is meant.",
	},
	{
		Code: CodeAllowNeedless, Severity: Error, Room: "decide/definition",
		Message: "{found} needs no permission",
		Help:    "drop it; only invisible, bidirectional-control and tag characters are refused without one",
		Explain: "Letters of any script, joiners, variation selectors and byte order marks are ordinary text. A permission for them would be without effect, and so is often a slip for another character.",
	},
	{
		Code: CodeAllowReason, Severity: Error, Room: "decide/definition",
		Message: "the permission gives no reason",
		Help:    "say why the text needs these characters",
		Explain: "A text with characters that nobody sees is reviewed by its reason.",
	},
}
