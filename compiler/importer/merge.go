package importer

import (
	"bytes"
	"fmt"
	"maps"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/document"
)

// Merge brings an existing catalogue up to what is published now, by editing it in place: descriptions, schemas,
// names and claims follow the publisher, everything that a person decided stays, and so do entries that are not
// published any more.
func Merge(file *document.File, tools []Tool, drift *Drift) ([]byte, error) {
	if merged, ok := mergePieces(file, tools, drift); ok {
		return merged, nil
	}
	for i, tool := range tools {
		var err error
		if k := drift.matched[i]; k != nil {
			file, err = update(file, k, tool)
		} else {
			file, err = insert(file, tool, drift.ids[i])
		}
		if err != nil {
			return nil, fmt.Errorf("updating %s: %w", tool.ID, err)
		}
	}
	return file.Source, nil
}

func insert(file *document.File, tool Tool, id string) (*document.File, error) {
	tool.ID = id
	return file.Insert(canonical.JoinPointer("/tool_contracts", id), entryOf(tool))
}

// mergePieces edits each entry in a document of its own and puts the catalogue together again, because every edit
// reads its whole document to prove itself. The result is read once and must have exactly the edited entries and
// otherwise the old value; where it has not, as with anchors that reach from entry to entry, nothing is given.
func mergePieces(file *document.File, tools []Tool, drift *Drift) ([]byte, bool) {
	p, ok := split(file)
	if !ok {
		return nil, false
	}
	want := maps.Clone(p.entries)
	for i, tool := range tools {
		if k := drift.matched[i]; k != nil {
			piece, ok := p.piece(p.text[k.entry.ID])
			if !ok {
				return nil, false
			}
			edited, err := update(piece, k, tool)
			if err != nil {
				return nil, false
			}
			p.text[k.entry.ID] = edited.Source[len(p.header):]
			want[k.entry.ID] = entryIn(edited, k.entry.ID)
		}
	}
	// What is added changes the last piece, so that it comes when no entry changes any more.
	for i, tool := range tools {
		if drift.matched[i] == nil {
			if !p.add(tool, drift.ids[i]) {
				return nil, false
			}
			want[drift.ids[i]] = p.added
		}
	}
	out := p.join()
	again, found := document.Parse(file.Path, out)
	if diag.HasErrors(found) {
		return nil, false
	}
	root := maps.Clone(file.Root.Value().(map[string]any))
	root["tool_contracts"] = want
	return out, canonical.Equal(again.Root.Value(), root)
}

func entryIn(file *document.File, id string) canonical.Value {
	value, _ := canonical.Lookup(file.Root.Value(), canonical.JoinPointer("/tool_contracts", id))
	return value
}

// pieces are a catalogue in block style, cut at the lines on which its entries begin.
type pieces struct {
	header  []byte // makes a document of a piece
	before  []byte
	after   []byte
	order   []string
	text    map[string][]byte
	entries map[string]any
	indent  []byte
	tail    []byte          // new entries behind the first
	first   bool            // a new entry stands in the last piece already
	behind  int             // where in the last piece the tail goes
	added   canonical.Value // the value of the entry that was added last
}

func split(file *document.File) (*pieces, bool) {
	table := file.At("/tool_contracts")
	if file.JSON || table == nil || table.Kind != document.Mapping || table.Style != document.StyleBlock || table.Alias != nil || len(table.Members) == 0 {
		return nil, false
	}
	source := file.Source
	p := &pieces{header: []byte("tool_contracts:\n"), text: map[string][]byte{}}
	if bytes.Contains(source, []byte("\r\n")) {
		p.header = []byte("tool_contracts:\r\n")
	}
	end := len(source)
	for _, m := range file.Root.Members {
		if at := m.Key.Start; at > table.Start && at < end {
			end = at
		}
	}
	starts := make([]int, 0, len(table.Members)+1)
	for _, m := range table.Members {
		start := 1 + bytes.LastIndexByte(source[:m.Key.Start], '\n')
		if p.indent = source[start:m.Key.Start]; len(bytes.Trim(p.indent, " ")) > 0 {
			return nil, false
		}
		starts = append(starts, start)
	}
	starts = append(starts, end)
	for i, m := range table.Members {
		if starts[i] > starts[i+1] {
			return nil, false
		}
		p.order = append(p.order, m.Key.Text)
		p.text[m.Key.Text] = source[starts[i]:starts[i+1]]
	}
	p.before, p.after = source[:starts[0]], source[end:]
	p.entries, _ = file.Value(table).(map[string]any)
	return p, p.entries != nil
}

// piece makes a document of the text of an entry.
func (p *pieces) piece(text []byte) (*document.File, bool) {
	file, found := document.Parse("piece.yaml", bytes.Join([][]byte{p.header, text}, nil))
	return file, file != nil && file.Root != nil && !diag.HasErrors(found)
}

// add writes a new entry: the first behind the entry that is last, as an insertion into it tells, the others behind
// each other.
func (p *pieces) add(tool Tool, id string) bool {
	last := p.order[len(p.order)-1]
	if p.first {
		small, ok := p.piece(append(bytes.Clone(p.indent), "x: {}\n"...))
		if !ok {
			return false
		}
		with, err := insert(small, tool, id)
		if err != nil {
			return false
		}
		p.added = entryIn(with, id)
		p.tail = append(p.tail, with.Source[len(small.Source):]...)
		return true
	}
	text := p.text[last]
	if !bytes.HasSuffix(text, []byte("\n")) {
		text = append(bytes.Clone(text), p.header[len("tool_contracts:"):]...)
	}
	file, ok := p.piece(text)
	if !ok {
		return false
	}
	with, err := insert(file, tool, id)
	if err != nil {
		return false
	}
	long := with.Source[len(p.header):]
	p.behind = insertedAt(text, long) + len(long) - len(text)
	p.text[last], p.first, p.added = long, true, entryIn(with, id)
	return true
}

// insertedAt is the start of the line at which text must have been inserted to give long.
func insertedAt(text, long []byte) int {
	at := 0
	for at < len(text) && text[at] == long[at] {
		at++
	}
	for at > 0 && !(text[at-1] == '\n' && bytes.Equal(long[at+len(long)-len(text):], text[at:])) {
		at--
	}
	return at
}

func (p *pieces) join() []byte {
	out := bytes.Clone(p.before)
	for _, id := range p.order {
		out = append(out, p.text[id]...)
	}
	if len(p.tail) > 0 {
		rest := len(p.text[p.order[len(p.order)-1]]) - p.behind
		at := len(out) - rest
		out = append(out[:at:at], append(bytes.Clone(p.tail), out[at:]...)...)
	}
	return append(out, p.after...)
}
