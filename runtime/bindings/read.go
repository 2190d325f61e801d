package bindings

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/document"
)

// Read reads the Bindings at path: YAML, or JSON if the name ends in `.json`. The error is the file system's; what
// is wrong with the content is among the findings, and the Bindings and the file are then nil. The file locates
// what [Bindings.Against] finds.
func Read(path string) (*Bindings, *document.File, []diag.Diagnostic, error) {
	source, err := readBounded(path)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("reading the Bindings: %w", err)
	}
	name := filepath.ToSlash(path)
	if len(source) > MaxBytes {
		place := diag.Place{Path: name}
		return nil, nil, []diag.Diagnostic{diag.AtPlace(place, diag.CodeBindingsTooLarge, "most", fmt.Sprint(MaxBytes))}, nil
	}
	file, found := document.Parse(name, source)
	if file == nil || file.Root == nil || diag.HasErrors(found) {
		return nil, nil, found, nil
	}
	b, more := Decode(file)
	if b == nil {
		file = nil
	}
	return b, file, append(found, more...), nil
}

// readBounded reads at most one byte more than a Bindings document may have.
func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, MaxBytes+1))
}
