package document

// TextFile makes a file of any text, for places in it. It has no nodes.
func TextFile(path string, source []byte) *File {
	return &File{Path: path, Source: source, lines: newLineIndex(source)}
}
