package bundle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrNotLayout refuses to replace a folder that has other files than a Build's.
var ErrNotLayout = errors.New("the folder is neither empty nor the folder of a Build")

// WriteDir writes the Build as a layout folder, whose parent it makes if need be. A folder that holds the same Build
// is left as it is, with all that is attached to it; one that holds another is replaced as a whole, and any other folder
// that is not empty is refused with [ErrNotLayout]. The new folder is written beside its place and takes it: on Linux
// and macOS in one step; where the system cannot do that, a folder that is replaced is out of its place for the moment
// between two renames, and if the program ends in that moment the next one to write there puts it back. An empty folder
// that cannot be renamed over, such as a mount, is written in place, its marker last. When ctx ends before that, nothing
// is left behind.
func WriteDir(ctx context.Context, dir string, b *Build) (Outcome, error) {
	l := &Layout{Build: b}
	outcome, err := writeDir(ctx, dir, l, func(standing *Layout) bool { return standing.Build.digest == b.digest })
	if err != nil {
		return "", fmt.Errorf("writing the folder of the Build: %w", err)
	}
	return outcome, nil
}

// WriteLayoutDir is [WriteDir] with attachments: afterwards the folder holds the Build and these attachments and no
// others. It is left as it is if it does already. To keep what others attach meanwhile, use [Update]. Attachments of
// another Build, or too many, are an [Invalid].
func WriteLayoutDir(ctx context.Context, dir string, l *Layout) (Outcome, error) {
	settled, err := l.settle()
	if err != nil {
		return "", err
	}
	outcome, err := writeDir(ctx, dir, settled, settled.equal)
	if err != nil {
		return "", fmt.Errorf("writing the folder of the Build: %w", err)
	}
	return outcome, nil
}

// writeDir puts a settled layout at dir, unless what stands there will do.
func writeDir(ctx context.Context, dir string, l *Layout, does func(*Layout) bool) (Outcome, error) {
	target, err := resolveFolder(dir)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
		return "", err
	}
	unlock, err := lockIfPossible(ctx, filepath.Dir(target))
	if err != nil {
		return "", err
	}
	defer unlock()
	if err := restore(ctx, target); err != nil {
		return "", err
	}
	state, err := stateOf(ctx, target, does)
	switch {
	case err != nil:
		return "", err
	case state == sameBuild:
		return Unchanged, nil
	}
	err = replaceFolder(ctx, target, state, 0, l)
	if err == nil {
		return Written, nil
	}
	if ctx.Err() != nil {
		return "", err
	}
	// Another process may have put the same Build there in the meantime, where nothing can be locked.
	if now, stateErr := stateOf(ctx, target, does); stateErr == nil && now == sameBuild {
		return Unchanged, nil
	}
	if state == empty {
		err = fillFolder(ctx, target, l)
	}
	if err != nil {
		return "", err
	}
	return Written, nil
}

// resolveFolder is the absolute path of a folder that may not exist yet, links followed.
func resolveFolder(dir string) (string, error) {
	target, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	resolved, err := filepath.EvalSymlinks(target)
	if errors.Is(err, os.ErrNotExist) {
		return target, nil
	}
	return resolved, err
}

// folderState is what stands where a folder is to be written.
type folderState int

const (
	absent folderState = iota
	empty
	sameBuild
	otherBuild
)

func stateOf(ctx context.Context, target string, does func(*Layout) bool) (folderState, error) {
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
	if standing, err := find(files, ReadOptions{}); err == nil && does(standing) {
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

// replaceFolder writes the layout beside target and puts it in its place. The folder gets the mode, or the default for
// zero.
func replaceFolder(ctx context.Context, target string, state folderState, mode fs.FileMode, l *Layout) (err error) {
	fresh := beside(target, "tmp")
	if err := os.Mkdir(fresh, 0o777); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, removeLayout(fresh))
		}
	}()
	if err := fillFolder(ctx, fresh, l); err != nil {
		return err
	}
	if mode != 0 {
		if err := os.Chmod(fresh, mode); err != nil {
			return err
		}
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

// swapFolders puts fresh in the place of target and removes what stood there, or leaves target where it is.
func swapFolders(fresh, target string) error {
	if exchange(fresh, target) == nil {
		return errors.Join(syncFolder(filepath.Dir(target)), removeLayout(fresh))
	}
	old := beside(target, "old")
	if err := os.Rename(target, old); err != nil {
		return err
	}
	if err := os.Rename(fresh, target); err != nil {
		return errors.Join(err, os.Rename(old, target))
	}
	return errors.Join(syncFolder(filepath.Dir(target)), removeLayout(old))
}

// restore puts a folder back that a program left beside its place when it ended between the two renames of a swap.
func restore(ctx context.Context, target string) error {
	if _, err := os.Lstat(target); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	names, err := os.ReadDir(filepath.Dir(target))
	if err != nil {
		return err
	}
	for _, name := range names {
		old := filepath.Join(filepath.Dir(target), name.Name())
		if !name.IsDir() || !strings.HasPrefix(name.Name(), besidePrefix(target, "old")) {
			continue
		}
		// One from which files are gone was on its way out: a newer one had taken its place.
		if _, err := ReadLayoutDir(ctx, old, ReadOptions{}); err == nil {
			return os.Rename(old, target)
		}
	}
	return nil
}

// fillFolder writes the layout into an empty folder. What it wrote is gone again if it fails.
func fillFolder(ctx context.Context, dir string, l *Layout) (err error) {
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
	for _, e := range l.entries() {
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
	remove = append(remove, blobs, filepath.Dir(blobs), filepath.Join(dir, ingestName))
	for _, name := range remove {
		if err := ignoreAbsent(os.Remove(name)); err != nil {
			return err
		}
	}
	return nil
}
