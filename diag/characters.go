package diag

// Classes of characters that a reader of a text does not see, or that change where he sees other characters. The
// names stand in the data of findings.
const (
	ClassBidi       = "bidirectional control" // reorders what is shown: U+061C, U+200E.. and the like
	ClassTag        = "tag"                   // the block U+E0000..U+E007F, a shadow of ASCII
	ClassZeroWidth  = "zero width"            // U+200B, U+2060..U+2064
	ClassJoiner     = "joiner"                // U+200C, U+200D
	ClassMark       = "byte order mark"       // U+FEFF
	ClassSoftHyphen = "soft hyphen"           // U+00AD
	ClassInvisible  = "invisible"             // the rest of what Unicode lets a font ignore, and annotation marks
	ClassVariation  = "variation selector"    // how the character before it looks; ordinary in emoji
)

// Hidden tells the class of a character that may not be seen, and whether it is hidden in the sense of tool
// fields, names and ids, where every such character but a variation selector is refused. The class is empty for
// ordinary characters. Control characters (C0, C1) and line separators are not in question here.
//
// The table is our own, so that a newer Unicode table in a Go release changes no verdict. It covers Bidi_Control
// and Default_Ignorable_Code_Point of Unicode 15 and the interlinear annotation marks.
func Hidden(r rune) (class string, hidden bool) {
	if r < 0xAD {
		return "", false
	}
	for _, row := range hiddenRanges {
		if r < row.first {
			break
		}
		if r <= row.last {
			return row.class, row.class != ClassVariation
		}
	}
	return "", false
}

type hiddenRange struct {
	first, last rune
	class       string
}

// Sorted, without overlaps.
var hiddenRanges = [...]hiddenRange{
	{0x00AD, 0x00AD, ClassSoftHyphen},
	{0x034F, 0x034F, ClassInvisible},
	{0x061C, 0x061C, ClassBidi},
	{0x115F, 0x1160, ClassInvisible},
	{0x17B4, 0x17B5, ClassInvisible},
	{0x180B, 0x180D, ClassVariation},
	{0x180E, 0x180E, ClassInvisible},
	{0x180F, 0x180F, ClassVariation},
	{0x200B, 0x200B, ClassZeroWidth},
	{0x200C, 0x200D, ClassJoiner},
	{0x200E, 0x200F, ClassBidi},
	{0x202A, 0x202E, ClassBidi},
	{0x2060, 0x2064, ClassZeroWidth},
	{0x2065, 0x2065, ClassInvisible},
	{0x2066, 0x2069, ClassBidi},
	{0x206A, 0x206F, ClassInvisible},
	{0x3164, 0x3164, ClassInvisible},
	{0xFE00, 0xFE0F, ClassVariation},
	{0xFEFF, 0xFEFF, ClassMark},
	{0xFFA0, 0xFFA0, ClassInvisible},
	{0xFFF0, 0xFFFB, ClassInvisible},
	{0x1BCA0, 0x1BCA3, ClassInvisible},
	{0x1D173, 0x1D17A, ClassInvisible},
	{0xE0000, 0xE007F, ClassTag},
	{0xE0080, 0xE00FF, ClassInvisible},
	{0xE0100, 0xE01EF, ClassVariation},
	{0xE01F0, 0xE0FFF, ClassInvisible},
}
