//go:build unix

// Command run measures seifc as a user meets it: as processes, by the processor time and the memory that the system
// charged them with, on Projects of 10 to 10,000 tools. It prints the figures, their ratios to the floor of the
// machine in the same run, and each bar with its figure and PASS or MISS, and ends with 1 on a MISS.
//
// The figures are the best of several runs for time, because the machine may have other work, and the worst for
// memory.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
)

func main() {
	largest := flag.Int("largest", 10_000, "the largest Project, in tools")
	runs := flag.Int("runs", 8, "runs of each command; large Projects get fewer")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	missed, err := run(ctx, *largest, *runs)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(3)
	}
	if missed > 0 {
		os.Exit(1)
	}
}

func run(ctx context.Context, largest, runs int) (missed int, err error) {
	if largest < 1000 || runs < 1 {
		return 0, fmt.Errorf("the bars need a Project of 1,000 tools and at least one run")
	}
	dir, err := os.MkdirTemp("", "seif-bench-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	for _, program := range []string{"./cmd/seifc", "./bench/peer"} {
		build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", filepath.Join(dir, filepath.Base(program)), program)
		if out, err := build.CombinedOutput(); err != nil {
			return 0, fmt.Errorf("building %s: %w\n%s", program, err, out)
		}
	}
	fmt.Println(machine(ctx))
	m := &measurer{ctx: ctx, dir: dir, runs: runs, figures: map[key]figure{}}
	if err := m.all(largest); err != nil {
		return 0, err
	}
	m.printTable(os.Stdout)
	return printBars(os.Stdout, m.bars()), nil
}
