//go:build !(linux || darwin)

package bundle

import "errors"

// exchange fails: this system cannot let two folders change places in one step.
func exchange(_, _ string) error { return errors.ErrUnsupported }
