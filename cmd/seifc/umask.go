package main

import "os"

// umask finds the process's file mode mask by what a new folder gets, because there is no way to read it that does
// not change it for a moment.
func umask() os.FileMode {
	dir, err := os.MkdirTemp("", "seifc-*")
	if err != nil {
		return 0o022
	}
	defer os.RemoveAll(dir)
	probe := dir + "/probe"
	if err := os.Mkdir(probe, 0o777); err != nil {
		return 0o022
	}
	info, err := os.Stat(probe)
	if err != nil {
		return 0o022
	}
	return 0o777 &^ info.Mode().Perm()
}
