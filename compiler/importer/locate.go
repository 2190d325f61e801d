package importer

import (
	"errors"
	"strconv"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/document"
)

// Locator places findings about a published document at its lines.
func Locator(path string, data []byte) diag.Locator {
	file := document.TextFile(path, data)
	return diag.LocatorFunc(func(t diag.Target) diag.Place {
		start, end := find(data, t.Pointer)
		place := file.Place(start, end)
		place.Pointer = t.Pointer
		return place
	})
}

var errFound = errors.New("found")

// find gives the byte range of the value at a pointer; a container's range is its opening brace.
func find(data []byte, pointer string) (start, end int) {
	var path []string // pointers of open containers
	var index []int   // next item of each open container, -1 for an object
	name := ""
	err := canonical.Scan(data, canonical.Limits{Bytes: MaxBytes}, func(t canonical.Token) error {
		if t.Kind == '}' || t.Kind == ']' {
			path, index = path[:len(path)-1], index[:len(index)-1]
			return nil
		}
		if t.Name {
			name = t.Text
			return nil
		}
		at := ""
		if n := len(path); n > 0 {
			token := name
			if index[n-1] >= 0 {
				token = strconv.Itoa(index[n-1])
				index[n-1]++
			}
			at = canonical.JoinPointer(path[n-1], token)
		}
		if at == pointer {
			start, end = t.Start, t.End
			return errFound
		}
		switch t.Kind {
		case '{':
			path, index = append(path, at), append(index, -1)
		case '[':
			path, index = append(path, at), append(index, 0)
		}
		return nil
	})
	if errors.Is(err, errFound) {
		return start, end
	}
	return 0, 0
}
