package bundle

import "golang.org/x/sys/unix"

// exchange lets two paths change places in one step, renamex_np(2). Not every file system can.
func exchange(one, two string) error { return unix.RenamexNp(one, two, unix.RENAME_SWAP) }
