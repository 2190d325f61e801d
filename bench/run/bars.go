//go:build unix

package main

import (
	"fmt"
	"io"
	"time"
)

// bar is a promise about a figure: it passes if the figure is at most the limit.
type bar struct {
	what          string
	figure, limit float64
	unit          string
	digits        int
}

// growth is how much more one more tool may cost between 1,000 and 10,000 than between 100 and 1,000: 1 is exactly
// linear, 10 is quadratic. What is above 1 is room for the processor's caches, for the collector, which keeps small
// heaps smaller than large ones, and for noise.
const growth = 2

// bars holds the figures against what is promised. A bar without a figure is not left out: it misses.
func (m *measurer) bars() []bar {
	build := m.figures[key{"build", 1000}]
	all := []bar{
		{"build, 1,000 tools and tests, 100 expressions: processor time", build.cpu.Seconds(), 0.5, "s", 2},
		{"build, 1,000 tools and tests, 100 expressions: memory", megabytes(build.rss), 120, "MB", 0},
		{"version: processor time", milliseconds(m.figures[key{work: "version"}].cpu), 25, "ms", 1},
		{"verify the example: processor time", milliseconds(m.figures[key{work: "verify example"}].cpu), 30, "ms", 1},
		{"verify, 1,000 tools: processor time", milliseconds(m.figures[key{"verify", 1000}].cpu), 60, "ms", 1},
	}
	for _, work := range []string{"check", "test", "build", "budget"} {
		for i := 2; i < len(m.sizes); i++ {
			a, b, c := m.sizes[i-2], m.sizes[i-1], m.sizes[i]
			what := fmt.Sprintf("%s, one more tool from %d to %d against %d to %d: ", work, b, c, a, b)
			cpu := func(n int) float64 { return m.figures[key{work, n}].cpu.Seconds() }
			rss := func(n int) float64 { return float64(m.figures[key{work, n}].rss) }
			if b >= 1000 {
				all = append(all, bar{what + "time", slopes(cpu, a, b, c), growth, "x", 2}, bar{what + "memory", slopes(rss, a, b, c), growth, "x", 2})
			}
		}
	}
	return all
}

// slopes gives the cost of one more between b and c in terms of that between a and b.
func slopes(cost func(int) float64, a, b, c int) float64 {
	return (cost(c) - cost(b)) / float64(c-b) / ((cost(b) - cost(a)) / float64(b-a))
}

func (b bar) passes() bool { return b.figure > 0 && b.figure <= b.limit }

func printBars(out io.Writer, bars []bar) (missed int) {
	fmt.Fprintln(out)
	for _, b := range bars {
		verdict := "PASS"
		if !b.passes() {
			verdict = "MISS"
			missed++
		}
		fmt.Fprintf(out, "%s  %-70s %8.*f %-2s (bar %g)\n", verdict, b.what, b.digits, b.figure, b.unit, b.limit)
	}
	fmt.Fprintf(out, "%d bars, %d missed\n", len(bars), missed)
	return missed
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func megabytes(bytes int64) float64 { return float64(bytes) / 1e6 }
