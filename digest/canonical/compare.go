package canonical

// Compare orders two member names by their UTF-16 code units, as RFC 8785 section 3.2.3 demands: characters
// beyond U+FFFF, being surrogate pairs, come before U+E000 to U+FFFF. The result is -1, 0 or 1. Over texts that
// are not UTF-8 it is still a total order.
func Compare(a, b string) int { return compare(a, b) }

func compare[T ~string | ~[]byte](a, b T) int {
	size := min(len(a), len(b))
	for i := range size {
		if a[i] != b[i] {
			if utf16Weight(a[i]) < utf16Weight(b[i]) {
				return -1
			}
			return 1
		}
	}
	switch {
	case len(a) < len(b):
		return -1
	case len(a) > len(b):
		return 1
	default:
		return 0
	}
}

// utf16Weight orders bytes of UTF-8 as UTF-16 orders what they begin. Only the lead bytes of U+E000 to U+FFFF
// change places with those of what lies beyond; where two texts first differ in a later byte of a character, its
// lead byte is the same in both, and bytes are in order as they are.
func utf16Weight(c byte) int {
	if c == 0xEE || c == 0xEF {
		return 0x100 + int(c)
	}
	return int(c)
}
