package bundle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// ErrNotLayout refuses to replace a folder that has other files than a Build's.
var ErrNotLayout = errors.New("the folder is neither empty nor the folder of a Build")

// WriteDir writes the Build as a layout folder, whose parent it makes if need be. A folder that holds the same Build
// is left as it is, one that holds another is replaced as a whole, and any other folder that is not empty is refused
// with [ErrNotLayout]. The new folder is written beside its place and renamed; a folder that is replaced is out of
// its place for the moment between two renames. An empty folder that cannot be renamed over, such as a mount, is
// written in place, its marker last. When ctx ends before that, nothing is left behind.
func WriteDir(ctx context.Context, dir string, b *Build) (Outcome, error) {
	outcome, err := writeDir(ctx, dir, b)
	if err != nil {
		return "", fmt.Errorf("writing the folder of the Build: %w", err)
	}
	return outcome, nil
}

func writeDir(ctx context.Context, dir string, b *Build) (Outcome, error) {
	target, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if resolved, err := filepath.EvalSymlinks(target); err == nil {
		target = resolved
	} else if !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	state, err := stateOf(ctx, target, b)
	switch {
	case err != nil:
		return "", err
	case state == sameBuild:
		return Unchanged, nil
	case state == absent:
		if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
			return "", err
		}
	}
	err = replaceFolder(ctx, target, state, b)
	if err == nil {
		return Written, nil
	}
	if ctx.Err() != nil {
		return "", err
	}
	// Another process may have put the same Build there in the meantime.
	if now, stateErr := stateOf(ctx, target, b); stateErr == nil && now == sameBuild {
		return Unchanged, nil
	}
	if state == empty {
		err = fillFolder(ctx, target, b)
	}
	if err != nil {
		return "", err
	}
	return Written, nil
}

// folderState is what stands where a folder is to be written.
type folderState int

const (
	absent folderState = iota
	empty
	sameBuild
	otherBuild
)

func stateOf(ctx context.Context, target string, b *Build) (folderState, error) {
	info, err := os.Lstat(target)
	if errors.Is(err, os.ErrNotExist) {
		return absent, nil
	}
	if err != nil {
		return absent, err
	}
	if !info.IsDir() {
		return absent, fmt.Errorf("%s: %w", target, ErrNotLayout)
	}
	names, err := os.ReadDir(target)
	if err != nil || len(names) == 0 {
		return empty, err
	}
	files, err := collectFolder(ctx, target)
	var invalid *Invalid
	if errors.As(err, &invalid) || err == nil && !mentionsBuild(files) {
		return otherBuild, fmt.Errorf("%s: %w", target, ErrNotLayout)
	}
	if err != nil {
		return otherBuild, err
	}
	if found, err := find(files, ReadOptions{}); err == nil && found.digest == b.digest {
		return sameBuild, nil
	}
	return otherBuild, nil
}

// mentionsBuild tells a layout in which a Build is, if a damaged one, from one of something else.
func mentionsBuild(files map[string][]byte) bool {
	for _, data := range files {
		if bytes.Contains(data, []byte(artifactTypePrefix)) {
			return true
		}
	}
	return false
}

// replaceFolder writes the layout beside target and renames it into its place.
func replaceFolder(ctx context.Context, target string, state folderState, b *Build) (err error) {
	fresh := beside(target, "tmp")
	if err := os.Mkdir(fresh, 0o777); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, removeLayout(fresh))
		}
	}()
	if err := fillFolder(ctx, fresh, b); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	switch state {
	case empty:
		if err := os.Remove(target); err != nil {
			return err
		}
	case otherBuild:
		return swapFolders(fresh, target)
	}
	if err := os.Rename(fresh, target); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(target))
}

// swapFolders puts fresh in the place of target, or leaves target where it is.
func swapFolders(fresh, target string) error {
	old := beside(target, "old")
	if err := os.Rename(target, old); err != nil {
		return err
	}
	if err := os.Rename(fresh, target); err != nil {
		return errors.Join(err, os.Rename(old, target))
	}
	return errors.Join(syncFolder(filepath.Dir(target)), removeLayout(old))
}

// fillFolder writes the layout into an empty folder. What it wrote is gone again if it fails.
func fillFolder(ctx context.Context, dir string, b *Build) (err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, emptyLayout(dir))
		}
	}()
	blobs := filepath.Join(dir, filepath.FromSlash(blobPrefix))
	if err := os.MkdirAll(blobs, 0o777); err != nil {
		return err
	}
	// Names are sorted, so the marker, without which nobody takes the folder for a layout, comes last.
	for _, e := range (Layout{Build: b}).entries() {
		file, err := os.OpenFile(filepath.Join(dir, filepath.FromSlash(e.name)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return err
		}
		write := func(w io.Writer) error {
			_, err := w.Write(e.data)
			return err
		}
		if err := fillFile(ctx, file, write); err != nil {
			return err
		}
	}
	return errors.Join(syncFolder(blobs), syncFolder(filepath.Dir(blobs)), syncFolder(dir))
}

// removeLayout removes a folder that has the files of a layout only. Anything else in it stays, and so does it.
func removeLayout(dir string) error {
	if err := emptyLayout(dir); err != nil {
		return err
	}
	return ignoreAbsent(os.Remove(dir))
}

// emptyLayout removes the files of a layout from a folder, and nothing else.
func emptyLayout(dir string) error {
	blobs := filepath.Join(dir, filepath.FromSlash(blobPrefix))
	names, err := os.ReadDir(blobs)
	if ignoreAbsent(err) != nil {
		return err
	}
	remove := []string{filepath.Join(dir, markerName), filepath.Join(dir, indexName)}
	for _, found := range names {
		if !found.IsDir() {
			remove = append(remove, filepath.Join(blobs, found.Name()))
		}
	}
	remove = append(remove, blobs, filepath.Dir(blobs))
	for _, name := range remove {
		if err := ignoreAbsent(os.Remove(name)); err != nil {
			return err
		}
	}
	return nil
}
