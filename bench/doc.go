// Package bench writes Context Projects of any size for measuring. The same size always gives the same bytes, and the
// sizes of the parts follow those of published tools: argument schemas with a median of 469 bytes and a long tail,
// descriptions of about 185 characters, enumerations in a fifth of the schemas and nesting in a sixth.
//
// bench/run measures the programs on such Projects and holds the figures against the bars; bench/peer is what they
// are compared with.
package bench
