package expr

import (
	"strings"
	"unicode/utf8"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
)

// source turns CEL's positions, which count code points, into byte offsets.
type source struct {
	text string
	// starts holds the byte offset of each code point, and the length of the text at the end.
	starts []int
}

func newSource(text string) source {
	starts := make([]int, 0, len(text)+1)
	for i := range text {
		starts = append(starts, i)
	}
	return source{text: text, starts: append(starts, len(text))}
}

// byteAt is the byte offset of a code point; positions outside of the text move to its nearest end.
func (s source) byteAt(point int) int {
	return s.starts[min(max(point, 0), len(s.starts)-1)]
}

// offsetOf is the byte offset of a line from 1 and a column from 0, in code points.
func (s source) offsetOf(line, column int) int {
	at := 0
	for ; line > 1; line-- {
		next := strings.IndexByte(s.text[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	for ; column > 0 && at < len(s.text); column-- {
		_, size := utf8.DecodeRuneInString(s.text[at:])
		at += size
	}
	return at
}

// span is the range of bytes that an expression takes in its source.
func (e *Expression) span(node ast.Expr) (offset, length int) {
	start, stop := e.bounds(node)
	return start, max(stop-start, 0)
}

func (e *Expression) bounds(node ast.Expr) (start, stop int) {
	start, stop = len(e.source.text), 0
	if at, ok := e.info.GetOffsetRange(node.ID()); ok {
		start, stop = e.source.byteAt(int(at.Start)), e.source.byteAt(int(at.Stop))
	}
	switch node.Kind() {
	case ast.ComprehensionKind:
		// The other parts stand nowhere in the source.
		c := node.AsComprehension()
		start, stop = e.cover(start, stop, c.IterRange())
		if body, ok := body(c); ok {
			start, stop = e.cover(start, stop, body)
		}
		stop = e.closing(stop, ')')
	case ast.CallKind:
		for _, child := range children(node) {
			start, stop = e.cover(start, stop, child)
		}
		switch call := node.AsCall(); {
		case call.IsMemberFunction():
			stop = e.closing(stop, ')')
		case isWord(call.FunctionName()):
			before := strings.TrimRight(e.source.text[:start], " \t\r\n")
			if strings.HasSuffix(before, call.FunctionName()) {
				start = len(before) - len(call.FunctionName())
			}
			stop = e.closing(stop, ')')
		case call.FunctionName() == operators.Index:
			stop = e.closing(stop, ']')
		}
	case ast.ListKind:
		for _, child := range children(node) {
			start, stop = e.cover(start, stop, child)
		}
		stop = e.closing(stop, ']')
	case ast.SelectKind:
		if node.AsSelect().IsTestOnly() {
			start = max(strings.LastIndex(e.source.text[:min(start, len(e.source.text))], "has"), 0)
			_, stop = e.bounds(node.AsSelect().Operand())
			stop = e.closing(e.afterName(stop), ')')
			break
		}
		start, stop = e.cover(start, stop, node.AsSelect().Operand())
		stop = e.afterName(stop)
	default:
		for _, child := range children(node) {
			start, stop = e.cover(start, stop, child)
		}
	}
	return min(start, stop), stop
}

func (e *Expression) cover(start, stop int, node ast.Expr) (int, int) {
	from, to := e.bounds(node)
	return min(start, from), max(stop, to)
}

// afterName moves over the dot and the name of a field that begin at or just before stop.
func (e *Expression) afterName(stop int) int {
	text := e.source.text
	at := stop
	for at < len(text) && (text[at] == ' ' || text[at] == '.' || text[at] == '\n' || text[at] == '\t') {
		at++
	}
	if at < len(text) && text[at] == '`' {
		if end := strings.IndexByte(text[at+1:], '`'); end >= 0 {
			return at + 1 + end + 1
		}
	}
	for at < len(text) && isWordByte(text[at]) {
		at++
	}
	return at
}

// name is the range of bytes of the field's name in a selection.
func (e *Expression) name(node ast.Expr) (offset, length int) {
	_, stop := e.bounds(node.AsSelect().Operand())
	end := e.afterName(stop)
	start := strings.LastIndexAny(e.source.text[:end], ". ") + 1
	if quote := strings.LastIndexByte(e.source.text[:max(end-1, 0)], '`'); end > 0 && e.source.text[end-1] == '`' && quote >= 0 {
		start = quote
	}
	return start, max(end-start, 0)
}

// closing moves over the bracket that ends a call or a list, if only spaces stand before it.
func (e *Expression) closing(stop int, bracket byte) int {
	rest := strings.TrimLeft(e.source.text[stop:], "([ \t\n\r")
	if rest != "" && rest[0] == bracket {
		return len(e.source.text) - len(rest) + 1
	}
	return stop
}

func isWord(name string) bool { return name != "" && isWordByte(name[0]) && name[0] != '_' }

func isWordByte(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}
