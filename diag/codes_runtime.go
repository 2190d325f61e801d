package diag

// The codes of Bindings.
const (
	CodeBindingsTooLarge      Code = "bindings_too_large"
	CodeBindingsDigest        Code = "bindings_digest_malformed"
	CodeListenMalformed       Code = "listen_malformed"
	CodeListenInsecure        Code = "listen_insecure"
	CodeListenNotInsecure     Code = "listen_not_insecure"
	CodeTrustMissing          Code = "trust_missing"
	CodeChannelWithoutPolicy  Code = "channel_without_policy"
	CodeExecutorsNotSupported Code = "executors_not_supported"
	CodeApproverNotSupported  Code = "approver_not_supported"
	CodeCredentialsNone       Code = "credentials_none"
	CodeCredentialsTooMany    Code = "credentials_too_many"
	CodeCredentialRepeated    Code = "credential_repeated"
	CodeCredentialTwoClasses  Code = "credential_in_two_classes"
	CodeCredentialMember      Code = "credential_member"
	CodePrincipalForm         Code = "principal_form"
	CodeProfileRepeated       Code = "profile_repeated"
	CodeBindingsProfile       Code = "bindings_unknown_profile"
	CodeBindingsInput         Code = "bindings_unknown_input"
	CodeBindingsInputValue    Code = "bindings_input_invalid"
)

// The codes of the server: why it does not start, and what its answers say.
const (
	CodeBuildUnsigned Code = "build_unsigned"

	CodeUnauthenticated        Code = "unauthenticated"
	CodeCredentialForbidden    Code = "credential_forbidden"
	CodeProfileForbidden       Code = "profile_forbidden"
	CodeRequestInputFixed      Code = "request_input_fixed"
	CodeRouteUnknown           Code = "route_unknown"
	CodeMethodNotAllowed       Code = "method_not_allowed"
	CodeQueryUnknown           Code = "query_unknown"
	CodeUnsupportedMedia       Code = "unsupported_media"
	CodeBodyTooLarge           Code = "body_too_large"
	CodeBodyUnreadable         Code = "body_unreadable"
	CodeMalformedJSON          Code = "malformed_json"
	CodeNotIJSON               Code = "not_i_json"
	CodeRequestMalformed       Code = "request_malformed"
	CodeRequestMemberUnknown   Code = "request_member_unknown"
	CodeRequestMemberMissing   Code = "request_member_missing"
	CodeRequestMemberType      Code = "request_member_type"
	CodeDisclosureNotSupported Code = "disclosure_not_supported"
	CodeRequestRefused         Code = "request_refused"
	CodeTooManyInFlight        Code = "too_many_in_flight"
	CodeDraining               Code = "draining"
	CodeServerDefect           Code = "server_defect"
)

// Codes that `runtime/bindings` and `runtime/server` report.
var runtimeCodes = []Entry{
	{
		Code: CodeBindingsTooLarge, Severity: Error, Room: "runtime/bindings",
		Message: "the Bindings have more than {most} bytes",
		Help:    "check that the file is the one that is meant",
		Explain: "Bindings name a Build and some credentials. The bound keeps a wrong file from being read whole.",
	},
	{
		Code: CodeBindingsDigest, Severity: Error, Room: "runtime/bindings",
		Message: "this is not a digest: {problem}",
		Help:    "write sha256: and 64 lowercase hex digits",
		Explain: "A Build is named by the digest that `seifc build` prints, a token by the SHA-256 digest of its bytes:\n" +
			"`printf %s \"$TOKEN\" | sha256sum`. The finding does not repeat what stands there, because it may be the token.",
	},
	{
		Code: CodeListenMalformed, Severity: Error, Room: "runtime/bindings",
		Message: "{address} is not an address to listen on",
		Help:    "write an IP address and a port in their shortest form, such as 127.0.0.1:7343 or [::1]:7343",
		Explain: "A name may resolve to another address than its author had in mind, also to one that others reach. So an address is\n" +
			"a literal, without a zone, in its one spelling.",
	},
	{
		Code: CodeListenInsecure, Severity: Error, Room: "runtime/bindings",
		Message: "{address} can be reached from other machines, and there is no TLS",
		Help:    "listen on 127.0.0.1 or [::1], or say `insecure_listen: true` where something in front encrypts",
		Explain: "Tokens and contexts would cross the network in the clear. Where a proxy or a private network takes care of that,\n" +
			"`insecure_listen: true` says that somebody decided it.",
	},
	{
		Code: CodeListenNotInsecure, Severity: Error, Room: "runtime/bindings",
		Message: "`insecure_listen` says nothing about {address}, which is loopback",
		Help:    "drop `insecure_listen`",
		Explain: "The member belongs to addresses that others reach. Left over, it would let a later change of the address pass\n" +
			"without anybody deciding it.",
	},
	{
		Code: CodeTrustMissing, Severity: Error, Room: "runtime/bindings",
		Message: "the Bindings name no trust policy and do not say that the Build may be unsigned",
		Help:    "name a `trust_policy` and a `channel`; or write `allow_unsigned: true`, and start with --allow-unsigned, if that is what you decided",
		Explain: "The runtime serves a Build that a trust policy verifies. One that nobody vouches for is served only where the\n" +
			"Bindings and the command line both say so; it is never the result of a setting that is missing.",
	},
	{
		Code: CodeChannelWithoutPolicy, Severity: Error, Room: "runtime/bindings",
		Message: "`channel` says nothing without a `trust_policy`",
		Help:    "name the trust policy, or drop `channel`",
		Explain: "Only a signed release says which channel a Build is for, and only a trust policy says whose word counts. Without one\n" +
			"every Build would pass, whatever channel stands here.",
	},
	{
		Code: CodeExecutorsNotSupported, Severity: Error, Room: "runtime/bindings",
		Message: "{where} needs executors, and this version serves no tools",
		Help:    "use a release that serves tools, or build a Project without them",
		Explain: "Tools need executors, approvals and a ledger, which are of a later version. Serving the texts of a Build and\n" +
			"leaving out its tools would be another context than the one that was tested.",
	},
	{
		Code: CodeApproverNotSupported, Severity: Error, Room: "runtime/bindings",
		Message: "credentials of class approver are of a later version: there is nothing to approve",
		Help:    "drop the credential",
		Explain: "Approvals are for calls of tools. A credential that can do nothing yet would only be one more to lose.",
	},
	{
		Code: CodeCredentialsNone, Severity: Error, Room: "runtime/bindings",
		Message: "there is no credential",
		Help:    "add one of class app, with the digest of its token and the profiles it may resolve",
		Explain: "Without a credential nobody could ask for a context.",
	},
	{
		Code: CodeCredentialsTooMany, Severity: Error, Room: "runtime/bindings",
		Message: "there are {count} credentials, and at most {most} are allowed",
		Help:    "share a credential among the instances of one application",
		Explain: "The token of a request is compared with every credential, so that the time it takes tells nothing. That bounds\n" +
			"how many there can be.",
	},
	{
		Code: CodeCredentialRepeated, Severity: Error, Room: "runtime/bindings",
		Message: "{credential} has the same token as {other}",
		Help:    "make a token of its own for each credential",
		Explain: "One token has to lead to one credential: which profiles and inputs would hold otherwise?",
	},
	{
		Code: CodeCredentialTwoClasses, Severity: Error, Room: "runtime/bindings",
		Message: "{credential} has the same token as {other}, which is of another class",
		Help:    "make a token of its own for each credential",
		Explain: "The classes keep apart who asks, who approves and who operates. A token of two of them would undo that.",
	},
	{
		Code: CodeCredentialMember, Severity: Error, Room: "runtime/bindings",
		Message: "a credential of class {class} has no `{member}`",
		Help:    "drop the member, or change the class",
		Explain: "Profiles and fixed inputs belong to what resolves contexts, which only credentials of class app do.",
	},
	{
		Code: CodePrincipalForm, Severity: Error, Room: "runtime/bindings",
		Message: "this cannot be the name of a principal",
		Help:    "use 1 to {most} printable ASCII characters without spaces",
		Explain: "A principal is who a credential acts for. Its name stands in logs and records and is compared byte by byte.",
	},
	{
		Code: CodeProfileRepeated, Severity: Error, Room: "runtime/bindings",
		Message: "the profile {profile} is listed twice",
		Help:    "list it once",
		Explain: "The second entry says nothing; most often another profile was meant.",
	},
	{
		Code: CodeBindingsProfile, Severity: Error, Room: "runtime/bindings",
		Message: "the Build has no profile {profile}",
		Help:    "[[did you mean {nearest}? ]]name a profile of the Build",
		Explain: "A credential may resolve the profiles that it lists. One that the Build does not have is a slip, or the Bindings\n" +
			"are for another Build.",
	},
	{
		Code: CodeBindingsInput, Severity: Error, Room: "runtime/bindings",
		Message: "the Build has no input {input}",
		Help:    "[[did you mean {nearest}? ]]fix an input that the Build declares",
		Explain: "A fixed input that no schema, text or condition of the Build knows would have no effect, and what it was meant to\n" +
			"hold back would not be held back.",
	},
	{
		Code: CodeBindingsInputValue, Severity: Error, Room: "runtime/bindings",
		Message: "the fixed input does not fit the Build's schema: {kind}",
		Help:    "write a value that fits",
		Explain: "Every request of the credential would be refused. The finding names the keyword and the place, never the value.",
	},
	{
		Code: CodeBuildUnsigned, Severity: Error, Room: "runtime/server",
		Message: "the Build is UNSIGNED, and it is not said {where} that this is allowed",
		Help:    "name a `trust_policy` in the Bindings and sign the Build; or say {word} {where} as well, if that is what you decided",
		Explain: "A Build counts as unsigned if it has no signature, or if there is no trust policy that could judge those it has. It\n" +
			"is served only where the Bindings and the command line both say so: the one who writes the Bindings and the one who\n" +
			"starts the runtime are often not the same.",
	},
	{
		Code: CodeUnauthenticated, Severity: Error, Room: "runtime/server",
		Message: "the request has no token that is known here",
		Help:    "send `Authorization: Bearer TOKEN` once, with a token of 32 to 512 characters whose digest is in the Bindings",
		Explain: "The answer is the same for a missing, a malformed and an unknown token.",
	},
	{
		Code: CodeCredentialForbidden, Severity: Error, Room: "runtime/server",
		Message: "credentials of class {class} may not do this",
		Help:    "use a credential of class app",
		Explain: "Each class of credentials has its own endpoints.",
	},
	{
		Code: CodeProfileForbidden, Severity: Error, Room: "runtime/server",
		Message: "the credential may not resolve the profile {profile}",
		Help:    "[[did you mean {nearest}? ]]name a profile that GET /v1/build lists, or have it added to the credential in the Bindings",
		Explain: "A credential may resolve the profiles that the Bindings list for it. The answer is the same for a profile that the\n" +
			"Build has and for one that it has not, so that nobody learns the names of others by asking.",
	},
	{
		Code: CodeRequestInputFixed, Severity: Error, Room: "runtime/server",
		Message: "the input {input} is fixed for the credential",
		Help:    "leave it out: the Bindings set it",
		Explain: "An application cannot override what is fixed for it. The request is refused, also where both values are the same,\n" +
			"because an application that sends the input believes that it decides it.",
	},
	{
		Code: CodeRouteUnknown, Severity: Error, Room: "runtime/server",
		Message: "there is nothing at this path",
		Help:    "see the list of endpoints; paths are exact",
		Explain: "Paths are compared as they are sent: no trailing slash, no escapes, no dot segments.",
	},
	{
		Code: CodeMethodNotAllowed, Severity: Error, Room: "runtime/server",
		Message: "this path takes {allowed} only",
		Help:    "use that method",
		Explain: "Every path has one method.",
	},
	{
		Code: CodeQueryUnknown, Severity: Error, Room: "runtime/server",
		Message: "this path takes no query",
		Help:    "send what you mean in the body",
		Explain: "A parameter that is read by nobody would be ignored in silence.",
	},
	{
		Code: CodeUnsupportedMedia, Severity: Error, Room: "runtime/server",
		Message: "the body is not sent as plain JSON",
		Help:    "send `Content-Type: application/json`, in UTF-8 and without a Content-Encoding",
		Explain: "The type is required, so that a web page cannot send a request across sites without the browser asking first.",
	},
	{
		Code: CodeBodyTooLarge, Severity: Error, Room: "runtime/server",
		Message: "the body has more than {most} bytes",
		Help:    "send less, or raise `quotas.body_bytes` in the Bindings",
		Explain: "Memory for requests is bounded by this size and by the number of requests in flight.",
	},
	{
		Code: CodeBodyUnreadable, Severity: Error, Room: "runtime/server",
		Message: "the body did not arrive whole",
		Help:    "send the request again",
		Explain: "The connection ended, or the body took longer than a request may take. Nothing was done.",
	},
	{
		Code: CodeMalformedJSON, Severity: Error, Room: "runtime/server",
		Message: "the body is not JSON: {problem}",
		Help:    "send one JSON object and nothing else, nested at most 32 deep",
		Explain: "The body is read by the same strict reader as everything else.",
	},
	{
		Code: CodeNotIJSON, Severity: Error, Room: "runtime/server",
		Message: "the body can be read in more than one way: {problem}",
		Help:    "send each member once, texts in valid UTF-8, and numbers that a double holds exactly",
		Explain: "JSON readers differ on repeated members, on broken characters and on numbers that are too exact (RFC 7493). What\n" +
			"one reader checked, another could use differently.",
	},
	{
		Code: CodeRequestMalformed, Severity: Error, Room: "runtime/server",
		Message: "the body is not a request: see the findings",
		Help:    "mend what the findings name",
		Explain: "Members that are missing, unknown or of a wrong type are told one by one.",
	},
	{
		Code: CodeRequestMemberUnknown, Severity: Error, Room: "runtime/server",
		Message: "a request has no member {member}",
		Help:    "[[did you mean {nearest}? ]]the members are {members}",
		Explain: "A member that is read by nobody would be ignored in silence.",
	},
	{
		Code: CodeRequestMemberMissing, Severity: Error, Room: "runtime/server",
		Message: "the member {member} is missing",
		Help:    "add it",
		Explain: "There is no default profile.",
	},
	{
		Code: CodeRequestMemberType, Severity: Error, Room: "runtime/server",
		Message: "this is not {want}",
		Help:    "send {want}; leave an optional member out instead of sending null or an empty text",
		Explain: "Types are exact: nothing is converted.",
	},
	{
		Code: CodeDisclosureNotSupported, Severity: Error, Room: "runtime/server",
		Message: "this version knows the disclosure `full` only",
		Help:    "leave `disclosure` out, or send \"full\"",
		Explain: "Other ways to disclose tools come with tools.",
	},
	{
		Code: CodeRequestRefused, Severity: Error, Room: "runtime/server",
		Message: "the request cannot be resolved: see the findings",
		Help:    "mend what the findings name; `seifc preview` gives the same ones",
		Explain: "The findings are those of the resolution itself, which is the same in preview, tests and runtime.",
	},
	{
		Code: CodeTooManyInFlight, Severity: Error, Room: "runtime/server",
		Message: "too many requests are in flight[[ for this {whose}]]",
		Help:    "wait a moment and send it again, or raise the quotas in the Bindings",
		Explain: "Nothing was done. The quotas bound the memory of the server and keep one application from stopping the others.",
	},
	{
		Code: CodeDraining, Severity: Error, Room: "runtime/server",
		Message: "the server is stopping",
		Help:    "send the request to another instance, or again in a moment",
		Explain: "Requests that were begun are finished; nothing new is begun.",
	},
	{
		Code: CodeServerDefect, Severity: Error, Room: "runtime/server",
		Message: "the server failed at this request",
		Help:    "report it with the request id and the lines of the server's log that have it",
		Explain: "This is a fault of the server, not of the request. The answer holds nothing of what went wrong; the log does.",
	},
}
