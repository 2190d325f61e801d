//go:build unix

package main

import (
	"fmt"
	"io"
)

// printTable prints every figure. `x sha256` and `x yaml` are processor time in terms of hashing, and of parsing with
// yaml.v3, the same files in the same run; time per tool leaves out what an empty start costs.
func (m *measurer) printTable(out io.Writer) {
	fmt.Fprintf(out, "\n%8s %-8s %10s %10s %8s %10s %10s %8s\n", "tools", "work", "cpu ms", "wall ms", "rss MB", "us/tool", "x sha256", "x yaml")
	for _, work := range []string{"nothing", "version", "verify example"} {
		f := m.figures[key{work: work}]
		fmt.Fprintf(out, "%23s %10.1f %10.1f %8.1f\n", work, milliseconds(f.cpu), milliseconds(f.wall), megabytes(f.rss))
	}
	start := m.figures[key{work: "version"}].cpu
	for _, n := range m.sizes {
		fmt.Fprintf(out, "%8d files of %.2f MB\n", n, float64(m.bytes[n])/1e6)
		for _, work := range append([]string{"pin"}, works...) {
			f := m.figures[key{work, n}]
			fmt.Fprintf(out, "%8d %-8s %10.1f %10.1f %8.1f %10.1f %10.1f %8.2f\n", n, work, milliseconds(f.cpu), milliseconds(f.wall), megabytes(f.rss),
				1000*milliseconds(max(0, f.cpu-start))/float64(n), ratio(f, m.figures[key{"sha256", n}]), ratio(f, m.figures[key{"yaml", n}]))
		}
	}
}

func ratio(f, peer figure) float64 { return float64(f.cpu) / float64(peer.cpu) }
