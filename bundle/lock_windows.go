package bundle

import (
	"context"
	"errors"
	"path/filepath"
	"syscall"
	"time"
)

// lockFolder waits until no other process, and nobody else in this one, has locked the folder, or until ctx ends. A
// folder cannot be locked here, so a file in it is opened that nobody else can open at the same time. The system removes
// it when it is closed, also when the process ends.
func lockFolder(ctx context.Context, dir string) (unlock func(), err error) {
	const (
		deleteOnClose    = 0x04000000
		sharingViolation = syscall.Errno(32)
		deletePending    = syscall.ERROR_ACCESS_DENIED
	)
	name, err := syscall.UTF16PtrFromString(filepath.Join(dir, ".seif.lock"))
	if err != nil {
		return nil, err
	}
	denied := 0
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		file, err := syscall.CreateFile(name, syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS,
			syscall.FILE_ATTRIBUTE_NORMAL|deleteOnClose, 0)
		switch {
		case err == nil:
			return func() { _ = syscall.CloseHandle(file) }, nil
		case errors.Is(err, deletePending) && denied < 20:
			denied++ // the file may be on its way out
		case !errors.Is(err, sharingViolation):
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}
