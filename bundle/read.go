package bundle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/digest"
)

// ReadOptions says what a reader expects. The zero value takes any Build of any contract that this version knows.
type ReadOptions struct {
	// Digest, unless zero, is the Build that it has to be. It also settles which one is meant if there are several.
	Digest digest.Digest
	// Known lists the contracts that the reader can serve; nil stands for all that this version knows.
	Known []definition.Version
}

// Read reads and verifies the Build at path, a `.seif` file or a layout folder, and what is attached to it. Content that
// is not a valid layout is an [Invalid]; every other error is the file system's or the context's.
func Read(ctx context.Context, path string, opts ReadOptions) (*Build, error) {
	return buildOf(ReadLayout(ctx, path, opts))
}

// ReadLayout is [Read] with the attachments. They are whole and belong to the Build; what they say and who made them is
// judged by others.
func ReadLayout(ctx context.Context, path string, opts ReadOptions) (*Layout, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("opening the Build: %w", err)
	}
	if info.IsDir() {
		layout, err := ReadLayoutDir(ctx, path, opts)
		return layout, at(path, err)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("opening the Build: %w", err)
	}
	defer file.Close()
	layout, err := ReadLayoutTar(ctx, file, opts)
	return layout, at(path, err)
}

func buildOf(layout *Layout, err error) (*Build, error) {
	if err != nil {
		return nil, err
	}
	return layout.Build, nil
}

// at gives an error of content the path that it is about.
func at(path string, err error) error {
	var invalid *Invalid
	if errors.As(err, &invalid) {
		invalid.Path = filepath.ToSlash(path)
	}
	return err
}
