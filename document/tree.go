package document

import (
	"sort"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seif-dev/seifc/diag"
)

// readYAML reads a text whose bytes have been checked: scan, parse, build.
func (r *reader) readYAML(from int) {
	source := r.file.Source
	tokens, stop := scanTokens(source, from)
	switch stop {
	case scanTooMany:
		last := tokens[len(tokens)-1]
		r.report(int(last.start), int(last.end), diag.CodeTooManyNodes)
		return
	case scanTooDeep:
		last := tokens[len(tokens)-1]
		r.report(int(last.start), int(last.end), diag.CodeTooDeep)
		return
	}
	second := r.checkTokens(tokens)
	if stop == scanDone {
		if root := r.compose(tokens); root != nil {
			r.file.Root = root
			return
		}
	}
	r.build(tokens, from, second)
}

// build has yaml.v3 read the text and makes nodes of what it found. A second document begins at an offset, unless that
// is negative.
func (r *reader) build(tokens []token, from, second int) {
	source := r.file.Source
	documents, failed := decodeYAML(source[from:])
	marks := newMarkIndex(source, from)
	if failed != nil {
		if at := marks.at(failed.at); second < 0 || at < second {
			r.syntax(marks, tokens, failed)
		}
		return
	}
	if len(documents) == 0 || !content(tokens) {
		r.report(len(source), len(source), diag.CodeEmptyDocument)
		return
	}
	b := &builder{reader: r, tokens: tokens, marks: marks, built: map[*yaml.Node]*Node{}, open: map[*yaml.Node]bool{}}
	matchBrackets(tokens)
	root := b.node(documents[0].Content[0], 1)
	if len(documents) > 1 && second < 0 {
		b.unclear(len(source))
	}
	if !b.stopped {
		r.file.Root = root
	}
}

// content tells whether there is anything but marks and directives.
func content(tokens []token) bool {
	for _, t := range tokens {
		if t.kind != tokenDocument && t.kind != tokenDirective {
			return true
		}
	}
	return false
}

// matchBrackets stores in each opening bracket where its closing one ends.
func matchBrackets(tokens []token) {
	var open []int
	for i, t := range tokens {
		switch t.kind {
		case tokenOpen:
			open = append(open, i)
		case tokenClose:
			if n := len(open); n > 0 {
				tokens[open[n-1]].indent = t.end
				open = open[:n-1]
			}
		}
	}
}

// builder turns what yaml.v3 read into nodes with exact places.
type builder struct {
	*reader
	nodes
	tokens []token
	marks  *markIndex
	// built and open hold anchored nodes: nothing else can be the target of an alias.
	built map[*yaml.Node]*Node
	open  map[*yaml.Node]bool
	// near is where the last search for a token ended; nodes are visited in the order of the text.
	near    int
	aliases int
	stopped bool
}

// node builds a node; nil if it is not sound. Depth counts the collections around it and itself.
func (b *builder) node(y *yaml.Node, depth int) *Node {
	if b.stopped {
		return nil
	}
	offset := b.marks.at(nodeMark(y))
	if y.Kind == yaml.AliasNode {
		return b.alias(y, offset, depth)
	}
	n := b.cut()
	n.properties, n.size = int32(offset), 1
	i, tag, end := b.skipProperties(y, offset)
	if y.Anchor != "" {
		b.open[y] = true
	}
	switch y.Kind {
	case yaml.ScalarNode:
		b.scalar(n, y, i, end, tag)
	case yaml.SequenceNode, yaml.MappingNode:
		b.collection(n, y, i, depth)
	default:
		b.unclear(offset)
	}
	if y.Anchor != "" {
		delete(b.open, y)
	}
	if b.stopped {
		return nil
	}
	if !tagFits(n, tag) {
		b.report(offset, end, diag.CodeYAMLTag, "tag", tag, "why", "the value is of another type")
	}
	if y.Anchor != "" {
		b.built[y] = n
	}
	return n
}

// skipProperties moves over the anchor and the tag of a node: the token behind them, the tag's text, and where the
// properties end. What the node does not have may belong to the first key inside it.
func (b *builder) skipProperties(y *yaml.Node, offset int) (i int, tag string, end int) {
	end = offset
	anchored, tagged := y.Anchor != "", y.Style&yaml.TaggedStyle != 0
	for i = b.tokenFrom(offset); i < len(b.tokens); i++ {
		t := b.tokens[i]
		switch {
		case end == offset && int(t.start) != offset:
			return i, tag, end
		case t.kind == tokenAnchor && anchored:
			anchored = false
		case t.kind == tokenTag && (tagged || t.end == t.start+1 && y.Kind == yaml.ScalarNode):
			tagged = false // yaml.v3 does not keep a bare `!`
			tag = string(b.file.Source[t.start:t.end])
		default:
			return i, tag, end
		}
		end = int(t.end)
	}
	return i, tag, end
}

// tokenFrom is the first token that starts at offset or behind it.
func (b *builder) tokenFrom(offset int) int {
	const steps = 8
	for i := b.near; i < len(b.tokens) && i < b.near+steps; i++ {
		if int(b.tokens[i].start) >= offset && (i == 0 || int(b.tokens[i-1].start) < offset) {
			b.near = i
			return i
		}
	}
	b.near = b.search(offset)
	return b.near
}

func (b *builder) search(offset int) int {
	return sort.Search(len(b.tokens), func(i int) bool { return int(b.tokens[i].start) >= offset })
}

// unclear refuses a file on which the scanner and yaml.v3 differ: fail closed. Where they are known to differ (a
// tag with a comma, line ends of YAML 1.1) there is a better finding already.
func (b *builder) unclear(offset int) {
	b.stopped = true
	if len(b.found) == 0 {
		b.report(offset, offset, diag.CodeUnclearYAML)
	}
}

func (b *builder) alias(y *yaml.Node, offset, depth int) *Node {
	i := b.tokenFrom(offset)
	if i == len(b.tokens) || b.tokens[i].kind != tokenAlias || int(b.tokens[i].start) != offset {
		b.unclear(offset)
		return nil
	}
	span := Span{offset, int(b.tokens[i].end)}
	if b.open[y.Alias] {
		b.report(span.Start, span.End, diag.CodeAliasCycle, "anchor", y.Value)
		b.stopped = true
		return nil
	}
	target := b.built[y.Alias]
	if target == nil {
		return nil
	}
	if depth-1+int(target.height) > MaxDepth {
		b.stopped = true
		b.report(span.Start, span.End, diag.CodeTooDeep)
		return nil
	}
	b.aliases++
	n := *target
	n.Alias = &span
	return &n
}

func (b *builder) collection(n *Node, y *yaml.Node, i, depth int) {
	if depth > MaxDepth {
		b.stopped = true
		b.report(int(n.properties), int(n.properties), diag.CodeTooDeep)
		return
	}
	n.Kind, n.Style, n.height, n.children = Sequence, StyleBlock, 1, new(children)
	if y.Kind == yaml.MappingNode {
		n.Kind = Mapping
	}
	flow := i < len(b.tokens) && b.tokens[i].kind == tokenOpen && y.Style&yaml.FlowStyle != 0
	switch {
	case flow:
		n.Style, n.Start, n.End = StyleFlow, int(b.tokens[i].start), int(b.tokens[i].indent)
	case i < len(b.tokens):
		n.Start = int(b.tokens[i].start)
		n.End = n.Start
	}
	end := b.children(n, y, depth)
	if !flow {
		if y.Style&yaml.FlowStyle != 0 { // a single pair in a flow sequence
			n.Style = StyleFlow
		}
		n.End = max(n.End, end)
	}
	if n.End == 0 && !b.stopped {
		b.unclear(int(n.properties))
	}
}

// children builds the items or members and gives where the last one ends.
func (b *builder) children(n *Node, y *yaml.Node, depth int) (end int) {
	if y.Kind == yaml.SequenceNode {
		for _, content := range y.Content {
			if item := b.node(content, depth+1); item != nil {
				n.Items = append(n.Items, item)
				end = max(end, b.adopt(n, item))
			}
		}
		return end
	}
	first := make(map[string]*Node, len(y.Content)/2)
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, value := b.node(y.Content[i], depth+1), b.node(y.Content[i+1], depth+1)
		if b.stopped {
			return end
		}
		if key != nil {
			end = max(end, b.adopt(n, key))
		}
		if value != nil {
			end = max(end, b.adopt(n, value))
		}
		if key == nil || !b.soundKey(key, first) || value == nil {
			continue
		}
		n.Members = append(n.Members, Member{key, value})
	}
	n.indexed()
	return end
}

// adopt counts a child into its parent and gives where it ends.
func (b *builder) adopt(parent, child *Node) int {
	parent.size += child.size
	parent.doubtful = parent.doubtful || child.doubtful
	parent.height = max(parent.height, child.height+1)
	_, end := child.ends()
	if parent.size > MaxNodes && !b.stopped {
		b.stopped = true
		start, _ := child.ends()
		code := diag.CodeTooManyNodes
		if b.aliases > 0 { // the scanner has counted what is written
			code = diag.CodeAliasExpansion
		}
		b.report(start, end, code)
	}
	return end
}

// soundKey judges a key and remembers it.
func (b *builder) soundKey(key *Node, first map[string]*Node) bool {
	start, end := key.ends()
	if key.Alias == nil {
		start = key.Start
	}
	switch {
	case key.Style == StylePlain && key.Text == "<<":
		b.report(start, end, diag.CodeMergeKey)
		return false
	case key.Kind != String:
		b.report(start, end, diag.CodeKeyNotString, "text", key.Text, "kind", key.Kind.String())
		return false
	case key.Doubt != NoDoubt && len(key.Text) > 1:
		b.report(start, end, diag.CodeKeyNotString, "text", key.Text, "kind", key.Doubt.reading())
		return false
	}
	if other := first[key.Text]; other != nil {
		d := b.report(start, end, diag.CodeDuplicateKey, "key", key.Text)
		otherStart, otherEnd := other.ends()
		b.note(d, diag.NoteFirstHere, otherStart, otherEnd, nil)
		return false
	}
	first[key.Text] = key
	return true
}

// reading is what some readers take a scalar in doubt for.
func (d Doubt) reading() string {
	switch d {
	case DoubtWord:
		return "a boolean for some YAML readers"
	case DoubtTime:
		return "a date or a time for some YAML readers"
	case DoubtNumber:
		return "another number for some YAML readers"
	default:
		return "null"
	}
}

func (b *builder) scalar(n *Node, y *yaml.Node, i, end int, tag string) {
	plain := y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	if y.Value == "" && plain {
		n.Start, n.End = end, end
		if tag == "!!str" {
			n.Kind = String
		}
		return
	}
	if i == len(b.tokens) || b.tokens[i].kind != tokenScalar || end == int(n.properties) && int(b.tokens[i].start) != end {
		b.unclear(int(n.properties))
		return
	}
	t := b.tokens[i]
	n.Start, n.End, n.Style, n.indent = int(t.start), int(t.end), Style(t.style), t.indent
	n.TrailingComment = t.comment && n.Style == StylePlain
	n.Text = string(decodeScalar(b.file.Source, n.Start, n.End, n.Style, int(n.indent), false).text)
	if n.Text != y.Value || plain != (n.Style == StylePlain) {
		b.unclear(n.Start)
		return
	}
	n.Kind = String
	if plain && tag != "!!str" {
		b.typed(n)
	}
	if n.Kind == String {
		b.checkText(n)
	}
}

// typed gives a plain scalar its type.
func (b *builder) typed(n *Node) {
	n.Kind, n.Doubt = core(n.Text)
	n.doubtful = n.Doubt != NoDoubt
	switch n.Kind {
	case Bool:
		n.Bool = n.Text[0] == 't' || n.Text[0] == 'T'
	case Number:
		if n.Doubt == NoDoubt {
			b.number(n)
		}
	}
}

// number reports a number that has no RFC 8785 spelling.
func (r *reader) number(n *Node) {
	if notFinite.MatchString(n.Text) {
		r.report(n.Start, n.End, diag.CodeNotFinite, "text", n.Text)
		return
	}
	if n.Number() == "" {
		r.report(n.Start, n.End, diag.CodeInexactNumber, "text", shortened(n.Text))
	}
}

// shortened bounds a text that goes into a message.
func shortened(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "..."
}
