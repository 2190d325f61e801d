//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// machine says what the figures were taken on.
func machine(ctx context.Context) string {
	model := "unknown processor"
	// Only Linux has the file; elsewhere the architecture has to do.
	if data, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(data)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				model = strings.TrimSpace(value)
				break
			}
		}
	}
	commit := "no commit"
	if out, err := exec.CommandContext(ctx, "git", "rev-parse", "--short", "HEAD").Output(); err == nil {
		commit = "commit " + strings.TrimSpace(string(out))
	}
	return fmt.Sprintf("%s, %d cores, %s/%s, %s, %s", model, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), commit)
}
