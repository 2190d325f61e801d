package schema

import (
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// lints reports what is allowed and most likely a slip. The schema is sound.
func (c *checker) lints() {
	steps := &budget{left: MaxSteps} // for all defaults together
	for _, n := range c.order {
		if n.hasDefault {
			lower(n)
			violations := n.validate(n.fallback, MaxSchemaBytes, MaxValueNodes, steps)
			if len(violations) > 0 && steps.left >= 0 { // a hint that costs too much to check is not given
				c.report(diag.CodeSchemaDefault, canonical.JoinPointer(n.at, "default"), "kind", violations[0].Keyword)
			}
		}
		for _, name := range n.names {
			if title := n.properties[name].title; title != "" && sameWords(title, name) {
				c.report(diag.CodeSchemaTitle, canonical.JoinPointer(n.properties[name].at, "title"))
			}
		}
	}
	if c.use != Arguments {
		return
	}
	root := c.nodes[""]
	for _, name := range root.names {
		if !isArgumentName(name) {
			problem := diag.New(diag.CodeSchemaPropertyName, root.properties[name].at, "name", clip(name))
			c.problems = append(c.problems, problem.AtKey())
		}
	}
}

// sameWords tells whether a title says nothing but the name: "Student Id" and student_id.
func sameWords(title, name string) bool { return wordsOf(title) == wordsOf(name) }

func wordsOf(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' || r == '.' {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// isArgumentName holds the names that every provider in our table takes.
func isArgumentName(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isLetter(s[i]) && !isDigit(s[i]) && strings.IndexByte("_.-", s[i]) < 0 {
			return false
		}
	}
	return s != "" && len(s) <= 64
}
