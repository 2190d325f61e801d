package manifest

import (
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/document"
)

// reader reads one document into values with origins.
type reader struct {
	document.Decoder
	file *document.File
}

// read runs a decoding of a file and places what it finds.
func read[T any](file *document.File, schema string, decode func(*reader, *document.Object, Origin) *T) (*T, []diag.Diagnostic) {
	r := &reader{file: file}
	root := r.Root(file)
	object := root.Object()
	var out *T
	if object != nil && r.schema(object.Required("schema"), schema) {
		out = decode(r, object, Origin{File: file})
		object.Done()
	}
	return out, diag.At(file, r.Problems()...)
}

// schema tells whether the document says that it is of the wanted kind. A document of another kind is not read
// further: every field of it would be reported as unknown.
func (r *reader) schema(f document.Field, want string) bool {
	if !f.Present() {
		return false
	}
	before := len(r.Problems())
	got := f.String()
	if got == want {
		return true
	}
	if len(r.Problems()) == before {
		f.Problem(diag.CodeSchemaUnknown, "schema", got, "want", want, "place", placeOf(got))
	}
	return false
}

// placeOf says where a document of a known kind belongs, "" for any other.
func placeOf(schema string) string {
	switch schema {
	case ProjectSchema:
		return "give its folder to the command"
	case CatalogueSchema:
		return "list it under `catalogues:`"
	case TestsSchema:
		return "list it under `tests:`"
	default:
		return ""
	}
}

func (r *reader) at(f document.Field) Origin { return Origin{File: r.file, Pointer: f.Pointer} }

// text reads a string that is not empty.
func (r *reader) text(f document.Field) Text {
	out := Text{Origin: r.at(f), Value: f.String()}
	if out.Value == "" && f.Present() && f.Node.Kind == document.String && f.Node.Text == "" {
		f.Problem(diag.CodeStringEmpty)
	}
	if !f.Present() {
		out.Origin = Origin{}
	}
	return out
}

// expression reads an expression. A plain one that a comment follows may have lost its end to ` #`.
func (r *reader) expression(f document.Field) Text {
	out := r.text(f)
	if f.Present() && f.Node.TrailingComment {
		f.Problem(diag.CodeExpressionComment)
	}
	return out
}

func (r *reader) texts(f document.Field) []Text {
	if !f.Present() {
		return nil
	}
	out := []Text{}
	f.Each(func(item document.Field) { out = append(out, r.text(item)) })
	return out
}

// ids reads a list of ids of the kind that the word names. An empty list says nothing and is refused.
func (r *reader) ids(f document.Field, what string) []Text {
	if !f.Present() {
		return nil
	}
	var out []Text
	f.Each(func(item document.Field) {
		if text := r.text(item); text.Value != "" && r.id(item, what, text.Value) {
			out = append(out, text)
		}
	})
	if f.Node.Kind == document.Sequence && len(f.Node.Items) == 0 {
		f.Problem(diag.CodeListEmpty)
	}
	return out
}

// entries reads a map by id.
func entries[T any](r *reader, f document.Field, what string, one func(document.Field) T) []Entry[T] {
	var out []Entry[T]
	f.Map(func(key string, value document.Field) {
		if r.idKey(value, what, key) {
			out = append(out, Entry[T]{Origin: r.at(value), ID: key, Value: one(value)})
		}
	})
	return out
}

func (r *reader) id(f document.Field, what, id string) bool {
	return r.report(diag.New(diag.CodeIDForm, f.Pointer, "what", what, "id", id, "form", string(form(what))), what, id)
}

func (r *reader) idKey(f document.Field, what, id string) bool {
	return r.report(diag.New(diag.CodeIDForm, f.Pointer, "what", what, "id", id, "form", string(form(what))).AtKey(), what, id)
}

// report reports the problem if the id does not have the form of what it names.
func (r *reader) report(problem diag.Problem, what, id string) bool {
	fits := form(what).Fits(id)
	if !fits {
		r.Report(problem)
	}
	return fits
}

// form is the form of names (formats.md, rule 15).
func form(what string) definition.Form {
	if what == "input" {
		return definition.InputForm
	}
	return definition.IDForm
}
