package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/compiler/subject"
	"github.com/seif-dev/seifc/diag"
)

func checkCommand() *command {
	return &command{
		Command: &cli.Command{
			Name: "check", Usage: "compile a Project and report what is wrong, without tests and without a Build", ArgsUsage: "[PROJECT]",
			Flags: []cli.Flag{&cli.BoolFlag{Name: "watch", Usage: "check again whenever a file of the Project changes"}},
		},
		formats: findingFormats(), most: 1, run: runCheck,
	}
}

func runCheck(ctx context.Context, c *call) (answer, error) {
	if c.Bool("watch") {
		return answer{}, watch(ctx, c)
	}
	return checkOnce(ctx, c)
}

func checkOnce(ctx context.Context, c *call) (answer, error) {
	result, project, err := c.compile(ctx, c.projectArg())
	if err != nil {
		return answer{}, err
	}
	defer project.Close()
	files := result.Files
	return answer{
		findings: result.Findings,
		members:  map[string]any{"files": files},
		text: func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "%s: %s in %s\n", diag.Escape(c.projectArg()), tally(result.Findings), count(files, "file"))
			return err
		},
	}, nil
}

// tally says how many findings of each severity there are.
func tally(findings []diag.Diagnostic) string {
	errors, warnings := 0, 0
	for _, d := range findings {
		switch d.Severity {
		case diag.Error:
			errors++
		case diag.Warning:
			warnings++
		}
	}
	if errors == 0 && warnings == 0 {
		return "no problems"
	}
	return count(errors, "error") + ", " + count(warnings, "warning")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// watchInterval is how often the files are looked at. Looking is a stat of each, which costs less than a person
// notices; it works the same on every file system, network ones included.
const watchInterval = 300 * time.Millisecond

// watch checks again whenever the Project's folder changes, until the command is interrupted.
func watch(ctx context.Context, c *call) error {
	if c.format != "text" && c.format != "line" {
		return usagef("use --format text or line", "--watch prints many answers, and --format %s is one document", c.format)
	}
	seen := ""
	for {
		now, err := snapshot(c.projectArg())
		if err != nil {
			return err
		}
		if now != seen {
			seen = now
			if err := checkAndPrint(ctx, c); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(watchInterval):
		}
	}
}

// checkAndPrint prints one answer of a watch. A Project that cannot be read while it is being saved is no reason to
// stop watching.
func checkAndPrint(ctx context.Context, c *call) error {
	result, err := checkOnce(ctx, c)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	printer := &app{env: c.environment, commands: commands()}
	if err != nil {
		printer.fail(ctx, "check", c.format, err)
		return nil
	}
	return printer.print("check", c.format, result)
}

// snapshot is a text that changes when a file of the Project's folder does.
func snapshot(path string) (string, error) {
	project, err := subject.OpenProject(path)
	if err != nil {
		return "", err
	}
	defer project.Close()
	state := ""
	err = fs.WalkDir(project.Tree.Files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil // it went away while we looked; the next look sees the rest
		}
		if entry.IsDir() {
			if name != "." && (entry.Name()[0] == '.' || entry.Name() == "build") {
				return fs.SkipDir
			}
			return nil
		}
		if info, err := entry.Info(); err == nil {
			state += fmt.Sprintf("%s %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		}
		return nil
	})
	return state, err
}
