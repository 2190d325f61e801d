package diag

// The codes that `bundle/sign` reports: about keys, about Sigstore bundles, about statements and their predicates, and
// about signatures.
const (
	CodeKeyFileReadable    Code = "key_file_readable"
	CodeKeyFormat          Code = "key_format"
	CodeKeyTooLarge        Code = "key_too_large"
	CodeKeyIsPrivate       Code = "key_is_private"
	CodeKeyIsPublic        Code = "key_is_public"
	CodeKeyEncryption      Code = "key_encryption"
	CodeKeyAlgorithm       Code = "key_algorithm"
	CodeKeyPasswordMissing Code = "key_password_missing"
	CodeKeyPasswordWrong   Code = "key_password_wrong"
	CodeKeyReference       Code = "key_reference"
	CodeKeyVariable        Code = "key_variable"
	CodeKeyPluginDisabled  Code = "key_plugin_disabled"
	CodeKeyPluginMissing   Code = "key_plugin_missing"
	CodeKeyPluginFailed    Code = "key_plugin_failed"
	CodeSigningFailed      Code = "signing_failed"

	CodeBundleJSONSyntax     Code = "bundle_json_syntax"
	CodeBundleJSONDuplicate  Code = "bundle_json_duplicate_member"
	CodeBundleJSONTrailing   Code = "bundle_json_trailing_data"
	CodeBundleJSONLimit      Code = "bundle_json_limit"
	CodeBundleJSONText       Code = "bundle_json_text"
	CodeBundleJSONNumber     Code = "bundle_json_inexact_number"
	CodeBundleMemberUnknown  Code = "bundle_member_unknown"
	CodeBundleMemberMissing  Code = "bundle_member_missing"
	CodeBundleMemberWrong    Code = "bundle_member_wrong"
	CodeBundleMediaType      Code = "bundle_media_type"
	CodeBundleMediaTypeTwice Code = "bundle_media_type_twice"
	CodeBundleTwoContents    Code = "bundle_two_contents"
	CodeBundleMessage        Code = "bundle_message_signature"
	CodeBundlePayloadType    Code = "bundle_payload_type"
	CodeBundleSignatures     Code = "bundle_signature_count"
	CodeBundleBase64         Code = "bundle_base64"
	CodeBundleKeyMaterial    Code = "bundle_key_material"
	CodeBundleCertificate    Code = "bundle_certificate"

	CodeStatementJSONSyntax      Code = "statement_json_syntax"
	CodeStatementJSONDuplicate   Code = "statement_json_duplicate_member"
	CodeStatementJSONTrailing    Code = "statement_json_trailing_data"
	CodeStatementJSONLimit       Code = "statement_json_limit"
	CodeStatementJSONText        Code = "statement_json_text"
	CodeStatementJSONNumber      Code = "statement_json_inexact_number"
	CodeStatementNotCanonical    Code = "statement_not_canonical"
	CodeStatementType            Code = "statement_type"
	CodeStatementMemberUnknown   Code = "statement_member_unknown"
	CodeStatementMemberMissing   Code = "statement_member_missing"
	CodeStatementMemberWrong     Code = "statement_member_wrong"
	CodeStatementSubjects        Code = "statement_subject_count"
	CodeStatementDigests         Code = "statement_digest_count"
	CodeStatementDigestAlgorithm Code = "statement_digest_algorithm"
	CodeStatementDigestMalformed Code = "statement_digest_malformed"
	CodePredicateType            Code = "predicate_type"
	CodePredicateMemberUnknown   Code = "predicate_member_unknown"
	CodePredicateMemberMissing   Code = "predicate_member_missing"
	CodePredicateMemberWrong     Code = "predicate_member_wrong"
	CodeTestsNotPassed           Code = "tests_not_passed"

	CodeSignatureKeyID      Code = "signature_keyid"
	CodeSignatureEncoding   Code = "signature_encoding"
	CodeSignatureMismatch   Code = "signature_mismatch"
	CodeSignaturePrehashed  Code = "signature_prehashed"
	CodeSignatureByIdentity Code = "signature_by_identity"
)

// Remedies that several codes of keys and signatures share.
const (
	helpKeyAgain  = "give the file that `seifc keygen` wrote, or make a key with it"
	helpSignAgain = "get the signature again from where it was published, or have the Build signed again"
)

var signKeyCodes = []Entry{
	{
		Code: CodeKeyFileReadable, Severity: Warning, Room: "bundle/sign",
		Message: "others may read the private key {path} (mode {mode})",
		Help:    "take their right away, with `chmod 600`, and make a new key if somebody may have read it",
		Explain: "Whoever reads a private key can sign as its owner. An encrypted key is only as good as its password.",
	},
	{
		Code: CodeKeyFormat, Severity: Error, Room: "bundle/sign",
		Message: "this is not a key: {why}",
		Help:    helpKeyAgain,
		Explain: "A key is one PEM block. Public keys are PUBLIC KEY or RSA PUBLIC KEY. Private keys are ENCRYPTED SIGSTORE PRIVATE\n" +
			"KEY (what keygen and cosign write), ENCRYPTED COSIGN PRIVATE KEY, PRIVATE KEY, EC PRIVATE KEY or RSA PRIVATE KEY.\n" +
			"Nothing but white space may stand beside the block, so that two readers cannot find two keys in one file.",
	},
	{
		Code: CodeKeyTooLarge, Severity: Error, Room: "bundle/sign",
		Message: "this is not a key: it has more than {limit} bytes",
		Help:    helpKeyAgain,
		Explain: "Keys are small. The size is checked before the bytes are read as anything.",
	},
	{
		Code: CodeKeyIsPrivate, Severity: Error, Room: "bundle/sign",
		Message: "a public key is needed here, and this is a private one",
		Help:    "give the .pub file that stands beside it, and keep the private key where it was made",
		Explain: "Whoever verifies needs no private key and should not have one.",
	},
	{
		Code: CodeKeyIsPublic, Severity: Error, Room: "bundle/sign",
		Message: "a private key is needed here, and this is a public one",
		Help:    "give the .key file that stands beside it",
		Explain: "Only the private key can sign.",
	},
	{
		Code: CodeKeyEncryption, Severity: Error, Room: "bundle/sign",
		Message: "the private key is encrypted in a form that is not read",
		Help:    "import it with `cosign import-key-pair`, or decrypt it with `openssl pkcs8`",
		Explain: "Encrypted keys are read in cosign's form only: scrypt with bounded parameters, and an authenticated box. The older forms\n" +
			"of PEM encryption do not notice a wrong password or a changed byte.",
	},
	{
		Code: CodeKeyAlgorithm, Severity: Error, Room: "bundle/sign",
		Message: "the key cannot be used: {why}",
		Help:    "use ECDSA on P-256, which `seifc keygen` makes; P-384, P-521, Ed25519 and RSA from 2048 bits work too",
		Explain: "A key that is too weak, or a point that is not one, would let others sign for its owner.",
	},
	{
		Code: CodeKeyPasswordMissing, Severity: Error, Room: "bundle/sign",
		Message: "the private key is encrypted, and there is no password",
		Help:    "set SEIFC_PASSWORD, use --password-stdin, or run it on a terminal",
		Explain: "A password that is set and empty is an empty password; this is about none at all.",
	},
	{
		Code: CodeKeyPasswordWrong, Severity: Error, Room: "bundle/sign",
		Message: "the password does not open the private key",
		Help:    "try again with the password that the key was made with",
		Explain: "The key is in an authenticated box, so a password either opens it or does not. A file of which a byte has changed cannot\n" +
			"be told from a wrong password.",
	},
	{
		Code: CodeKeyReference, Severity: Error, Room: "bundle/sign",
		Message: "this does not name a key",
		Help:    "write the path of a file, env://VARIABLE, or NAME://RESOURCE for a key management plugin",
		Explain: "A key is named by a path, by a variable of the environment, or by a plugin whose name is of lower-case letters, digits\n" +
			"and dashes. What was given is not repeated, because keys get pasted where their names belong.",
	},
	{
		Code: CodeKeyVariable, Severity: Error, Room: "bundle/sign",
		Message: "the variable {variable}, which is to hold the key, is not set",
		Help:    "set it to the PEM text of the key",
		Explain: "An empty variable counts as one that is not set.",
	},
	{
		Code: CodeKeyPluginDisabled, Severity: Error, Room: "bundle/sign",
		Message: "the key is with the plugin {plugin}, and plugins are not enabled",
		Help:    "if you want the program sigstore-kms-{plugin} to run, say so with --allow-key-plugins",
		Explain: "A reference NAME://RESOURCE runs the program sigstore-kms-NAME from the search path. A text in a configuration would decide\n" +
			"which program runs, so it has to be allowed in words.",
	},
	{
		Code: CodeKeyPluginMissing, Severity: Error, Room: "bundle/sign",
		Message: "there is no program sigstore-kms-{plugin}[[: {why}]]",
		Help:    "install the plugin in a folder of the search path",
		Explain: "Programs in the working folder are not run.",
	},
	{
		Code: CodeKeyPluginFailed, Severity: Error, Room: "bundle/sign",
		Message: "the plugin {plugin} failed: {why}",
		Help:    "look at what the plugin wrote, and at its access to the key",
		Explain: "The program sigstore-kms-NAME was run and gave no usable answer.",
	},
	{
		Code: CodeSigningFailed, Severity: Error, Room: "bundle/sign",
		Message: "nothing was signed: {why}",
		Help:    "look at the key, or at the service that holds it",
		Explain: "Every signature is verified before it is given out, so that a broken key or service shows here and not at a reader.",
	},
}
