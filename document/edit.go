package document

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// EditError says why an edit was not made. The file is as it was.
type EditError struct {
	Pointer string
	Reason  EditReason
}

// EditReason is why an edit was not made.
type EditReason string

// The reasons why an edit is not made.
const (
	EditMissing  EditReason = "there is nothing at this place"
	EditPresent  EditReason = "there is something at this place already"
	EditAlias    EditReason = "the place is written through an alias"
	EditUnsound  EditReason = "the file has errors"
	EditValue    EditReason = "the value cannot be written"
	EditUnproven EditReason = "the text around it is too unusual to change with certainty"
)

func (e *EditError) Error() string { return fmt.Sprintf("cannot edit %q: %s", e.Pointer, e.Reason) }

// Set replaces the value at a pointer. Comments around it and everything else in the file stay byte for byte. The
// result is a new file; it is proven, by reading it, that its value is that of f with only this one change.
func (f *File) Set(pointer string, value canonical.Value) (*File, error) {
	return f.SetAll(map[string]canonical.Value{pointer: value})
}

// SetAll replaces the values at several pointers, none of them inside another, in one pass; see [File.Set].
func (f *File) SetAll(values map[string]canonical.Value) (*File, error) {
	var edits []splice
	for _, pointer := range slices.Sorted(maps.Keys(values)) {
		edit, err := f.replacement(pointer, values[pointer])
		if err != nil {
			return nil, err
		}
		edits = append(edits, edit)
	}
	return f.splice(edits...)
}

// replacement is the splice that replaces the value at a pointer.
func (f *File) replacement(pointer string, value canonical.Value) (splice, error) {
	at, err := f.editable(pointer)
	if err != nil {
		return splice{}, err
	}
	text, err := f.spell(pointer, value)
	if err != nil {
		return splice{}, err
	}
	n := at.node
	switch {
	case n.Empty():
		if n.Start == 0 || f.Source[n.Start-1] != ' ' {
			text = " " + text
		}
		if n.Start < len(f.Source) && breakLength(f.Source, n.Start) == 0 && f.Source[n.Start] != ' ' &&
			!strings.ContainsRune(",]}", rune(f.Source[n.Start])) {
			text += " "
		}
	case n.End > n.Start && f.Source[n.End-1] == '\n':
		text += f.lineEnd()
	}
	return splice{pointer: pointer, start: n.Start, end: n.End, text: text, change: change{value: value, set: true}}, nil
}

// Insert adds a member to the map, or an item to the list, that the pointer's parent names. It comes last; an item
// is named by `-` or by the length of the list. A parent that was left out (`revisions:`) becomes a map.
func (f *File) Insert(pointer string, value canonical.Value) (*File, error) {
	base, name, ok := splitLast(pointer)
	if !ok {
		return nil, &EditError{pointer, EditMissing}
	}
	at, err := f.editable(base)
	if err != nil {
		return nil, &EditError{pointer, err.(*EditError).Reason}
	}
	n := at.node
	if child, _ := n.child(name); child != nil {
		return nil, &EditError{pointer, EditPresent}
	}
	if n.Kind == Sequence && name != "-" && name != strconv.Itoa(len(n.Items)) {
		return nil, &EditError{pointer, EditMissing}
	}
	var text string
	var where int
	switch {
	case n.Kind == Null && n.Empty() && at.key != nil:
		where = f.behindLine(n.End)
		text, err = f.newBlock(pointer, where, f.column(at.key.Start)+2, name, value)
	case !n.container():
		return nil, &EditError{pointer, EditMissing}
	case n.Style == StyleBlock:
		where = f.behindLine(n.End)
		text, err = f.newBlock(pointer, where, f.column(n.Start), n.entryName(name), value)
	default:
		where, text, err = f.newFlow(pointer, n, name, value)
	}
	if err != nil {
		return nil, err
	}
	return f.splice(splice{pointer: pointer, start: where, end: where, text: text, change: change{value: value, set: true}})
}

// entryName marks an item of a list by an empty name.
func (n *Node) entryName(name string) string {
	if n.Kind == Sequence {
		return ""
	}
	return name
}

// Delete removes a member or an item, with the comment on its last line.
func (f *File) Delete(pointer string) (*File, error) {
	base, name, ok := splitLast(pointer)
	if !ok {
		return nil, &EditError{pointer, EditMissing}
	}
	at, err := f.editable(base)
	if err != nil {
		return nil, &EditError{pointer, err.(*EditError).Reason}
	}
	spans := f.childSpans(at.node)
	i := at.node.position(name)
	if i < 0 {
		return nil, &EditError{pointer, EditMissing}
	}
	start, end, text := spans[i].Start, spans[i].End, ""
	block := at.node.Style == StyleBlock
	switch {
	case len(spans) == 1 && block:
		start, end, text = at.node.Start, at.node.End, "{}"
		if at.node.Kind == Sequence {
			text = "[]"
		}
		if f.Source[end-1] == '\n' {
			text += f.lineEnd()
		}
	case block && f.indentedOnly(start):
		start, end = f.lineStart(start), f.nextLine(end)
	case i+1 < len(spans):
		end = spans[i+1].Start
	case i > 0:
		start = spans[i-1].End
	}
	return f.splice(splice{pointer: pointer, start: start, end: end, text: text, change: change{}})
}

// position is where a member or an item stands among its siblings, -1 if it is not there.
func (n *Node) position(name string) int {
	if n.Kind == Sequence {
		if child, _ := n.child(name); child != nil {
			i, _ := strconv.Atoi(name)
			return i
		}
		return -1
	}
	for i, m := range n.Members {
		if m.Key.Text == name {
			return i
		}
	}
	return -1
}

// childSpans is what each member or item takes, with its key or dash.
func (f *File) childSpans(n *Node) []Span {
	var spans []Span
	for _, m := range n.Members {
		start, keyEnd := m.Key.ends()
		_, end := m.Value.ends()
		spans = append(spans, Span{start, max(end, keyEnd)})
	}
	for _, item := range n.Items {
		start, end := item.ends()
		if n.Style == StyleBlock {
			if dash := bytes.LastIndexByte(f.Source[n.Start:start], '-'); dash >= 0 {
				start = n.Start + dash
			}
		}
		spans = append(spans, Span{start, end})
	}
	return spans
}

// editable finds a node that may be edited.
func (f *File) editable(pointer string) (found, error) {
	at := f.find(pointer)
	switch {
	case f.root() == nil:
		return at, &EditError{pointer, EditUnsound}
	case !at.whole:
		return at, &EditError{pointer, EditMissing}
	case at.through != nil:
		return at, &EditError{pointer, EditAlias}
	}
	return at, nil
}

// change is what an edit is to do to the model: set, or else delete.
type change struct {
	value canonical.Value
	set   bool
}

// splice is one edit of the text with what it is to do to the model.
type splice struct {
	pointer    string
	start, end int
	text       string
	change     change
}

// splice makes edits that do not overlap and proves them together.
func (f *File) splice(edits ...splice) (*File, error) {
	if len(edits) == 0 {
		return f, nil
	}
	slices.SortFunc(edits, func(a, b splice) int { return a.start - b.start })
	var source []byte
	at := 0
	want := f.root().Value()
	for _, e := range edits {
		if e.start < at {
			return nil, &EditError{e.pointer, EditUnproven}
		}
		source = append(append(source, f.Source[at:e.start]...), e.text...)
		at = e.end
		names, _ := splitPointer(e.pointer)
		changed, ok := apply(want, names, e.change)
		if !ok {
			return nil, &EditError{e.pointer, EditUnproven}
		}
		want = changed
	}
	source = append(source, f.Source[at:]...)
	edited, found := parse(&File{Path: f.Path, Source: source, JSON: f.JSON})
	if diag.HasErrors(found) || !canonical.Equal(edited.Root.Value(), want) {
		return nil, &EditError{edits[0].pointer, EditUnproven}
	}
	return edited, nil
}

// apply makes the change in the model.
func apply(value canonical.Value, names []string, c change) (canonical.Value, bool) {
	if len(names) == 0 {
		return plain(c.value), c.set
	}
	name := names[0]
	switch v := value.(type) {
	case nil:
		if len(names) == 1 && c.set {
			return map[string]any{name: plain(c.value)}, true
		}
	case map[string]any:
		if len(names) == 1 && !c.set {
			delete(v, name)
			return v, true
		}
		child, ok := apply(v[name], names[1:], c)
		v[name] = child
		return v, ok
	case []any:
		i, err := strconv.Atoi(name)
		if name == "-" {
			i, err = len(v), nil
		}
		if err != nil || i < 0 || i > len(v) {
			return nil, false
		}
		if len(names) == 1 && !c.set {
			return append(v[:i:i], v[i+1:]...), true
		}
		if i == len(v) {
			v = append(v, nil)
		}
		child, ok := apply(v[i], names[1:], c)
		v[i] = child
		return v, ok
	}
	return nil, false
}

func splitLast(pointer string) (base, name string, ok bool) {
	names, ok := splitPointer(pointer)
	if !ok || len(names) == 0 {
		return "", "", false
	}
	return canonical.JoinPointer("", names[:len(names)-1]...), names[len(names)-1], true
}
