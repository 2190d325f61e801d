package diag

var signStatementCodes = []Entry{
	{
		Code: CodeStatementJSONSyntax, Severity: Error, Room: "bundle/sign",
		Message: "the signed statement is not JSON, from byte {offset}",
		Help:    helpSignAgain,
		Explain: "A statement is one JSON document as RFC 8259 has it.",
	},
	{
		Code: CodeStatementJSONDuplicate, Severity: Error, Room: "bundle/sign",
		Message: "the signed statement has the member {member} twice, at byte {offset}",
		Help:    helpSignAgain,
		Explain: "Of two members of one name some readers take the first and others the last. A valid signature over such a statement would\n" +
			"say two things. A name written with escapes is the same name.",
	},
	{
		Code: CodeStatementJSONTrailing, Severity: Error, Room: "bundle/sign",
		Message: "something follows the signed statement, at byte {offset}",
		Help:    helpSignAgain,
		Explain: "What follows the statement would be seen by some readers and not by others.",
	},
	{
		Code: CodeStatementJSONLimit, Severity: Error, Room: "bundle/sign",
		Message: "the signed statement is too large or too deep ({kind})",
		Help:    helpSignAgain,
		Explain: "A statement has at most 1 MiB, 200,000 values, and 32 arrays and objects within each other.",
	},
	{
		Code: CodeStatementJSONText, Severity: Error, Room: "bundle/sign",
		Message: "the signed statement has text that is not Unicode, at byte {offset} ({kind})",
		Help:    helpSignAgain,
		Explain: "Text is UTF-8 without halves of surrogate pairs; readers replace anything else in different ways.",
	},
	{
		Code: CodeStatementJSONNumber, Severity: Error, Room: "bundle/sign",
		Message: "the signed statement has a number without an exact form: {number}",
		Help:    helpSignAgain,
		Explain: "Readers would round it in different ways.",
	},
	{
		Code: CodeStatementNotCanonical, Severity: Error, Room: "bundle/sign",
		Message: "the signed statement is not in its canonical form, from byte {offset}",
		Help:    "sign with `seifc sign`",
		Explain: "Statements of our own predicate types have one form, RFC 8785: no white space, members in order. Statements of other types\n" +
			"may be written as their tools write them.",
	},
	{
		Code: CodeStatementType, Severity: Error, Room: "bundle/sign",
		Message: "the signed statement is of the type {found}",
		Help:    "have it signed as an in-toto Statement v1",
		Explain: "In-toto Statement v1 is read, and v0.1 for predicate types that are not ours, because cosign writes it.",
	},
	{
		Code: CodeStatementMemberUnknown, Severity: Error, Room: "bundle/sign",
		Message: "the signed statement has a member that is not known: {member}",
		Help:    helpSignAgain,
		Explain: "A statement has a type, one subject, a predicate type and a predicate. The subject of a statement of ours has a digest and\n" +
			"nothing else.",
	},
	{
		Code: CodeStatementMemberMissing, Severity: Error, Room: "bundle/sign",
		Message: "the signed statement lacks {member}",
		Help:    helpSignAgain,
		Explain: "A statement has a type, one subject, a predicate type and a predicate.",
	},
	{
		Code: CodeStatementMemberWrong, Severity: Error, Room: "bundle/sign",
		Message: "{member} of the signed statement must be {expected}, not {found}",
		Help:    helpSignAgain,
		Explain: "Each member of an in-toto statement has one type.",
	},
	{
		Code: CodeStatementSubjects, Severity: Error, Room: "bundle/sign",
		Message: "the signed statement is about {found} subjects; it must be about one",
		Help:    "have each Build signed by a statement of its own",
		Explain: "A statement about several subjects says the same about all of them, and a reader cannot know which one its author looked at.",
	},
	{
		Code: CodeStatementDigests, Severity: Error, Room: "bundle/sign",
		Message: "the subject of the signed statement has {found} digests; it must have one",
		Help:    "have it signed by a statement with the SHA-256 digest alone",
		Explain: "With a second digest, by a weaker algorithm, another content could be given the same subject.",
	},
	{
		Code: CodeStatementDigestAlgorithm, Severity: Error, Room: "bundle/sign",
		Message: "the subject of the signed statement is named by the algorithm {found}; only sha256 is accepted",
		Help:    "have it signed by a statement with the SHA-256 digest",
		Explain: "The algorithm is written sha256, in lower case. There is no other, so there is nothing to fall back to.",
	},
	{
		Code: CodeStatementDigestMalformed, Severity: Error, Room: "bundle/sign",
		Message: "the digest of the signed statement's subject is malformed: {found}",
		Help:    helpSignAgain,
		Explain: "A digest in a statement is 64 lowercase hexadecimal digits, not all of them zero.",
	},
	{
		Code: CodePredicateType, Severity: Error, Room: "bundle/sign",
		Message: "the statement is of the predicate type {found}, not {expected}",
		Help:    "use a statement of the role that is asked for",
		Explain: "What a statement is signed as stands in its predicate type: a test result is no release, however well it is signed.",
	},
	{
		Code: CodePredicateMemberUnknown, Severity: Error, Room: "bundle/sign",
		Message: "the predicate has a member that is not known: {member}",
		Help:    "have it signed again by a version that writes what this one reads, or update seifc",
		Explain: "A member that is not known could limit or change what the statement says.",
	},
	{
		Code: CodePredicateMemberMissing, Severity: Error, Room: "bundle/sign",
		Message: "the predicate lacks {member}",
		Help:    "have it signed again with `seifc sign`",
		Explain: "Each role says certain things, listed in docs/decisions.md; a statement that leaves one out does not have the role.",
	},
	{
		Code: CodePredicateMemberWrong, Severity: Error, Room: "bundle/sign",
		Message: "{member} of the predicate must be {expected}, not {found}",
		Help:    "have it signed again with `seifc sign`",
		Explain: "Each member of a predicate has one form, so that what was signed can be compared with the Build.",
	},
	{
		Code: CodeTestsNotPassed, Severity: Error, Room: "bundle/sign",
		Message: "the signed test result is not one of tests that passed: {found}",
		Help:    "mend what failed, and have the tests run and signed again with `seifc sign --role tests`",
		Explain: "Only success is attested. A result that is not PASSED, or that names tests which failed, warned, or no test at all, gives no\n" +
			"role, whoever signed it.",
	},
}
