// Package expr is the expression dialect seif-cel/1: the conditions and the denials of a Project.
//
// An expression is CEL source text. CEL's own parser reads it and CEL's own interpreter evaluates it; which
// expressions are admitted is decided here, once for every scope, from the schemas of what the expression reads.
// [Functions] is the whole list of what may stand in an expression; everything else is refused by name.
//
// Guarantees: an admitted expression reads nothing but `inputs` and `args`; it depends on no clock, zone, locale or
// map order; it names only declared fields, reads an optional field only where `has` has shown it to be there, and
// gives a bool; its work is bounded by [MaxCost] for every value that fits the schemas. An expression that is
// admitted can still fail when it runs (an integer overflows); the failure is an [Error] without any value in it,
// and the callers fail closed: a denial that fails denies, a condition that fails blocks the resolution.
//
// # Numbers
//
// A field of type integer is an int, a field of type number a double, however the number was spelled. Both compare
// with each other by value. Arithmetic does not mix them: `args.price * 2.0`, not `* 2`. An integer outside of 64
// bits is read as the double of the same value, so that it still compares exactly; arithmetic on it fails.
//
// # Presence
//
// An optional field may be read in X of `has(e) && X`, `!has(e) || X` and `has(e) ? X : Y`, in Y of
// `!has(e) ? X : Y`, and in what these nest to. Only what stands to the left counts.
//
// # Unions
//
// A value whose schema allows several types may be compared with `==` and `!=` and looked up with `in`; nothing else
// is known about it.
package expr
