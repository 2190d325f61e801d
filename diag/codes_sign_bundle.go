package diag

var signBundleCodes = []Entry{
	{
		Code: CodeBundleJSONSyntax, Severity: Error, Room: "bundle/sign",
		Message: "the Sigstore bundle is not JSON, from byte {offset}",
		Help:    helpSignAgain,
		Explain: "A Sigstore bundle is one JSON document as RFC 8259 has it.",
	},
	{
		Code: CodeBundleJSONDuplicate, Severity: Error, Room: "bundle/sign",
		Message: "the Sigstore bundle has the member {member} twice, at byte {offset}",
		Help:    helpSignAgain,
		Explain: "Of two members of one name some readers take the first and others the last, so two programs would verify two things.",
	},
	{
		Code: CodeBundleJSONTrailing, Severity: Error, Room: "bundle/sign",
		Message: "something follows the Sigstore bundle, at byte {offset}",
		Help:    helpSignAgain,
		Explain: "A file has one bundle. What follows it would be seen by some readers and not by others.",
	},
	{
		Code: CodeBundleJSONLimit, Severity: Error, Room: "bundle/sign",
		Message: "the Sigstore bundle is too large or too deep ({kind})",
		Help:    helpSignAgain,
		Explain: "A bundle has at most 1 MiB, 200,000 values, and 32 arrays and objects within each other.",
	},
	{
		Code: CodeBundleJSONText, Severity: Error, Room: "bundle/sign",
		Message: "the Sigstore bundle has text that is not Unicode, at byte {offset} ({kind})",
		Help:    helpSignAgain,
		Explain: "Text is UTF-8 without halves of surrogate pairs; readers replace anything else in different ways.",
	},
	{
		Code: CodeBundleJSONNumber, Severity: Error, Room: "bundle/sign",
		Message: "the Sigstore bundle has a number without an exact form: {number}",
		Help:    helpSignAgain,
		Explain: "Readers would round it in different ways.",
	},
	{
		Code: CodeBundleMemberUnknown, Severity: Error, Room: "bundle/sign",
		Message: "the Sigstore bundle has a member that is not known: {member}",
		Help:    helpSignAgain,
		Explain: "A bundle v0.3 has a media type, verification material, and a DSSE envelope. A member that is not known could mean something\n" +
			"to another reader; signatures do not cover it.",
	},
	{
		Code: CodeBundleMemberMissing, Severity: Error, Room: "bundle/sign",
		Message: "the Sigstore bundle lacks {member}",
		Help:    helpSignAgain,
		Explain: "A bundle v0.3 has a media type, verification material, and a DSSE envelope with one signature.",
	},
	{
		Code: CodeBundleMemberWrong, Severity: Error, Room: "bundle/sign",
		Message: "{member} of the Sigstore bundle must be {expected}, not {found}",
		Help:    helpSignAgain,
		Explain: "Each member of a bundle has one type, that of the JSON form of Sigstore's bundle v0.3.",
	},
	{
		Code: CodeBundleMediaType, Severity: Error, Room: "bundle/sign",
		Message: "the Sigstore bundle is of the media type {found}",
		Help:    "have it signed with a version of the tool that writes bundles v0.3, such as cosign 3",
		Explain: "Only application/vnd.dev.sigstore.bundle.v0.3+json is read. Older versions have weaker rules, and a signature does not cover\n" +
			"the media type: whoever could change it could choose the rules.",
	},
	{
		Code: CodeBundleMediaTypeTwice, Severity: Error, Room: "bundle/sign",
		Message: "the Sigstore bundle has two media types, the second at byte {offset}",
		Help:    helpSignAgain,
		Explain: "Two readers could take it for two versions with different rules.",
	},
	{
		Code: CodeBundleTwoContents, Severity: Error, Room: "bundle/sign",
		Message: "the Sigstore bundle has both a message signature and an envelope",
		Help:    helpSignAgain,
		Explain: "A bundle has one content. With two, one reader would verify the one and another the other.",
	},
	{
		Code: CodeBundleMessage, Severity: Error, Room: "bundle/sign",
		Message: "the Sigstore bundle signs bytes, not a statement",
		Help:    "sign with `seifc sign`, `cosign sign` or `cosign attest-blob`; `cosign sign-blob` writes another kind",
		Explain: "What is signed about a Build is an in-toto statement in a DSSE envelope, because a bare signature does not say what it is for.",
	},
	{
		Code: CodeBundlePayloadType, Severity: Error, Room: "bundle/sign",
		Message: "the envelope says that its payload is {found}",
		Help:    helpSignAgain,
		Explain: "Only application/vnd.in-toto+json is read. The payload type is signed together with the payload.",
	},
	{
		Code: CodeBundleSignatures, Severity: Error, Room: "bundle/sign",
		Message: "the envelope has {found} signatures; it must have one",
		Help:    "let each signer make a bundle of its own",
		Explain: "A Sigstore bundle has exactly one signature, for every client of Sigstore. Several signers are several bundles.",
	},
	{
		Code: CodeBundleBase64, Severity: Error, Room: "bundle/sign",
		Message: "{member} of the Sigstore bundle is not base64 in its standard form",
		Help:    helpSignAgain,
		Explain: "Base64 here has the standard alphabet, padding, no line ends and no bits left over (RFC 4648 section 4), so that one content\n" +
			"has one spelling.",
	},
	{
		Code: CodeBundleKeyMaterial, Severity: Error, Room: "bundle/sign",
		Message: "the Sigstore bundle must have either a public key's hint or a certificate",
		Help:    helpSignAgain,
		Explain: "A bundle was signed with a key or with a certificate, not with both and not with neither.",
	},
	{
		Code: CodeBundleCertificate, Severity: Error, Room: "bundle/sign",
		Message: "the certificate of the Sigstore bundle is not one",
		Help:    helpSignAgain,
		Explain: "It is the DER encoding of one X.509 certificate (RFC 5280).",
	},
	{
		Code: CodeSignatureKeyID, Severity: Error, Room: "bundle/sign",
		Message: "the envelope names another key: {found}",
		Help:    helpSignAgain,
		Explain: "An envelope need not name its key, and ours do not. One that does must name the key that it is verified with, by the SHA-256\n" +
			"digest of its SubjectPublicKeyInfo. The name never chooses a key.",
	},
	{
		Code: CodeSignatureEncoding, Severity: Error, Room: "bundle/sign",
		Message: "these bytes are no signature of {algorithm}",
		Help:    helpSignAgain,
		Explain: "An ECDSA signature is the DER of two positive integers and nothing more, an Ed25519 signature has 64 bytes, an RSA signature as\n" +
			"many as its key.",
	},
	{
		Code: CodeSignatureMismatch, Severity: Error, Room: "bundle/sign",
		Message: "the signature does not verify with the key {key}",
		Help:    "check that it is the key of the signer, and get the signature again from where it was published",
		Explain: "Another key signed, or what was signed has changed: one byte of the statement, also a space, is another statement.",
	},
	{
		Code: CodeSignaturePrehashed, Severity: Error, Room: "bundle/sign",
		Message: "the Ed25519 signature is over a hash of the statement, not over the statement",
		Help:    "sign with `seifc sign`, or with a key on P-256",
		Explain: "Pure Ed25519 and Ed25519ph are two algorithms. Clients of Sigstore verify statements with the pure one; some versions of cosign\n" +
			"sign them with the other, and then do not verify what they signed.",
	},
	{
		Code: CodeSignatureByIdentity, Severity: Error, Room: "bundle/sign",
		Message: "the Sigstore bundle was signed with a certificate, not with a key",
		Help:    "verify it with a trust policy that names the identity",
		Explain: "A key never speaks for an identity: who holds a certificate is proved by its issuer and by a trusted time.",
	},
}
