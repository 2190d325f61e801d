// Package canonical reads JSON strictly and writes its one RFC 8785 form.
//
// Everything that is hashed, signed or compared passes through here, so that two documents with one digest mean
// the same and one meaning has one digest. Guarantees:
//
//   - One pass, [Scan], is the only reader. It accepts exactly one JSON text (RFC 8259) in UTF-8 without a byte
//     order mark, without unpaired surrogates, without two members of one name (also when one of them is written
//     with escapes), within limits of size, depth and number of values. Everything else is an [*Error] that says
//     what, and at which byte.
//   - A number keeps its decimal value or is refused. RFC 8785 writes numbers as IEEE 754 doubles, which would
//     give 9007199254740993 and 9007199254740992 one form; [Number] refuses the first of them.
//   - [Append] of what [Parse] returned is the RFC 8785 form of the input, and parsing that form gives the same
//     value and the same bytes again.
//   - Nothing here keeps state between calls, and the time and memory of a call grow linearly with its input.
package canonical
