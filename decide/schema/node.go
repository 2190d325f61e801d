package schema

import (
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seif-dev/seifc/digest/canonical"
)

// node is one schema of a checked document. After [Compile] it never changes.
type node struct {
	at      string // pointer in the value that was given to Compile
	pointer string // pointer in the stripped schema
	depth   int
	verdict *bool // of `true` and `false`

	types    Kinds // 0 when `type` is absent
	enum     []canonical.Value
	hasConst bool
	constant canonical.Value

	properties    map[string]*node
	names         []string // of properties, sorted
	required      []string
	additional    *node
	propertyNames *node
	items         *node
	prefix        []*node
	anyOf         []*node
	oneOf         []*node
	allOf         []*node
	reference     string // as written; "" without `$ref`
	target        *node

	counts  [6]*int64 // by countIndex
	bounds  [5]string // by boundIndex, in canonical form; "" when absent
	unique  bool
	pattern *pattern
	format  string

	hasDefault bool
	fallback   canonical.Value // `default`
	title      string

	weight   int // subschemas below after following references, itself included
	members  set // of enum, by canonical bytes; nil without enum
	compiled *jsonschema.Schema
}

// set holds JSON values by their canonical bytes.
type set map[string]struct{}

const (
	minLength = iota
	maxLength
	minItems
	maxItems
	minProperties
	maxProperties
)

const (
	minimum = iota
	maximum
	exclusiveMinimum
	exclusiveMaximum
	multipleOf
)

// applied lists the schemas that a node applies to values, without its reference, in a fixed order.
func (n *node) applied() []*node {
	out := make([]*node, 0, len(n.names)+len(n.prefix)+len(n.anyOf)+len(n.oneOf)+len(n.allOf)+3)
	for _, name := range n.names {
		out = append(out, n.properties[name])
	}
	for _, one := range []*node{n.additional, n.propertyNames, n.items} {
		if one != nil {
			out = append(out, one)
		}
	}
	out = append(out, n.prefix...)
	out = append(out, n.anyOf...)
	out = append(out, n.oneOf...)
	return append(out, n.allOf...)
}

// refuses tells whether the node is the schema `false`.
func (n *node) refuses() bool { return n != nil && n.verdict != nil && !*n.verdict }

func sortedKeys(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// clip bounds a text of the author for the data of a finding.
func clip(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
