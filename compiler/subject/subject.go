// Package subject finds out what a command was pointed at, a Context Project or a Build, and puts what was made where the
// command says.
//
// It guarantees that a Project's files are reached through its own folder only, whatever its documents say; that a Build
// is verified before anything in it is used; and that a connection is opened for a subject that begins with oci:// and
// for no other.
package subject

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/registry"
	"github.com/seif-dev/seifc/compiler"
)

// Project is a Project's folder, open.
type Project struct {
	// Dir is the folder as the user named it, cleaned.
	Dir string
	// File is the Project file's name in it.
	File string
	// Tree is what the compiler reads.
	Tree compiler.Tree
	root *os.Root
}

// Close lets go of the folder.
func (p *Project) Close() error { return p.root.Close() }

// Path is the name of a file of the Project for the operating system.
func (p *Project) Path(name string) string { return filepath.Join(p.Dir, filepath.FromSlash(name)) }

// Elsewhere says that a subject is where no command looks for it: in a repository's history, or behind a URL.
type Elsewhere struct{ Subject string }

func (e *Elsewhere) Error() string {
	return fmt.Sprintf("%s is not a file or a folder", e.Subject)
}

// WrongKind says that a command which works on one kind of subject was given another.
type WrongKind struct {
	Subject string
	// Build is set when the subject is a Build, where a Project is needed; otherwise it is the other way round.
	Build bool
}

func (w *WrongKind) Error() string {
	if w.Build {
		return w.Subject + " is a Build, and a Project is needed here"
	}
	return w.Subject + " is a Project, and a Build is needed here"
}

// Remedy is what to do instead.
func (w *WrongKind) Remedy() string {
	if w.Build {
		return "name the Project's folder; `seifc show`, `test`, `preview`, `budget`, `export` and `verify` work on Builds"
	}
	return "run `seifc build` and name the .seif file that it writes"
}

// isProject tells a Project's file, or a folder that has one and is no layout.
func isProject(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".yaml", ".yml":
		return true
	}
	if _, err := os.Lstat(filepath.Join(path, "oci-layout")); err == nil {
		return false
	}
	_, err := os.Lstat(filepath.Join(path, compiler.ProjectFile))
	return err == nil
}

// isBuildOnly tells a file with the ending of Builds, or a layout folder without a Project file.
func isBuildOnly(path string) bool {
	if strings.EqualFold(filepath.Ext(path), ".seif") {
		return true
	}
	if _, err := os.Lstat(filepath.Join(path, compiler.ProjectFile)); err == nil {
		return false
	}
	_, err := os.Lstat(filepath.Join(path, "oci-layout"))
	return err == nil
}

// InRegistry tells a subject that is in a registry.
func InRegistry(path string) bool { return strings.HasPrefix(path, registry.Scheme) }

// CheckLocal refuses what names something in a registry, in a repository's history or behind a URL. A file that is
// really called so can be named with `./` before it.
func CheckLocal(path string) error {
	if strings.HasPrefix(path, "git:") || strings.Contains(path, "://") && !strings.HasPrefix(path, ".") && !strings.HasPrefix(path, "/") {
		return &Elsewhere{path}
	}
	return nil
}

// OpenProject opens the Project at path: its folder, or its file.
func OpenProject(path string) (*Project, error) {
	if InRegistry(path) {
		return nil, &WrongKind{Subject: path, Build: true}
	}
	if err := CheckLocal(path); err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("opening the Project: %w", err)
	}
	if isBuildOnly(path) {
		return nil, &WrongKind{Subject: path, Build: true}
	}
	p := &Project{Dir: filepath.Clean(path), File: compiler.ProjectFile}
	if !info.IsDir() {
		p.Dir, p.File = filepath.Dir(path), filepath.Base(path)
	}
	if _, err := os.Stat(filepath.Join(p.Dir, p.File)); err != nil {
		return nil, fmt.Errorf("opening the Project: %w", err)
	}
	if p.root, err = os.OpenRoot(p.Dir); err != nil {
		return nil, fmt.Errorf("opening the Project: %w", err)
	}
	p.Tree = compiler.Tree{Files: confined{p.root}, Project: p.File, Shown: shown(p.Dir)}
	return p, nil
}

// shown is what precedes file names in messages.
func shown(dir string) string {
	if dir == "." {
		return ""
	}
	return strings.TrimSuffix(filepath.ToSlash(dir), "/") + "/"
}

// Access is what Builds are read through that are no files.
type Access struct {
	// Stdin is what `-` stands for.
	Stdin io.Reader
	// Registry says how registries are spoken to.
	Registry registry.Options
	// Pulled, unless nil, is told what came of each pull from a registry that succeeded.
	Pulled func(registry.PullReport)
}

// OpenBuild reads and verifies the Build at path, as [OpenLayout] does.
func OpenBuild(ctx context.Context, path string, access Access) (*bundle.Build, error) {
	layout, err := OpenLayout(ctx, path, access, bundle.ReadOptions{})
	if err != nil {
		return nil, err
	}
	return layout.Build, nil
}

// OpenLayout reads and verifies the Build at path and what is attached to it: a .seif file, a layout folder, `-` for
// stdin, or oci://... for a registry. Who signed it, and whether that is worth anything, is not looked at. Errors are a
// [*WrongKind], an [*Elsewhere], a [*bundle.Invalid], a [*registry.Fault], or those of the machine.
func OpenLayout(ctx context.Context, path string, access Access, options bundle.ReadOptions) (*bundle.Layout, error) {
	switch {
	case path == "-":
		return bundle.ReadLayoutTar(ctx, access.Stdin, options)
	case InRegistry(path):
		layout, report, err := registry.Pull(ctx, path, options, access.Registry)
		if err == nil && access.Pulled != nil {
			access.Pulled(report)
		}
		return layout, err
	}
	if err := CheckLocal(path); err != nil {
		return nil, err
	}
	// Opening a pipe waits for a writer, and nothing could interrupt that.
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("opening the Build: %s is not a regular file; a Build that comes through a pipe is read from -", path)
	}
	if isProject(path) {
		return nil, &WrongKind{Subject: path}
	}
	return bundle.ReadLayout(ctx, path, options)
}

// IsBuild tells whether path names a Build rather than a Project. A folder is a Build if it has an oci-layout file,
// and a file is unless it is YAML.
func IsBuild(path string) (bool, error) {
	if path == "-" || InRegistry(path) {
		return true, nil
	}
	if err := CheckLocal(path); err != nil {
		return false, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return false, err
	}
	if !info.IsDir() {
		extension := strings.ToLower(filepath.Ext(path))
		return extension != ".yaml" && extension != ".yml", nil
	}
	_, err = os.Lstat(filepath.Join(path, "oci-layout"))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
