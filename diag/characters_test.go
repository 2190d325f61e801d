package diag_test

import (
	"testing"
	"unicode"

	"github.com/seif-dev/seifc/diag"
)

// The table is ours; a Unicode property that grows beyond it is seen here, not in a user's Build.
func TestHiddenCoversTheUnicodeProperties(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		class, hidden := diag.Hidden(r)
		switch {
		case unicode.Is(unicode.Bidi_Control, r):
			if class != diag.ClassBidi || !hidden {
				t.Errorf("U+%04X is a bidirectional control, got %q %v", r, class, hidden)
			}
		case unicode.Is(unicode.Variation_Selector, r):
			if class != diag.ClassVariation || hidden {
				t.Errorf("U+%04X is a variation selector, got %q %v", r, class, hidden)
			}
		case unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r), r == 0x00AD, r >= 0xE0000 && r <= 0xE007F:
			if !hidden {
				t.Errorf("U+%04X is ignorable and not hidden", r)
			}
		case r < 0xAD || unicode.IsControl(r) || unicode.IsLetter(r) && !hidden:
			if class != "" {
				t.Errorf("U+%04X has class %q", r, class)
			}
		}
	}
}

func TestHiddenClasses(t *testing.T) {
	for r, want := range map[rune]string{
		0xAD: diag.ClassSoftHyphen, 0x200B: diag.ClassZeroWidth, 0x2060: diag.ClassZeroWidth, 0x2064: diag.ClassZeroWidth,
		0x200C: diag.ClassJoiner, 0x200D: diag.ClassJoiner, 0xFEFF: diag.ClassMark, 0x202E: diag.ClassBidi,
		0x2069: diag.ClassBidi, 0xE0020: diag.ClassTag, 0xE007F: diag.ClassTag, 0x3164: diag.ClassInvisible,
		0xFE0F: diag.ClassVariation, 'a': "", 'é': "", 0x05D0: "", 0x1F600: "", 0x2028: "", 0x85: "", ' ': "",
	} {
		class, hidden := diag.Hidden(r)
		if class != want || hidden != (want != "" && want != diag.ClassVariation) {
			t.Errorf("Hidden(U+%04X) = %q, %v; want class %q", r, class, hidden, want)
		}
	}
}
