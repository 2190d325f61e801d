package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Pairs is a map in the order in which it is to be written.
type Pairs []Pair

// Pair is one member of [Pairs].
type Pair struct {
	Name  string
	Value canonical.Value
}

// Flow is a value that is written on one line, in brackets and braces.
type Flow struct{ Value canonical.Value }

// ErrUnwritable is the error for a value that no authored document can hold: control characters, numbers without an
// exact form, too deep, too large.
var ErrUnwritable = errors.New("the value cannot stand in an authored document")

// Write writes a value as a YAML document in block style. Besides the JSON model it takes [Pairs] and [Flow]
// anywhere in the value; other maps are written in the order of RFC 8785. The result is read again before it is
// returned: it has no problems and gives the same value.
func Write(value canonical.Value) ([]byte, error) {
	w := &writer{lineEnd: "\n"}
	w.block(value, 0, 0)
	if w.err != nil {
		return nil, w.err
	}
	out := append(bytes.TrimLeft(w.out, " \n"), '\n')
	f, found := Parse("", out)
	if diag.HasErrors(found) {
		return nil, fmt.Errorf("%w: %s", ErrUnwritable, found[0].Message())
	}
	if !canonical.Equal(f.Value(f.Root), plain(value)) {
		return nil, ErrUnwritable
	}
	return out, nil
}

// plain is the JSON model of a value to be written.
func plain(value canonical.Value) canonical.Value {
	switch v := value.(type) {
	case Flow:
		return plain(v.Value)
	case Pairs:
		members := make(map[string]any, len(v))
		for _, p := range v {
			members[p.Name] = plain(p.Value)
		}
		return members
	case map[string]any:
		members := make(map[string]any, len(v))
		for name, member := range v {
			members[name] = plain(member)
		}
		return members
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = plain(item)
		}
		return items
	}
	return value
}

// pairsOf gives the members of a map in writing order.
func pairsOf(value canonical.Value) (Pairs, bool) {
	switch v := value.(type) {
	case Pairs:
		return v, true
	case map[string]any:
		pairs := make(Pairs, 0, len(v))
		for name, member := range v {
			pairs = append(pairs, Pair{name, member})
		}
		slices.SortFunc(pairs, func(a, b Pair) int { return canonical.Compare(a.Name, b.Name) })
		return pairs, true
	}
	return nil, false
}

type writer struct {
	out     []byte
	lineEnd string
	err     error
}

func (w *writer) text(s string) { w.out = append(w.out, s...) }

func (w *writer) line(indent int) {
	w.text(w.lineEnd)
	w.text(strings.Repeat(" ", indent))
}

// block writes a value behind a key or at the start. A collection begins on a new line.
func (w *writer) block(value canonical.Value, indent, depth int) {
	if depth > MaxDepth {
		w.err = ErrUnwritable
		return
	}
	if pairs, ok := pairsOf(value); ok && len(pairs) > 0 {
		w.line(indent)
		w.members(pairs, indent, depth)
		return
	}
	if items, ok := value.([]any); ok && len(items) > 0 {
		w.line(indent)
		w.items(items, indent, depth)
		return
	}
	w.text(" ")
	if s, ok := value.(string); ok && literal(s) {
		w.literal(s, indent)
		return
	}
	w.text(w.flow(value, depth))
}

func (w *writer) members(pairs Pairs, indent, depth int) {
	for i, p := range pairs {
		if i > 0 {
			w.line(indent)
		}
		name := w.scalar(p.Name)
		if len(name) > longestSimpleKey {
			w.text("? " + name)
			w.line(indent)
			w.text(":")
		} else {
			w.text(name + ":")
		}
		w.block(p.Value, indent+2, depth+1)
	}
}

// longestSimpleKey is what a key may have in `key: value`; YAML allows 1024 characters.
const longestSimpleKey = 1000

func (w *writer) items(items []any, indent, depth int) {
	for i, item := range items {
		if i > 0 {
			w.line(indent)
		}
		w.text("-")
		w.item(item, indent, depth+1)
	}
}

// item writes behind a dash: a map begins on the same line.
func (w *writer) item(item canonical.Value, indent, depth int) {
	if depth > MaxDepth {
		w.err = ErrUnwritable
		return
	}
	if pairs, ok := pairsOf(item); ok && len(pairs) > 0 {
		w.text(" ")
		w.members(pairs, indent+2, depth)
		return
	}
	if items, ok := item.([]any); ok && len(items) > 0 {
		w.text(" ")
		w.items(items, indent+2, depth)
		return
	}
	w.block(item, indent+2, depth)
}

// flow writes a value on one line.
func (w *writer) flow(value canonical.Value, depth int) string {
	if depth > MaxDepth {
		w.err = ErrUnwritable
		return ""
	}
	if pairs, ok := pairsOf(value); ok {
		parts := make([]string, len(pairs))
		for i, p := range pairs {
			name := w.scalar(p.Name)
			if len(name) > longestSimpleKey {
				name = "? " + name + " "
			}
			parts[i] = name + ": " + w.flow(p.Value, depth+1)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	switch v := value.(type) {
	case Flow:
		return w.flow(v.Value, depth)
	case []any:
		parts := make([]string, len(v))
		for i, item := range v {
			parts[i] = w.flow(item, depth+1)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return w.scalar(value)
}

// scalar spells a scalar so that it may stand anywhere.
func (w *writer) scalar(value canonical.Value) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return fmt.Sprint(v)
	case json.Number:
		number, err := canonical.Number(string(v))
		if err != nil {
			w.err = fmt.Errorf("%w: %w", ErrUnwritable, err)
		}
		return string(number)
	case string:
		if !utf8.ValidString(v) {
			w.err = ErrUnwritable
		}
		if plainSafe(v) {
			return v
		}
		return Quote(v)
	}
	w.err = fmt.Errorf("%w: a %T is no JSON value", ErrUnwritable, value)
	return ""
}

// literal tells whether a text is written as a literal block: several lines that lose nothing there.
func literal(s string) bool {
	body := strings.TrimSuffix(s, "\n")
	if !strings.Contains(body, "\n") || strings.HasSuffix(body, "\n") || body[0] == ' ' || body[0] == '\n' {
		return false
	}
	for line := range strings.SplitSeq(body, "\n") {
		if strings.HasSuffix(line, " ") || strings.Contains(line, "\t") {
			return false
		}
	}
	return !strings.ContainsFunc(body, func(r rune) bool { return r != '\n' && escaped(r) })
}

func (w *writer) literal(s string, indent int) {
	body, clipped := strings.CutSuffix(s, "\n")
	w.text("|")
	if !clipped {
		w.text("-")
	}
	for line := range strings.SplitSeq(body, "\n") {
		w.text(w.lineEnd)
		if line != "" {
			w.text(strings.Repeat(" ", max(indent, 2)) + line)
		}
	}
}

// plainSafe tells the texts that need no quotes anywhere, for no reader.
func plainSafe(s string) bool {
	if s == "" {
		return false
	}
	if kind, doubt := core(s); kind != String || doubt != NoDoubt {
		return false
	}
	if c := s[0]; !letterOrDigit(c) && c != '_' && c != '.' && c != '/' && c < utf8.RuneSelf {
		return false
	}
	if s[len(s)-1] == ' ' || s[len(s)-1] == ':' || strings.HasPrefix(s, "...") {
		return false
	}
	if strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.Contains(s, ":,") {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return escaped(r) || r < utf8.RuneSelf && strings.ContainsRune(",[]{}?\"`\t", r)
	})
}

func letterOrDigit(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// escaped tells the characters that are never written as they are: controls, line ends of any reader, and what
// nobody sees.
func escaped(r rune) bool {
	if r < 0x20 || r >= 0x7F && r < 0xA0 || r == 0x2028 || r == 0x2029 || r == 0xFFFE || r == 0xFFFF {
		return true
	}
	class, _ := diag.Hidden(r)
	return class != ""
}

// Quote writes a text in double quotes, for YAML. Characters that are not seen are written as escapes.
func Quote(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case !escaped(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			fmt.Fprintf(&b, `\U%08X`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
