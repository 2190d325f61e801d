package schema

import (
	"math/big"
	"slices"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// bounds reports pairs of bounds that no value can meet.
func (c *checker) bounds(n *node) {
	for low := minLength; low <= minProperties; low += 2 {
		if n.counts[low] != nil && n.counts[low+1] != nil && *n.counts[low] > *n.counts[low+1] {
			c.exclude(n, countNames[low], countNames[low+1])
		}
	}
	for _, pair := range []struct {
		low, high int
		equal     bool // an equal pair leaves a value
	}{
		{minimum, maximum, true}, {minimum, exclusiveMaximum, false},
		{exclusiveMinimum, maximum, false}, {exclusiveMinimum, exclusiveMaximum, false},
	} {
		if n.bounds[pair.low] == "" || n.bounds[pair.high] == "" {
			continue
		}
		order := rational(n.bounds[pair.low]).Cmp(rational(n.bounds[pair.high]))
		if order > 0 || order == 0 && !pair.equal {
			c.exclude(n, boundNames[pair.low], boundNames[pair.high])
		}
	}
}

func (c *checker) exclude(n *node, low, high string) {
	problem := diag.New(diag.CodeSchemaBounds, canonical.JoinPointer(n.at, high), "low", low, "high", high)
	c.problems = append(c.problems, problem.With(diag.NoteDeclaredHere, canonical.JoinPointer(n.at, low)))
}

// required reports names that must be given and may not. The rule is for what a model or an application writes.
func (c *checker) required(n *node) {
	closed := n.additional.refuses() || n.at == "" && c.use == Inputs
	if c.use == Result || !closed {
		return
	}
	for i, name := range n.required {
		if _, ok := n.properties[name]; !ok {
			c.report(diag.CodeSchemaRequired, indexPointer(canonical.JoinPointer(n.at, "required"), i),
				"name", clip(name), "suggestion", diag.Nearest(name, n.names))
		}
	}
}

// checkRoot holds the rules for the root of arguments and inputs.
func (c *checker) checkRoot(v canonical.Value) {
	if c.use == Result {
		return
	}
	use := "tool arguments"
	if c.use == Inputs {
		use = "inputs"
	}
	object, ok := v.(map[string]any)
	if !ok {
		c.report(diag.CodeSchemaRoot, "", "use", use)
		return
	}
	if object["type"] != "object" {
		at := ""
		if _, ok := object["type"]; ok {
			at = "/type"
		}
		c.report(diag.CodeSchemaRoot, at, "use", use)
	}
	for _, name := range []string{"$ref", "allOf", "anyOf", "const", "enum", "not", "oneOf"} {
		if _, ok := object[name]; ok {
			c.report(diag.CodeSchemaRoot, canonical.JoinPointer("", name), "use", use, "keyword", name)
		}
	}
	if _, ok := object["additionalProperties"]; ok && c.use == Inputs {
		c.report(diag.CodeSchemaInputsClosed, "/additionalProperties")
	}
}

// rational is the exact value of a number in canonical form, which has at most 17 digits and an exponent of at most
// three.
func rational(number string) *big.Rat {
	r, ok := new(big.Rat).SetString(number)
	if !ok {
		return new(big.Rat)
	}
	return r
}

var (
	countNames = [...]string{"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"}
	boundNames = [...]string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
)

func countIndex(name string) int { return slices.Index(countNames[:], name) }

func boundIndex(name string) int { return slices.Index(boundNames[:], name) }
