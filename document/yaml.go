package document

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// mark is a position as yaml.v3 counts: lines from 0 that also CR, NEL, LS and PS end, columns from 0 in
// characters.
type mark struct{ line, column int }

// syntaxError is what yaml.v3 has against a text.
type syntaxError struct {
	problem string
	at      mark
	context string
	// contextAt is where the construct began that the problem is in.
	contextAt mark
}

// decodeYAML reads the documents of a text, at most two, with yaml.v3.
func decodeYAML(text []byte) (documents []*yaml.Node, failed *syntaxError) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for len(documents) < 2 {
		node := new(yaml.Node)
		err := decodeNext(decoder, node)
		if errors.Is(err, io.EOF) {
			return documents, nil
		}
		if err != nil {
			return documents, problemOf(decoder, err)
		}
		documents = append(documents, node)
	}
	return documents, nil
}

// decodeNext holds the panics of yaml.v3 on input that it did not expect.
func decodeNext(decoder *yaml.Decoder, node *yaml.Node) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("yaml: unexpected structure")
		}
	}()
	return decoder.Decode(node)
}

// problemOf reads the position that the parser of yaml.v3 keeps to itself: its error text has no column and often
// the wrong line. TestProblemMark fails when the fields it reads are no longer there; without them the position is
// that of the error text, or the start.
func problemOf(decoder *yaml.Decoder, err error) *syntaxError {
	failed := &syntaxError{problem: strings.TrimPrefix(err.Error(), "yaml: ")}
	inner := reflect.ValueOf(decoder).Elem().FieldByName("parser")
	if inner.Kind() != reflect.Pointer || inner.IsNil() {
		return failed
	}
	event := fieldOf(inner.Elem(), "event")
	parser := fieldOf(inner.Elem(), "parser")
	if name, ok := strings.CutPrefix(failed.problem, "unknown anchor '"); ok {
		failed.problem = "unknown anchor"
		failed.context = strings.TrimSuffix(name, "' referenced")
		failed.at, _ = markOf(fieldOf(event, "start_mark"))
		return failed
	}
	if problem := fieldOf(parser, "problem"); problem.IsValid() && problem.Kind() == reflect.String && problem.Len() > 0 {
		failed.problem = problem.String()
	}
	if context := fieldOf(parser, "context"); context.IsValid() && context.Kind() == reflect.String {
		failed.context = context.String()
	}
	failed.at, _ = markOf(fieldOf(parser, "problem_mark"))
	failed.contextAt, _ = markOf(fieldOf(parser, "context_mark"))
	return failed
}

func fieldOf(v reflect.Value, name string) reflect.Value {
	if !v.IsValid() || v.Kind() != reflect.Struct {
		return reflect.Value{}
	}
	return v.FieldByName(name)
}

func markOf(v reflect.Value) (mark, bool) {
	line, column := fieldOf(v, "line"), fieldOf(v, "column")
	if !line.IsValid() || !column.IsValid() || !line.CanInt() || !column.CanInt() {
		return mark{}, false
	}
	return mark{int(line.Int()), int(column.Int())}, true
}

// markIndex turns marks of yaml.v3 into offsets. Marks that come in the order of the text cost little.
type markIndex struct {
	source []byte
	starts []int32
	// The last answer.
	line, column, offset int
}

func newMarkIndex(source []byte, from int) *markIndex {
	m := &markIndex{source: source, starts: []int32{int32(from)}}
	for i := from; i < len(source); {
		if n := breakLength(source, i); n > 0 {
			i += n
			m.starts = append(m.starts, int32(i))
			continue
		}
		i++
	}
	m.offset = from
	return m
}

func (m *markIndex) at(k mark) int {
	if k.line >= len(m.starts) {
		return len(m.source)
	}
	if k.line != m.line || k.column < m.column {
		m.line, m.column, m.offset = k.line, 0, int(m.starts[k.line])
	}
	for m.column < k.column && m.offset < len(m.source) {
		_, size := utf8.DecodeRune(m.source[m.offset:])
		m.offset += size
		m.column++
	}
	return m.offset
}

func nodeMark(n *yaml.Node) mark { return mark{n.Line - 1, n.Column - 1} }
