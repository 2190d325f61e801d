package diag

// The codes of the compiler.
const (
	CodeFileMissing            Code = "file_missing"
	CodePathRefused            Code = "path_refused"
	CodePatternMatchesNothing  Code = "pattern_matches_nothing"
	CodeContractDuplicate      Code = "contract_duplicate"
	CodeContractUnusable       Code = "contract_unusable"
	CodeContractIncomplete     Code = "contract_incomplete"
	CodeReferenceNested        Code = "reference_nested"
	CodeReferenceToTool        Code = "reference_to_tool"
	CodeReferenceBroken        Code = "reference_broken"
	CodeFingerprintMismatch    Code = "fingerprint_mismatch"
	CodeFingerprintOfUndecided Code = "fingerprint_of_undecided"
	CodeEffectContradictsClaim Code = "effect_contradicts_claim"
	CodeEffectUndecided        Code = "effect_undecided"
	CodePinMissing             Code = "pin_missing"
	CodePinMalformed           Code = "pin_malformed"
	CodePinUnknownTool         Code = "pin_unknown_tool"
	CodeUnknownName            Code = "unknown_name"
	CodeUnknownFingerprint     Code = "unknown_fingerprint"
	CodeCatalogueNotListed     Code = "catalogue_not_listed"
	CodePinOfSharedSchema      Code = "pin_of_shared_schema"
	CodePinOfRetired           Code = "pin_of_retired"
	CodePinOfRevoked           Code = "pin_of_revoked"
	CodeLockMismatch           Code = "lock_mismatch"
	CodeNameRepeated           Code = "name_repeated"
	CodeTestDuplicate          Code = "test_duplicate"
	CodeOffsetInvalid          Code = "offset_invalid"
	CodeSuppressionStale       Code = "suppression_stale"
	CodeSuppressionRefused     Code = "suppression_refused"
	CodeZeroTests              Code = "zero_tests"
)

// Codes that `compiler` reports.
var compilerCodes = []Entry{
	{
		Code: CodeFileMissing, Severity: Error, Room: "compiler",
		Message: "there is no file {path}",
		Help:    "correct the path; it is relative to the file that names it",
		Explain: "The Project names a file that is not there. Paths use forward slashes and start at the folder of the file that names them.",
	},
	{
		Code: CodePathRefused, Severity: Error, Room: "compiler",
		Message: "the path {path} cannot be used: {why}",
		Help:    "name a regular file inside the Project's folder, with forward slashes",
		Explain: "A Project reads files inside its own folder only: no `..`, no absolute path, no drive letter, no link that leads out, no device, nothing above the documented sizes. So a Project from somebody else cannot read your files into a Build.",
	},
	{
		Code: CodePatternMatchesNothing, Severity: Error, Room: "compiler",
		Message: "the pattern {pattern} matches no file",
		Help:    "correct the pattern, or drop it; dot files and folders are not matched",
		Explain: "A pattern that matches nothing is usually a folder that moved. Its tests or tools would be missing without anybody noticing.",
	},
	{
		Code: CodeContractDuplicate, Severity: Error, Room: "compiler",
		Message: "the contract id {id} is already taken[[ by {other}]]",
		Help:    "give one of them another id; `.`, `-` and `_` count as the same character",
		Explain: "Ids are unique over all catalogues of a Project, also when the two definitions are equal: a reader must never have to know which file wins.",
	},
	{
		Code: CodeContractUnusable, Severity: Warning, Room: "compiler", Suppressible: true,
		Message: "{id} cannot be used as it is: {why} ({code})[[, and {more} more]]",
		Help:    "leave it if you do not use it; otherwise mend it and decide its effect",
		Explain: "An imported catalogue may hold tools that the schema profile refuses. As long as nobody has decided their effect and nothing pins them, they fail nothing. Deciding the effect shows every finding as the error that it is.",
	},
	{
		Code: CodeContractIncomplete, Severity: Error, Room: "compiler",
		Message: "the tool contract {id} lacks {members}",
		Help:    "add what is missing; an entry with a `schema` alone is a schema to share",
		Explain: "A tool contract promises version, description, effect and schema. Only an entry that has nothing but a schema (and perhaps its fingerprint) is a shared schema.",
	},
	{
		Code: CodeReferenceNested, Severity: Error, Room: "compiler",
		Message: "the shared schema {id} is itself a reference",
		Help:    "write the schema out; references go one level",
		Explain: "A reference inside a referenced schema would make a contract depend on a chain of others. One level keeps every contract readable in two places at most.",
	},
	{
		Code: CodeReferenceToTool, Severity: Error, Room: "compiler",
		Message: "{id} is a tool contract, not a schema to share",
		Help:    "move the schema into an entry of its own with `schema` alone, and refer to that from both",
		Explain: "A reference names an entry that has only a schema. The fingerprint of a tool contract covers its description, effect and limits too, which the reference does not mean.",
	},
	{
		Code: CodeReferenceBroken, Severity: Error, Room: "compiler",
		Message: "the shared schema {id} has errors of its own",
		Help:    "mend the shared schema first",
		Explain: "The reference is right, but what it refers to is not sound.",
	},
	{
		Code: CodeFingerprintMismatch, Severity: Error, Room: "compiler",
		Message: "{id} states the fingerprint {stated}, but its content has {actual}",
		Help:    "if the content is right, correct or drop the stated fingerprint; otherwise restore the content",
		Explain: "A fingerprint that stands in a file is a claim. It is recomputed over the contract every time, and both values are named when they differ.",
	},
	{
		Code: CodeFingerprintOfUndecided, Severity: Error, Room: "compiler",
		Message: "{id} states a fingerprint although its effect is undecided",
		Help:    "decide the effect first, or drop the fingerprint",
		Explain: "The effect is part of what a fingerprint covers; a contract whose effect nobody decided has none.",
	},
	{
		Code: CodeEffectContradictsClaim, Severity: Error, Room: "compiler",
		Message: "{id} has effect {effect}, but its server claims {claim}",
		Help:    "check the effect; if it is right, say why in `effect_reason`",
		Explain: "What a server says about its own tool decides nothing here, but a contradiction is worth a reason that the next reader can judge.",
	},
	{
		Code: CodeEffectUndecided, Severity: Error, Room: "compiler",
		Message: "nobody has decided the effect of {id} yet",
		Help:    "write `effect: read` or `effect: write` where it is defined, then run `seifc pin`",
		Explain: "An import cannot know whether a tool changes the world, so it writes `effect: undecided`. A person decides before the tool can be offered to a model.",
	},
	{
		Code: CodePinMissing, Severity: Error, Room: "compiler",
		Message: "{id} is not pinned",
		Help:    "[[write `{remedy}`, or ]]run `seifc pin`",
		Explain: "A tool is used only under the fingerprint of the contract that was reviewed. `seifc pin` fills pins that are missing with the current contract's fingerprint and records the contract in seif.lock.",
	},
	{
		Code: CodePinMalformed, Severity: Error, Room: "compiler",
		Message: "{pinned} is not a fingerprint: {why}",
		Help:    "a fingerprint is `sha256:` and 64 lowercase hex digits",
		Explain: "Fingerprints are compared whole. A shortened, upper-case or differently prefixed one is refused, never completed.",
	},
	{
		Code: CodePinUnknownTool, Severity: Error, Room: "compiler",
		Message: "the Project has no tool {name} to update",
		Help:    "[[did you mean {nearest}? ]]name tools as they stand under `tools:`",
		Explain: "`seifc pin --update=TOOL` moves the pin of a tool that the Project already has.",
	},
	{
		Code: CodeUnknownName, Severity: Error, Room: "compiler",
		Message: "no catalogue of this Project defines {id}",
		Help:    "[[did you mean {nearest}? otherwise ]]add the contract to a catalogue, or list its catalogue under `catalogues:`",
		Explain: "The pin or reference names a contract that no listed catalogue has, now or as a revision.",
		Aliases: []string{"TQX_TOOL_CONTRACT_REF_UNRESOLVED"},
	},
	{
		Code: CodeUnknownFingerprint, Severity: Error, Room: "compiler",
		Message: "{id} is pinned to {pinned}, but its contract is {current}",
		Help:    "review the change; to accept it run `seifc pin --update={id}`, to keep the old contract put it under `revisions:`",
		Explain: "The contract changed after it was pinned, or the pin is of a contract that nobody kept. Nothing is built until a person has looked at the change. seif.lock holds the pinned contract, so the difference can be shown; it never resolves a pin.",
	},
	{
		Code: CodeCatalogueNotListed, Severity: Error, Room: "compiler",
		Message: "{id} was pinned from the catalogue {catalogue}, which is not listed any more",
		Help:    "list the catalogue's file under `catalogues:` again, or remove the tool",
		Explain: "seif.lock remembers which catalogue defined each pinned contract. That catalogue is not among the Project's files now.",
	},
	{
		Code: CodePinOfSharedSchema, Severity: Error, Room: "compiler",
		Message: "{id} is a shared schema and cannot be used as a tool",
		Help:    "pin a tool contract; give the entry version, description and effect if it is meant to be one",
		Explain: "An entry with a schema alone is there for other contracts to refer to.",
	},
	{
		Code: CodePinOfRetired, Severity: Warning, Room: "compiler", Suppressible: true,
		Message: "the pinned contract of {id} is retired",
		Help:    "move to the current contract with `seifc pin --update={id}` when you can",
		Explain: "The catalogue keeps a retired contract so that Projects pinned to it still compile to the same Build. It may go away.",
	},
	{
		Code: CodePinOfRevoked, Severity: Error, Room: "compiler",
		Message: "the pinned contract of {id} is revoked",
		Help:    "move to the current contract with `seifc pin --update={id}`",
		Explain: "The catalogue's owner has withdrawn this contract. It must not be offered to a model any more.",
	},
	{
		Code: CodeLockMismatch, Severity: Error, Room: "compiler",
		Message: "seif.lock states {stated} for {id}, but the contract in it has {actual}",
		Help:    "restore seif.lock from version control, or run `seifc pin` to write it anew",
		Explain: "The lock's contracts are shown when a pin no longer fits. One whose content does not have its fingerprint would show a wrong difference.",
	},
	{
		Code: CodeNameRepeated, Severity: Error, Room: "compiler",
		Message: "{name} is listed twice",
		Help:    "drop one of them",
		Explain: "A set lists each name once. The second entry would say nothing, or something else than the first.",
	},
	{
		Code: CodeTestDuplicate, Severity: Error, Room: "compiler",
		Message: "the test id {id} is already taken",
		Help:    "give one of the tests another id",
		Explain: "Test ids are unique over all files of a Project: reports, guards and the corpus name tests by id alone.",
	},
	{
		Code: CodeOffsetInvalid, Severity: Error, Room: "compiler",
		Message: "{at} is not an offset from the resolution",
		Help:    "write whole units from large to small, such as 90s, 2m or 14m59s999ms",
		Explain: "`at` says how long after the resolution a synthetic call is made. Contexts end after 15 minutes and approvals after 5.",
	},
	{
		Code: CodeSuppressionStale, Severity: Warning, Room: "compiler",
		Message: "this suppression of {code} no longer applies: {why}",
		Help:    "look at the finding again, then renew or drop the suppression",
		Explain: "A suppression silences one code in one state of one file. When the file changes, the reason that was given may not hold any more.",
	},
	{
		Code: CodeSuppressionRefused, Severity: Error, Room: "compiler",
		Message: "{code} cannot be suppressed",
		Help:    "mend what it reports",
		Explain: "Errors that guard authority or integrity, and codes that do not exist, cannot be silenced.",
	},
	{
		Code: CodeZeroTests, Severity: Warning, Room: "compiler",
		Message: "the Project has no Context Test",
		Help:    "add a test file and list it under `tests:`; `seifc test` and promotion refuse a Build without tests",
		Explain: "A Build without tests says nothing about what a model will be shown.",
	},
}
