package document

import (
	"slices"
	"strconv"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Decoder turns nodes into values and gathers what is wrong with them. The zero value is ready.
//
//	var d document.Decoder
//	o := d.Root(file).Object()
//	name := o.Required("name").String()
//	limit := o.Optional("call_limit").Int(1, 1000)
//	o.Done()
//
// Nothing needs to be checked on the way: an absent field, and a field inside of a wrong one, gives zero values
// and no further problems.
type Decoder struct {
	problems []diag.Problem
}

// Problems is what has been found so far, in the order of reading.
func (d *Decoder) Problems() []diag.Problem { return d.problems }

// Report adds a finding of the caller.
func (d *Decoder) Report(p diag.Problem) { d.problems = append(d.problems, p) }

// Root is the whole document as a field.
func (d *Decoder) Root(f *File) Field { return Field{Decoder: d, Node: f.Root} }

// Field is a place in a document. Its Node is nil if nothing is there.
type Field struct {
	*Decoder
	Node    *Node
	Key     *Node // the key of a member, nil otherwise
	Pointer string
}

// Present tells whether the field was written; an explicit or implied null is present.
func (f Field) Present() bool { return f.Node != nil }

// Null tells whether the field was written as null or left out behind its key.
func (f Field) Null() bool { return f.Node != nil && f.Node.Kind == Null && f.Node.Doubt == NoDoubt }

// Problem adds a finding about the field.
func (f Field) Problem(code diag.Code, pairs ...string) {
	f.Report(diag.New(code, f.Pointer, pairs...))
}

// String reads a string. A plain scalar that is something else for YAML, or for some of its readers, is a problem
// that says to quote it.
func (f Field) String() string {
	if f.Node == nil {
		return ""
	}
	n := f.Node
	switch {
	case n.Kind == String && n.Doubt == NoDoubt:
		return n.Text
	case n.Style == StylePlain && !n.container() && n.Text != "":
		f.Problem(diag.CodeUnquotedScalar, "text", shortened(n.Text), "reading", readingOf(n))
	default:
		f.wrong(String)
	}
	return ""
}

// Word reads a string that is one of a few words.
func (f Field) Word(words ...string) string {
	text := f.String()
	if text == "" || slices.Contains(words, text) {
		if text == "" && f.Node != nil && f.Node.Kind == String && f.Node.Doubt == NoDoubt {
			f.Problem(diag.CodeUnknownWord, "word", "", "words", list(words))
		}
		return text
	}
	f.Problem(diag.CodeUnknownWord, "word", shortened(text), "words", list(words), "suggestion", diag.Nearest(text, words))
	return ""
}

// Bool reads a boolean.
func (f Field) Bool() bool {
	switch {
	case f.Node == nil:
		return false
	case f.Node.Kind == Bool:
		return f.Node.Bool
	case f.Node.Doubt == DoubtWord:
		f.Problem(diag.CodeAmbiguousScalar, "text", f.Node.Text, "reading", readingOf(f.Node), "remedy", "write true or false")
	default:
		f.wrong(Bool)
	}
	return false
}

// Int reads an integer from least to most.
func (f Field) Int(least, most int) int {
	switch {
	case f.Node == nil:
		return 0
	case f.Node.Kind != Number:
		f.wrong(Number)
		return 0
	case f.Node.Doubt != NoDoubt:
		f.inDoubt(f.Node, f.Pointer)
		return 0
	}
	value, err := strconv.Atoi(string(f.Node.Number()))
	if err != nil || value < least || value > most {
		if f.Node.Number() != "" { // else the reader has reported it
			f.Problem(diag.CodeNumberOutOfRange, "number", shortened(f.Node.Text),
				"least", strconv.Itoa(least), "most", strconv.Itoa(most))
		}
		return 0
	}
	return value
}

// Value reads any JSON value. Plain scalars that YAML readers differ on are problems, wherever they stand in it.
func (f Field) Value() canonical.Value {
	if f.Node == nil {
		return nil
	}
	f.certain(f.Node, f.Pointer)
	return f.Node.Value()
}

// certain reports the plain scalars in doubt in a value. Almost no value has one: pointers are made for those that do.
func (f Field) certain(n *Node, pointer string) {
	switch {
	case !n.doubtful:
	case n.Doubt != NoDoubt:
		f.inDoubt(n, pointer)
	case n.Kind == Sequence:
		for i, item := range n.Items {
			f.certain(item, canonical.JoinPointer(pointer, strconv.Itoa(i)))
		}
	case n.Kind == Mapping:
		for _, m := range n.Members {
			f.certain(m.Value, canonical.JoinPointer(pointer, m.Key.Text))
		}
	}
}

func (f Field) inDoubt(n *Node, pointer string) {
	remedy := "quote it"
	switch n.Doubt {
	case DoubtWord:
		remedy = "quote it, or write true or false"
	case DoubtNull:
		remedy = "quote it, or write null"
	case DoubtNumber:
		remedy = "quote it, or write the number in plain decimal digits"
		if value, octal := plainNumber(n.Text); value != "" {
			remedy = "quote it, or write " + value
			if octal != "" && octal != value {
				remedy += " (" + octal + " if octal is meant)"
			}
		}
	}
	f.Report(diag.New(diag.CodeAmbiguousScalar, pointer, "text", shortened(n.Text), "reading", readingOf(n), "remedy", remedy))
}

// Each reads a list: it calls item for each of its items.
func (f Field) Each(item func(Field)) {
	switch {
	case f.Node == nil:
	case f.Node.Kind != Sequence:
		f.wrong(Sequence)
	default:
		for i, n := range f.Node.Items {
			item(Field{Decoder: f.Decoder, Node: n, Pointer: canonical.JoinPointer(f.Pointer, strconv.Itoa(i))})
		}
	}
}

// Strings reads a list of strings. What is no string is reported and left out.
func (f Field) Strings() []string {
	var out []string
	if f.Node != nil && f.Node.Kind == Sequence {
		out = make([]string, 0, len(f.Node.Items))
	}
	f.Each(func(item Field) {
		before := len(f.problems)
		if text := item.String(); before == len(f.problems) {
			out = append(out, text)
		}
	})
	return out
}

// Map reads a map with keys of the author's choice: it calls member for each of its members, in authored order.
func (f Field) Map(member func(key string, value Field)) {
	switch {
	case f.Node == nil:
	case f.Node.Kind != Mapping:
		f.wrong(Mapping)
	default:
		for _, m := range f.Node.Members {
			member(m.Key.Text, f.member(m))
		}
	}
}

func (f Field) member(m Member) Field {
	return Field{Decoder: f.Decoder, Node: m.Value, Key: m.Key, Pointer: canonical.JoinPointer(f.Pointer, m.Key.Text)}
}

// wrong reports a value of a wrong kind.
func (f Field) wrong(want Kind) {
	n := f.Node
	if n.Kind == Null {
		f.Problem(diag.CodeUnexpectedNull, "want", want.String())
		return
	}
	f.Problem(diag.CodeWrongType, "want", want.String(), "kind", n.Kind.String())
}

// readingOf says what a plain scalar is for YAML.
func readingOf(n *Node) string {
	if n.Doubt != NoDoubt {
		return n.Doubt.reading()
	}
	return n.Kind.String()
}
