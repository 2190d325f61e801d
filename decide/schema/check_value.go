package schema

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// types checks `type`: one name, or a list of distinct ones.
func (c *checker) types(n *node, v canonical.Value, at string) {
	const want = "one of null, boolean, integer, number, string, array, object, or a list of distinct ones"
	switch v := v.(type) {
	case string:
		n.types = kindOf(v)
		if n.types == 0 {
			c.typeName(v, at, want)
		}
	case []any:
		if len(v) == 0 {
			c.value(at, "type", want, "got", "empty list")
		}
		first := map[Kinds]int{}
		for i, item := range v {
			name, _ := item.(string)
			kind := kindOf(name)
			if kind == 0 {
				c.typeName(item, indexPointer(at, i), want)
				continue
			}
			if j, twice := first[kind]; twice {
				c.repeated(at, "type", j, i)
			}
			first[kind] = i
			n.types |= kind
		}
	default:
		c.value(at, "type", want, "got", kindNamesOf(v))
	}
}

// typeName reports what is no type, with the one that is most likely meant.
func (c *checker) typeName(v canonical.Value, at, want string) {
	name, ok := v.(string)
	if !ok {
		c.value(at, "type", want, "got", kindNamesOf(v))
		return
	}
	if !c.hidden(name, at, false) {
		return
	}
	rewrite := ""
	if suggestion := diag.Nearest(name, kindNames[:]); suggestion != "" {
		rewrite = "did you mean `" + suggestion + "`?"
	}
	c.value(at, "type", want, "got", "`"+clip(name)+"`", "rewrite", rewrite)
}

func (c *checker) repeated(at, keyword string, first, second int) {
	problem := diag.New(diag.CodeSchemaRepeated, indexPointer(at, second),
		"keyword", keyword, "first", strconv.Itoa(first), "second", strconv.Itoa(second))
	c.problems = append(c.problems, problem.With(diag.NoteFirstHere, indexPointer(at, first)))
}

// enum checks the values of `enum`: some, distinct as JSON values, within the limits.
func (c *checker) enum(n *node, v canonical.Value, at string) {
	values, ok := v.([]any)
	if !ok || len(values) == 0 {
		c.value(at, "enum", "a list of 1 to "+strconv.Itoa(MaxEnum)+" values", "got", kindNamesOf(v))
		return
	}
	if len(values) > MaxEnum {
		c.limit(at, "values of an enum", len(values), MaxEnum)
	}
	if size := measure(v, maxJSONDepth, math.MaxInt).bytes; size > MaxEnumBytes {
		c.limit(at, "bytes of an enum", size, MaxEnumBytes)
	}
	if !c.plain(v, at) {
		return
	}
	first := make(map[string]int, len(values))
	n.members = make(set, len(values))
	for i, value := range values {
		key, ok := canonicalKey(value)
		if !ok {
			c.report(diag.CodeSchemaText, indexPointer(at, i), "reason", "not a JSON value")
			continue
		}
		if j, twice := first[key]; twice {
			c.repeated(at, "enum", j, i)
			continue
		}
		first[key] = i
		n.members[key] = struct{}{}
	}
	n.enum = values
}

// count checks a length or number of members: an integer from 0 to 2^53-1, written 2 or 2.0.
func (c *checker) count(n *node, name string, v canonical.Value, at string) {
	const want = "an integer from 0 to 9007199254740991"
	number, ok := v.(json.Number)
	if !ok {
		c.value(at, name, want, "got", kindNamesOf(v))
		return
	}
	text, ok := exact(number)
	if !ok {
		c.inexact(at, number)
		return
	}
	whole, err := strconv.ParseInt(text, 10, 64)
	if err != nil || whole < 0 || whole > maxSafeInteger {
		c.value(at, name, want, "got", clip(text))
		return
	}
	n.counts[countIndex(name)] = &whole
}

// number checks a bound; multipleOf must be greater than 0.
func (c *checker) number(n *node, k keyword, v canonical.Value, at string) {
	number, ok := v.(json.Number)
	if !ok {
		if _, draft4 := v.(bool); draft4 && (k.name == "exclusiveMinimum" || k.name == "exclusiveMaximum") {
			c.value(at, k.name, "a number", "got", "boolean", "rewrite", rewriteExclusive)
			return
		}
		c.value(at, k.name, "a number", "got", kindNamesOf(v))
		return
	}
	text, ok := exact(number)
	if !ok {
		c.inexact(at, number)
		return
	}
	if k.shape == shapePositive && rational(text).Sign() <= 0 {
		c.value(at, k.name, "a number greater than 0", "got", clip(text))
		return
	}
	n.bounds[boundIndex(k.name)] = text
}

func (c *checker) inexact(at string, number json.Number) {
	c.report(diag.CodeSchemaNumber, at, "number", clip(string(number)))
}

// names checks `required`: distinct texts.
func (c *checker) names(n *node, v canonical.Value, at string) {
	values, ok := v.([]any)
	if !ok {
		rewrite := ""
		if _, draft3 := v.(bool); draft3 {
			rewrite = rewriteRequired
		}
		c.value(at, "required", "a list of property names", "got", kindNamesOf(v), "rewrite", rewrite)
		return
	}
	first := make(map[string]int, len(values))
	for i, value := range values {
		name, ok := value.(string)
		if !ok {
			c.value(indexPointer(at, i), "required", "a list of property names", "got", kindNamesOf(value))
			continue
		}
		if j, twice := first[name]; twice {
			c.repeated(at, "required", j, i)
			continue
		}
		c.hidden(name, indexPointer(at, i), false)
		first[name] = i
		n.required = append(n.required, name)
	}
}

// prose checks a text for people, of at most so many code points.
func (c *checker) prose(name string, v canonical.Value, at string, most int) string {
	text, ok := v.(string)
	if !ok {
		c.value(at, name, "a text", "got", kindNamesOf(v))
		return ""
	}
	if length := codePoints(text); length > most {
		c.limit(at, "characters of a "+name, length, most)
	}
	c.hidden(text, at, false)
	return text
}

// plain checks a value that is data: JSON kinds only, exact numbers, nothing hidden. It tells whether all is well.
func (c *checker) plain(v canonical.Value, at string) bool {
	switch v := v.(type) {
	case nil, bool:
		return true
	case string:
		return c.hidden(v, at, false)
	case json.Number:
		if _, ok := exact(v); !ok {
			c.inexact(at, v)
			return false
		}
		return true
	case []any:
		ok := true
		for i, item := range v {
			ok = c.plain(item, indexPointer(at, i)) && ok
		}
		return ok
	case map[string]any:
		ok := true
		for _, name := range sortedKeys(v) {
			below := canonical.JoinPointer(at, name)
			ok = c.hidden(name, below, true) && ok
			ok = c.plain(v[name], below) && ok
		}
		return ok
	}
	c.report(diag.CodeSchemaText, at, "reason", "not a JSON value")
	return false
}

// hidden reports the first character of a text that a reader does not see, and how many there are. It tells whether
// the text is clean.
func (c *checker) hidden(text, at string, key bool) bool {
	if !utf8.ValidString(text) {
		c.report(diag.CodeSchemaText, at, "reason", "not valid UTF-8")
		return false
	}
	first, offset, count := rune(-1), 0, 0
	for i, r := range text {
		if _, hidden := diag.Hidden(r); hidden {
			if count == 0 {
				first, offset = r, i
			}
			count++
		}
	}
	if count == 0 {
		return true
	}
	class, _ := diag.Hidden(first)
	problem := diag.New(diag.CodeHiddenCharacter, at, "class", class, "character", fmt.Sprintf("U+%04X", first), "count", strconv.Itoa(count))
	if key {
		problem = problem.AtKey()
	}
	c.problems = append(c.problems, problem.Within(offset, utf8.RuneLen(first)))
	return false
}

func codePoints(s string) int { return utf8.RuneCountInString(s) }

// kindNamesOf names the kind of a value for a finding.
func kindNamesOf(v canonical.Value) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	case string:
		return "string"
	case []any:
		if len(v) == 0 {
			return "empty list"
		}
		return "array"
	case map[string]any:
		return "object"
	}
	return "another value"
}
