// Package document reads authored YAML and JSON strictly, and edits it in place.
//
// [Parse] turns bytes into a tree of [Node] values, each with its place in the file. What two readers could take
// for two things is refused: duplicate keys, merge keys, tags, keys that are not strings, a second document,
// characters that end a line for some readers only, numbers that JSON cannot carry exactly. A plain scalar such
// as `no` or `2026-11-02` keeps its text and a [Doubt]; a place that expects a string says to quote it.
//
// [Decoder] turns nodes into values, field by field, and reports what is missing, unknown or of a wrong type.
// [File.Set], [File.Insert] and [File.Delete] change a file by byte splices and prove by reading the result that
// nothing but the intended value changed. [Write] writes a document that Parse reads back as the same value.
//
// All input is hostile. A file has at most [MaxBytes] bytes, [MaxNodes] nodes after aliases are expanded, and
// [MaxDepth] levels; these are checked before memory in proportion to them is taken.
package document
