package document

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

var errTooManyNodes = errors.New("too many nodes")

// readJSON reads a text whose bytes have been checked. The reader of canonical documents does it, so that authored
// JSON is accepted exactly as JSON is everywhere else.
func (r *reader) readJSON(from int) {
	b := jsonBuilder{reader: r, from: from}
	limits := canonical.Limits{Bytes: MaxBytes, Depth: MaxDepth, Values: 3 * MaxNodes}
	err := canonical.Scan(r.file.Source[from:], limits, b.token)
	if err == nil {
		r.file.Root = b.root
		return
	}
	if errors.Is(err, errTooManyNodes) {
		r.report(b.at, b.at, diag.CodeTooManyNodes)
		return
	}
	var failed *canonical.Error
	if !errors.As(err, &failed) {
		r.report(b.at, b.at, diag.CodeJSONSyntax)
		return
	}
	if failed.Kind == canonical.TrailingData {
		at := b.end
		for at < len(r.file.Source) && strings.IndexByte(" \t\r\n", r.file.Source[at]) >= 0 {
			at++
		}
		r.report(at, jsonTokenEnd(r.file.Source, at), diag.CodeJSONSyntax, "problem", "something follows the value")
		return
	}
	r.jsonError(failed, from)
}

func (r *reader) jsonError(failed *canonical.Error, from int) {
	source := r.file.Source
	at := min(max(int(failed.Offset), 0)+from, len(source))
	end := jsonTokenEnd(source, at)
	switch failed.Kind {
	case canonical.DuplicateMember:
		d := r.report(at, end, diag.CodeDuplicateKey, "key", failed.Name)
		if failed.First >= 0 {
			first := from + int(failed.First)
			r.note(d, diag.NoteFirstHere, first, jsonTokenEnd(source, first), nil)
		}
	case canonical.InexactNumber:
		r.report(at, end, diag.CodeInexactNumber, "text", shortened(failed.Name))
	case canonical.TooDeep:
		r.report(at, at, diag.CodeTooDeep)
	case canonical.TooManyValues, canonical.TooLarge:
		r.report(at, at, diag.CodeTooManyNodes)
	case canonical.InvalidUTF8:
		r.report(at, at, diag.CodeNotUTF8, "byte", "here")
	case canonical.LoneSurrogate:
		r.report(at, end, diag.CodeJSONSyntax, "problem", "an escape names half of a character")
	default:
		if strings.TrimSpace(string(source[from:])) == "" {
			r.report(at, at, diag.CodeEmptyDocument)
			return
		}
		r.report(at, end, diag.CodeJSONSyntax, "problem", jsonProblem(source, at))
	}
}

// jsonProblem says what is at a place where the grammar fits nothing.
func jsonProblem(source []byte, at int) string {
	switch {
	case at >= len(source):
		return "it ends too early"
	case source[at] == '/' || source[at] == '#':
		return "JSON has no comments"
	case source[at] == '\'':
		return "texts stand in double quotes"
	case source[at] == '}' || source[at] == ']':
		return "a value is missing, or a comma is too much"
	default:
		return "unexpected text"
	}
}

// jsonTokenEnd is where the token at an offset ends, for the range of a finding.
func jsonTokenEnd(source []byte, at int) int {
	if at >= len(source) {
		return at
	}
	if source[at] == '"' {
		for i := at + 1; i < len(source) && source[i] != '\n'; i++ {
			switch source[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
		return at + 1
	}
	if bytes.HasPrefix(source[at:], []byte(`\u`)) {
		return min(at+6, len(source))
	}
	i := at
	for i < len(source) && (nameByte(source[i]) || source[i] == '.' || source[i] == '+') {
		i++
	}
	if i == at {
		_, size := utf8.DecodeRune(source[at:])
		return at + size
	}
	return i
}

// jsonBuilder makes nodes of the tokens of a scan.
type jsonBuilder struct {
	*reader
	from, at, end int // at and end delimit the last token
	nodes         int
	root          *Node
	stack         []*Node
	key           []*Node // of the member that is being read, by depth
}

func (b *jsonBuilder) token(t canonical.Token) error {
	b.at, b.end = b.from+t.Start, b.from+t.End
	if t.Kind == '}' || t.Kind == ']' {
		top := b.stack[len(b.stack)-1]
		top.End = b.from + t.End
		top.indexed()
		b.stack, b.key = b.stack[:len(b.stack)-1], b.key[:len(b.key)-1]
		return nil
	}
	if b.nodes++; b.nodes > MaxNodes {
		return errTooManyNodes
	}
	n := &Node{Start: b.at, End: b.from + t.End, properties: int32(b.at), Style: StyleJSON, size: 1, children: childless}
	switch t.Kind {
	case '{':
		n.Kind, n.height, n.children = Mapping, 1, new(children)
	case '[':
		n.Kind, n.height, n.children = Sequence, 1, new(children)
	case '"':
		n.Kind, n.Text = String, t.Text
		b.checkText(n)
	case '0':
		n.Kind, n.Text = Number, string(b.file.Source[n.Start:n.End])
	case 't', 'f':
		n.Kind, n.Bool, n.Text = Bool, t.Kind == 't', string(b.file.Source[n.Start:n.End])
	default:
		n.Kind, n.Text = Null, "null"
	}
	b.place(n, t.Name)
	if n.container() {
		b.stack, b.key = append(b.stack, n), append(b.key, nil)
	}
	return nil
}

func (b *jsonBuilder) place(n *Node, name bool) {
	depth := len(b.stack) - 1
	switch {
	case depth < 0:
		b.root = n
	case name:
		b.key[depth] = n
	case b.stack[depth].Kind == Mapping:
		b.stack[depth].Members = append(b.stack[depth].Members, Member{b.key[depth], n})
	default:
		b.stack[depth].Items = append(b.stack[depth].Items, n)
	}
}
