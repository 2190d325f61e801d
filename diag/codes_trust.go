package diag

// The codes of verification, beside those of `bundle` and `bundle/sign`.
const (
	CodeTrustNoPolicy      Code = "trust_no_policy"
	CodeTrustUnsigned      Code = "trust_unsigned"
	CodeTrustProject       Code = "trust_project_differs"
	CodeTrustChannel       Code = "trust_channel_unknown"
	CodeTrustRoleUnmet     Code = "trust_role_unmet"
	CodeTrustKeyUnmet      Code = "trust_key_unmet"
	CodeTrustBuildRevoked  Code = "trust_build_revoked"
	CodeTrustToolRevoked   Code = "trust_contract_revoked"
	CodeTrustBelowFloor    Code = "trust_below_floor"
	CodeTrustFloorNotGiven Code = "trust_floor_state_not_given"
	CodeTrustCheckDefect   Code = "trust_check_defect"

	CodeTrustTampered           Code = "trust_signature_tampered"
	CodeTrustSubjectDiffers     Code = "trust_signature_of_another"
	CodeTrustSignerUnknown      Code = "trust_signer_unknown"
	CodeTrustKeyRevoked         Code = "trust_signer_revoked"
	CodeTrustKeyEarly           Code = "trust_signer_not_yet"
	CodeTrustKeyLate            Code = "trust_signer_expired"
	CodeTrustRoleNotGranted     Code = "trust_role_not_granted"
	CodeTrustStatementDiffers   Code = "trust_statement_differs"
	CodeTrustIdentityUnchecked  Code = "trust_identity_unchecked"
	CodeTrustIdentityUnverified Code = "trust_identity_unverified"
	CodeTrustIdentityNoTime     Code = "trust_identity_without_time"
	CodeTrustTooManySignatures  Code = "trust_too_many_signatures"

	CodeFloorStateMissing   Code = "floor_state_missing"
	CodeFloorStateExists    Code = "floor_state_exists"
	CodeFloorStateMalformed Code = "floor_state_malformed"
	CodeFloorStateProject   Code = "floor_state_of_another"
)

const helpOtherSigner = "get a Build that is signed as the policy requires; if this signature is right, correct the policy"

// Codes that `bundle/trust` reports about a Build.
var trustCodes = []Entry{
	{
		Code: CodeTrustNoPolicy, Severity: Error, Room: "bundle/trust",
		Message: "nothing says whose signature the Build must have",
		Help:    "give --trust POLICY or --key PUBLIC; for a Build without signatures say --allow-unsigned",
		Explain: "Verification fails closed. That a setting is missing never makes a Build pass.",
	},
	{
		Code: CodeTrustUnsigned, Severity: Error, Room: "bundle/trust",
		Message: "the Build is UNSIGNED",
		Help:    "sign it with `seifc sign`, or fetch it again with its signatures: mirrors often leave them behind",
		Explain: "crane, skopeo and `cosign copy` move a Build without its signatures, and so may whoever wants to hide that they do\n" +
			"not fit. A Build without signatures passes only where --allow-unsigned says so.",
	},
	{
		Code: CodeTrustProject, Severity: Error, Room: "bundle/trust",
		Message: "the Build is of the Project {found}; the policy is for {expected}",
		Help:    "use the policy of the Project, or get the Build that the policy is for",
		Explain: "One key may sign for several Projects. The policy says for which one it speaks, so that a Build of another one is\n" +
			"not taken for it.",
	},
	{
		Code: CodeTrustChannel, Severity: Error, Room: "bundle/trust",
		Message: "the policy has no channel {found}; it has {expected}",
		Help:    "name one of the policy's channels, or add it to the policy",
		Explain: "Releases are made for a channel. A channel that the policy does not name is not trusted for anything.",
	},
	{
		Code: CodeTrustRoleUnmet, Severity: Error, Room: "bundle/trust",
		Message: "of {expected} signers that the role {role} needs, {found} signed validly",
		Help:    "see the line of each signature for why it does not count; have the others sign with `seifc sign --role {role}`",
		Explain: "Signers are counted by distinct public key or identity, not by signatures. A signature counts for a role if its\n" +
			"payload is a statement of that role about this very Build, the policy gives the role to its key, the key is within\n" +
			"its window and not revoked, and what the statement says is true of the Build. Release statements count together\n" +
			"only if they agree on channel and sequence.",
	},
	{
		Code: CodeTrustKeyUnmet, Severity: Error, Room: "bundle/trust",
		Message: "no signature of the Build is by the key {expected}",
		Help:    "check that it is the right key; see the line of each signature",
		Explain: "With --key a Build is verified if that key has signed it. Which role the statement has is not looked at.",
	},
	{
		Code: CodeTrustBuildRevoked, Severity: Error, Room: "bundle/trust",
		Message: "the policy revokes the Build {found}: {reason}",
		Help:    "use another Build",
		Explain: "A signature says who vouched for a Build when it was signed, not that it is still good. The policy's list of\n" +
			"revoked Builds wins over every signature.",
	},
	{
		Code: CodeTrustToolRevoked, Severity: Error, Room: "bundle/trust",
		Message: "the policy revokes the contract {found} of the tool {tool}: {reason}",
		Help:    "use a Build that pins another contract of the tool",
		Explain: "A contract that turned out to be wrong is withdrawn for every Build that has it, however it is signed.",
	},
	{
		Code: CodeTrustBelowFloor, Severity: Error, Room: "bundle/trust",
		Message: "the release has the sequence {found} in {channel}; the floor is {expected}",
		Help:    "use the newest release; to go back on purpose, promote the older Build anew, which gives it a higher sequence",
		Explain: "An older Build keeps its valid signatures for ever. The floor keeps it from being put in place of a newer one.",
	},
	{
		Code: CodeTrustFloorNotGiven, Severity: Error, Room: "bundle/trust",
		Message: "the policy keeps its floor in {expected}, and it was not opened",
		Help:    "make the file available; it is created only on request, never because it is missing",
		Explain: "If a missing state meant no floor, whoever can delete the file could bring back any older release.",
	},
	{
		Code: CodeTrustCheckDefect, Severity: Error, Room: "bundle/trust",
		Message: "the check {check} gave no clear answer: {why}",
		Help:    "report this as a defect",
		Explain: "A check that does not say that it passed has failed.",
	},
	{
		Code: CodeTrustTampered, Severity: Error, Room: "bundle/trust",
		Message: "the signature names the key {signer} and does not verify with it: it was changed after it was made",
		Help:    "get the Build and its signatures again from where they were published",
		Explain: "A signature by an unknown key is listed and does not count. This one is different: it claims to be by a key of the\n" +
			"policy, and it is not. Somebody changed it or made it up, so nothing that came with it is trusted.",
	},
	{
		Code: CodeTrustSubjectDiffers, Severity: Error, Room: "bundle/trust",
		Message: "the signature is over {found}; the Build is {expected}",
		Help:    helpOtherSigner,
		Explain: "A statement is about exactly one Build, by digest. A signature of another one says nothing about this one.",
	},
	{
		Code: CodeTrustSignerUnknown, Severity: Error, Room: "bundle/trust",
		Message: "no signer of the policy made this signature[[; it is by {found}]]",
		Help:    helpOtherSigner,
		Explain: "The signature was held against every key of the policy. What it says of its own key is a hint and trusted for\n" +
			"nothing.",
	},
	{
		Code: CodeTrustKeyRevoked, Severity: Error, Room: "bundle/trust",
		Message: "{signer} is revoked[[ since {date}]]: {reason}",
		Help:    "have another signer of the role sign the Build",
		Explain: "Whoever holds a stolen key can write any date into a statement. So none of its signatures counts, old ones neither.",
	},
	{
		Code: CodeTrustKeyEarly, Severity: Error, Room: "bundle/trust",
		Message: "the window of {signer} opens at {expected}; this is judged at {found}",
		Help:    "check the clock of this machine and the policy",
		Explain: "A key counts within the window that the policy gives it. The date that a statement has of itself never moves it.",
	},
	{
		Code: CodeTrustKeyLate, Severity: Error, Room: "bundle/trust",
		Message: "the window of {signer} closed at {expected}; this is judged at {found}",
		Help:    "have a current signer sign the Build; if the key signed it in time, list its digest under `signed` of the key",
		Explain: "Without proof of when a signature was made, a key past its window verifies only the Builds that the policy lists\n" +
			"as signed in time. The date that a statement has of itself never moves a window.",
	},
	{
		Code: CodeTrustRoleNotGranted, Severity: Error, Room: "bundle/trust",
		Message: "{signer} signed as {found}, and the policy gives it {expected}",
		Help:    "have a signer of that role sign, or give the role to this one in the policy",
		Explain: "The role of a signature is in its payload. A key that tests must not be able to release.",
	},
	{
		Code: CodeTrustStatementDiffers, Severity: Error, Room: "bundle/trust",
		Message: "the {role} statement says {what} {found}; expected {expected}",
		Help:    helpOtherSigner,
		Explain: "What a statement says of the Build is compared with the Build itself and with the policy.",
	},
	{
		Code: CodeTrustIdentityUnchecked, Severity: Error, Room: "bundle/trust",
		Message: "the signature is by a certificate, and {why}",
		Help:    "give a policy that names the identity, its issuer and a trusted root",
		Explain: "A certificate of an identity is verified against a trusted root that the policy names; none is ever fetched.",
	},
	{
		Code: CodeTrustIdentityUnverified, Severity: Error, Room: "bundle/trust",
		Message: "the certificate does not verify for {signer}: {why}",
		Help:    helpOtherSigner,
		Explain: "The chain, the time, the log entry, the signature and the identity are all judged against the policy's trusted root.",
	},
	{
		Code: CodeTrustIdentityNoTime, Severity: Error, Room: "bundle/trust",
		Message: "nothing proves when {signer} signed",
		Help:    "sign again with a timestamp or a log entry",
		Explain: "Certificates of identities are valid for minutes. Whether the signature was made within them needs a trusted time;\n" +
			"the clock of this machine is none.",
	},
	{
		Code: CodeTrustTooManySignatures, Severity: Error, Room: "bundle/trust",
		Message: "there are {found} signatures; at most {limit} are judged",
		Help:    "take out those that are not needed",
		Explain: "Every signature costs time. The bound keeps a Build with very many from stopping a verifier.",
	},
	{
		Code: CodeFloorStateMissing, Severity: Error, Room: "bundle/trust",
		Message: "there is no floor state at {path}",
		Help:    "restore it, or create it in words if this is the first use",
		Explain: "If a missing state meant no floor, whoever can delete the file could bring back any older release.",
	},
	{
		Code: CodeFloorStateExists, Severity: Error, Room: "bundle/trust",
		Message: "there is a floor state at {path} already",
		Help:    "use it, or move it away if you mean to begin anew",
		Explain: "Creating it again would forget how far the channels have come.",
	},
	{
		Code: CodeFloorStateMalformed, Severity: Error, Room: "bundle/trust",
		Message: "{path} is not a floor state: {why}",
		Help:    "restore the file; it is written by programs and not to be edited",
		Explain: "The file is RFC 8785 JSON of a fixed form. A damaged one is no floor at all, so it is refused.",
	},
	{
		Code: CodeFloorStateProject, Severity: Error, Room: "bundle/trust",
		Message: "the floor state {path} is of the Project {found}; expected {expected}",
		Help:    "name the state of the Project",
		Explain: "Sequences of different Projects have nothing to do with each other.",
	},
}
