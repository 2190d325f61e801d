// Package keyless signs and verifies by identity instead of by key: a certificate authority vouches for a few minutes
// that a key belongs to an identity, a transparency log or a timestamp authority says when it was used.
//
// This package is the client of the program seifc-keyless, which has the Sigstore code in it, so that only who signs
// or verifies by identity pays for starting it. It guarantees:
//
//   - The program is the one that lies beside the running executable; no search path is consulted. One that is missing,
//     speaks another version of the protocol, answers anything but one well-formed bounded message, dies or takes too
//     long is a [Failure], never an acceptance.
//   - What counts as verified is the same for everybody, and there is nothing to turn off: the certificate comes from an
//     authority of the given trusted root; there is a log entry, and every one is from a log of that root and about this
//     signature; there is a trusted time, of a timestamp authority or of the log, and every one lies within the
//     certificate; every timestamp is from an authority of the root if it names any; if the root names certificate logs,
//     the certificate has a timestamp of one of them; the signature is over a statement about exactly the given artifact;
//     the certificate names exactly one subject.
//   - The trusted root is always given. Nothing is fetched to verify, no connection is opened, no clock is looked at.
//   - An identity token is in no error and no log, and only the certificate authority gets it.
package keyless
