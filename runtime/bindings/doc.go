// Package bindings reads the Bindings of one environment: which Build a runtime serves there, where it listens, and
// which credential may do what.
//
// It guarantees that a [Bindings] value is whole and unambiguous: the Build is named by its exact digest, no token
// is in it but by its SHA-256 digest, no token is of two classes or of two credentials, and nothing that this
// version does not carry out is accepted in silence. A Bindings document holds no secret.
//
// Form is judged by [Decode] alone; [Bindings.Against] judges the names in it against the Build that it is for.
package bindings
