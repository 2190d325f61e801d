//go:build unix

package main

import (
	"math"
	"strings"
	"testing"
)

func TestSlopes(t *testing.T) {
	linear := func(n int) float64 { return 7 + 3*float64(n) }
	if got := slopes(linear, 100, 1000, 10_000); math.Abs(got-1) > 1e-9 {
		t.Errorf("linear growth is %v, want 1", got)
	}
	quadratic := func(n int) float64 { return float64(n) * float64(n) }
	if got := slopes(quadratic, 100, 1000, 10_000); math.Abs(got-10) > 0.01 {
		t.Errorf("quadratic growth is %v, want 10", got)
	}
}

func TestBars(t *testing.T) {
	var out strings.Builder
	missed := printBars(&out, []bar{
		{"below", 1, 2, "s", 1}, {"at", 2, 2, "s", 1}, {"above", 3, 2, "s", 1}, {"not measured", 0, 2, "s", 1}, {"no number", math.NaN(), 2, "x", 1},
	})
	if missed != 3 {
		t.Errorf("%d missed, want 3", missed)
	}
	for i, line := range strings.Split(strings.TrimSpace(out.String()), "\n")[:5] {
		want := "PASS"
		if i > 1 {
			want = "MISS"
		}
		if !strings.HasPrefix(line, want) {
			t.Errorf("%q, want %s", line, want)
		}
	}
}
