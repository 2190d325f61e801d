package definition

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Allows tells whether the declaration names the character. A declaration is a list, separated by spaces or commas, of
// code points (`U+200B`), ranges of them (`U+E0020..U+E007F`), or the characters themselves. A part that is malformed
// allows nothing.
func (a AllowedCharacters) Allows(r rune) bool { return allowanceOf([]AllowedCharacters{a}).has(r) }

// allowance is what several declarations allow: sorted ranges without overlaps.
type allowance []runeRange

func allowanceOf(list []AllowedCharacters) allowance {
	var all allowance
	for _, a := range list {
		ranges, _ := a.ranges()
		all = append(all, ranges...)
	}
	slices.SortFunc(all, func(a, b runeRange) int { return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.last, b.last)) })
	merged := all[:0]
	for _, one := range all {
		if n := len(merged); n > 0 && one.first <= merged[n-1].last {
			merged[n-1].last = max(merged[n-1].last, one.last)
			continue
		}
		merged = append(merged, one)
	}
	return merged
}

func (a allowance) has(r rune) bool {
	_, found := slices.BinarySearchFunc(a, r, func(one runeRange, r rune) int {
		switch {
		case one.last < r:
			return -1
		case one.first > r:
			return 1
		}
		return 0
	})
	return found
}

// runeRange is a range of characters, both ends included, and where in the declaration it stands.
type runeRange struct {
	first, last    rune
	offset, length int
}

// ranges reads the declaration. It tells the part that is malformed, if one is.
func (a AllowedCharacters) ranges() (ranges []runeRange, malformed *runeRange) {
	text := a.Characters
	for at := 0; at < len(text); {
		end := strings.IndexAny(text[at:], " ,")
		if end < 0 {
			end = len(text) - at
		}
		word := text[at : at+end]
		switch {
		case word == "":
		case strings.HasPrefix(word, "U+"):
			one, ok := readRange(word)
			one.offset, one.length = at, end
			if !ok {
				return ranges, &one
			}
			ranges = append(ranges, one)
		default:
			for i, r := range word {
				ranges = append(ranges, runeRange{first: r, last: r, offset: at + i, length: utf8.RuneLen(r)})
			}
		}
		at += end + 1
	}
	return ranges, nil
}

// readRange reads `U+XXXX` or `U+XXXX..U+YYYY`.
func readRange(word string) (runeRange, bool) {
	first, last, isRange := strings.Cut(word, "..")
	low, ok := readCodePoint(first)
	high := low
	if ok && isRange {
		high, ok = readCodePoint(last)
	}
	return runeRange{first: low, last: high}, ok && low <= high
}

func readCodePoint(text string) (rune, bool) {
	digits, ok := strings.CutPrefix(text, "U+")
	if !ok || len(digits) < 4 || len(digits) > 6 {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 16, 32)
	return rune(n), err == nil && n <= utf8.MaxRune
}

// compareAllowed is the order in which declarations are written: they are a set.
func compareAllowed(a, b AllowedCharacters) int {
	return cmp.Or(canonical.Compare(a.Characters, b.Characters), canonical.Compare(a.Reason, b.Reason))
}

// needsDeclaration tells the characters that a source must declare: those that nobody sees, but for joiners, variation
// selectors and byte order marks, which are ordinary text in many languages (formats.md, rule 8).
func needsDeclaration(r rune) (class string, needs bool) {
	class, hidden := diag.Hidden(r)
	switch class {
	case diag.ClassJoiner, diag.ClassVariation, diag.ClassMark:
		return class, false
	}
	return class, hidden
}

// declarable lists, in order, every character that needs a declaration; a constant that is made when it is first
// asked for.
var declarable = sync.OnceValue(func() []rune {
	var all []rune
	for r := rune(0x80); r <= utf8.MaxRune; r++ {
		if _, needs := needsDeclaration(r); needs {
			all = append(all, r)
		}
	}
	return all
})

// declares tells whether anything in the range needs to be declared.
func (r runeRange) declares() bool {
	all := declarable()
	at, _ := slices.BinarySearch(all, r.first)
	return at < len(all) && all[at] <= r.last
}

// allowed checks a source's declarations: each must be readable and name something that has to be declared, so that
// one which is without effect is not mistaken for a permission.
func (c *checker) allowed(at string, list []AllowedCharacters) {
	for i, entry := range list {
		itemAt := canonical.JoinPointer(at, "allow_characters", strconv.Itoa(i))
		ranges, malformed := entry.ranges()
		if malformed != nil {
			word := entry.Characters[malformed.offset : malformed.offset+malformed.length]
			c.add(diag.New(diag.CodeAllowMalformed, itemAt+"/characters", "found", word).Within(malformed.offset, malformed.length))
			continue
		}
		if len(ranges) == 0 {
			c.add(diag.New(diag.CodeAllowNeedless, itemAt+"/characters", "found", entry.Characters))
		}
		for _, one := range ranges {
			if !one.declares() {
				word := entry.Characters[one.offset : one.offset+one.length]
				c.add(diag.New(diag.CodeAllowNeedless, itemAt+"/characters", "found", word).Within(one.offset, one.length))
				break
			}
		}
		if strings.TrimSpace(entry.Reason) == "" {
			c.add(diag.New(diag.CodeAllowReason, itemAt+"/reason"))
		}
	}
}
