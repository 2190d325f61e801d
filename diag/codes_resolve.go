package diag

// The codes of plans, resolutions and their explanation.
const (
	CodeSourceTextMissing     Code = "source_text_missing"
	CodeSourceInputType       Code = "source_input_type"
	CodeSourceInputUnbounded  Code = "source_input_unbounded"
	CodePlaceholderMalformed  Code = "placeholder_malformed"
	CodePlaceholderUnknown    Code = "placeholder_unknown_input"
	CodePlaceholderOptional   Code = "placeholder_optional_input"
	CodePlaceholderType       Code = "placeholder_type"
	CodePlaceholderRefused    Code = "placeholder_value_refused"
	CodeBudgetExceeded        Code = "budget_exceeded"
	CodeEstimatorUnknown      Code = "estimator_unknown"
	CodeDialectUnknown        Code = "dialect_unknown"
	CodeToolUnwritable        Code = "tool_unwritable"
	CodePoliciesTooLarge      Code = "policies_too_large"
	CodeRequestProfile        Code = "request_profile_unknown"
	CodeRequestObjective      Code = "request_objective_unknown"
	CodeRequestObjectiveNeeds Code = "request_objective_missing"
	CodeRequestInput          Code = "request_input_invalid"
	CodeRequestInputMissing   Code = "request_input_missing"
	CodeConditionFailed       Code = "condition_failed"

	CodeExplainUnknown      Code = "explain_unknown_tool"
	CodeExplainPinned       Code = "explain_pinned"
	CodeExplainIncluded     Code = "explain_included"
	CodeExplainExcluded     Code = "explain_excluded"
	CodeExplainNotIncluded  Code = "explain_not_included"
	CodeExplainObjective    Code = "explain_objective"
	CodeExplainOffObjective Code = "explain_off_objective"
	CodeExplainCondition    Code = "explain_condition"
	CodeExplainLimit        Code = "explain_limit"
	CodeExplainPolicy       Code = "explain_policy"
	CodeExplainApproval     Code = "explain_approval"
	CodeExplainReadiness    Code = "explain_readiness"
	CodeExplainVerdict      Code = "explain_verdict"
	CodeExplainNoSource     Code = "explain_no_source"
)

// Codes that `decide/resolve` reports.
var resolveCodes = []Entry{
	{
		Code: CodeSourceTextMissing, Severity: Error, Room: "decide/resolve",
		Message: "the text of source {source} is not there",
		Help:    "restore the file, or take the source out",
		Explain: "A source names a text by its digest. Without the text nothing can be shown to a model, and a source never drops out silently.",
	},
	{
		Code: CodeSourceInputType, Severity: Error, Room: "decide/resolve",
		Message: "source {source} takes its text from input {input}, which is {type}",
		Help:    "make the input a string, or an array of strings",
		Explain: "Run-time text arrives as a string, which becomes one segment, or as an array of strings, which become one segment each.",
	},
	{
		Code: CodeSourceInputUnbounded, Severity: Error, Room: "decide/resolve",
		Message: "input {input} has no {keyword}, so the budget of a profile that shows it has no bound",
		Help:    "add {keyword} to the input's schema",
		Explain: "A budget is checked when the Project is compiled, with every input at its declared maximum, so that a resolution is not refused at run time because somebody sent a long text. Run-time text needs maxLength, an array of it maxItems as well.",
	},
	{
		Code: CodePlaceholderMalformed, Severity: Error, Room: "decide/resolve",
		Message: "this is not a placeholder: {why}",
		Help:    "write {{ inputs.NAME }}; for the two braces themselves write \\{{, or set placeholders: false for the source",
		Explain: "Placeholders are `{{ inputs.NAME }}`, spaces are free, and nothing else: no filters, no conditions, no loops. Any other `{{` is an error, because it would reach the model as it stands.",
	},
	{
		Code: CodePlaceholderUnknown, Severity: Error, Room: "decide/resolve",
		Message: "there is no input {input}",
		Help:    "[[did you mean {nearest}? ]]declare the input under inputs.properties",
		Explain: "A placeholder names an input that the Project declares.",
	},
	{
		Code: CodePlaceholderOptional, Severity: Error, Room: "decide/resolve",
		Message: "input {input} may be absent in {profiles}, which shows this text",
		Help:    "require the input: in inputs.required, or in the profile's requires",
		Explain: "A text with a hole in it is not the text that was tested. Every profile that uses the source must require each input that the source inserts.",
	},
	{
		Code: CodePlaceholderType, Severity: Error, Room: "decide/resolve",
		Message: "input {input} cannot be inserted: {why}",
		Help:    "insert a string with maxLength or enum, an integer with minimum and maximum, or a boolean; put longer text into a source of its own that names the input",
		Explain: "What is inserted stands amid the author's own words, so it must be short and of a known kind. Long or foreign text belongs in a source `{input: NAME}`, which is marked as untrusted.",
	},
	{
		Code: CodePlaceholderRefused, Severity: Error, Room: "decide/resolve",
		Message: "the value of input {input} cannot be inserted into source {source}: it contains a {class} character",
		Help:    "send it without such characters; send longer text through a source of its own",
		Explain: "A value that stands amid the author's own words must not be able to begin a new line, to hide, or to reorder what a reader sees. Values with control characters, line ends, invisible or bidirectional characters are refused.",
	},
	{
		Code: CodeBudgetExceeded, Severity: Error, Room: "decide/resolve",
		Message: "profile {profile}[[ with objective {objective}]] takes {total} tokens, more than its budget of {limit} (estimate {estimator})",
		Help:    "[[cut {cuts}, or ]]raise budget.tokens to {total}",
		Explain: "The budget covers every segment, the name, description and schema of every disclosed tool, 8 tokens per segment and 16 per tool. When a Project is compiled, every condition counts as true and every input has its declared maximum; at run time the real values count. The number is an estimate that is biased high, by an estimator that the definition records; it is not what a provider bills.",
	},
	{
		Code: CodeEstimatorUnknown, Severity: Error, Room: "decide/resolve",
		Message: "the definition counts tokens with {estimator}, which this version does not know",
		Help:    "use a version that knows it; this one knows {known}",
		Explain: "A Build's token numbers must be the same for ever. A reader that does not know the recorded estimator refuses the Build, as it could not reproduce them.",
	},
	{
		Code: CodeDialectUnknown, Severity: Error, Room: "decide/resolve",
		Message: "the definition uses {dialect}, which this version does not know",
		Help:    "use a version that knows it; this one knows {known}",
		Explain: "The definition records the expression dialect and the schema profile that it was checked under. A reader that does not know them could judge otherwise than the author's tests did, so it refuses the Build.",
	},
	{
		Code: CodeToolUnwritable, Severity: Error, Room: "decide/resolve",
		Message: "tool {tool} cannot be written in canonical form",
		Help:    "correct the description and the schema: all text must be UTF-8, all numbers exact",
		Explain: "What a model is shown of a tool, and what its tokens are counted on, is the RFC 8785 form of its name, description and schema.",
	},
	{
		Code: CodePoliciesTooLarge, Severity: Error, Room: "decide/resolve",
		Message: "checking the policies against their tools takes more than {most} steps",
		Help:    "write fewer policies with tools: all, or list the tools that they are about",
		Explain: "A policy is checked against the argument schema of every tool that it covers. The work is bounded, so that a Build from a stranger cannot keep its readers busy.",
	},
	{
		Code: CodeRequestProfile, Severity: Error, Room: "decide/resolve",
		Message: "there is no profile {profile}",
		Help:    "[[did you mean {nearest}? ]]name a profile of this Build",
		Explain: "A request names one of the Build's profiles. There is no default profile.",
	},
	{
		Code: CodeRequestObjective, Severity: Error, Room: "decide/resolve",
		Message: "profile {profile} has no objective {objective}",
		Help:    "[[did you mean {nearest}? ]][[the profile has {objectives}]]",
		Explain: "An unknown objective is refused and not ignored: ignoring it would show a context that nobody tested.",
	},
	{
		Code: CodeRequestObjectiveNeeds, Severity: Error, Room: "decide/resolve",
		Message: "profile {profile} needs an objective",
		Help:    "name one of {objectives}",
		Explain: "If a profile has objectives, a request names one of them.",
	},
	{
		Code: CodeRequestInput, Severity: Error, Room: "decide/resolve",
		Message: "input {input} does not fit its schema: {kind}[[ at {at}]]",
		Help:    "send a value that fits; inputs that the Project does not declare are refused",
		Explain: "Inputs are checked against the Project's schema before anything is resolved. The finding names the keyword and the place, never the value.",
		Aliases: []string{"inputs_invalid"},
	},
	{
		Code: CodeRequestInputMissing, Severity: Error, Room: "decide/resolve",
		Message: "profile {profile} requires input {input}",
		Help:    "send the input",
		Explain: "A profile may require inputs that are optional in the Project: its `requires`.",
	},
	{
		Code: CodeConditionFailed, Severity: Error, Room: "decide/resolve",
		Message: "the condition of {what} {name} in profile {profile} failed: {why}",
		Help:    "correct the input that it reads, or the condition at {entry}",
		Explain: "A `when` that cannot be evaluated blocks the resolution. Taking it for false could drop a safety text without anybody noticing.",
	},
	{Code: CodeExplainUnknown, Severity: Info, Room: "decide/resolve", Message: "the Project has no tool {tool}[[; did you mean {nearest}?]]"},
	{Code: CodeExplainPinned, Severity: Info, Room: "decide/resolve", Message: "{tool} is contract {contract} {version}, pinned as {fingerprint}; the model calls it {name}; it is a {effect}"},
	{Code: CodeExplainIncluded, Severity: Info, Room: "decide/resolve", Message: "profile {profile} includes it[[ as {required}]]"},
	{Code: CodeExplainExcluded, Severity: Info, Room: "decide/resolve", Message: "profile {profile} excludes it: {reason}"},
	{Code: CodeExplainNotIncluded, Severity: Info, Room: "decide/resolve", Message: "profile {profile} does not include it, and what is not included is not disclosed"},
	{Code: CodeExplainObjective, Severity: Info, Room: "decide/resolve", Message: "it stands in {objectives}"},
	{Code: CodeExplainOffObjective, Severity: Info, Room: "decide/resolve", Message: "it stands in objective {objectives} only, and the request has {objective}"},
	{Code: CodeExplainCondition, Severity: Info, Room: "decide/resolve", Message: "it has the condition {when}[[, which is {verdict} here]]"},
	{Code: CodeExplainLimit, Severity: Info, Room: "decide/resolve", Message: "it may be called {limit} times in a context[[ (the contract allows {contract})]]"},
	{Code: CodeExplainPolicy, Severity: Info, Room: "decide/resolve", Message: "policy {policy} denies a call when {deny}[[: {message}]]"},
	{Code: CodeExplainApproval, Severity: Info, Room: "decide/resolve", Message: "each call needs the approval of an operator"},
	{Code: CodeExplainReadiness, Severity: Info, Room: "decide/resolve", Message: "its executor is {readiness}"},
	{Code: CodeExplainVerdict, Severity: Info, Room: "decide/resolve", Message: "so it is {verdict}[[ ({reason})]]"},
	{Code: CodeExplainNoSource, Severity: Info, Room: "decide/resolve", Message: "no text of a source took part in this: sources grant nothing"},
}
