package diag

// The codes of a trust policy as a document.
const (
	CodeTrustPolicyTooLarge   Code = "trust_policy_too_large"
	CodeTrustTooMany          Code = "trust_too_many"
	CodeTrustRepeated         Code = "trust_repeated"
	CodeTrustDigest           Code = "trust_digest_malformed"
	CodeTrustTime             Code = "trust_time_malformed"
	CodeTrustKeySource        Code = "trust_key_source"
	CodeTrustFile             Code = "trust_file"
	CodeTrustKeyTwice         Code = "trust_key_twice"
	CodeTrustIdentityTwice    Code = "trust_identity_twice"
	CodeTrustIssuer           Code = "trust_issuer_form"
	CodeTrustSubject          Code = "trust_subject_form"
	CodeTrustWindowEmpty      Code = "trust_window_empty"
	CodeTrustSignedWithoutEnd Code = "trust_signed_without_end"
	CodeTrustRequireEmpty     Code = "trust_require_empty"
	CodeTrustRequireReview    Code = "trust_require_guard_review"
	CodeTrustThreshold        Code = "trust_threshold_unreachable"
	CodeTrustFloorTwice       Code = "trust_floor_twice"
	CodeTrustFloorChannel     Code = "trust_floor_channel"
	CodeTrustFloorRelease     Code = "trust_floor_without_release"
)

// Codes that `bundle/trust` reports about a policy.
var trustPolicyCodes = []Entry{
	{
		Code: CodeTrustPolicyTooLarge, Severity: Error, Room: "bundle/trust",
		Message: "the trust policy has more than {most} bytes",
		Help:    "check that the file is the one that is meant",
		Explain: "A trust policy names keys and what they may do. The bound keeps a wrong file from being read whole.",
	},
	{
		Code: CodeTrustTooMany, Severity: Error, Room: "bundle/trust",
		Message: "there are {count} {what}, and at most {most} are allowed",
		Help:    "take out what no Build in use needs any more",
		Explain: "Every signature may be held against every key, so that a spoofed hint never decides which one. That bounds how\n" +
			"many there can be.",
	},
	{
		Code: CodeTrustRepeated, Severity: Error, Room: "bundle/trust",
		Message: "the {what} {name} is listed twice",
		Help:    "drop one of the two",
		Explain: "A repetition means nothing by itself, but it is often a slip for something else that is now missing, and two\n" +
			"requirements for one role would leave open which one holds.",
	},
	{
		Code: CodeTrustDigest, Severity: Error, Room: "bundle/trust",
		Message: "{found} is not a digest: {why}",
		Help:    "write sha256: and 64 lowercase hex digits",
		Explain: "Builds are named by the digest that `seifc build` and `seifc verify` print, contracts by their fingerprint. There\n" +
			"is one notation for both, and nothing shorter is compared.",
	},
	{
		Code: CodeTrustTime, Severity: Error, Room: "bundle/trust",
		Message: "{found} is neither a date nor a point in time",
		Help:    "write a day such as 2026-11-02, or a second such as 2026-11-02T09:30:00Z",
		Explain: "Times are in UTC, so that a window opens and closes everywhere at once. A day stands for the whole day: a window\n" +
			"that is open from it opens when the day begins, and one that is open to it closes when the day ends.",
	},
	{
		Code: CodeTrustKeySource, Severity: Error, Room: "bundle/trust",
		Message: "the key is given by {found}; give it by exactly one of `file` and `pem`",
		Help:    "write `file: NAME.pub` for a file beside the policy, or `pem: |` and the public key below it",
		Explain: "`seifc keygen -o NAME` writes the public key to NAME.pub. A policy holds it, or names the file beside it.",
	},
	{
		Code: CodeTrustFile, Severity: Error, Room: "bundle/trust",
		Message: "{file} cannot be read: {why}",
		Help:    "put the file into the policy's folder or below it, and name it with forward slashes, without `..`",
		Explain: "What a policy names is beside it, so that both are moved, reviewed and replaced together. Links that lead out of\n" +
			"the folder are not followed.",
	},
	{
		Code: CodeTrustKeyTwice, Severity: Error, Room: "bundle/trust",
		Message: "{name} is the same key as {other}",
		Help:    "keep one of the two names, with the roles of both",
		Explain: "k of n counts distinct keys. One key under two names would look like two signers to whoever reads the policy, and\n" +
			"the windows and roles of the two could contradict each other.",
	},
	{
		Code: CodeTrustIdentityTwice, Severity: Error, Room: "bundle/trust",
		Message: "{name} is the same identity as {other}",
		Help:    "keep one of the two names, with the roles of both",
		Explain: "k of n counts distinct signers. One identity under two names would look like two of them.",
	},
	{
		Code: CodeTrustIssuer, Severity: Error, Room: "bundle/trust",
		Message: "{found} is not the address of an issuer",
		Help:    "write the https address that the certificate states, such as https://token.actions.githubusercontent.com",
		Explain: "An identity is vouched for by exactly one issuer, compared whole with what the certificate states.",
	},
	{
		Code: CodeTrustSubject, Severity: Error, Room: "bundle/trust",
		Message: "{found} is not the subject of a certificate",
		Help:    "write it whole, as the certificate states it; there are no patterns",
		Explain: "A subject is compared whole. What looks like a pattern (`*`) is refused: others can often make a name that fits\n" +
			"one, and it would match nothing here.",
	},
	{
		Code: CodeTrustWindowEmpty, Severity: Error, Room: "bundle/trust",
		Message: "the window ends ({until}) before it begins ({from})",
		Help:    "exchange the two, or correct one",
		Explain: "A key with such a window could never verify anything.",
	},
	{
		Code: CodeTrustSignedWithoutEnd, Severity: Error, Room: "bundle/trust",
		Message: "`signed` says nothing about a key whose window has no end",
		Help:    "add `not_after`, or drop `signed`",
		Explain: "The list names the Builds that a key signed while its window was open, and that it goes on to verify after that.\n" +
			"It never narrows what a key verifies within its window, which is how a list without an end might be read.",
	},
	{
		Code: CodeTrustRequireEmpty, Severity: Error, Room: "bundle/trust",
		Message: "the policy requires no signature",
		Help:    "list at least one role, such as `- {role: release, threshold: 1}`; for unsigned Builds there is --allow-unsigned",
		Explain: "A policy without a requirement would call every Build verified. That a Build may be unsigned is said on the\n" +
			"command line, in words, and the answer then says UNSIGNED.",
	},
	{
		Code: CodeTrustRequireReview, Severity: Error, Room: "bundle/trust",
		Message: "a Build cannot have a guard-review: that is about a guard",
		Help:    "give keys the role guard-review, and leave it out of `require`",
		Explain: "A guard-review is a statement about one test, not about a Build. Who may make one is in the policy; that each guard\n" +
			"of a Build has one is looked at where Builds are compared and promoted.",
	},
	{
		Code: CodeTrustThreshold, Severity: Error, Room: "bundle/trust",
		Message: "{threshold} signers of the role {role} are required, and the policy has {count}[[, beside {revoked} revoked]]",
		Help:    "give the role to further keys or identities, or lower the threshold",
		Explain: "No Build could ever satisfy such a policy. Keys that are revoked do not count, since none of their signatures does.",
	},
	{
		Code: CodeTrustFloorTwice, Severity: Error, Room: "bundle/trust",
		Message: "the release floor stands in the policy and in a state file",
		Help:    "keep `floor`, which you raise by hand, or `floor_state`, which promotion and the runtime raise",
		Explain: "With two places it would be open which one is meant when they differ.",
	},
	{
		Code: CodeTrustFloorChannel, Severity: Error, Room: "bundle/trust",
		Message: "{channel} is not one of the policy's channels",
		Help:    "correct the name, or add it to `channels`",
		Explain: "A floor for a channel that the policy does not accept would never be looked at.",
	},
	{
		Code: CodeTrustFloorRelease, Severity: Error, Room: "bundle/trust",
		Message: "a release floor needs the role release in `require`",
		Help:    "require the role release, or drop the floor",
		Explain: "The sequence number of a Build stands in its release statements and nowhere else. Without one that is required\n" +
			"there would be nothing to compare with the floor.",
	},
}
