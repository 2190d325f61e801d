package document

import (
	"encoding/json"
	"strings"

	"github.com/seif-dev/seifc/digest/canonical"
)

// Limits of one authored document (DESIGN.md section 4).
const (
	MaxBytes = 4 << 20
	MaxNodes = 200_000 // after aliases are expanded
	MaxDepth = 48      // maps and sequences inside each other
)

// File is one authored document.
type File struct {
	// Path is the file as the user may open it, with forward slashes.
	Path   string
	Source []byte
	// Root is nil when nothing sound could be read.
	Root *Node
	// JSON tells that the file was read by the JSON reader.
	JSON bool

	lines lineIndex
	// released says that the nodes were let go and can be read again.
	released bool
}

// Release lets go of the nodes, which take many times the memory of the text. They are read again when a place or an
// edit asks for them; Root stays nil until then. A released file is not safe for concurrent use.
func (f *File) Release() {
	if f.Root != nil {
		f.Root, f.released = nil, true
	}
}

// root is the root node, read again if it was let go.
func (f *File) root() *Node {
	if f.released {
		again, _ := parse(&File{Path: f.Path, Source: f.Source, JSON: f.JSON})
		f.Root, f.released = again.Root, false
	}
	return f.Root
}

// Kind is what a node is.
type Kind uint8

// The kinds of a node.
const (
	Null Kind = iota
	Bool
	Number
	String
	Sequence
	Mapping
)

// String is the word for the kind in messages.
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "a boolean"
	case Number:
		return "a number"
	case String:
		return "a string"
	case Sequence:
		return "a list"
	default:
		return "a map"
	}
}

// Style is how a node is written.
type Style uint8

// The styles of a node. JSON nodes are all StyleJSON.
const (
	StylePlain Style = iota
	StyleSingle
	StyleDouble
	StyleLiteral
	StyleFolded
	StyleFlow
	StyleBlock
	StyleJSON
)

// Doubt says why YAML readers differ on a plain scalar.
type Doubt uint8

// The doubts about a plain scalar.
const (
	NoDoubt     Doubt = iota
	DoubtWord         // yes, no, on, off, y, n: booleans for YAML 1.1
	DoubtTime         // 2026-11-02, 12:30: a date or a number in base 60 for YAML 1.1
	DoubtNumber       // 017, 0o17, 0x1F, 0b1, 1_000: another number, or a string, for some
	DoubtNull         // ~
)

// Span is a range of bytes of the source.
type Span struct{ Start, End int }

// Node is a value as it was written. Nodes are not to be changed: an alias shares the children of its target.
type Node struct {
	Kind  Kind
	Style Style
	Doubt Doubt
	Bool  bool
	// TrailingComment tells that a comment follows a plain scalar on its last line: ` #` may have cut a text.
	TrailingComment bool

	doubtful   bool  // a scalar in it, or a key, is in doubt; aliases expanded
	properties int32 // start of the node with its anchor and tag
	indent     int32 // of a block scalar: columns of its content's indentation
	size       int32 // nodes in it, aliases expanded
	height     int32 // maps and sequences inside each other, aliases expanded

	// Text is the decoded text of a scalar; of a number, a boolean or null it is the text as written.
	Text string
	// Start and End delimit the node's own text in the source, without its anchor and tag. A value that was left
	// out (`key:`) has an empty range behind the colon.
	Start, End int
	// Alias is the span of the alias that brought the node here; the rest of the node is its target's. Nil for a
	// node that stands where it was written.
	Alias *Span
	// Most nodes are scalars, which share childless.
	*children
}

// children are what a sequence or a mapping holds; both lists are empty for a scalar.
type children struct {
	Items   []*Node
	Members []Member
	index   map[string]int // of a map with many members: where each key is in Members
}

// childless are the children of every scalar.
var childless = new(children)

// indexed makes the members of a large map quick to find. It tells whether their keys are all different.
func (n *Node) indexed() bool {
	const many = 16
	if len(n.Members) <= many {
		for i, m := range n.Members {
			for _, earlier := range n.Members[:i] {
				if earlier.Key.Text == m.Key.Text {
					return false
				}
			}
		}
		return true
	}
	n.index = make(map[string]int, len(n.Members))
	for i, m := range n.Members {
		n.index[m.Key.Text] = i
	}
	return len(n.index) == len(n.Members)
}

// Number is the RFC 8785 spelling of a number; empty for one in doubt, one that has no exact form, and anything else.
func (n *Node) Number() json.Number {
	if n.Kind != Number || n.Doubt != NoDoubt || strings.ContainsAny(n.Text, "nN") { // .nan, .inf
		return ""
	}
	spelling, err := canonical.Number(jsonSpelling(n.Text))
	if err != nil {
		return ""
	}
	return spelling
}

// ends is where the node begins and ends at the place where it is used.
func (n *Node) ends() (start, end int) {
	if n.Alias != nil {
		return n.Alias.Start, n.Alias.End
	}
	return int(n.properties), n.End
}

func (n *Node) container() bool { return n.Kind == Sequence || n.Kind == Mapping }

// Member is one member of a mapping, in the order of the file. Keys are strings and unique.
type Member struct{ Key, Value *Node }

// Member finds the value of a key, nil when there is none. It works on a nil node.
func (n *Node) Member(key string) *Node {
	if m := n.member(key); m != nil {
		return m.Value
	}
	return nil
}

func (n *Node) member(key string) *Member {
	if n == nil {
		return nil
	}
	if n.index != nil {
		if i, ok := n.index[key]; ok {
			return &n.Members[i]
		}
		return nil
	}
	for i := range n.Members {
		if n.Members[i].Key.Text == key {
			return &n.Members[i]
		}
	}
	return nil
}

// Empty tells whether the node is a null that was not written: `key:` and nothing behind it.
func (n *Node) Empty() bool { return n != nil && n.Kind == Null && n.Start == n.End }

// Value is the JSON model of a node, aliases expanded. Plain scalars in doubt give their text; a decoder reports
// them before. A nil node is null.
func (f *File) Value(n *Node) canonical.Value { return n.Value() }

// Value is the JSON model of the node; see [File.Value].
func (n *Node) Value() canonical.Value {
	if n == nil {
		return nil
	}
	switch n.Kind {
	case Null:
		return nil
	case Bool:
		return n.Bool
	case Number:
		if number := n.Number(); number != "" {
			return number
		}
		return n.Text
	case String:
		return n.Text
	case Sequence:
		items := make([]any, len(n.Items))
		for i, item := range n.Items {
			items[i] = item.Value()
		}
		return items
	default:
		members := make(map[string]any, len(n.Members))
		for _, m := range n.Members {
			members[m.Key.Text] = m.Value.Value()
		}
		return members
	}
}
