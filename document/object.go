package document

import (
	"slices"
	"strings"

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
	const fields = 12
	return &Object{field: f, known: make([]string, 0, fields)}
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
			"suggestion", diag.Nearest(name, o.known), "known", list(known)).AtKey())
	}
}

// list writes names for a message.
func list(names []string) string { return strings.Join(names, ", ") }
