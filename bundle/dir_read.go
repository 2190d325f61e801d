package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/seif-dev/seifc/diag"
)

// ReadDir reads the folder of a Build and verifies it. No symbolic link below the folder is followed, and no file is
// opened that is not a regular one. An error that is no [Invalid] is the file system's or the context's.
func ReadDir(ctx context.Context, path string, opts ReadOptions) (*Build, error) {
	return buildOf(ReadLayoutDir(ctx, path, opts))
}

// ReadLayoutDir is [ReadDir] with the attachments. A folder that [Update] replaces meanwhile is read anew.
func ReadLayoutDir(ctx context.Context, path string, opts ReadOptions) (*Layout, error) {
	files, err := collectFolder(ctx, path)
	if err != nil {
		return nil, err
	}
	return find(files, opts)
}

// collectFolder gives the files of a layout folder, every one read once and none of them verified.
func collectFolder(ctx context.Context, path string) (map[string][]byte, error) {
	const attempts = 20
	for attempt := 1; ; attempt++ {
		files, replaced, err := collectOnce(ctx, path)
		switch {
		case !replaced || ctx.Err() != nil:
			return files, err
		case attempt == attempts:
			return nil, fmt.Errorf("reading the folder of the Build: it was replaced again and again: %w", err)
		}
	}
}

// collectOnce also tells whether another folder stands at path now, after a fault: then the files of the one that was
// read may have been removed meanwhile, and the fault says nothing.
func collectOnce(ctx context.Context, path string) (files map[string][]byte, replaced bool, err error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, false, fmt.Errorf("opening the folder of the Build: %w", err)
	}
	defer root.Close()
	d := &dirReader{ctx: ctx, root: root, collector: newCollector()}
	if err = d.folder("."); err == nil {
		files, err = d.finish()
	}
	if err == nil {
		return files, false, nil
	}
	opened, openedErr := root.Stat(".")
	now, nowErr := os.Stat(path)
	return nil, openedErr == nil && nowErr == nil && !os.SameFile(opened, now), err
}

// dirReader takes in the files of a folder, every one exactly once.
type dirReader struct {
	*collector
	ctx  context.Context
	root *os.Root
}

// folder reads a folder, in the order of names.
func (d *dirReader) folder(name string) error {
	names, err := d.list(name)
	if err != nil {
		return err
	}
	slices.Sort(names)
	for _, child := range names {
		if name != "." {
			child = name + "/" + child
		}
		if err := d.take(child); err != nil {
			return err
		}
	}
	return nil
}

// list gives the names in a folder, if they are not too many.
func (d *dirReader) list(name string) ([]string, error) {
	dir, err := d.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	var names []string
	for {
		more, err := dir.Readdirnames(1024)
		if names = append(names, more...); len(names) > MaxEntries {
			d.entry(diag.CodeBuildTooManyEntries, "limit", strconv.Itoa(MaxEntries))
			return nil, d.err()
		}
		if errors.Is(err, io.EOF) {
			return names, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// ingestName is the folder in which registry clients gather blobs while they copy. They leave it behind, empty.
const ingestName = "ingest"

// leftover passes over an empty folder; with anything in it, it is refused like any other.
func (d *dirReader) leftover(name string) error {
	names, err := d.list(name)
	if err == nil && len(names) > 0 {
		d.refuseKind(name, fs.ModeDir)
	}
	return err
}

func (d *dirReader) take(name string) error {
	if d.ctx.Err() != nil {
		return context.Cause(d.ctx)
	}
	info, err := d.root.Lstat(name)
	if err != nil {
		return err
	}
	switch {
	case info.IsDir() && (name == "blobs" || name+"/" == blobPrefix):
		return d.folder(name)
	case info.IsDir() && name == ingestName:
		return d.leftover(name)
	case !info.Mode().IsRegular():
		d.refuseKind(name, info.Mode())
		if d.full() {
			return d.err()
		}
		return nil
	}
	keep, err := d.admit(name, info.Size())
	if err != nil || !keep {
		return err
	}
	data, err := d.file(name, info)
	if err != nil {
		return err
	}
	d.files[name] = data
	return nil
}

// file reads a file of which admit has accepted the size. Should another file take its place in between, a pipe
// among them, it is not waited for and not used.
func (d *dirReader) file(name string, info fs.FileInfo) ([]byte, error) {
	file, err := d.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	opened, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !os.SameFile(info, opened) || !opened.Mode().IsRegular() {
		return nil, fmt.Errorf("reading %s: it was replaced while the Build was read", name)
	}
	data, err := io.ReadAll(io.LimitReader(&contextReader{d.ctx, file}, info.Size()+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) != info.Size() {
		return nil, fmt.Errorf("reading %s: it changed while the Build was read", name)
	}
	return data, nil
}

func (d *dirReader) refuseKind(name string, mode fs.FileMode) {
	entry := shown(name)
	switch {
	case mode&fs.ModeSymlink != 0:
		target, err := d.root.Readlink(name)
		if err != nil {
			target = ""
		}
		d.entry(diag.CodeEntrySymlink, "entry", entry, "target", shown(target))
	case isLitter(name):
		d.entry(diag.CodeEntryLitter, "entry", entry)
	case mode.IsDir() && strings.HasPrefix(name, "blobs/"):
		d.entry(diag.CodeDigestAlgorithm, "where", "the folder "+entry, "found", shown(strings.TrimPrefix(name, "blobs/")))
	case mode.IsDir():
		d.entry(diag.CodeEntryFolder, "entry", entry)
	case mode&fs.ModeNamedPipe != 0:
		d.entry(diag.CodeEntryDevice, "entry", entry, "kind", "named pipe")
	case mode&fs.ModeSocket != 0:
		d.entry(diag.CodeEntryDevice, "entry", entry, "kind", "socket")
	default:
		d.entry(diag.CodeEntryDevice, "entry", entry, "kind", "device")
	}
}
