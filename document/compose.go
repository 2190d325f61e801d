package document

import (
	"bytes"
	"slices"
)

// The composer reads the YAML that people mostly write straight from the tokens, because yaml.v3 and its tree cost
// more than all the rest of reading: block maps and lists, flow maps and lists, scalars of every style. It reads only
// what it is sure of and has no findings. Anything else, sound or not, is refused and goes to yaml.v3 and the builder:
// anchors, tags, directives, complex keys, tabs, line ends other than LF, a map on the line of its key.
//
// The law that keeps the two together, held by FuzzCompose and over every document of the tests: what the composer
// reads, yaml.v3 and the builder read without a finding, and as the same tree.

// longestKey bounds a key in bytes; YAML has no simple key of more than 1,024 characters.
const longestKey = 1000

type composer struct {
	*reader
	nodes
	tokens []token
	next   int // of the tokens
	line   int // of the last place
	depth  int
	// Children of the collections that are open, each of which begins at a mark of its own.
	open  []Member
	items []*Node
}

// compose gives the root of a document, or nil if the composer is not sure of it.
func (r *reader) compose(tokens []token) *Node {
	if len(r.found) > 0 || len(tokens) == 0 || bytes.ContainsAny(r.file.Source, "\t\r") {
		return nil
	}
	for _, t := range tokens {
		switch t.kind {
		case tokenScalar, tokenOpen, tokenClose, tokenComma, tokenDash, tokenColon:
		default:
			return nil
		}
	}
	c := &composer{reader: r, tokens: tokens}
	root := c.block()
	if root == nil || !root.container() || c.next != len(tokens) {
		return nil
	}
	return root
}

// block reads a node in block style, which may be a leaf.
func (c *composer) block() *Node {
	switch {
	case c.peek() == tokenDash:
		return c.sequence(c.column())
	case c.atKey():
		return c.mapping(c.column())
	default:
		return c.leaf()
	}
}

// leaf reads a scalar or a collection in flow style.
func (c *composer) leaf() *Node {
	switch c.peek() {
	case tokenScalar:
		return c.scalar()
	case tokenOpen:
		return c.flow()
	default:
		return nil
	}
}

// mapping reads a map in block style whose keys stand in a column.
func (c *composer) mapping(column int) *Node {
	n := c.enter(Mapping, StyleBlock)
	mark := len(c.open)
	for n != nil {
		if !c.atKey() || !c.member(n, func(colon token) *Node { return c.value(colon, column) }) {
			return nil
		}
		ends, sure := c.behind(column)
		if !sure {
			return nil
		}
		if ends {
			break
		}
	}
	return c.leaveMapping(n, mark)
}

// member reads a key and its value, which read does from the colon on.
func (c *composer) member(parent *Node, read func(colon token) *Node) bool {
	key := c.scalar()
	if key == nil || key.Kind != String || key.Doubt != NoDoubt && len(key.Text) > 1 ||
		key.Style == StylePlain && key.Text == "<<" {
		return false
	}
	value := read(c.take())
	if value == nil || !c.adopt(parent, key) || !c.adopt(parent, value) {
		return false
	}
	c.open = append(c.open, Member{key, value})
	return true
}

// value reads what stands behind the colon of a key in a column.
func (c *composer) value(colon token, column int) *Node {
	if !c.atLineStart() {
		if c.atKey() {
			return nil
		}
		return c.leaf()
	}
	switch at := c.column(); {
	case at > column:
		return c.block()
	case at == column && c.peek() == tokenDash:
		return c.sequence(column)
	default:
		return c.empty(colon)
	}
}

// sequence reads a list in block style whose dashes stand in a column.
func (c *composer) sequence(column int) *Node {
	n := c.enter(Sequence, StyleBlock)
	mark := len(c.items)
	for n != nil {
		item := c.item(c.take(), column)
		if item == nil || !c.adopt(n, item) {
			return nil
		}
		c.items = append(c.items, item)
		ends, sure := c.behind(column)
		if !sure {
			return nil
		}
		if ends || c.peek() != tokenDash {
			break
		}
	}
	return c.leaveSequence(n, mark)
}

// item reads what stands behind the dash of a list in a column.
func (c *composer) item(dash token, column int) *Node {
	if c.atLineStart() && c.column() <= column {
		return c.empty(dash)
	}
	return c.block()
}

// behind tells whether a collection in a column ends before the next token. It is not sure if the token can neither
// go on with the collection nor belong to one around it.
func (c *composer) behind(column int) (ends, sure bool) {
	if c.next == len(c.tokens) {
		return true, true
	}
	at := c.column()
	return at < column, c.atLineStart() && at <= column
}

// flow reads a map or a list in flow style.
func (c *composer) flow() *Node {
	open := c.tokens[c.next]
	kind, closing := Sequence, byte(']')
	if c.file.Source[open.start] == '{' {
		kind, closing = Mapping, '}'
	}
	n := c.enter(kind, StyleFlow)
	if n == nil {
		return nil
	}
	c.take()
	members, items := len(c.open), len(c.items)
	for c.peek() != tokenClose {
		if !c.flowChild(n) {
			return nil
		}
		if c.peek() != tokenComma {
			break
		}
		c.take()
	}
	if c.peek() != tokenClose {
		return nil
	}
	last := c.take()
	if c.file.Source[last.start] != closing {
		return nil
	}
	if kind == Mapping {
		n = c.leaveMapping(n, members)
	} else {
		n = c.leaveSequence(n, items)
	}
	if n != nil {
		n.End = int(last.end)
	}
	return n
}

// flowChild reads one item or member of a collection in flow style.
func (c *composer) flowChild(n *Node) bool {
	if n.Kind == Mapping {
		return c.atKey() && c.member(n, func(token) *Node { return c.leaf() })
	}
	item := c.leaf()
	if item == nil || !c.adopt(n, item) {
		return false
	}
	c.items = append(c.items, item)
	return true
}

// enter begins a collection at the next token.
func (c *composer) enter(kind Kind, style Style) *Node {
	if c.depth++; c.depth > MaxDepth {
		return nil
	}
	n := c.cut()
	n.Kind, n.Style, n.size, n.height, n.children = kind, style, 1, 1, new(children)
	n.properties = c.tokens[c.next].start
	n.Start, n.End = int(n.properties), int(n.properties)
	return n
}

func (c *composer) leaveMapping(n *Node, mark int) *Node {
	if n == nil {
		return nil
	}
	n.Members = c.keep(c.open[mark:])
	c.open = c.open[:mark]
	c.depth--
	if !n.indexed() {
		return nil
	}
	return n
}

func (c *composer) leaveSequence(n *Node, mark int) *Node {
	if n == nil {
		return nil
	}
	if len(c.items) > mark {
		n.Items = slices.Clone(c.items[mark:])
	}
	c.items = c.items[:mark]
	c.depth--
	return n
}

// adopt counts a child into its parent.
func (c *composer) adopt(parent, child *Node) bool {
	parent.size += child.size
	parent.doubtful = parent.doubtful || child.doubtful
	parent.height = max(parent.height, child.height+1)
	parent.End = max(parent.End, child.End)
	return parent.size <= MaxNodes
}

// empty is the value that was left out behind a token.
func (c *composer) empty(before token) *Node {
	n := c.cut()
	n.Start, n.End, n.properties, n.size = int(before.end), int(before.end), before.end, 1
	return n
}

// scalar reads a scalar.
func (c *composer) scalar() *Node {
	t := c.take()
	n := c.cut()
	n.Start, n.End, n.properties, n.size = int(t.start), int(t.end), t.start, 1
	n.Kind, n.Style, n.indent = String, Style(t.style), t.indent
	n.TrailingComment = t.comment && n.Style == StylePlain
	if !c.scalarText(n) {
		return nil
	}
	if n.Style == StylePlain {
		return c.plain(n)
	}
	return n
}

// scalarText decodes the text of a scalar: most are what stands in the source.
func (c *composer) scalarText(n *Node) bool {
	text := c.file.lines.text[n.Start:n.End]
	inner := text
	switch n.Style {
	case StyleSingle, StyleDouble:
		inner = text[1 : len(text)-1]
	case StyleLiteral, StyleFolded:
		n.Text = string(decodeScalar(c.file.Source, n.Start, n.End, n.Style, int(n.indent), false).text)
		return len(text) == 1 || plainHeader(text[1:])
	}
	for i := range len(inner) {
		switch inner[i] {
		case '\n':
			// The lines of a quoted scalar have rules that the scanner does not look at.
			if n.Style != StylePlain {
				return false
			}
			n.Text = string(decodeScalar(c.file.Source, n.Start, n.End, n.Style, 0, false).text)
			return true
		case '\\':
			if n.Style == StyleDouble {
				return false
			}
		case '\'':
			if n.Style == StyleSingle {
				n.Text = string(decodeScalar(c.file.Source, n.Start, n.End, n.Style, 0, false).text)
				return !bytes.Contains(c.file.Source[n.Start:n.End], []byte{'\n'})
			}
		}
	}
	n.Text = inner
	return true
}

// plainHeader tells whether a block scalar begins in the way that everybody writes.
func plainHeader(behind string) bool {
	if behind[0] == '-' || behind[0] == '+' {
		behind = behind[1:]
	}
	return behind == "" || behind[0] == '\n'
}

// plain gives a plain scalar its type.
func (c *composer) plain(n *Node) *Node {
	n.Kind, n.Doubt = core(n.Text)
	n.doubtful = n.Doubt != NoDoubt
	switch n.Kind {
	case Bool:
		n.Bool = n.Text[0] == 't' || n.Text[0] == 'T'
	case Number:
		if n.Doubt != NoDoubt {
			return n
		}
		if notFinite.MatchString(n.Text) || n.Number() == "" {
			return nil
		}
	}
	return n
}

// peek is the kind of the next token; a document mark, which the composer never takes, stands for the end.
func (c *composer) peek() tokenKind {
	if c.next == len(c.tokens) {
		return tokenDocument
	}
	return c.tokens[c.next].kind
}

func (c *composer) take() token {
	c.next++
	return c.tokens[c.next-1]
}

// atKey tells whether a key comes, with its colon on the same line and a blank behind that.
func (c *composer) atKey() bool {
	if c.next+1 >= len(c.tokens) {
		return false
	}
	key, colon := c.tokens[c.next], c.tokens[c.next+1]
	if key.kind != tokenScalar || colon.kind != tokenColon || colon.start-key.start > longestKey {
		return false
	}
	source := c.file.Source
	if int(colon.end) < len(source) && source[colon.end] != ' ' && source[colon.end] != '\n' {
		return false
	}
	return bytes.IndexByte(source[key.start:colon.start], '\n') < 0
}

// column is where the next token stands on its line, in bytes: only spaces and dashes stand before a token whose
// column counts. At the end it is less than any column.
func (c *composer) column() int {
	if c.next == len(c.tokens) {
		return -1
	}
	return int(c.tokens[c.next].start - c.lineStart())
}

// atLineStart tells whether the next token is the first of its line. The end counts as one.
func (c *composer) atLineStart() bool {
	if c.next == len(c.tokens) {
		return true
	}
	for _, b := range c.file.Source[c.lineStart():c.tokens[c.next].start] {
		if b != ' ' {
			return false
		}
	}
	return true
}

// lineStart is where the line of the next token begins. Tokens come in the order of the text.
func (c *composer) lineStart() int32 {
	starts := c.file.lines.starts
	for c.line+1 < len(starts) && starts[c.line+1] <= c.tokens[c.next].start {
		c.line++
	}
	return starts[c.line]
}
