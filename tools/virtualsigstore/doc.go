// Package virtualsigstore is a Sigstore instance for tests: a certificate authority, a certificate log, two
// transparency logs and a timestamp authority, with keys of their own, behind HTTP servers on loopback that speak as
// Fulcio, Rekor (versions 1 and 2) and an RFC 3161 authority do.
//
// It is faithful where a client or a verifier looks: identity tokens are checked by signature, possession of the key is
// proved, certificates carry an embedded signed certificate timestamp, log entries a signed promise and an inclusion
// proof under a signed checkpoint. It is not faithful in what lies behind: each log entry stands in a log of its own
// with that one leaf, nothing is stored, no entry can be looked up again, there is one issuer of tokens and no TUF.
//
// Faults are made by changing the exported members before a request; they are not to be changed while one runs.
package virtualsigstore
