package schema

import (
	"strconv"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// checker builds the nodes of one document and collects what is wrong with it. It works in the coordinates of the
// value it was given and keeps the pointer in the stripped form beside.
type checker struct {
	use      Use
	known    *Compiler
	root     canonical.Value
	problems []diag.Problem
	nodes    map[string]*node // by pointer in the given value
	order    []*node          // as found, which is a fixed order
	refs     []*node          // nodes with a reference, as found
	foreign  int              // > 0 within a reference's target that stands inside an annotation

	subschemas, properties, branches, patterns, patternSize int
}

func (c *checker) report(code diag.Code, pointer string, pairs ...string) {
	c.problems = append(c.problems, diag.New(code, pointer, pairs...))
}

func (c *checker) limit(pointer, what string, value, most int) {
	c.report(diag.CodeSchemaLimit, pointer, "limit", what, "value", strconv.Itoa(value), "max", strconv.Itoa(most))
}

func (c *checker) value(pointer, keyword, want string, pairs ...string) {
	c.report(diag.CodeSchemaValue, pointer, append([]string{"keyword", keyword, "want", want}, pairs...)...)
}

// schema checks the schema at a pointer and everything below it.
func (c *checker) schema(v canonical.Value, at, pointer string, depth int) *node {
	n := &node{at: at, pointer: pointer, depth: depth}
	if c.subschemas++; c.subschemas > 32*MaxSubschemas {
		return n // far over a limit: counting on is not worth the memory
	}
	c.nodes[at] = n
	c.order = append(c.order, n)
	if depth > MaxNesting {
		c.limit(at, "nesting of schemas", depth, MaxNesting)
		return n
	}
	switch v := v.(type) {
	case bool:
		n.verdict = &v
	case map[string]any:
		c.object(n, v)
	default:
		c.value(at, lastToken(at), "a schema: an object, true or false", "got", kindNamesOf(v))
	}
	return n
}

func (c *checker) object(n *node, object map[string]any) {
	_, hasDefs := object["$defs"]
	for _, name := range sortedKeys(object) {
		at := canonical.JoinPointer(n.at, name)
		if c.foreign > 0 {
			if name == "$ref" || name == "definitions" || name == "$defs" || isExtension(name) || isRootOnly(name) {
				c.report(diag.CodeUnsupportedKeyword, at, "keyword", clip(name), "rewrite", rewriteForeign)
				continue
			}
		}
		if isExtension(name) || n.at == "" && isRootOnly(name) {
			continue
		}
		k, ok := findKeyword(name)
		if !ok {
			c.unknown(name, at)
			continue
		}
		renamed := name
		if name == "definitions" && !hasDefs {
			renamed = "$defs"
		}
		pointer := at
		if renamed != name || n.pointer != n.at {
			pointer = canonical.JoinPointer(n.pointer, renamed)
		}
		c.keyword(n, k, object[name], at, pointer)
	}
	c.bounds(n)
	c.required(n)
}

// unknown reports a word that is not of the profile: a misspelling, or a real keyword that is refused.
func (c *checker) unknown(name, at string) {
	c.hidden(name, at, true)
	if r, ok := findRefused(name); ok {
		problem := diag.New(diag.CodeUnsupportedKeyword, at, "keyword", name, "rewrite", r.rewrite)
		c.problems = append(c.problems, problem.AtKey())
		return
	}
	pairs := []string{"keyword", clip(name), "rewrite", rewriteUnknown}
	if name == "optional" {
		pairs[3] = rewriteOptional
	} else if near := nearest(name); near != "" {
		pairs[3] = "write `" + near + "`"
		pairs = append(pairs, "suggestion", near)
	}
	c.problems = append(c.problems, diag.New(diag.CodeUnknownKeyword, at, pairs...).AtKey())
}

// keyword checks the value of one supported keyword and stores it in the node.
func (c *checker) keyword(n *node, k keyword, v canonical.Value, at, pointer string) {
	switch k.shape {
	case shapeSchema:
		c.one(n, k.name, v, at, pointer)
	case shapeSchemaMap:
		c.named(n, k.name, v, at, pointer)
	case shapeSchemaList:
		c.list(n, k.name, v, at, pointer)
	case shapeReference:
		c.reference(n, v, at)
	case shapeType:
		c.types(n, v, at)
	case shapeEnum:
		c.enum(n, v, at)
	case shapeCount:
		c.count(n, k.name, v, at)
	case shapeNumber, shapePositive:
		c.number(n, k, v, at)
	case shapePattern:
		c.pattern(n, v, at)
	case shapeFormat:
		c.format(n, v, at)
	case shapeRequired:
		c.names(n, v, at)
	case shapeBoolean:
		b, ok := v.(bool)
		if !ok {
			c.value(at, k.name, "true or false", "got", kindNamesOf(v))
		}
		n.unique = n.unique || k.name == "uniqueItems" && b
	case shapeDescription:
		c.prose(k.name, v, at, MaxDescription)
	case shapeTitle:
		n.title = c.prose(k.name, v, at, MaxTitle)
	case shapeList:
		if _, ok := v.([]any); !ok {
			c.value(at, k.name, "a list", "got", kindNamesOf(v))
		}
		c.plain(v, at)
	case shapeAny:
		c.plain(v, at)
		if k.name == "const" {
			n.hasConst, n.constant = true, v
		} else {
			n.hasDefault, n.fallback = true, v
		}
	}
}

// one checks a keyword that holds one schema.
func (c *checker) one(n *node, name string, v canonical.Value, at, pointer string) {
	if _, tuple := v.([]any); tuple && name == "items" {
		c.value(at, name, "one schema", "got", "array", "rewrite", rewriteTuple)
		return
	}
	below := c.schema(v, at, pointer, n.depth+1)
	switch name {
	case "items":
		n.items = below
	case "additionalProperties":
		n.additional = below
	case "propertyNames":
		n.propertyNames = below
	}
}

// named checks a keyword that holds schemas by name.
func (c *checker) named(n *node, name string, v canonical.Value, at, pointer string) {
	entries, ok := v.(map[string]any)
	if !ok {
		c.value(at, name, "an object of schemas by name", "got", kindNamesOf(v))
		return
	}
	if name == "properties" {
		c.properties += len(entries)
		if len(entries) > MaxProperties {
			c.limit(at, "properties of one object", len(entries), MaxProperties)
		}
		n.properties = make(map[string]*node, len(entries))
	}
	for _, key := range sortedKeys(entries) {
		keyAt := canonical.JoinPointer(at, key)
		keyPointer := keyAt
		if pointer != at {
			keyPointer = canonical.JoinPointer(pointer, key)
		}
		c.hidden(key, keyAt, true)
		below := c.schema(entries[key], keyAt, keyPointer, n.depth+1)
		c.memberName(name, key, below.at)
		if name == "properties" {
			n.properties[key] = below
			n.names = append(n.names, key)
		}
	}
}

func (c *checker) memberName(keyword, name, at string) {
	if length := codePoints(name); length == 0 || length > MaxPropertyName {
		problem := diag.New(diag.CodeSchemaValue, at, "keyword", keyword, "want", "names of 1 to "+strconv.Itoa(MaxPropertyName)+" characters")
		c.problems = append(c.problems, problem.AtKey())
	}
}

// list checks a keyword that holds a list of schemas.
func (c *checker) list(n *node, name string, v canonical.Value, at, pointer string) {
	entries, ok := v.([]any)
	if !ok || len(entries) == 0 {
		c.value(at, name, "a list of 1 to "+strconv.Itoa(MaxBranches)+" schemas", "got", kindNamesOf(v))
		return
	}
	if len(entries) > MaxBranches {
		c.limit(at, "entries of "+name, len(entries), MaxBranches)
	}
	if name != "prefixItems" {
		c.branches += len(entries)
	}
	below := make([]*node, len(entries))
	for i, entry := range entries {
		below[i] = c.schema(entry, indexPointer(at, i), indexPointer(pointer, i), n.depth+1)
	}
	switch name {
	case "anyOf":
		n.anyOf = below
	case "oneOf":
		n.oneOf = below
	case "allOf":
		n.allOf = below
	case "prefixItems":
		n.prefix = below
	}
}

// totals checks the limits over the whole document.
func (c *checker) totals() {
	for _, row := range []struct {
		what        string
		value, most int
	}{
		{"subschemas", c.subschemas, MaxSubschemas},
		{"references", len(c.refs), MaxReferences},
		{"properties in all", c.properties, MaxPropertiesTotal},
		{"branches in all", c.branches, MaxBranchesTotal},
		{"patterns", c.patterns, MaxPatterns},
		{"size of all patterns", c.patternSize, MaxPatternTotal},
	} {
		if row.value > row.most {
			c.limit("", row.what, row.value, row.most)
		}
	}
}
