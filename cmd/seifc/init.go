package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/compiler"
	"github.com/seif-dev/seifc/compiler/importer"
	"github.com/seif-dev/seifc/compiler/subject"
	"github.com/seif-dev/seifc/diag"
)

//go:embed templates
var templates embed.FS

var templateNames = []string{"minimal", "tools", "mcp"}

func initCommand() *command {
	return &command{
		Command: &cli.Command{
			Name: "init", Usage: "start a Project whose first build and test are green", ArgsUsage: "DIR",
			Flags: []cli.Flag{&cli.StringFlag{Name: "template", Usage: "start from `NAME`: " + strings.Join(templateNames, ", "), Value: "minimal"}},
		},
		formats: []string{"text", "json"}, least: 1, most: 1, run: runInit,
	}
}

func runInit(ctx context.Context, c *call) (answer, error) {
	template := c.String("template")
	if !slices.Contains(templateNames, template) {
		return answer{}, usagef(nearestHelp(template, templateNames), "there is no template %q", template)
	}
	dir := filepath.Clean(c.args[0])
	if err := emptyOrAbsent(dir); err != nil {
		return answer{}, err
	}
	written, err := startProject(ctx, dir, template)
	if err != nil {
		return answer{}, fmt.Errorf("starting a Project in %s: %w", dir, err)
	}
	shown := filepath.ToSlash(dir)
	return answer{
		members: map[string]any{"path": shown, "template": template, "files": written},
		text: func(w io.Writer) error {
			p := &printer{w: w}
			for _, name := range written {
				p.line("%s", diag.Escape(path.Join(shown, name)))
			}
			p.line("\nnext: seifc test %s\n      seifc build %s", diag.Escape(shown), diag.Escape(shown))
			return p.err
		},
	}, nil
}

// emptyOrAbsent refuses a folder that has anything in it.
func emptyOrAbsent(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("looking at %s: %w", dir, err)
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty; name a new folder", dir)
	}
	return nil
}

// startProject makes the Project aside, pins its tools, and moves it into place whole.
func startProject(ctx context.Context, dir, template string) ([]string, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(absolute), 0o777); err != nil {
		return nil, err
	}
	aside, err := os.MkdirTemp(filepath.Dir(absolute), "."+filepath.Base(absolute)+".*.tmp")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(aside)
	files, err := writeTemplate(ctx, aside, template, importer.ProposeID(filepath.Base(absolute)))
	if err != nil {
		return nil, err
	}
	if template != "minimal" {
		if err := pinStarted(ctx, aside); err != nil {
			return nil, err
		}
		files = append(files, compiler.LockFile)
		slices.Sort(files)
	}
	if err := os.Chmod(aside, 0o777&^umask()); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	return files, settle(aside, absolute)
}

// settle moves a finished Project into place. A folder that is there already, and may be somebody's current one, stays
// the same folder: its content is moved in, and out again if that fails.
func settle(aside, target string) error {
	if _, err := os.Lstat(target); errors.Is(err, fs.ErrNotExist) {
		return os.Rename(aside, target)
	}
	entries, err := os.ReadDir(aside)
	if err != nil {
		return err
	}
	for i, entry := range entries {
		if err := os.Rename(filepath.Join(aside, entry.Name()), filepath.Join(target, entry.Name())); err != nil {
			for _, moved := range entries[:i] {
				os.RemoveAll(filepath.Join(target, moved.Name()))
			}
			return err
		}
	}
	return nil
}

func writeTemplate(ctx context.Context, dir, template, name string) ([]string, error) {
	var files []string
	root := path.Join("templates", template)
	err := fs.WalkDir(templates, root, func(at string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := templates.ReadFile(at)
		if err != nil {
			return err
		}
		relative := strings.TrimPrefix(at, root+"/")
		if relative == compiler.ProjectFile {
			data = []byte(strings.Replace(string(data), "name: NAME\n", "name: "+name+"\n", 1))
		}
		target := filepath.Join(dir, filepath.FromSlash(relative))
		if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
			return err
		}
		files = append(files, relative)
		return os.WriteFile(target, data, 0o666)
	})
	if err != nil {
		return nil, err
	}
	return files, ctx.Err()
}

// pinStarted fills the pins of a new Project.
func pinStarted(ctx context.Context, dir string) error {
	project, err := subject.OpenProject(dir)
	if err != nil {
		return err
	}
	defer project.Close()
	result, err := compiler.Pin(ctx, project.Tree, compiler.PinOptions{})
	if err != nil {
		return err
	}
	if diag.HasErrors(result.Findings) {
		return &defect{reason: "the template does not compile: " + result.Findings[0].Message()}
	}
	for _, edit := range result.Edits {
		if err := os.WriteFile(project.Path(edit.Name), edit.Data, 0o666); err != nil {
			return err
		}
	}
	return nil
}
