package bundle

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Outcome says what writing did.
type Outcome string

const (
	// Written: the Build stands there now.
	Written Outcome = "written"
	// Unchanged: the Build stood there already, and what is attached to it; nothing was touched.
	Unchanged Outcome = "unchanged"
)

var (
	// ErrNotRegular refuses to put a Build file in the place of a folder, a device or a pipe.
	ErrNotRegular = errors.New("what stands there is not a regular file")
	// ErrNotBuild refuses to replace a file that is something else than a Build, a Project file for one.
	ErrNotBuild = errors.New("the file that stands there is not a Build; name another, or delete it first")
)

// WriteFile writes the Build as a `.seif` file with mode 0644 less umask. The file appears whole or not at all: it
// is written beside its place, synced and renamed. A file that holds the same Build is left as it is, with all that is
// attached to it; another Build, a damaged one too, and an empty file are replaced; any other file is refused with
// [ErrNotBuild]. A symbolic link at path is followed. When ctx ends, nothing is left behind.
func WriteFile(ctx context.Context, path string, b *Build) (Outcome, error) {
	return writeFile(ctx, path, &Layout{Build: b}, func(standing *Layout) bool { return standing.Build.digest == b.digest })
}

// WriteLayoutFile is [WriteFile] with attachments: afterwards the file holds the Build and these attachments and no
// others. It is left as it is if it does already. To keep what others attach meanwhile, use [Update]. Attachments of
// another Build, or too many, are an [Invalid].
func WriteLayoutFile(ctx context.Context, path string, l *Layout) (Outcome, error) {
	settled, err := l.settle()
	if err != nil {
		return "", err
	}
	return writeFile(ctx, path, settled, settled.equal)
}

// writeFile puts a settled layout at path, unless what stands there will do.
func writeFile(ctx context.Context, path string, l *Layout, does func(*Layout) bool) (Outcome, error) {
	target, _, err := resolveTarget(path)
	if err != nil {
		return "", fmt.Errorf("writing the Build: %w", err)
	}
	unlock, err := lockIfPossible(ctx, filepath.Dir(target))
	if err != nil {
		return "", fmt.Errorf("writing the Build: %w", err)
	}
	defer unlock()
	target, exists, err := resolveTarget(target)
	if err != nil {
		return "", fmt.Errorf("writing the Build: %w", err)
	}
	if exists {
		same, err := holds(ctx, target, does)
		if err != nil || same {
			return Unchanged, err
		}
	}
	if err := writeBeside(ctx, target, 0, l.writeTar); err != nil {
		return "", fmt.Errorf("writing the Build: %w", err)
	}
	return Written, nil
}

// resolveTarget follows a symbolic link and refuses what is no regular file.
func resolveTarget(path string) (target string, exists bool, err error) {
	info, err := os.Lstat(path)
	if errors.Is(err, os.ErrNotExist) {
		return path, false, nil
	}
	if err != nil {
		return "", false, err
	}
	if info.Mode()&os.ModeSymlink != 0 {
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return "", false, err
		}
		if info, err = os.Stat(path); err != nil {
			return "", false, err
		}
	}
	if !info.Mode().IsRegular() {
		return "", false, fmt.Errorf("%s: %w", path, ErrNotRegular)
	}
	return path, true, nil
}

// holds tells whether what a file holds will do. A file that must not be replaced is an error.
func holds(ctx context.Context, path string, does func(*Layout) bool) (bool, error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	start := make([]byte, blockSize)
	switch n, err := io.ReadFull(file, start); {
	case n == 0 && errors.Is(err, io.EOF):
		return false, nil
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return false, err
	case n < blockSize || !beginsLayout(start):
		return false, fmt.Errorf("%s: %w", path, ErrNotBuild)
	}
	files, err := collectTar(ctx, io.MultiReader(bytes.NewReader(start), file))
	var invalid *Invalid
	switch {
	case errors.As(err, &invalid):
		return false, nil // a damaged Build
	case err != nil:
		return false, err
	case !mentionsBuild(files):
		return false, fmt.Errorf("%s: %w", path, ErrNotBuild)
	}
	standing, err := find(files, ReadOptions{})
	return err == nil && does(standing), nil
}

// beginsLayout tells whether the first block of a file is the header of a layout's file.
func beginsLayout(block []byte) bool {
	h, problem := parseHeader(block, true)
	return problem == nil && (strings.HasPrefix(h.name, blobPrefix) || h.name == indexName || h.name == markerName)
}

// writeBeside lets write fill a new file beside target, and puts it in target's place once it is on the disk. It gets
// the mode, or the default for zero.
func writeBeside(ctx context.Context, target string, mode fs.FileMode, write func(io.Writer) error) (err error) {
	name := beside(target, "tmp")
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, ignoreAbsent(os.Remove(name)))
		}
	}()
	if mode != 0 {
		err = file.Chmod(mode)
	}
	if err != nil {
		return errors.Join(err, file.Close())
	}
	if err := fillFile(ctx, file, write); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err := os.Rename(name, target); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(target))
}

// fillFile writes, syncs and closes a file.
func fillFile(ctx context.Context, file *os.File, write func(io.Writer) error) error {
	err := write(&contextWriter{ctx, file})
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// contextWriter ends when its context does.
type contextWriter struct {
	ctx context.Context
	w   io.Writer
}

// Write passes data on in pieces, so that a large file does not hold up an interruption.
func (c *contextWriter) Write(p []byte) (int, error) {
	const piece = 1 << 20
	written := 0
	for {
		if c.ctx.Err() != nil {
			return written, context.Cause(c.ctx)
		}
		n, err := c.w.Write(p[written:min(len(p), written+piece)])
		if written += n; err != nil || written == len(p) {
			return written, err
		}
	}
}

// beside is a name in the same folder that nobody else has.
func beside(target, purpose string) string {
	var random [8]byte
	rand.Read(random[:]) // never fails; see crypto/rand
	return filepath.Join(filepath.Dir(target), besidePrefix(target, purpose)+hex.EncodeToString(random[:]))
}

func besidePrefix(target, purpose string) string {
	base := filepath.Base(target)
	return "." + base[:min(len(base), 100)] + "." + purpose + "-"
}

func ignoreAbsent(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// syncFolder puts the names in a folder on the disk. Windows has no such thing.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
