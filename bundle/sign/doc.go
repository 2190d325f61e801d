// Package sign makes and reads what people and machines say about a Build: in-toto statements, signed in Sigstore
// bundles, with the keys that cosign uses.
//
// It guarantees:
//
//   - A [Statement] is about exactly one subject, named by exactly one SHA-256 digest. Its [Role] comes from the
//     predicate type inside the signed payload and from nowhere else. Statements of our own predicate types have one
//     form, RFC 8785; those of others are read as strict JSON.
//   - [Decode] takes a Sigstore bundle v0.3 with one DSSE envelope and one signature apart and refuses everything else,
//     each fault with its own code. It verifies nothing; [Bundle.Verify] does, over the very bytes that were decoded.
//   - A [PublicKey] is one that can be relied on: on its curve, not of small order, RSA from 2048 bits. Its ID is the
//     SHA-256 digest of the one encoding that we give it, so that one key under two spellings counts once.
//   - Private keys and passwords are in no error, no finding and no log, however they are printed.
//   - No program runs because of a key reference unless the caller allowed it in words.
//
// Whom to trust is for bundle/trust to say. Certificates, log entries and timestamps are decoded here and judged by
// bundle/sign/keyless.
package sign
