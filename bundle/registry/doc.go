// Package registry pushes Builds and what is attached to them to an OCI registry, and pulls them from one.
//
// What arrives is judged by content alone. Guarantees:
//
//   - A tag is resolved once, by hashing the manifest that the registry gave for it; after that nothing but digests
//     is asked for. Every blob and manifest is bounded before it is read and hashed before it is used. The Build is
//     verified as a whole by package bundle.
//   - Attachments are found by fetching every manifest that the registry lists for the Build and reading it. What the
//     listing says about them counts for nothing. What is no attachment of this Build is skipped and named.
//   - A push writes blobs, then the manifest, then the attachments, then the tag. The tag moves only when all the rest
//     was read back. What is there already is not sent again, so a push that was interrupted goes on where it stopped.
//   - Attaching only adds. With the referrers API the registry keeps the list. Without it the list is an index under a
//     tag that everybody rewrites; so that no writer can lose another's entry, each attachment has a tag of its own
//     beside it, from which readers and later writers complete the list.
//   - Plain HTTP is spoken to this machine only, unless the caller asks for it. A redirect is followed for reading only,
//     never from https to http, never to this machine from elsewhere, and credentials stay with the host they belong to.
//   - Every request has a time limit that grows with the bytes it moves; every answer has a size limit. Only requests
//     whose repetition changes nothing are tried again, a few times, with growing pauses.
//
// Every error is a [Fault] that says whether the argument was malformed, the registry could not be used, or what it
// gave is not what was named; a [bundle.Invalid] for content that is no Build; or the cause of the caller's context.
package registry
