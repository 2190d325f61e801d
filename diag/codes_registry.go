package diag

// The codes that `bundle/registry` reports: first those about a reference as it was written, then those about a registry
// that cannot be used, then those about one that gives or has something else than what was named.
const (
	CodeReferenceTooLong     Code = "reference_too_long"
	CodeReferenceScheme      Code = "reference_scheme"
	CodeReferenceCredentials Code = "reference_credentials"
	CodeReferenceQuery       Code = "reference_query"
	CodeReferenceHost        Code = "reference_host"
	CodeReferenceRepository  Code = "reference_repository"
	CodeReferenceTag         Code = "reference_tag"
	CodeReferenceDigest      Code = "reference_digest"
	CodeReferenceIncomplete  Code = "reference_incomplete"

	CodeRegistryUnreachable Code = "registry_unreachable"
	CodeRegistryTimeout     Code = "registry_timeout"
	CodeRegistryDenied      Code = "registry_denied"
	CodeRegistryNotFound    Code = "registry_not_found"
	CodeRegistryBusy        Code = "registry_busy"
	CodeRegistryAnswer      Code = "registry_answer"
	CodeRegistryRedirect    Code = "registry_redirect"
	CodeRegistryPlainHTTP   Code = "registry_plain_http"
	CodeRegistryCredentials Code = "registry_credentials"

	CodeRegistryDigest       Code = "registry_digest"
	CodeRegistrySize         Code = "registry_size"
	CodeRegistryTooLarge     Code = "registry_too_large"
	CodeRegistryTagElsewhere Code = "registry_tag_elsewhere"
	CodeRegistryReadBack     Code = "registry_read_back"
	CodeRegistryListing      Code = "registry_listing"
	CodeRegistrySkipped      Code = "registry_skipped"
	CodeRegistryUnsigned     Code = "registry_unsigned"
)

// Remedies that several codes share.
const (
	helpReference = "write oci://HOST[:PORT]/REPOSITORY:TAG or oci://HOST[:PORT]/REPOSITORY@sha256:HEX"
	helpLies      = "do not use what it gave; ask who runs the registry, and pull from another one"
)

var registryCodes = []Entry{
	{
		Code: CodeReferenceTooLong, Severity: Error, Room: "bundle/registry",
		Message: "the reference has more than {limit} characters",
		Help:    helpReference,
		Explain: "No host, repository, tag and digest together are that long.",
	},
	{
		Code: CodeReferenceScheme, Severity: Error, Room: "bundle/registry",
		Message: "the reference does not begin with oci://",
		Help:    helpReference,
		Explain: "The scheme tells a Build in a registry from a file. Others, https:// among them, are not guessed to mean it.",
	},
	{
		Code: CodeReferenceCredentials, Severity: Error, Room: "bundle/registry",
		Message: "the reference has credentials in it",
		Help:    "put them into the docker config, as `docker login` or `oras login` does, and change the password: it was on a command line",
		Explain: "A command line is seen by other users of the machine and is kept in histories and logs, so no secret is taken from\n" +
			"one. The credentials of the docker config are used when the registry asks for them.",
	},
	{
		Code: CodeReferenceQuery, Severity: Error, Room: "bundle/registry",
		Message: "the reference has a query or a fragment in it",
		Help:    helpReference,
		Explain: "A reference looks like a URL and is none: nothing follows the tag or the digest.",
	},
	{
		Code: CodeReferenceHost, Severity: Error, Room: "bundle/registry",
		Message: "the host of the reference is not a host[[: {found}]]",
		Help:    helpReference,
		Explain: "The host is a DNS name, an IPv4 address, or an IPv6 address in square brackets, with a port from 1 to 65535 if it\n" +
			"has one. There is no default host.",
	},
	{
		Code: CodeReferenceRepository, Severity: Error, Room: "bundle/registry",
		Message: "the repository of the reference is malformed[[: {found}]]",
		Help:    "write lower-case letters and digits, joined by `.`, `_`, `__` or `-`, in parts that are divided by `/`",
		Explain: "The OCI distribution specification fixes this grammar; registries refuse anything else.",
	},
	{
		Code: CodeReferenceTag, Severity: Error, Room: "bundle/registry",
		Message: "the tag of the reference is malformed[[: {found}]]",
		Help:    "write at most 128 letters, digits, `_`, `.` and `-`; the first is neither `.` nor `-`",
		Explain: "The OCI distribution specification fixes this grammar; registries refuse anything else.",
	},
	{
		Code: CodeReferenceDigest, Severity: Error, Room: "bundle/registry",
		Message: "the digest of the reference is malformed: {why}",
		Help:    "write sha256: and 64 lower-case hexadecimal digits",
		Explain: "A Build is named by the SHA-256 digest of its manifest, in its one spelling. No other algorithm is read.",
	},
	{
		Code: CodeReferenceIncomplete, Severity: Error, Room: "bundle/registry",
		Message: "the reference {found} names neither a tag nor a digest",
		Help:    helpReference,
		Explain: "There is no default tag: `latest` would be another Build tomorrow, and nobody would have asked for it.",
	},
	{
		Code: CodeRegistryUnreachable, Severity: Error, Room: "bundle/registry",
		Message: "{host} could not be reached: {why}",
		Help:    "check the host, the network, and whether it speaks TLS",
		Explain: "No connection came about, or it ended before the answer was whole. A connection that was cut is tried a few times\n" +
			"again. Plain HTTP is spoken to this machine only, unless it is asked for.",
	},
	{
		Code: CodeRegistryTimeout, Severity: Error, Room: "bundle/registry",
		Message: "{host} did not answer in time",
		Help:    "try again; if the network is that slow, push or pull from a place that is nearer",
		Explain: "Every request has a limit of one minute, and of 16 KiB per second for what it moves. A peer that sends a byte now\n" +
			"and then does not hold a command for ever.",
	},
	{
		Code: CodeRegistryDenied, Severity: Error, Room: "bundle/registry",
		Message: "{host} refused access (status {status})",
		Help:    "log in with `docker login` or `oras login`, and check that the account may do this in the repository",
		Explain: "Without credentials in the docker config for this host, a registry is asked as nobody. Many registries answer the\n" +
			"same for a repository that does not exist.",
	},
	{
		Code: CodeRegistryNotFound, Severity: Error, Room: "bundle/registry",
		Message: "{host} does not have it: {why}",
		Help:    "check the repository, the tag or the digest",
		Explain: "The registry says that there is nothing under this name. That is no statement about any content.",
	},
	{
		Code: CodeRegistryBusy, Severity: Error, Room: "bundle/registry",
		Message: "{host} cannot serve the request now: {why}",
		Help:    "try again later; what was pushed already is not sent again",
		Explain: "The registry limits requests or has a fault. It was asked again a few times, with growing pauses, and no request\n" +
			"was repeated that would have done something twice.",
	},
	{
		Code: CodeRegistryAnswer, Severity: Error, Room: "bundle/registry",
		Message: "{host} did not answer as a registry does: {why}",
		Help:    "check that the host is an OCI registry, and what it says in its logs",
		Explain: "The answer has no place in the OCI distribution specification, or the registry refused the request for a reason of\n" +
			"its own.",
	},
	{
		Code: CodeRegistryRedirect, Severity: Error, Room: "bundle/registry",
		Message: "a redirect of {host} was not followed: {why}",
		Help:    "name the host that the registry is really at",
		Explain: "Registries send readers of blobs to their storage, and that is followed. A redirect is not followed from TLS to\n" +
			"plain HTTP, from elsewhere to this machine, with credentials in it, or for a request that changes something.",
	},
	{
		Code: CodeRegistryPlainHTTP, Severity: Error, Room: "bundle/registry",
		Message: "{host} would have been spoken to without TLS",
		Help:    "use TLS, or ask for plain HTTP in words",
		Explain: "Without TLS everybody on the way reads the credentials and chooses the answers. Only this machine is spoken to in\n" +
			"plain HTTP, unless the caller asks for it.",
	},
	{
		Code: CodeRegistryCredentials, Severity: Error, Room: "bundle/registry",
		Message: "{path} gives no credentials: {why}",
		Help:    "mend the docker config, or name another one by DOCKER_CONFIG",
		Explain: "The registry asked who is there, and the docker config could not say. An entry holds base64 of NAME:PASSWORD or a\n" +
			"token, or the config names a credential helper, which is a program that runs when it is needed.",
	},
	{
		Code: CodeRegistryDigest, Severity: Error, Room: "bundle/registry",
		Message: "the registry gave something else for {what}: expected {expected}, found {found}",
		Help:    helpLies,
		Explain: "The digest of every manifest and blob is computed from the bytes that arrived. They are not those that the digest\n" +
			"names, whatever the registry states. Nothing of it was used.",
	},
	{
		Code: CodeRegistrySize, Severity: Error, Room: "bundle/registry",
		Message: "{what} has {found} bytes in the registry instead of {expected}",
		Help:    helpLies,
		Explain: "A manifest states the size of everything that it names. The registry has, or gave, another number of bytes.",
	},
	{
		Code: CodeRegistryTooLarge, Severity: Error, Room: "bundle/registry",
		Message: "the registry sends more than {limit} bytes for {what}",
		Help:    helpLies,
		Explain: "Everything that is read from a registry has a limit that is known before, and not a byte more is read.",
	},
	{
		Code: CodeRegistryTagElsewhere, Severity: Error, Room: "bundle/registry",
		Message: "the tag {tag} stands for {found}, not for {expected}",
		Help:    "name the Build by its digest, or find out who moved the tag",
		Explain: "A reference with a tag and a digest means that both name one Build. After a push the tag is read back; if it stands\n" +
			"for something else then, somebody else moved it at the same time or the registry did not.",
	},
	{
		Code: CodeRegistryReadBack, Severity: Error, Room: "bundle/registry",
		Message: "the registry accepted {what} and gives {found}",
		Help:    "push again; if that does not help, ask who runs the registry",
		Explain: "What is pushed is read back before it counts as being there. The tag was not moved.",
	},
	{
		Code: CodeRegistryListing, Severity: Error, Room: "bundle/registry",
		Message: "{what} cannot be read: {why}",
		Help:    "ask who runs the registry, and who writes to the repository",
		Explain: "What is attached to a Build is found through the list that the registry keeps of it. A list that is malformed or does\n" +
			"not end is not read in part: signatures would be missing, and nobody would know.",
	},
	{
		Code: CodeRegistrySkipped, Severity: Info, Room: "bundle/registry",
		Message: "{referrer} is listed as attached and was left out: {why}",
		Explain: "Everybody who can write to a repository can attach things to a Build: lists of parts, scans, and also what only looks\n" +
			"like a signature. What is not a well-formed attachment of this very Build is not taken along.",
	},
	{
		Code: CodeRegistryUnsigned, Severity: Warning, Room: "bundle/registry",
		Message: "nothing is attached to the Build: it arrives unsigned",
		Help:    "if it was signed where it was published, copy it by `oras cp -r` or by pull and push; `crane`, `skopeo` and `cosign copy` leave signatures behind",
		Explain: "A registry that withholds signatures cannot be told from one that never had any, and many tools for mirroring drop\n" +
			"them. Verification fails closed either way: an unsigned Build is not verified.",
	},
}
