package schema

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTranslatedPatternsMatchAsECMAScript(t *testing.T) {
	for _, c := range []struct {
		pattern string
		yes, no []string
	}{
		{`^a$`, []string{"a"}, []string{"a\n", "\na", "ba"}},
		{`a|b|`, []string{"", "x"}, nil},
		{`^(?:ab)?c+?d*$`, []string{"abcc", "cd"}, []string{"abd"}},
		{`^.$`, []string{"a", "\u0085", "😀"}, []string{"\n", "\r", "\u2028", "\u2029", "ab"}},
		{`^\s$`, []string{" ", "\t", "\v", "\f", "\n", "\r", "\u00a0", "\u1680", "\u2003", "\u202f", "\u205f", "\u3000", "\ufeff"}, []string{"\u200b", "\u180e", "\u0085"}},
		{`^\S$`, []string{"a", "\u0085"}, []string{"\u00a0", "\ufeff"}},
		{`^[\s\d]$`, []string{"\u00a0", "1"}, []string{"a"}},
		{`^[^\s]$`, []string{"a"}, []string{"\u2028"}},
		{`^[\S]$`, []string{"a"}, []string{"\u2028"}},
		{`^[\D\d]$`, []string{"a", "1", "\n"}, []string{""}},
		{`^\d\D\w\W$`, []string{"1a_-", "1éz\u0661"}, []string{"\u0661a_-", "11_-"}},
		{`\bfoo\b`, []string{"a foo", "éfoo"}, []string{"afoo", "foo_"}},
		{`^a\Bb$`, []string{"ab"}, nil},
		{`^[^]$`, []string{"\n", "a"}, []string{""}},
		{`[]`, nil, []string{"", "a", "]"}},
		{`^[a\-z]$`, []string{"a", "-", "z"}, []string{"b", `\`}},
		{`^[\w-.]$`, []string{"a", "-", "."}, []string{"/"}},
		{`^[a-\d]$`, []string{"a", "-", "5"}, []string{"b"}},
		{`^[-a]$`, []string{"-", "a"}, nil},
		{`^[a-]$`, []string{"-", "a"}, nil},
		{`^[[:alpha:]]$`, []string{"[]", ":]", "a]"}, []string{"b"}},
		{`^[\b]$`, []string{"\b"}, []string{"b"}},
		{`^[\]\\^]$`, []string{"]", `\`, "^"}, nil},
		{`^\x41\u0042\u{43}\u{1F600}\uD83D\uDE00$`, []string{"ABC😀😀"}, nil},
		{`^[\uD83D\uDE00-\u{1F602}]$`, []string{"😁"}, []string{"\ufffd"}},
		{`^\0$`, []string{"\x00"}, []string{"0"}},
		{`^\t\n\v\f\r$`, []string{"\t\n\v\f\r"}, nil},
		{`^\/\.\@\_\ \-\"$`, []string{`/.@_ -"`}, nil},
		{`^\p{Lu}\p{Letter}\p{gc=Nd}\p{Script=Greek}\P{L}$`, []string{"Éé1α-"}, []string{"éé1α-"}},
		{`^[\p{L}\p{digit}_]+$`, []string{"é1_"}, []string{"-"}},
		{`^\p{ASCII}\P{ASCII}[\P{ASCII}]$`, []string{"aéé"}, []string{"aaé"}},
		{`^{a}}]$`, []string{"{a}}]"}, nil},
		{`^a{2}b{1,}c{0,2}$`, []string{"aabbcc", "aab"}, []string{"aabccc"}},
		{`^(?<year>\d{4})-(?<month>\d\d)$`, []string{"2026-12"}, []string{"2026"}},
		{`^(a|b)*?$`, []string{"", "abab"}, []string{"c"}},
		{`é`, []string{"été"}, nil},
	} {
		translated, size, err := translate(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		re, err := regexp.Compile(translated)
		if err != nil {
			t.Errorf("%s became %s: %v", c.pattern, translated, err)
			continue
		}
		if size < 1 {
			t.Errorf("%s has size %d", c.pattern, size)
		}
		for _, s := range c.yes {
			if !re.MatchString(s) {
				t.Errorf("%s (%s) does not match %q", c.pattern, translated, s)
			}
		}
		for _, s := range c.no {
			if re.MatchString(s) {
				t.Errorf("%s (%s) matches %q", c.pattern, translated, s)
			}
		}
	}
}

func TestPatternsThatAreRefused(t *testing.T) {
	for pattern, unsupported := range map[string]bool{
		`(?=a)`: true, `(?!a)`: true, `(?<=a)`: true, `(?<!a)`: true, `(a)\1`: true, `(?<n>a)\k<n>`: true, `\cA`: true, `\01`: true,
		`(?i)a`: true, `(?i:a)`: true, `(?P<n>a)`: true, `\uD800`: true, `\uDE00`: true, `\u{D800}`: true, `a{1001}`: true, `a{1,2000}`: true,
		`a{,5}`: true, `\p{Emoji}`: true, `\p{Greek}`: true, `\p{sc=Klingon}`: true, `[\cA]`: true, `[\1]`: true,
		`(a`: false, `a)`: false, `[a`: false, `[`: false, `\`: false, `*a`: false, `a**`: false, `a{2}{3}`: false, `a+++`: false, `^*`: false,
		`\b+`: false, `$?`: false, `\A`: false, `\z`: false, `\Z`: false, `\Qa`: false, `\a`: false, `\e`: false, `\x4`: false, `\u12`: false,
		`\u{110000}`: false, `\u{}`: false, `\p`: false, `\pL`: false, `[z-a]`: false, `a{3,2}`: false, `(?<1>a)`: false, `(?<n>a)(?<n>b)`: false,
		`|*`: false, `(*a)`: false, `{1}`: false,
	} {
		_, _, err := translate(pattern)
		var failure *patternError
		if !errors.As(err, &failure) {
			t.Errorf("%s: %v", pattern, err)
			continue
		}
		if failure.unsupported != unsupported {
			t.Errorf("%s: unsupported is %v: %v", pattern, failure.unsupported, err)
		}
		if failure.offset < 0 || failure.length < 1 || failure.offset+failure.length > len(pattern) {
			t.Errorf("%s: at %d, %d bytes", pattern, failure.offset, failure.length)
		}
	}
}

func TestPatternSizeMultipliesRepetitions(t *testing.T) {
	small, large := 0, 0
	for pattern, size := range map[string]*int{`^[a-z]{1,64}$`: &small, `(?:(?:abc){30}){30}`: &large} {
		_, got, err := translate(pattern)
		if err != nil {
			t.Fatal(err)
		}
		*size = got
	}
	if small > 200 || large < 2700 {
		t.Errorf("sizes %d and %d", small, large)
	}
	if _, size, err := translate(strings.Repeat("(?:", 100) + "a" + strings.Repeat("){1000}", 100)); err != nil || size < MaxPatternSize {
		t.Errorf("nested repetitions: %d, %v", size, err)
	}
}

// Whatever the text: no panic, and what is translated is a regular expression or over a bound that RE2 knows.
func FuzzTranslate(f *testing.F) {
	for _, seed := range []string{`^[\w-.]+$`, `\p{Lu}(?<a>b){2,3}?`, `[^]`, `\uD83D\uDE00`, `a{,5}`, `[a-\d]`, `(?i)x`, `[\P{L}\S]`, `{{a}}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		if !utf8.ValidString(pattern) || len(pattern) > MaxPatternBytes {
			return
		}
		translated, size, err := translate(pattern)
		if err != nil {
			var failure *patternError
			if !errors.As(err, &failure) || failure.offset < 0 || failure.length < 1 || failure.offset+failure.length > len(pattern) {
				t.Fatalf("%q: %#v", pattern, err)
			}
			return
		}
		if size > MaxPatternSize {
			return
		}
		if _, err := regexp.Compile(translated); err != nil && !strings.Contains(err.Error(), "repeat") && !strings.Contains(err.Error(), "nest") {
			t.Fatalf("%q became %q: %v", pattern, translated, err)
		}
	})
}
