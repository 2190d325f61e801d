package definition

// ReservedWords are the words that an expression cannot use as a name (CEL language definition, section Syntax), so
// that no input may be called by one.
func ReservedWords() []string {
	return []string{
		"as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let", "loop",
		"namespace", "null", "package", "return", "true", "var", "void", "while",
	}
}
