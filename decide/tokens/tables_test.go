package tokens

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPriceTablesAreWhole(t *testing.T) {
	for _, c := range []struct {
		name, table string
		size        int
	}{
		{"follows", follows, 27 * 26},
		{"starts", starts, 26},
		{"positions", positions, 17},
		{"changes", changes, int(kinds) * int(kinds)},
		{"repeats", repeats, utf8.RuneSelf},
	} {
		if len(c.table) != c.size {
			t.Errorf("%s has %d prices, want %d", c.name, len(c.table), c.size)
		}
		for i := range len(c.table) {
			if price := priced(c.table, i); price < 0 || price > unit {
				t.Errorf("%s: price %d at %d", c.name, price, i)
			}
		}
	}
}

func TestKindsOfASCII(t *testing.T) {
	members := map[kind]string{
		space: " ", newline: "\n\r", tab: "\t", digit: "0123456789",
		lower: "abcdefghijklmnopqrstuvwxyz", upper: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
		quote: `"'`, comma: ",", colon: ":;", dot: ".", slash: "/", backslash: `\`, dash: "-", underscore: "_",
		opening: "([{", closing: ")]}", operator: "=+*", hash: "#", angle: "<>", exclamation: "!?", mark: "&|@%$^~`",
	}
	for c := range byte(utf8.RuneSelf) {
		want := control
		for k, chars := range members {
			if strings.IndexByte(chars, c) >= 0 {
				want = k
			}
		}
		if got := kindOf(c); got != want {
			t.Errorf("%q is of kind %d, want %d", c, got, want)
		}
	}
}

func TestScriptsCoverEverything(t *testing.T) {
	last := rune(utf8.RuneSelf - 1)
	for i, s := range scripts {
		if s.last <= last {
			t.Errorf("script %d ends at %U, the one before at %U", i, s.last, last)
		}
		most := unit * utf8.RuneLen(s.last)
		if first := last + 1; utf8.ValidRune(first) {
			most = unit * utf8.RuneLen(first)
		}
		if min(s.first, s.follow, s.rare) < 1 || max(s.first, s.follow, s.rare) > most {
			t.Errorf("script %d: prices %d, %d, %d, most %d", i, s.first, s.follow, s.rare, most)
		}
		if scriptOf(last+1) != i || scriptOf(s.last) != i {
			t.Errorf("script %d is not found by its ends", i)
		}
		last = s.last
	}
	if last != utf8.MaxRune {
		t.Errorf("the scripts end at %U", last)
	}
}

func TestBlocksAreWhole(t *testing.T) {
	last := rune(utf8.RuneSelf - 1)
	for _, b := range blocks {
		if b.first <= last || b.last < b.first {
			t.Errorf("block %U to %U after %U", b.first, b.last, last)
		}
		if want := int(b.last-b.first)/4 + 1; len(b.bits) != want {
			t.Errorf("block %U has %d characters, want %d", b.first, len(b.bits), want)
		}
		for i := range len(b.bits) {
			if bits := b.bits[i] - '0'; bits > 15 {
				t.Errorf("block %U: bits %d at %d", b.first, bits, i)
			}
		}
		last = b.last
	}
	for _, c := range []struct {
		r    rune
		want bool
	}{{'é', true}, {'ж', true}, {'学', true}, {'한', true}, {'龘', false}, {'뷁', false}, {'Ѭ', false}, {0x1F600, false}} {
		if got := everyday(c.r); got != c.want {
			t.Errorf("everyday(%U) is %v", c.r, got)
		}
	}
}
