//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package bundle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// lockFolder waits until no other process, and nobody else in this one, has locked the folder, or until ctx ends. It is
// the folder itself that is locked (flock), and not the file or folder in it that is about to be replaced: whoever waits
// for that would wait for what is no longer there. The kernel ends the lock with its process.
func lockFolder(ctx context.Context, dir string) (unlock func(), err error) {
	folder, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		err := flock(folder)
		if err == nil {
			return func() { _ = folder.Close() }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, errors.Join(fmt.Errorf("%w (%s: %w)", ErrNoLock, dir, err), folder.Close())
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(context.Cause(ctx), folder.Close())
		case <-time.After(pause):
		}
	}
}

func flock(folder *os.File) error {
	for {
		err := syscall.Flock(int(folder.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
