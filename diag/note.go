package diag

// The notes that findings carry. A finding's message says what is wrong; its notes say where else to look.
const (
	NotePinnedHere   NoteKind = "pinned_here"
	NoteDefinedHere  NoteKind = "defined_here"
	NoteFirstHere    NoteKind = "first_here"
	NoteDeclaredHere NoteKind = "declared_here"
	NoteIncludedHere NoteKind = "included_here"
	NoteUsedHere     NoteKind = "used_here"
	NoteLimitedHere  NoteKind = "limited_here"
	NoteExpandedHere NoteKind = "expanded_here"
	NoteDetail       NoteKind = "detail" // free lines without a place of their own: Data["text"]
)

func (k NoteKind) template() string {
	switch k {
	case NotePinnedHere:
		return "pinned here"
	case NoteDefinedHere:
		return "defined here[[: {text}]]"
	case NoteFirstHere:
		return "first here"
	case NoteDeclaredHere:
		return "declared here[[: {text}]]"
	case NoteIncludedHere:
		return "included here"
	case NoteUsedHere:
		return "used here[[: {text}]]"
	case NoteLimitedHere:
		return "limited here[[: {text}]]"
	case NoteExpandedHere:
		return "expanded here"
	default:
		return "{text}"
	}
}
