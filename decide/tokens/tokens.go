package tokens

import "math"

// Estimator names the estimator. It stands in every definition; any change of any number that Count or Maximum
// returns makes another estimator with another name.
const Estimator = "seif-est/1"

// What a budget adds for the frame around a text: PerSegment for each segment of a context, PerTool for each
// disclosed tool.
const (
	PerSegment = 8
	PerTool    = 16
)

// MaxPerCodePoint is what the costliest class of code points costs: four bytes, each a token. Count of a text never
// exceeds MaxPerCodePoint times its code points; a byte that is no UTF-8 counts as one code point.
const MaxPerCodePoint = 4

// Count estimates how many tokens a text takes. It is never negative, 0 for the empty text only, and never more
// than the bytes of the text. Its time is linear in them. Text that is no UTF-8 is counted, a token for each byte
// that belongs to no code point.
func Count(text string) int {
	s := newScanner()
	total := int64(0)
	for i := 0; i < len(text); {
		price, width := s.next(text[i:])
		total += int64(price)
		i += width
	}
	return int((total + unit - 1) / unit)
}

// Maximum is the most that Count can return for a text of at most the given number of code points: what an input
// with that maxLength is charged before its value is known. It is 0 for a number below 0 and saturates at the
// largest int.
func Maximum(codePoints int) int {
	if codePoints <= 0 {
		return 0
	}
	if codePoints > math.MaxInt/MaxPerCodePoint {
		return math.MaxInt
	}
	return codePoints * MaxPerCodePoint
}
