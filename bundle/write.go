package bundle

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// Outcome says what writing did.
type Outcome string

const (
	// Written: the Build stands there now.
	Written Outcome = "written"
	// Unchanged: the Build stood there already, and what is attached to it; nothing was touched.
	Unchanged Outcome = "unchanged"
)

// ErrNotRegular refuses to put a Build file in the place of a folder, a device or a pipe.
var ErrNotRegular = errors.New("what stands there is not a regular file")

// WriteFile writes the Build as a `.seif` file with mode 0644 less umask. The file appears whole or not at all: it
// is written beside its place, synced and renamed. A file that holds the same Build is left as it is; any other file
// is replaced. A symbolic link at path is followed. When ctx ends, nothing is left behind.
func WriteFile(ctx context.Context, path string, b *Build) (Outcome, error) {
	target, exists, err := resolveTarget(path)
	if err != nil {
		return "", fmt.Errorf("writing the Build: %w", err)
	}
	if exists {
		same, err := holds(ctx, target, b)
		if err != nil || same {
			return Unchanged, err
		}
	}
	if err := writeBeside(ctx, target, func(w io.Writer) error { return WriteTar(w, b) }); err != nil {
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

// holds tells whether a file holds the Build already. A file that is no Build holds nothing.
func holds(ctx context.Context, path string, b *Build) (bool, error) {
	existing, err := Read(ctx, path, ReadOptions{})
	var invalid *Invalid
	if errors.As(err, &invalid) {
		return false, nil
	}
	return err == nil && existing.digest == b.digest, err
}

// writeBeside lets write fill a new file beside target, and puts it in target's place once it is on the disk.
func writeBeside(ctx context.Context, target string, write func(io.Writer) error) (err error) {
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
	base := filepath.Base(target)
	return filepath.Join(filepath.Dir(target), "."+base[:min(len(base), 100)]+"."+purpose+"-"+hex.EncodeToString(random[:]))
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
