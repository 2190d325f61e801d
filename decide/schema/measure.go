package schema

import (
	"encoding/json"

	"github.com/seif-dev/seifc/digest/canonical"
)

// measured is the extent of a JSON value.
type measured struct {
	bytes int // of the RFC 8785 form
	nodes int // values, the root included
	depth int // of arrays and objects within each other; one more than asked for when deeper
}

// measure walks a value without copying it. Below maxDepth it stops descending. After maxBytes it stops adding up; by
// how much the result then exceeds the limit depends on the order of a map and must not be told.
func measure(v canonical.Value, maxDepth, maxBytes int) measured {
	var m measured
	m.walk(v, 0, maxDepth, maxBytes)
	return m
}

func (m *measured) walk(v canonical.Value, depth, maxDepth, maxBytes int) {
	m.nodes++
	if m.bytes > maxBytes {
		return
	}
	switch v := v.(type) {
	case nil:
		m.bytes += len("null")
	case bool:
		m.bytes += len("true")
		if !v {
			m.bytes++
		}
	case string:
		m.bytes += textSize(v)
	case json.Number:
		text, _ := exact(v)
		m.bytes += len(text)
	case []any:
		m.bytes += 2 + max(len(v)-1, 0)
		if !m.descend(depth, maxDepth) {
			return
		}
		for _, item := range v {
			m.walk(item, depth+1, maxDepth, maxBytes)
		}
	case map[string]any:
		m.bytes += 2 + max(len(v)-1, 0)
		if !m.descend(depth, maxDepth) {
			return
		}
		for name, member := range v {
			m.bytes += textSize(name) + 1
			m.walk(member, depth+1, maxDepth, maxBytes)
		}
	}
}

func (m *measured) descend(depth, maxDepth int) bool {
	m.depth = max(m.depth, depth+1)
	return depth < maxDepth
}

// textSize is the size of a string in RFC 8785 form.
func textSize(s string) int {
	size := len(s) + 2
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\' || c == '\b' || c == '\t' || c == '\n' || c == '\f' || c == '\r':
			size++
		case c < 0x20:
			size += 5
		}
	}
	return size
}
