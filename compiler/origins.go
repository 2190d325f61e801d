package compiler

import (
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/document"
	"github.com/seif-dev/seifc/manifest"
)

// origins maps members of a derived document (the definition, tests.json, one contract) to where they were
// written. A member without an entry of its own stands at the same place below its nearest bound ancestor.
type origins struct {
	bound map[string]manifest.Origin
	// texts maps members that refer to a text (PartText) to that text as a file.
	texts map[string]*document.File
	// fallback is where the whole document stands: a member without a bound ancestor stands at the same place
	// below it.
	fallback manifest.Origin
}

func newOrigins(fallback manifest.Origin) *origins {
	return &origins{bound: map[string]manifest.Origin{}, texts: map[string]*document.File{}, fallback: fallback}
}

// bind says where the member at pointer was written.
func (o *origins) bind(pointer string, at manifest.Origin) {
	if at.File != nil {
		o.bound[pointer] = at
	}
}

// bindText says which file holds the text that the member at pointer refers to.
func (o *origins) bindText(pointer string, file *document.File) { o.texts[pointer] = file }

// graft binds all that is bound in another document, which stands at pointer in this one.
func (o *origins) graft(pointer string, other *origins) {
	o.bind(pointer, other.fallback)
	for p, at := range other.bound {
		o.bind(pointer+p, at)
	}
}

// resolve finds where the member at pointer was written.
func (o *origins) resolve(pointer string) manifest.Origin {
	rest := ""
	for at := pointer; ; {
		if origin, ok := o.bound[at]; ok {
			return manifest.Origin{File: origin.File, Pointer: origin.Pointer + rest}
		}
		slash := strings.LastIndexByte(at, '/')
		if slash < 0 {
			return manifest.Origin{File: o.fallback.File, Pointer: o.fallback.Pointer + rest}
		}
		rest = at[slash:] + rest
		at = at[:slash]
	}
}

// Locate makes origins a diag.Locator for findings about the derived document.
func (o *origins) Locate(t diag.Target) diag.Place {
	if t.Part == diag.PartText {
		if file, ok := o.texts[t.Pointer]; ok {
			return file.Place(t.Offset, t.Offset+t.Length)
		}
		t.Part, t.Spanned = diag.PartValue, false
	}
	origin := o.resolve(t.Pointer)
	if origin.File == nil {
		return diag.Place{Pointer: t.Pointer}
	}
	t.Pointer = origin.Pointer
	return origin.File.Locate(t)
}

// indexPointer is the pointer of an array's item.
func indexPointer(pointer string, index int) string {
	return pointer + "/" + strconv.Itoa(index)
}
