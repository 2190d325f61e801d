package bundle

import "golang.org/x/sys/unix"

// exchange lets two paths change places in one step, renameat2(2). Not every file system can.
func exchange(one, two string) error {
	return unix.Renameat2(unix.AT_FDCWD, one, unix.AT_FDCWD, two, unix.RENAME_EXCHANGE)
}
