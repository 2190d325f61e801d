package diag

// The codes of signing and verifying by identity: what is wrong with a bundle or a trusted root, then what kept a
// question from being answered.
const (
	CodeKeylessBundle           Code = "keyless_bundle_malformed"
	CodeKeylessNoCertificate    Code = "keyless_certificate_missing"
	CodeKeylessCertificate      Code = "keyless_certificate_malformed"
	CodeKeylessTrustedRoot      Code = "keyless_trusted_root_malformed"
	CodeKeylessTrustedRootLacks Code = "keyless_trusted_root_lacks"
	CodeKeylessOtherRoot        Code = "keyless_other_root"
	CodeKeylessNoTime           Code = "keyless_time_missing"
	CodeKeylessTimeUnverified   Code = "keyless_time_unverified"
	CodeKeylessTimeOutside      Code = "keyless_time_outside_certificate"
	CodeKeylessNoLogEntry       Code = "keyless_log_entry_missing"
	CodeKeylessLogUnverified    Code = "keyless_log_entry_unverified"
	CodeKeylessNotLogged        Code = "keyless_certificate_not_logged"
	CodeKeylessSignature        Code = "keyless_signature"
	CodeKeylessArtifact         Code = "keyless_artifact"
	CodeKeylessIssuer           Code = "keyless_issuer"
	CodeKeylessSubject          Code = "keyless_subject"
	CodeKeylessRefused          Code = "keyless_refused"
	CodeKeylessDemand           Code = "keyless_demand"

	CodeKeylessProgramMissing Code = "keyless_program_missing"
	CodeKeylessProgramVersion Code = "keyless_program_version"
	CodeKeylessProgramFailed  Code = "keyless_program_failed"
	CodeKeylessProgramAnswer  Code = "keyless_program_answer"
	CodeKeylessToken          Code = "keyless_token"
	CodeKeylessAddress        Code = "keyless_address"
	CodeKeylessAuthority      Code = "keyless_authority_failed"
	CodeKeylessStamp          Code = "keyless_timestamp_failed"
	CodeKeylessLog            Code = "keyless_log_failed"
)

// keylessRoom finds all of them.
const keylessRoom = "bundle/sign/keyless"

// Remedies that several codes share.
const (
	helpKeylessAgain   = "get the signature again from where it was published, or have it made again"
	helpKeylessRoot    = "give the trusted root of the Sigstore instance that was signed with"
	helpKeylessService = "check the address, and whether the service answers; nothing was signed"
)

var keylessCodes = []Entry{
	{
		Code: CodeKeylessBundle, Severity: Error, Room: keylessRoom,
		Message: "the signature is no Sigstore bundle v0.3 with a certificate: {why}",
		Help:    helpKeylessAgain,
		Explain: "A bundle is read strictly before anything in it is believed: one media type, no member twice, no log entry without\n" +
			"its inclusion proof, no chain of certificates.",
	},
	{
		Code: CodeKeylessNoCertificate, Severity: Error, Room: keylessRoom,
		Message: "the signature was made with a key, not by an identity",
		Help:    "name the key in the trust policy instead of an identity",
		Explain: "Only a signature with a certificate names an identity.",
	},
	{
		Code: CodeKeylessCertificate, Severity: Error, Room: keylessRoom,
		Message: "the certificate of the signature cannot be used: {why}",
		Help:    helpKeylessAgain,
		Explain: "A certificate has to name exactly one issuer and exactly one subject. A second name would be one that nobody\n" +
			"compares with the policy.",
	},
	{
		Code: CodeKeylessTrustedRoot, Severity: Error, Room: keylessRoom,
		Message: "the trusted root cannot be read: {why}",
		Help:    "give the `trusted_root.json` of the Sigstore instance, unchanged",
		Explain: "A trusted root names the authorities and logs of a Sigstore instance with their keys. It is always a file that\n" +
			"somebody gave: none is fetched, and none is built in.",
	},
	{
		Code: CodeKeylessTrustedRootLacks, Severity: Error, Room: keylessRoom,
		Message: "the trusted root names no {what}",
		Help:    helpKeylessRoot,
		Explain: "Verifying by identity needs a certificate authority and a transparency log. There is no way to do without the log:\n" +
			"it is what lets the owner of an identity notice that somebody signs in its name.",
	},
	{
		Code: CodeKeylessOtherRoot, Severity: Error, Room: keylessRoom,
		Message: "no authority of the trusted root issued the certificate (it says it is from {issuer})",
		Help:    helpKeylessRoot,
		Explain: "The certificate belongs to another Sigstore instance, or to nobody. What it says about an identity counts for\n" +
			"nothing then.",
	},
	{
		Code: CodeKeylessNoTime, Severity: Error, Room: keylessRoom,
		Message: "nothing says when the signature was made",
		Help:    "sign again with a timestamp authority, or with a log that states the time",
		Explain: "Certificates are good for minutes. Whether a signature was made within them is proved by a timestamp authority or\n" +
			"by the promise of a log of version 1. The clock of the machine is no proof and is never asked, so that a signature\n" +
			"without a time is refused also while its certificate is still good.",
	},
	{
		Code: CodeKeylessTimeUnverified, Severity: Error, Room: keylessRoom,
		Message: "the time of the signature is not vouched for by the trusted root: {why}",
		Help:    helpKeylessRoot,
		Explain: "The signature has timestamps, and none is from an authority of the trusted root and over this signature.",
	},
	{
		Code: CodeKeylessTimeOutside, Severity: Error, Room: keylessRoom,
		Message: "the signature was made while its certificate was not good (time: {time})",
		Help:    "have it signed again: after its minutes a certificate is worth nothing",
		Explain: "Every trusted time that a signature has must lie within its certificate and within those above it. One that does\n" +
			"not is what a stolen key looks like that was used later.",
	},
	{
		Code: CodeKeylessNoLogEntry, Severity: Error, Room: keylessRoom,
		Message: "the signature stands in no log of the trusted root",
		Help:    "sign again with a transparency log that the trusted root names",
		Explain: "Without an entry in a log the owner of an identity could not notice that somebody signs in its name.",
	},
	{
		Code: CodeKeylessLogUnverified, Severity: Error, Room: keylessRoom,
		Message: "the log entry does not belong to this signature, or the log does not vouch for it: {why}",
		Help:    helpKeylessAgain,
		Explain: "The entry has to name this signature, this certificate and this statement, with an inclusion proof under a\n" +
			"checkpoint, or a promise, that a log of the trusted root signed.",
	},
	{
		Code: CodeKeylessNotLogged, Severity: Error, Room: keylessRoom,
		Message: "the certificate stands in no certificate log of the trusted root: {why}",
		Help:    "sign again with a certificate authority that logs what it issues",
		Explain: "If the trusted root names certificate logs, then every certificate has to carry a timestamp of one of them: that is\n" +
			"how a certificate that an authority should not have issued is noticed.",
	},
	{
		Code: CodeKeylessSignature, Severity: Error, Room: keylessRoom,
		Message: "the signature does not fit its statement and its certificate",
		Help:    helpKeylessAgain,
		Explain: "Somebody changed the statement, the signature or the certificate.",
	},
	{
		Code: CodeKeylessArtifact, Severity: Error, Room: keylessRoom,
		Message: "the signature is about something else than {artifact}",
		Help:    "get the signature that belongs to this Build",
		Explain: "The signature holds, over a statement whose subject is another digest.",
	},
	{
		Code: CodeKeylessIssuer, Severity: Error, Room: keylessRoom,
		Message: "the identity was vouched for by {found}, not by {expected}",
		Help:    "have it signed by the right identity, or name this issuer if it is to be trusted",
		Explain: "The issuer of the identity token is compared byte for byte. The same subject under another issuer is somebody else.",
	},
	{
		Code: CodeKeylessSubject, Severity: Error, Room: keylessRoom,
		Message: "{found} signed, not {expected}",
		Help:    "have it signed by the right identity, or name this one if it is to be trusted",
		Explain: "The subject alternative name of the certificate is compared byte for byte: no pattern, no prefix, no folding of case.",
	},
	{
		Code: CodeKeylessRefused, Severity: Error, Room: keylessRoom,
		Message: "the signature is not verified: {why}",
		Help:    helpKeylessAgain,
		Explain: "The verifier refused the signature as a whole, for a reason that has no code of its own.",
	},
	{
		Code: CodeKeylessDemand, Severity: Error, Room: keylessRoom,
		Message: "the {what} cannot be used: {why}",
		Help:    "check what was given",
		Explain: "What was asked could never be answered, so nobody was asked.",
	},
	{
		Code: CodeKeylessProgramMissing, Severity: Error, Room: keylessRoom,
		Message: "signing and verifying by identity needs the program {path}, which is not there",
		Help:    "install `seifc-keyless` of the same release into the folder of the program that you run",
		Explain: "Sigstore's code is in a program of its own, so that only who uses it waits for it to start. It is looked for beside\n" +
			"the running program and nowhere else: a search path would let others choose what says that a signature is good.\n" +
			"Without it nothing is verified by identity.",
	},
	{
		Code: CodeKeylessProgramVersion, Severity: Error, Room: keylessRoom,
		Message: "the two programs are of different releases: one speaks {expected}, the other {found}",
		Help:    "install `seifc-keyless` of the same release into the folder of the program that you run",
		Explain: "The programs speak with each other in one version of their protocol and guess nothing.",
	},
	{
		Code: CodeKeylessProgramFailed, Severity: Error, Room: keylessRoom,
		Message: "`seifc-keyless` gave no answer: {why}",
		Help:    "run it again; if it stays, report it with this message",
		Explain: "The program could not be started, ended, or took too long. What was asked is not verified then.",
	},
	{
		Code: CodeKeylessProgramAnswer, Severity: Error, Room: keylessRoom,
		Message: "`seifc-keyless` gave an answer that is none: {why}",
		Help:    "install `seifc-keyless` of the same release into the folder of the program that you run",
		Explain: "An answer is one bounded message of one form. Anything else counts as no answer, and nothing is verified.",
	},
	{
		Code: CodeKeylessToken, Severity: Error, Room: keylessRoom,
		Message: "the identity token is no signed JSON Web Token in compact form",
		Help:    "give the token as its issuer gave it, without anything around it",
		Explain: "A token has three parts of base64url with points between them. It is never repeated in a message.",
	},
	{
		Code: CodeKeylessAddress, Severity: Error, Room: keylessRoom,
		Message: "the address of {service} cannot be used[[ ({address})]]: {why}",
		Help:    "give the address of the service as `https://HOST` or `https://HOST/PATH`",
		Explain: "Every service is named by who signs; none has a default. Plain http is for a service on the same machine.",
	},
	{
		Code: CodeKeylessAuthority, Severity: Error, Room: keylessRoom,
		Message: "the certificate authority {address} issued no certificate: {why}",
		Help:    "check that the token is fresh and meant for this authority; nothing was signed",
		Explain: "The authority judges the identity token: its issuer, its audience and its age. Tokens are good for minutes.",
	},
	{
		Code: CodeKeylessStamp, Severity: Error, Room: keylessRoom,
		Message: "the timestamp authority {address} gave no timestamp: {why}",
		Help:    helpKeylessService,
		Explain: "Without its timestamp the signature would not be what was ordered, so it is thrown away.",
	},
	{
		Code: CodeKeylessLog, Severity: Error, Room: keylessRoom,
		Message: "the transparency log {address} took no entry: {why}",
		Help:    "check the address and the version of its interface; nothing was signed",
		Explain: "Without its entry the signature would not be what was ordered, so it is thrown away.",
	},
}
