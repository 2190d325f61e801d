package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// writeOutput writes to a file, which then appears whole or not at all, or to stdout for `-`.
func writeOutput(ctx context.Context, env environment, path string, write func(io.Writer) error) error {
	if path == "-" {
		buffered := bufio.NewWriter(env.stdout)
		if err := write(buffered); err != nil {
			return err
		}
		return buffered.Flush()
	}
	return replaceFile(ctx, path, write)
}

// replaceFile writes a temporary file beside path, flushes it to disk and renames it over path. When anything
// fails, or the command is interrupted, path is as it was and nothing else is left.
func replaceFile(ctx context.Context, path string, write func(io.Writer) error) (err error) {
	mode := os.FileMode(0o644)
	if info, statErr := os.Stat(path); statErr == nil {
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is not a regular file", path)
		}
		mode = info.Mode().Perm()
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			temporary.Close()
			os.Remove(temporary.Name())
		}
	}()
	buffered := bufio.NewWriter(temporary)
	if err = write(buffered); err != nil {
		return err
	}
	if err = buffered.Flush(); err != nil {
		return err
	}
	if err = ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	if err = temporary.Chmod(mode); err != nil {
		return err
	}
	if err = temporary.Sync(); err != nil {
		return err
	}
	if err = temporary.Close(); err != nil {
		return err
	}
	if err = os.Rename(temporary.Name(), path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder makes a rename durable.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
