// Command fuzzall runs every fuzz target of the module for a short while, one after the other, and ends with 1 if
// one of them found an input, or if there is no target to run.
package main

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strings"
	"time"
)

// target is one fuzz function.
type target struct{ pkg, name string }

func main() {
	duration := flag.Duration("time", 5*time.Second, "how long each target runs")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *duration); err != nil {
		fmt.Fprintln(os.Stderr, "fuzzall:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, duration time.Duration) error {
	found, err := targets(ctx)
	if err != nil {
		return err
	}
	failed := 0
	for _, t := range found {
		if err := ctx.Err(); err != nil {
			return err
		}
		began := time.Now()
		// Minimising is bounded by runs: by time it would take a minute for an input that is slow to judge.
		cmd := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-fuzz", "^"+t.name+"$", "-fuzztime", duration.String(), "-fuzzminimizetime", "10x", t.pkg)
		out, err := cmd.CombinedOutput()
		verdict := "ok  "
		found := err != nil && !onlyTimeEnded(out)
		if found {
			verdict = "FAIL"
			failed++
		}
		fmt.Printf("%s  %s %s %.0fs%s\n", verdict, t.pkg, t.name, time.Since(began).Seconds(), executions(out))
		if found {
			fmt.Printf("%s", out)
		}
	}
	fmt.Printf("%d fuzz targets, %d failed\n", len(found), failed)
	if failed > 0 {
		return fmt.Errorf("%d targets failed", failed)
	}
	return nil
}

// targets asks the go command for the fuzz functions of the module.
func targets(ctx context.Context) ([]target, error) {
	cmd := exec.CommandContext(ctx, "go", "test", "-list", "^Fuzz", "./...")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("listing the targets: %w\n%s%s", err, out, stderr.Bytes())
	}
	found, err := parse(out)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("there is no fuzz target")
	}
	return found, err
}

// parse reads the names of functions, each group followed by the line that names its package.
func parse(out []byte) ([]target, error) {
	var found []target
	var names []string
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "Fuzz") {
			names = append(names, line)
			continue
		}
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "ok" {
			for _, name := range names {
				found = append(found, target{fields[1], name})
			}
			names = nil
		}
	}
	if len(names) > 0 {
		return nil, fmt.Errorf("no package was named for %s", strings.Join(names, ", "))
	}
	return found, lines.Err()
}

// onlyTimeEnded tells a run that the go command calls failed because its time ended while a worker was at an input: it
// says so and nothing else, and no input was found. Anything that it says beside that is a failure.
func onlyTimeEnded(out []byte) bool {
	said := ""
	for line := range strings.Lines(string(out)) {
		switch line = strings.TrimSpace(line); {
		case line == "", strings.HasPrefix(line, "fuzz: elapsed:"), strings.HasPrefix(line, "--- FAIL: Fuzz"), strings.HasPrefix(line, "FAIL"), line == "exit status 1":
		default:
			said += line + "\n"
		}
	}
	return said == "context deadline exceeded\n"
}

// executions gives the last count that the fuzzer printed.
func executions(out []byte) string {
	all := regexp.MustCompile(`execs: (\d+)`).FindAllSubmatch(out, -1)
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s runs)", all[len(all)-1][1])
}
