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
