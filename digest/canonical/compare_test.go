package canonical_test

import (
	"slices"
	"testing"
	"unicode/utf16"

	"github.com/seif-dev/seifc/digest/canonical"
)

func TestCompareOrdersByUTF16CodeUnits(t *testing.T) {
	names := []string{
		"", "\x00", "\r", "1", "10", "2", "A", "a", "aa", "a\U0001f600", "a\ue000", "b", "\u0080", "ö", "\u07ff", "\u0800", "€", "\ud7ff",
		"\U00010000", "\U0001f600", "\U0001f602", "\U0010ffff", "\ue000", "\ufb33", "\uffff",
	}
	for i, a := range names {
		for j, b := range names {
			want := 0
			if i < j {
				want = -1
			}
			if i > j {
				want = 1
			}
			if got := canonical.Compare(a, b); got != want {
				t.Errorf("%q, %q: got %d, want %d", a, b, got, want)
			}
		}
	}
}

func FuzzCompare(f *testing.F) {
	f.Add("a\U0001f600", "a\ue000")
	f.Add("\uffff", "\U00010000")
	f.Add("\U0010ffff\xff", "\xee\x80")
	f.Fuzz(func(t *testing.T, a, b string) {
		got := canonical.Compare(a, b)
		if got != -canonical.Compare(b, a) || (got == 0) != (a == b) {
			t.Errorf("%q, %q: not an order", a, b)
		}
		if string([]rune(a)) != a || string([]rune(b)) != b {
			return // not UTF-8
		}
		if want := slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b))); got != want {
			t.Errorf("%q, %q: got %d, want %d", a, b, got, want)
		}
	})
}
