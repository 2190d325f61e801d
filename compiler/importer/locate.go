package importer

import (
	"errors"
	"strconv"
	"sync"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/document"
)

// Locator places findings about a published document at its lines. A pointer that leads nowhere is placed at the
// start of the document; a finding about the document's text at its bytes.
func Locator(path string, data []byte) diag.Locator {
	file := document.TextFile(path, data)
	index := sync.OnceValue(func() map[string]span { return indexOf(data) })
	return diag.LocatorFunc(func(t diag.Target) diag.Place {
		var at span
		if t.Part == diag.PartText && t.Pointer == "" {
			at = span{t.Offset, min(t.Offset+t.Length, len(data))}
		} else {
			at = find(data, index(), t.Pointer)
		}
		place := file.Place(at.start, at.end)
		place.Pointer = t.Pointer
		return place
	})
}

// span is a range of bytes; of a container it is the opening bracket.
type span struct{ start, end int }

// indexDepth is how deep the pointers of ordinary findings lead; deeper ones are looked for one by one.
const indexDepth = 5

func indexOf(data []byte) map[string]span {
	index := map[string]span{}
	walk(data, indexDepth, func(pointer string, at span) error {
		index[pointer] = at
		return nil
	})
	return index
}

var errFound = errors.New("found")

func find(data []byte, index map[string]span, pointer string) span {
	if at, ok := index[pointer]; ok {
		return at
	}
	tokens, err := canonical.SplitPointer(pointer)
	if err != nil || len(tokens) <= indexDepth {
		return span{}
	}
	var found span
	walk(data, canonical.MaxDepth, func(at string, where span) error {
		if at != pointer {
			return nil
		}
		found = where
		return errFound
	})
	return found
}

// walk visits every value of a document down to a depth, as far as the document can be read.
func walk(data []byte, depth int, visit func(pointer string, at span) error) {
	type open struct {
		pointer string
		next    int // item of an array, -1 in an object
	}
	var path []open
	name := ""
	_ = canonical.Scan(data, canonical.Limits{Bytes: MaxBytes}, func(t canonical.Token) error {
		if t.Kind == '}' || t.Kind == ']' {
			if t.Depth <= depth {
				path = path[:len(path)-1]
			}
			return nil
		}
		if t.Name {
			name = t.Text
			return nil
		}
		if t.Depth > depth {
			return nil
		}
		at := ""
		if n := len(path); n > 0 {
			token := name
			if path[n-1].next >= 0 {
				token = strconv.Itoa(path[n-1].next)
				path[n-1].next++
			}
			at = canonical.JoinPointer(path[n-1].pointer, token)
		}
		switch t.Kind {
		case '{':
			path = append(path, open{at, -1})
		case '[':
			path = append(path, open{at, 0})
		}
		return visit(at, span{t.Start, t.End})
	})
}
