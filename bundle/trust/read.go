package trust

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/document"
)

// Open reads the trust policy at path, and the files beside it that it names. YAML, or JSON if the name ends in
// `.json`. The error is the file system's and about the policy's own file; all else is among the findings, and the
// policy is nil if any of them is an error.
func Open(path string) (*Policy, []diag.Diagnostic, error) {
	source, err := readBounded(path)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the trust policy: %w", err)
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, nil, fmt.Errorf("reading the trust policy: %w", err)
	}
	defer root.Close()
	p, found := Read(path, source, root.FS())
	return p, found, nil
}

// Read reads a trust policy. The name is its path, for the places of findings and for relative paths of state files.
// Files that it names are read from beside; nil if it can name none. The policy is nil if any finding is an error.
func Read(name string, source []byte, beside fs.FS) (*Policy, []diag.Diagnostic) {
	slashed := filepath.ToSlash(name)
	if len(source) > MaxBytes {
		return nil, []diag.Diagnostic{diag.AtPlace(diag.Place{Path: slashed}, diag.CodeTrustPolicyTooLarge, "most", strconv.Itoa(MaxBytes))}
	}
	file, found := document.Parse(slashed, source)
	if file != nil && file.Root != nil && !diag.HasErrors(found) {
		p, more := decode(file, name, beside)
		found = append(found, more...)
		if !diag.HasErrors(found) {
			return p, withoutSecrets(source, found)
		}
	}
	return nil, withoutSecrets(source, found)
}

// withoutSecrets drops the lines that findings would show where a private key is in the document.
func withoutSecrets(source []byte, found []diag.Diagnostic) []diag.Diagnostic {
	if !isPrivate(string(source)) {
		return found
	}
	for i := range found {
		found[i].Place.Snippet = ""
		for j := range found[i].Notes {
			found[i].Notes[j].Place.Snippet = ""
		}
	}
	return found
}

// isPrivate tells text that has, or had, a private key in it.
func isPrivate(text string) bool { return strings.Contains(text, "PRIVATE KEY") }

// readBounded reads at most one byte more than a policy may have.
func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, MaxBytes+1))
}

var (
	errNoFolder   = errors.New("the policy was not read from a folder")
	errNotBeside  = errors.New("it is not a plain path below the policy's folder")
	errNotRegular = errors.New("it is not a file")
	errTooLarge   = errors.New("it has more than " + strconv.Itoa(MaxBytes) + " bytes")
)

// readBeside reads a file that the policy names.
func readBeside(folder fs.FS, name string) ([]byte, error) {
	switch {
	case folder == nil:
		return nil, errNoFolder
	case !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\:\x00"):
		return nil, errNotBeside
	}
	info, err := fs.Stat(folder, name)
	if err != nil {
		return nil, reasonOf(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	f, err := folder.Open(name)
	if err != nil {
		return nil, reasonOf(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxBytes+1))
	if err != nil {
		return nil, reasonOf(err)
	}
	if len(data) > MaxBytes {
		return nil, errTooLarge
	}
	return data, nil
}

// reasonOf is the error without the path and the call, which differ between systems.
func reasonOf(err error) error {
	var path *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("there is no such file")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("permission denied")
	case errors.As(err, &path):
		return path.Err
	}
	return err
}
