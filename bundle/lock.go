package bundle

import "context"

// LockFolder waits until nobody else has locked the folder, in this process or in another, or until ctx ends. It is for
// files that are replaced as a whole while others do the same. The kernel ends the lock with its process. The error is
// [ErrNoLock] where nothing can be locked.
func LockFolder(ctx context.Context, dir string) (unlock func(), err error) {
	return lockFolder(ctx, dir)
}
