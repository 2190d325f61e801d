// Package trust says whether a Build may be used: it holds the signatures of a Build against a trust policy.
//
// It guarantees that there is one answer for every caller: [Verify] is what `seifc verify`, promotion and the runtime
// call, and it is a pure function of its [Request]. It opens no connection, reads no clock, no environment and no
// file, and it takes nothing from the Build that could say how the Build is to be judged. A check that does not say
// that it passed has failed, and every check is in the [Report], also those that were not asked for.
//
// # What a signature has to be
//
// A signature counts for a role if its payload is a statement of that role about this very Build, the policy gives
// the role to its key, the key is within its window and not revoked, and what the statement says is true of the
// Build. Signers are counted by distinct public key or identity, never by signatures, hints or names. Release
// statements count together only if they agree on channel and sequence.
//
// A signature that does not count, for whatever reason, does not by itself make a Build refused if others satisfy the
// policy: anybody can attach a signature in a registry. It has its own line in the report. One kind is different: a
// signature that names a key of the policy and does not verify with it was changed or made up, and the Build is not
// verified whatever else it has.
//
// So adding a signature never turns a verified Build into one that is not, unless it is such a one, and taking one
// away never turns a Build that is not verified into one that is.
//
// # Unsigned Builds
//
// A Build without any signature passes only with [Request.AllowUnsigned], as [Unsigned] and never as [Verified]. The
// word never saves a Build whose signatures do not satisfy a policy that was given: such a Build is not verified.
// Without a policy nobody can judge signatures, and a Build with or without them is [Unsigned].
package trust
