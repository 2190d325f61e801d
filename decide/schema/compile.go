package schema

import (
	"math"
	"sync"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Schema is a checked schema. It is immutable and safe for concurrent use.
type Schema struct {
	use   Use
	value canonical.Value
	root  *node
	// lowered is done at the first validation: most tools of a catalogue are checked and never called.
	lowered sync.Once
}

// Value is the stripped schema that s was compiled from. The caller must not change it.
func (s *Schema) Value() canonical.Value { return s.value }

// Use is what s was compiled for.
func (s *Schema) Use() Use { return s.use }

// Compile checks a schema, as authored or stripped, against the profile and prepares it for use. It reports all
// that it finds, sorted, in the coordinates of v, the findings of [Strip] included; the Schema is nil when one of
// them is an error. v must not change afterwards.
func Compile(v canonical.Value, use Use) (*Schema, []diag.Problem) {
	stripped, problems := Strip(v)
	c := &checker{use: use, root: v, problems: problems, nodes: map[string]*node{}}
	if !c.size(stripped) {
		return nil, arrange(c.problems)
	}
	root := c.schema(v, "", "", 0)
	c.checkRoot(v)
	c.references()
	c.totals()
	if diag.Failed(c.problems) {
		return nil, arrange(c.problems)
	}
	if use == Inputs {
		root.additional = &node{at: "/additionalProperties", pointer: "/additionalProperties", depth: 1, verdict: new(bool), weight: 1}
	}
	s := &Schema{use: use, value: stripped, root: root}
	c.lints()
	return s, arrange(c.problems)
}

// size refuses what is too large or too deep to be looked at further.
func (c *checker) size(stripped canonical.Value) bool {
	m := measure(stripped, maxJSONDepth, math.MaxInt)
	if m.depth > maxJSONDepth {
		c.limit("", "depth of the JSON value", m.depth, maxJSONDepth)
		return false
	}
	if m.bytes > MaxSchemaBytes {
		c.limit("", "bytes", m.bytes, MaxSchemaBytes)
		return false
	}
	return true
}
