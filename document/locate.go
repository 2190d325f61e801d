package document

import (
	"strconv"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// found is what a pointer leads to.
type found struct {
	node *Node
	key  *Node // of the member that node is the value of; nil for items and the root
	// outer is the outermost alias on the way to the node, through the same with the node itself included.
	outer, through *Span
	whole          bool // false: the pointer leads on to something that is not there
}

// At finds the node at an RFC 6901 pointer, nil if there is none.
func (f *File) At(pointer string) *Node {
	if at := f.find(pointer); at.whole {
		return at.node
	}
	return nil
}

func (f *File) find(pointer string) found {
	root := f.root()
	at := found{node: root, whole: root != nil}
	if root == nil {
		return at
	}
	names, ok := splitPointer(pointer)
	if !ok {
		at.whole = false
		return at
	}
	for _, name := range names {
		at.cross()
		child, key := at.node.child(name)
		if child == nil {
			at.whole = false
			return at
		}
		at.node, at.key, at.outer = child, key, at.through
	}
	at.cross()
	return at
}

func (at *found) cross() {
	if at.through == nil {
		at.through = at.node.Alias
	}
}

func (n *Node) child(name string) (child, key *Node) {
	switch n.Kind {
	case Mapping:
		if m := n.member(name); m != nil {
			return m.Value, m.Key
		}
	case Sequence:
		i, err := strconv.Atoi(name)
		if err == nil && i >= 0 && i < len(n.Items) && strconv.Itoa(i) == name {
			return n.Items[i], nil
		}
	}
	return nil, nil
}

// Locate gives the place of what a target names. A pointer to something that is not there gives the nearest thing
// around it. What an alias brought in is placed at the alias.
//
// The place of a block collection and of a value that was left out is that of its key, or its start if it has no
// key: the text of the collection begins with something else than what the finding is about.
func (f *File) Locate(t diag.Target) diag.Place {
	place, _ := f.locate(t)
	return place
}

// locate gives also the place of the definition, if an alias was on the way.
func (f *File) locate(t diag.Target) (place diag.Place, definition *diag.Place) {
	at := f.find(t.Pointer)
	if at.node == nil {
		place = f.Place(0, 0)
		place.Pointer = t.Pointer
		return place, nil
	}
	start, end := f.spanOf(at, t)
	place = f.Place(start, end)
	through := at.through
	if t.Part == diag.PartKey && at.key != nil && at.whole {
		through = at.outer // the key of an alias stands where it is used
	}
	if through != nil {
		defined := place
		definition = &defined
		place = f.Place(through.Start, through.End)
	}
	place.Pointer = t.Pointer
	return place, definition
}

func (f *File) spanOf(at found, t diag.Target) (start, end int) {
	n := at.node
	if !at.whole {
		if at.key != nil && n.Alias == nil {
			return at.key.Start, at.key.End
		}
		return n.Start, n.Start
	}
	if t.Part == diag.PartKey && at.key != nil {
		n = at.key
	}
	if t.Spanned && t.Part != diag.PartText && n.Kind == String {
		return f.spot(n, t.Offset, t.Length)
	}
	block := n.container() && n.Style == StyleBlock
	if at.key != nil && n.Alias == nil && (n.Empty() || block) {
		n, block = at.key, false
	}
	if block {
		return n.Start, n.Start
	}
	return n.Start, n.End
}

// spot maps a range of the decoded text of a scalar to the source.
func (f *File) spot(n *Node, offset, length int) (start, end int) {
	d := decodeScalar(f.Source, n.Start, n.End, n.Style, int(n.indent), true)
	offset = max(offset, 0)
	return d.spot(offset, length, n.Start)
}

// Diagnose places problems about the file, with a note at the definition of what an alias brought in.
func (f *File) Diagnose(problems ...diag.Problem) []diag.Diagnostic {
	placed := diag.At(f, problems...)
	for i, p := range problems {
		if _, definition := f.locate(p.Target); definition != nil {
			placed[i].Notes = append(placed[i].Notes, diag.PlacedNote{Kind: diag.NoteDefinedHere, Place: *definition})
		}
	}
	return placed
}

func splitPointer(pointer string) ([]string, bool) {
	names, err := canonical.SplitPointer(pointer)
	return names, err == nil
}
