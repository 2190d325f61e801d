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

// Compiler compiles the schemas of one document, which share what they say alike: tools of one catalogue repeat their
// patterns. The zero value is ready; it is safe for concurrent use and must not be copied.
type Compiler struct {
	patterns sync.Map // judgedPattern by text
}

// pattern judges the text of a pattern, once.
func (k *Compiler) pattern(text string) judgedPattern {
	if known, ok := k.patterns.Load(text); ok {
		return known.(judgedPattern)
	}
	judged, _ := k.patterns.LoadOrStore(text, judgePattern(text))
	return judged.(judgedPattern)
}

// Compile compiles a schema by itself; see [Compiler.Compile].
func Compile(v canonical.Value, use Use) (*Schema, []diag.Problem) {
	return new(Compiler).Compile(v, use)
}

// Compile checks a schema, as authored or stripped, against the profile and prepares it for use. It reports all
// that it finds, sorted, in the coordinates of v, the findings of [Strip] included; the Schema is nil when one of
// them is an error. v must not change afterwards.
func (k *Compiler) Compile(v canonical.Value, use Use) (*Schema, []diag.Problem) {
	stripped, problems := Strip(v)
	c := &checker{use: use, known: k, root: v, problems: problems, nodes: map[string]*node{}}
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
