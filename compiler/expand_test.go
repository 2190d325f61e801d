package compiler

import "testing"

func TestParseOffset(t *testing.T) {
	for text, want := range map[string]int64{
		"0s": 0, "90s": 90_000, "2m": 120_000, "14m59s999ms": 899_999, "1h": 3_600_000, "1h1ms": 3_600_001, "5ms": 5, "007s": 7_000,
		"999999999s": 999_999_999_000,
	} {
		if ms, ok := parseOffset(text); !ok || ms != want {
			t.Errorf("%s is %d, %v, want %d", text, ms, ok, want)
		}
	}
	for _, text := range []string{
		"", "s", "1", "-1s", "+1s", " 1s", "1s ", "1.5s", "1S", "1s1m", "1m1h", "1s1s", "1ms1s", "1d", "1us", "1_000s", "1 s", "1h-1m",
		"1000000000s", "99999999999999999999h", "١s",
	} {
		if ms, ok := parseOffset(text); ok {
			t.Errorf("%q is taken as %d", text, ms)
		}
	}
}

func FuzzParseOffset(f *testing.F) {
	for _, seed := range []string{"1h2m3s4ms", "9m", "1ms", "m", "999999999h999999999m"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if ms, ok := parseOffset(text); ok && (ms < 0 || text == "" || text[0] < '0' || text[0] > '9' || text[len(text)-1] < 'h') {
			t.Errorf("%q is taken as %d", text, ms)
		}
	})
}
