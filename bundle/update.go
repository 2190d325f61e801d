package bundle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// Update changes what is attached to the Build at path, a `.seif` file or a layout folder. It reads the layout, lets
// edit give the attachments that the Build shall have, and puts the whole layout in place as [WriteLayoutFile] and
// [WriteLayoutDir] do; mode bits stay as they are. If edit gives what is there, nothing is touched. want, unless zero,
// is the Build that it has to be. A layout with several Builds is refused, since only one of them would be left.
//
// Of two updates at once, and of an update and a write, one waits for the other: edit sees what the one before has
// written, so nothing is lost. The folder in which the file or folder stands is locked for that, by the kernel: no lock
// outlives its process, and no file is left. Where nothing can be locked the error is [ErrNoLock].
//
// What edit returns is limited as in [WriteLayoutFile]. An error of edit ends the update and is returned as it is.
func Update(ctx context.Context, path string, want digest.Digest, edit func(*Layout) ([]Attachment, error)) (Outcome, error) {
	target, err := resolveFolder(path)
	if err != nil {
		return "", fmt.Errorf("opening the Build: %w", err)
	}
	unlock, err := lockFolder(ctx, filepath.Dir(target))
	if err != nil {
		return "", fmt.Errorf("changing what is attached to the Build: %w", err)
	}
	defer unlock()
	outcome, err := update(ctx, target, want, edit)
	return outcome, at(path, err)
}

func update(ctx context.Context, target string, want digest.Digest, edit func(*Layout) ([]Attachment, error)) (Outcome, error) {
	if err := restore(ctx, target); err != nil {
		return "", fmt.Errorf("opening the Build: %w", err)
	}
	info, err := os.Lstat(target)
	if err != nil {
		return "", fmt.Errorf("opening the Build: %w", err)
	}
	standing, err := ReadLayout(ctx, target, ReadOptions{})
	if err != nil {
		return "", err
	}
	if found := standing.Build.digest; !want.IsZero() && found != want {
		return "", &Invalid{Problems: []diag.Problem{diag.New(diag.CodeBuildDigest, "", "expected", want.String(), "found", found.String())}}
	}
	attachments, err := edit(&Layout{Build: standing.Build, Attachments: slices.Clone(standing.Attachments)})
	if err != nil {
		return "", err
	}
	settled, err := (&Layout{Build: standing.Build, Attachments: attachments}).settle()
	if err != nil {
		return "", err
	}
	if settled.equal(standing) {
		return Unchanged, nil
	}
	if err := put(ctx, target, info, settled); err != nil {
		return "", fmt.Errorf("changing what is attached to the Build: %w", err)
	}
	return Written, nil
}

// put replaces the file or folder of a layout.
func put(ctx context.Context, target string, info fs.FileInfo, l *Layout) error {
	switch {
	case info.IsDir():
		return replaceFolder(ctx, target, otherBuild, info.Mode().Perm(), l)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: %w", target, ErrNotRegular)
	}
	return writeBeside(ctx, target, info.Mode().Perm(), l.writeTar)
}

// ErrNoLock says that a folder cannot be locked, as on some network file systems.
var ErrNoLock = errors.New("the file system cannot lock the folder that the Build is in; change a copy on a local disk")

// lockIfPossible is [lockFolder] for those who replace a Build as a whole and so can do without.
func lockIfPossible(ctx context.Context, dir string) (unlock func(), err error) {
	unlock, err = lockFolder(ctx, dir)
	if errors.Is(err, ErrNoLock) {
		return func() {}, nil
	}
	return unlock, err
}
