package expr

import (
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"

	"github.com/seif-dev/seifc/decide/schema"
)

// kind is what an expression is known to be.
type kind int

const (
	invalid kind = iota // already reported
	boolean
	integer
	double
	text
	null
	union // of several types; only compared
	list
	object
)

var kindNames = [...]string{"nothing", "bool", "int", "double", "string", "null", "union", "list", "object"}

func (k kind) String() string { return kindNames[k] }

func (k kind) numeric() bool { return k == integer || k == double }

// unbounded is the size of what has no declared maximum.
const unbounded = -1

// shape is what is known about the value of an expression.
type shape struct {
	kind kind
	// most bounds a string in code points and a list in items.
	most int64
	// of is the schema of a value that comes from one.
	of *schema.Type
	// elem is what a list holds.
	elem *shape
	// node is the field that the value comes from, and hops how many lists lie between; nil for anything computed.
	node ast.Expr
	hops int
}

// describe is the kind in words, for problems.
func (s shape) describe() string {
	switch {
	case s.kind == union && s.of != nil && s.of.Kinds != 0:
		return "one of " + strings.Join(s.of.Kinds.Names(), ", ")
	case s.kind == list && s.elem != nil:
		return "list of " + s.elem.describe()
	}
	return s.kind.String()
}

// read is the shape of a value of a type that comes from a field, through a number of lists.
func read(t *schema.Type, node ast.Expr, hops int) shape {
	s := shape{kind: kindOf(t), most: unbounded, of: t, node: node, hops: hops}
	switch s.kind {
	case text:
		s.most = longest(t)
	case list:
		s.most = bound(t.MaxItems)
		elem := read(t.Items, node, hops+1)
		s.elem = &elem
	}
	return s
}

// least is the smaller of two sizes; unbounded only if both are.
func least(a, b int64) int64 {
	switch {
	case a == unbounded:
		return b
	case b == unbounded:
		return a
	}
	return min(a, b)
}

// facts are the paths that are known to be present, sorted.
type facts []string

func (f facts) has(path string) bool {
	_, found := slices.BinarySearch(f, path)
	return found
}

func (f facts) and(other facts) facts {
	if len(other) == 0 {
		return f
	}
	if len(f) == 0 {
		return other
	}
	all := slices.Concat(f, other)
	slices.Sort(all)
	return slices.Compact(all)
}

// or keeps what holds on both ways.
func (f facts) or(other facts) facts {
	var both facts
	for _, path := range f {
		if other.has(path) {
			both = append(both, path)
		}
	}
	return both
}
