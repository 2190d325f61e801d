package document

// TextFile makes a file of any text, for places in it. It has no nodes.
func TextFile(path string, source []byte) *File {
	return &File{Path: path, Source: source, lines: newLineIndex(source)}
}

// JSONFile makes a file of JSON text that the caller has read by other means. Its nodes are read when a place asks for
// them.
func JSONFile(path string, source []byte) *File {
	return &File{Path: path, Source: source, JSON: true, lines: newLineIndex(source), released: true}
}
