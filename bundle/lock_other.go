//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package bundle

import "context"

// lockFolder fails: this system has no locks that end with their process.
func lockFolder(context.Context, string) (unlock func(), err error) { return nil, ErrNoLock }
