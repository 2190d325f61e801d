package schema

import (
	"encoding/json"

	"github.com/seif-dev/seifc/digest/canonical"
)

// budget bounds an evaluation before it begins: it adds up what applying a schema to a value costs at most. The sum
// does not depend on the order of members, so that the same value is refused or taken everywhere. A step takes
// less than a microsecond, measured where most of the budget is used.
type budget struct{ left int }

const (
	stepsApplied  = 4  // one schema to one value, with what it takes to report that it does not fit
	stepsCompared = 4  // one value within an enumeration, a constant or a list of unique values
	stepsNumeric  = 10 // one bound of a number
	bytesMatched  = 16 // bytes of a text times matching steps of a pattern
)

// numeric counts the keywords that need a number's exact value.
func (n *node) numeric() int {
	count := 0
	for _, bound := range n.bounds {
		if bound != "" {
			count++
		}
	}
	if n.format != "" {
		count++
	}
	return count
}

// spend takes what applying n to v may cost and tells whether the budget holds.
func (b *budget) spend(n *node, v canonical.Value) bool {
	b.left -= stepsApplied + len(n.required)
	if n.verdict != nil || b.left < 0 {
		return b.left >= 0
	}
	if n.members != nil || n.hasConst || n.unique {
		extent := measure(v, MaxValueDepth, MaxOtherValueBytes)
		b.left -= extent.nodes*stepsCompared + extent.bytes/64
	}
	switch v := v.(type) {
	case json.Number:
		b.left -= n.numeric() * stepsNumeric
	case string:
		b.left -= len(v) / 1024
		if n.pattern != nil {
			b.left -= (len(v) + 64) * n.pattern.size / bytesMatched
		}
	case []any:
		b.items(n, v)
	case map[string]any:
		b.members(n, v)
	}
	for _, branches := range [][]*node{n.anyOf, n.oneOf, n.allOf} {
		for _, branch := range branches {
			if !b.spend(branch, v) {
				return false
			}
		}
	}
	return b.left >= 0 && (n.target == nil || b.spend(n.target, v))
}

func (b *budget) items(n *node, items []any) {
	for i, item := range items {
		switch {
		case i < len(n.prefix):
			b.spend(n.prefix[i], item)
		case n.items != nil:
			b.spend(n.items, item)
		}
		if b.left < 0 {
			return
		}
	}
}

func (b *budget) members(n *node, object map[string]any) {
	for name, member := range object {
		b.left--
		if n.propertyNames != nil {
			b.spend(n.propertyNames, name)
		}
		if below, ok := n.properties[name]; ok {
			b.spend(below, member)
		} else if n.additional != nil {
			b.spend(n.additional, member)
		}
		if b.left < 0 {
			return
		}
	}
}
