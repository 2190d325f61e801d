package canonical

import "bytes"

// Cutter takes apart a text that [IsCanonical] or [ParseForm] has accepted, without making values of it: the parts are
// slices of the text, and a part that is an object is the form of that object. It goes by brackets and quotation marks
// alone, so that over any other text it gives nonsense, but ends.
type Cutter struct{ rest []byte }

// Cut begins at the start of a text in canonical form.
func Cut(form []byte) *Cutter { return &Cutter{form} }

// Done tells whether nothing is left.
func (c *Cutter) Done() bool { return len(c.rest) == 0 }

// Take moves over a text if it comes next.
func (c *Cutter) Take(text string) bool {
	if len(c.rest) < len(text) || string(c.rest[:len(text)]) != text {
		return false
	}
	c.rest = c.rest[len(text):]
	return true
}

// Text takes a string without escapes; it is false for anything else.
func (c *Cutter) Text() (string, bool) {
	if len(c.rest) == 0 || c.rest[0] != '"' {
		return "", false
	}
	end := stringEnd(c.rest)
	inner := c.rest[1:max(1, end-1)]
	if end == 0 || bytes.IndexByte(inner, '\\') >= 0 {
		return "", false
	}
	c.rest = c.rest[end:]
	return string(inner), true
}

// Value takes a value of any kind; nil if none comes.
func (c *Cutter) Value() []byte {
	end := valueEnd(c.rest)
	if end == 0 {
		return nil
	}
	value := c.rest[:end:end]
	c.rest = c.rest[end:]
	return value
}

// Members takes an object and calls use with each member's name, as it stands between its quotation marks, at its
// value, which use takes. It is false if no object comes, or use is.
func (c *Cutter) Members(use func(name []byte) bool) bool {
	if !c.Take("{") {
		return false
	}
	for first := true; !c.Take("}"); first = false {
		if !first && !c.Take(",") || len(c.rest) == 0 || c.rest[0] != '"' {
			return false
		}
		end := stringEnd(c.rest)
		if end == 0 {
			return false
		}
		name := c.rest[1 : end-1]
		c.rest = c.rest[end:]
		if !c.Take(":") || !use(name) {
			return false
		}
	}
	return true
}

// stringEnd is where the string ends that a text begins with; 0 if it does not.
func stringEnd(text []byte) int {
	for i := 1; i < len(text); {
		next := bytes.IndexByte(text[i:], '"')
		if next < 0 {
			return 0
		}
		i += next + 1
		if !escapedAt(text, i-1) {
			return i
		}
	}
	return 0
}

// escapedAt tells whether an odd number of backslashes stands before an offset.
func escapedAt(text []byte, at int) bool {
	slashes := 0
	for at-slashes > 1 && text[at-slashes-1] == '\\' {
		slashes++
	}
	return slashes%2 == 1
}

// valueEnd is where the value ends that a text begins with; 0 if none does.
func valueEnd(text []byte) int {
	depth := 0
	for i := 0; i < len(text); {
		switch text[i] {
		case '"':
			end := stringEnd(text[i:])
			if end == 0 {
				return 0
			}
			i += end
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
			i++
		case ',', ':':
			if depth == 0 {
				return i
			}
			i++
			continue
		default:
			i++
			if depth == 0 {
				continue // a number or a word, which ends where something else begins
			}
		}
		if depth == 0 {
			return i
		}
	}
	if depth > 0 {
		return 0
	}
	return len(text)
}
