// Package digest is the names of content: digests, fingerprints and keyed fingerprints, each a type of its own.
//
// It guarantees one notation everywhere (R75), "sha256:" and 64 lowercase hex digits, and that nothing else is
// read: no other algorithm, no upper case, no shortened form. The types cannot be mixed up: a digest of bytes never
// equals the fingerprint of a contract, and a keyed fingerprint equals neither and has a notation of its own. What
// is hashed as a value is hashed in its RFC 8785 form or not at all (package canonical), so that spelling and order
// do not matter and nothing is rounded on the way.
package digest
