package document

import "testing"

// The core schema of YAML 1.2, and what other readers take for something else.
func TestCore(t *testing.T) {
	tests := []struct {
		kind  Kind
		doubt Doubt
		texts []string
	}{
		{Null, NoDoubt, []string{"", "null", "Null", "NULL"}},
		{Null, DoubtNull, []string{"~"}},
		{Bool, NoDoubt, []string{"true", "True", "TRUE", "false", "False", "FALSE"}},
		{Number, NoDoubt, []string{"0", "-1", "+12", "1.5", ".5", "1.", "-0.0", "1e3", "1E-7", "1.10", "1e400", "0.05", ".inf", "-.INF", ".nan"}},
		{Number, DoubtNumber, []string{"017", "08", "-07", "0o17", "0x1F", "0b11", "1_000", "1_0.5", "00.5", "1.5_0"}},
		{String, DoubtWord, []string{"yes", "Yes", "YES", "no", "on", "OFF", "y", "N"}},
		{String, DoubtTime, []string{"2026-11-02", "2026-1-2", "2026-11-02T10:00:00Z", "2026-11-02 10:00:00", "12:30", "190:20:30.5"}},
		{String, NoDoubt, []string{"a", "yEs", "nope", "nul", "tRue", "1.0.0", "-", ".", "1a", "0xg", "1-2",
			"1:99:1", "sha256:00", "c-1", "15m", "99999-11-02", "0o9", "_1", "=", ".infinity", "+"}},
	}
	for _, test := range tests {
		for _, text := range test.texts {
			if kind, doubt := core(text); kind != test.kind || doubt != test.doubt {
				t.Errorf("%q is %v %q, want %v %q", text, kind, doubt, test.kind, test.doubt)
			}
		}
	}
}

func TestJSONSpelling(t *testing.T) {
	for text, want := range map[string]string{
		"+1": "1", "-1": "-1", ".5": "0.5", "-.5e3": "-0.5e3", "1.": "1", "1.e2": "1e2", "12": "12",
	} {
		if got := jsonSpelling(text); got != want {
			t.Errorf("%q is written %q, want %q", text, got, want)
		}
	}
}

func TestPlainNumber(t *testing.T) {
	for text, want := range map[string][2]string{
		"017": {"17", "15"}, "-017": {"-17", "-15"}, "08": {"8", ""}, "0o17": {"15", ""}, "0xFF": {"255", ""},
		"0b11": {"3", ""}, "1_000": {"1000", ""}, "1_0.5": {"", ""}, "0xFFFFFFFFFFFFFFFF": {"", ""},
	} {
		if value, octal := plainNumber(text); value != want[0] || octal != want[1] {
			t.Errorf("%q: %q %q, want %q", text, value, octal, want)
		}
	}
}
