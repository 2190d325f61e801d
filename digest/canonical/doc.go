// Package canonical reads JSON strictly and writes it in the form of RFC 8785, so that equal values have equal
// bytes and different values never do.
//
// It guarantees that a document is read in one way only: UTF-8 without a byte order mark, one value, no member
// twice (however it is spelled), no lone surrogate, bounded in size, depth and number of values; and that a number
// is accepted only if its canonical form is equal in decimal value to what was written. Without that last rule
// 9007199254740993 and 9007199254740992 would share a digest.
//
// The package imports nothing else of this module: everything that hashes stands on it.
package canonical
