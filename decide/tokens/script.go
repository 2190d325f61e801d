package tokens

// script prices the code points of one range beyond ASCII. A code point in everyday use, see everyday, is a first
// one or follows one of the same script; every other code point of the range is rare and costs about what its bytes
// cost. Where all three prices are equal the range has no code points in everyday use to tell apart.
type script struct {
	last                rune // the range begins after that of the script before
	first, follow, rare int
	joins               bool // its code points continue a word of ASCII letters
}

// scripts covers U+0080 to U+10FFFF without a gap, in ascending order. These are our own ranges; the tables of a Go
// release play no part.
var scripts = [...]script{
	{0x00BF, 40, 29, 64, false},      // Latin-1 signs
	{0x024F, 40, 28, 64, true},       // Latin
	{0x02FF, 40, 34, 64, true},       // Phonetic
	{0x036F, 24, 40, 64, true},       // Combining
	{0x03FF, 30, 15, 64, false},      // Greek
	{0x052F, 24, 15, 64, false},      // Cyrillic
	{0x058F, 37, 13, 64, false},      // Armenian
	{0x05FF, 26, 18, 64, false},      // Hebrew
	{0x064A, 24, 14, 64, false},      // Arabic
	{0x065F, 29, 29, 64, false},      // Arabic marks
	{0x0669, 32, 32, 64, false},      // Arabic digits
	{0x06EF, 30, 40, 64, false},      // Arabic letters of other languages
	{0x06F9, 32, 32, 64, false},      // Persian digits
	{0x06FF, 24, 12, 64, false},      // Arabic letters of other languages
	{0x07FF, 64, 64, 64, false},      // Syriac, Thaana, NKo
	{0x08FF, 96, 96, 96, false},      // Samaritan to Arabic Extended
	{0x0965, 24, 17, 64, false},      // Devanagari
	{0x096F, 32, 32, 64, false},      // Devanagari digits
	{0x097F, 24, 12, 64, false},      // Devanagari
	{0x09E5, 25, 16, 64, false},      // Bengali
	{0x09EF, 32, 32, 64, false},      // Bengali digits
	{0x09FF, 32, 12, 64, false},      // Bengali
	{0x0A7F, 24, 28, 64, false},      // Gurmukhi
	{0x0AFF, 29, 17, 64, false},      // Gujarati
	{0x0B7F, 40, 40, 85, false},      // Oriya
	{0x0BFF, 40, 15, 64, false},      // Tamil
	{0x0C7F, 30, 19, 64, false},      // Telugu
	{0x0CFF, 34, 18, 64, false},      // Kannada
	{0x0D7F, 40, 14, 64, false},      // Malayalam
	{0x0DFF, 32, 24, 64, false},      // Sinhala
	{0x0E7F, 40, 16, 64, false},      // Thai
	{0x0EFF, 64, 64, 64, false},      // Lao
	{0x0FFF, 24, 35, 71, false},      // Tibetan
	{0x109F, 40, 21, 64, false},      // Myanmar
	{0x10FF, 31, 13, 64, false},      // Georgian
	{0x11FF, 96, 96, 96, false},      // Hangul Jamo
	{0x137F, 64, 64, 64, false},      // Ethiopic
	{0x177F, 96, 96, 96, false},      // Ethiopic Supplement to Khmer
	{0x17FF, 24, 26, 64, false},      // Khmer
	{0x1DFF, 96, 96, 96, false},      // Mongolian to phonetic supplements
	{0x1EFF, 24, 12, 64, true},       // Latin additional
	{0x1FFF, 24, 12, 80, false},      // Greek extended
	{0x206F, 24, 25, 64, false},      // Punctuation
	{0x233F, 32, 32, 78, false},      // Symbol
	{0x245F, 96, 96, 96, false},      // Technical
	{0x26BF, 40, 32, 78, false},      // Enclosed, boxes, shapes, symbols
	{0x27BF, 32, 32, 96, false},      // Dingbat
	{0x2FFF, 96, 96, 96, false},      // Arrows, braille, mathematical operators, radicals
	{0x303F, 40, 24, 64, false},      // CJK punctuation
	{0x309F, 26, 18, 64, false},      // Hiragana
	{0x30FF, 37, 26, 64, false},      // Katakana
	{0x4DFF, 96, 96, 96, false},      // Bopomofo to ideographs A
	{0x9FFF, 40, 33, 80, false},      // Ideograph
	{0xABFF, 96, 96, 96, false},      // Yi to Meetei
	{0xD7A3, 29, 30, 93, false},      // Hangul
	{0xFDFF, 96, 96, 96, false},      // Private use, compatibility ideographs, presentation forms
	{0xFE0F, 38, 32, 64, false},      // Selector
	{0xFEFE, 96, 96, 96, false},      // Presentation forms
	{0xFFFF, 40, 38, 76, false},      // Fullwidth
	{0x1CFFF, 128, 128, 128, false},  // Ancient and rare scripts
	{0x1D7FF, 96, 96, 96, false},     // Musical, mathematical
	{0x1EFFF, 128, 128, 128, false},  // Sign writing, rare scripts
	{0x1F1E5, 96, 96, 96, false},     // Tiles, cards, enclosed
	{0x1F1FF, 64, 64, 64, false},     // Flags
	{0x1F2FF, 96, 96, 96, false},     // Enclosed ideographs
	{0x1F53F, 64, 64, 64, false},     // Emoji
	{0x1F5FF, 96, 96, 96, false},     // Emoji, rarer
	{0x1F6BF, 64, 64, 64, false},     // Faces, transport
	{0x1F8FF, 96, 96, 96, false},     // Transport, rarer; arrows
	{0x1F97F, 64, 64, 64, false},     // Emoji
	{0x1FBFF, 96, 96, 96, false},     // Emoji, rarer
	{0x10FFFF, 128, 128, 128, false}, // Everything later
}

// scriptOf finds the script of a code point from U+0080 on.
func scriptOf(r rune) int {
	low, high := 0, len(scripts)-1
	for low < high {
		middle := (low + high) / 2
		if scripts[middle].last < r {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}
