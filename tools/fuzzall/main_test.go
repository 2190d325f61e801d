package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	got, err := parse([]byte("FuzzA\nFuzzB\nok  \tm/p\t0.01s\n?   \tm/q\t[no test files]\nok  \tm/r\t0.02s\nFuzzC\nok  \tm/s\t0.01s\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []target{{"m/p", "FuzzA"}, {"m/p", "FuzzB"}, {"m/s", "FuzzC"}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(target{})); diff != "" {
		t.Errorf("targets (-want +got):\n%s", diff)
	}
}

func TestParseRefusesTargetsWithoutAPackage(t *testing.T) {
	if got, err := parse([]byte("ok  \tm/p\t0.01s\nFuzzA\n")); err == nil {
		t.Errorf("got %v, want an error", got)
	}
}

func TestExecutions(t *testing.T) {
	got := executions([]byte("fuzz: elapsed: 0s, execs: 12 (1/sec)\nfuzz: elapsed: 3s, execs: 3456 (2/sec)\n"))
	if got != " (3456 runs)" {
		t.Errorf("got %q", got)
	}
}

func TestOnlyTimeEnded(t *testing.T) {
	const ended = "fuzz: elapsed: 3s, execs: 39243 (0/sec), new interesting: 7 (total: 195)\n--- FAIL: FuzzA (3.06s)\n    context deadline exceeded\nFAIL\nexit status 1\nFAIL\tm/p\t3.079s\n"
	tests := []struct {
		name, out string
		want      bool
	}{
		{"the time ended", ended, true},
		{"an input was found", "--- FAIL: FuzzA (0.02s)\n    --- FAIL: FuzzA (0.00s)\n        a_test.go:5: wrong\n    Failing input written to testdata/fuzz/FuzzA/1\nFAIL\n", false},
		{"an input was found, and the time ended", ended + "    Failing input written to testdata/fuzz/FuzzA/1\n", false},
		{"a worker died", "--- FAIL: FuzzA (3.06s)\n    fuzzing process hung or terminated unexpectedly: exit status 2\nFAIL\n", false},
		{"it did not compile", "FAIL\tm/p [build failed]\nFAIL\n", false},
		{"nothing", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := onlyTimeEnded([]byte(tt.out)); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
