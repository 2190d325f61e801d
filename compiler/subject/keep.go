package subject

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/seif-dev/seifc/bundle"
)

// IsFolder tells a path that names a folder: by a slash at its end, or because one stands there.
func IsFolder(path string) bool {
	if strings.HasSuffix(path, "/") || strings.HasSuffix(path, string(filepath.Separator)) {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Keep puts a Build with what is attached to it at path: a .seif file, or a layout folder if [IsFolder] says so. If the
// same Build stands there, what is attached to that stays, and only what it lacks is added. The errors are those of
// writing in package bundle.
func Keep(ctx context.Context, path string, layout *bundle.Layout) (bundle.Outcome, error) {
	folder := IsFolder(path)
	path = filepath.Clean(path)
	there, err := standing(ctx, path)
	switch {
	case err == nil && there != nil && there.Build.Digest() == layout.Build.Digest():
		return bundle.Update(ctx, path, layout.Build.Digest(), func(now *bundle.Layout) ([]bundle.Attachment, error) {
			return append(now.Attachments, layout.Attachments...), nil
		})
	case folder:
		return bundle.WriteLayoutDir(ctx, path, layout)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return "", fmt.Errorf("making the output folder: %w", err)
	}
	return bundle.WriteLayoutFile(ctx, path, layout)
}

// standing reads the Build at path; nil if something else stands there. What is no file and no folder is for the writer to
// refuse: to open a pipe would be to wait for somebody who writes to it.
func standing(ctx context.Context, path string) (*bundle.Layout, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		return nil, err
	}
	return bundle.ReadLayout(ctx, path, bundle.ReadOptions{})
}
