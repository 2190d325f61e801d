package document

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Object reads a map with known fields. An absent one is nil and works like one without members that has been
// reported already.
type Object struct {
	field Field
	known []string
}

// Object reads the field as a map with known fields.
func (f Field) Object() *Object {
	switch {
	case f.Node == nil:
		return nil
	case f.Node.Kind != Mapping:
		f.wrong(Mapping)
		return nil
	}
	return &Object{field: f}
}

// Optional is a field that may be absent.
func (o *Object) Optional(name string) Field {
	if o == nil {
		return Field{Decoder: new(Decoder)}
	}
	o.known = append(o.known, name)
	if m := o.field.Node.member(name); m != nil {
		return o.field.member(*m)
	}
	return Field{Decoder: o.field.Decoder, Pointer: canonical.JoinPointer(o.field.Pointer, name)}
}

// Required is a field that must be present; if it is not, that is a problem of the map.
func (o *Object) Required(name string) Field {
	f := o.Optional(name)
	if o != nil && f.Node == nil {
		o.field.Problem(diag.CodeMissingField, "field", name)
	}
	return f
}

// Done reports the members that are no known fields.
func (o *Object) Done() {
	if o == nil {
		return
	}
	for _, m := range o.field.Node.Members {
		name := m.Key.Text
		if slices.Contains(o.known, name) {
			continue
		}
		known := slices.Clone(o.known)
		slices.Sort(known)
		pointer := canonical.JoinPointer(o.field.Pointer, name)
		o.field.Report(diag.New(diag.CodeUnknownField, pointer, "field", shortened(name),
			"suggestion", Nearest(name, o.known), "known", list(known)).AtKey())
	}
}

// Nearest is the one of the names that was probably meant, or empty. It differs in case or in `-`, `_`, `.` only,
// in at most a third of its characters, or one begins with the other.
func Nearest(name string, names []string) string {
	best, least := "", max(1, min(3, utf8.RuneCountInString(name)/3))+1
	for _, candidate := range names {
		if folded(candidate) == folded(name) {
			return candidate
		}
		if d := distance(name, candidate, least); d < least {
			best, least = candidate, d
		}
	}
	if best == "" && len(name) > 3 {
		for _, candidate := range names {
			if strings.HasPrefix(candidate, name) || len(candidate) > 3 && strings.HasPrefix(name, candidate) {
				return candidate
			}
		}
	}
	return best
}

var foldSeparators = strings.NewReplacer("-", "", "_", "", ".", "", " ", "")

func folded(name string) string { return strings.ToLower(foldSeparators.Replace(name)) }

// distance counts the insertions, deletions, changes and swaps of neighbours between two names, up to most.
func distance(a, b string, most int) int {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y)+most || len(y) > len(x)+most {
		return most
	}
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return min(last[len(y)], most)
}

// list writes names for a message.
func list(names []string) string { return strings.Join(names, ", ") }
