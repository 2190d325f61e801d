package schema

import (
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// reference checks the spelling of `$ref`; where it leads is looked up when all schemas are known.
func (c *checker) reference(n *node, v canonical.Value, at string) {
	ref, ok := v.(string)
	if !ok {
		c.value(at, "$ref", "a JSON pointer into this schema, `#/...`", "got", kindNamesOf(v))
		return
	}
	if !c.hidden(ref, at, false) {
		return
	}
	switch {
	case ref == "#":
		c.report(diag.CodeSchemaReferenceRecursive, at, "ref", ref)
	case !strings.HasPrefix(ref, "#/"):
		c.report(diag.CodeSchemaReferenceRemote, at, "ref", clip(ref))
	default:
		n.reference = ref
		c.refs = append(c.refs, n)
	}
}

// references resolves all references, refuses circles and bounds what following them yields.
func (c *checker) references() {
	if len(c.refs) > MaxReferences || c.subschemas > MaxSubschemas {
		return // reported; nothing that is over the limit is followed
	}
	for i := 0; i < len(c.refs); i++ {
		c.resolve(c.refs[i])
	}
	if c.circles() {
		return
	}
	if weight := weigh(c.nodes[""]); weight > MaxExpanded {
		c.limit("", "subschemas after following references", weight, MaxExpanded)
	}
}

func (c *checker) resolve(n *node) {
	at := canonical.JoinPointer(n.at, "$ref")
	tokens, ok := referenceTokens(n.reference)
	if !ok {
		c.report(diag.CodeSchemaReferenceDangling, at, "ref", clip(n.reference), "missing", clip(n.reference))
		return
	}
	pointer := pointerOf(tokens)
	if target, known := c.nodes[pointer]; known {
		n.target = target
		return
	}
	value, depth, missing := c.lookup(tokens)
	switch {
	case missing != "":
		c.report(diag.CodeSchemaReferenceDangling, at, "ref", clip(n.reference), "missing", clip(missing))
	case depth < 0:
		c.report(diag.CodeSchemaReferenceTarget, at, "ref", clip(n.reference))
	default:
		c.foreign++
		n.target = c.schema(value, pointer, c.strippedPointer(tokens), 0)
		c.foreign--
	}
}

// lookup follows a pointer through the given value. depth is not negative where the pointer ends within the data of
// an annotation or an enumeration, which may serve as a plain schema; missing is the shortest pointer that leads
// nowhere.
func (c *checker) lookup(tokens []string) (value canonical.Value, depth int, missing string) {
	current, standsSchema, data := c.root, true, false
	for i, token := range tokens {
		if !data && standsSchema && (isExtension(token) || i == 0 && isRootOnly(token)) {
			return nil, -1, pointerOf(tokens[:i+1])
		}
		next, ok := child(current, token)
		if !ok {
			return nil, -1, pointerOf(tokens[:i+1])
		}
		if !data {
			k, known := keyword{}, false
			if standsSchema {
				k, known = findKeyword(token)
			}
			switch {
			case !standsSchema:
				standsSchema = true
			case known && k.shape == shapeSchema:
			case known && (k.shape == shapeSchemaMap || k.shape == shapeSchemaList):
				standsSchema = false
			case known && (k.shape == shapeAny || k.shape == shapeList || k.shape == shapeEnum):
				data = true
			default:
				return nil, -1, ""
			}
		}
		current = next
	}
	switch current.(type) {
	case map[string]any, bool:
		if data {
			return current, 0, ""
		}
	}
	return nil, -1, ""
}

// strippedPointer is a pointer as it reads in the stripped schema.
func (c *checker) strippedPointer(tokens []string) string {
	renamed, _ := renamedTokens(c.root, tokens)
	out := append([]string(nil), tokens...)
	for _, i := range renamed {
		out[i] = "$defs"
	}
	return pointerOf(out)
}

// circles reports every reference that closes a circle and tells whether there is one.
func (c *checker) circles() bool {
	const (
		fresh = iota
		open
		done
	)
	state := make(map[*node]int, len(c.order))
	found := false
	var visit func(n, through *node)
	step := func(next, through *node) {
		switch state[next] {
		case fresh:
			visit(next, through)
		case open:
			// Schemas within each other make no circle by themselves, so a reference was followed on the way.
			found = true
			c.report(diag.CodeSchemaReferenceRecursive, canonical.JoinPointer(through.at, "$ref"), "ref", clip(through.reference))
		}
	}
	visit = func(n, through *node) {
		state[n] = open
		for _, below := range n.applied() {
			step(below, through)
		}
		if n.target != nil {
			step(n.target, n)
		}
		state[n] = done
	}
	for _, n := range c.order {
		if state[n] == fresh {
			visit(n, nil)
		}
	}
	return found
}

const heaviest = 1 << 20

// weigh counts the subschemas that a node applies, each reference followed, with saturation. There is no circle.
func weigh(n *node) int {
	if n.weight != 0 {
		return n.weight
	}
	weight := 1
	for _, below := range n.applied() {
		weight = min(weight+weigh(below), heaviest)
	}
	if n.target != nil {
		weight = min(weight+weigh(n.target), heaviest)
	}
	n.weight = weight
	return weight
}
