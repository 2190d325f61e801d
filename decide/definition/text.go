package definition

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

const (
	byteOrderMark = "\uFEFF"
	nextLine      = 0x85
)

// NormalizeText gives the text of a source as it is hashed (formats.md, rule 7): strict UTF-8, one leading byte order
// mark dropped, CRLF as LF. A lone CR and every other control character but tab, LF and NEL are refused, and so is
// an empty text. NEL, LS and PS stay, nothing is normalised as Unicode does, and the last line ends as it was
// written. The findings are about the raw bytes (InText).
func NormalizeText(raw []byte) (string, []diag.Problem) {
	if !utf8.Valid(raw) {
		at := 0
		for at < len(raw) {
			r, size := utf8.DecodeRune(raw[at:])
			if r == utf8.RuneError && size <= 1 {
				break
			}
			at += size
		}
		return "", []diag.Problem{diag.New(diag.CodeTextNotUTF8, "", "byte", fmt.Sprintf("0x%02X", raw[at])).InText(at, 1)}
	}
	start := 0
	if bytes.HasPrefix(raw, []byte(byteOrderMark)) {
		start = len(byteOrderMark)
	}
	var problems []diag.Problem
	for i := start; i < len(raw); {
		r, size := utf8.DecodeRune(raw[i:])
		if refusedControl(r) && !(r == '\r' && i+1 < len(raw) && raw[i+1] == '\n') {
			problems = append(problems, diag.New(diag.CodeTextControl, "", "character", codePoint(r)).InText(i, size))
			if len(problems) == maxTextProblems {
				break
			}
		}
		i += size
	}
	text := strings.ReplaceAll(string(raw[start:]), "\r\n", "\n")
	if text == "" {
		problems = append(problems, diag.New(diag.CodeTextEmpty, "").InText(0, 0))
	}
	return text, problems
}

// maxTextProblems bounds how many characters of one text are reported one by one.
const maxTextProblems = 20

func refusedControl(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == nextLine:
		return false
	default:
		return r < 0x20 || r >= 0x7F && r <= 0x9F
	}
}

func codePoint(r rune) string { return fmt.Sprintf("U+%04X", r) }

// CheckText reports, once per class, the characters of a source's text that nobody sees and that the source does not
// declare (formats.md, rule 8). Joiners, variation selectors and byte order marks are ordinary text. The findings are
// about the normalised text (InText).
func CheckText(text string, allowed []AllowedCharacters) []diag.Problem {
	type class struct {
		first rune
		at    int
		count int
	}
	found := map[string]*class{}
	var order []string
	for i, r := range text {
		name, hidden := diag.Hidden(r)
		if !hidden || !needsDeclaration(name) || declared(allowed, r) {
			continue
		}
		c, seen := found[name]
		if !seen {
			c = &class{first: r, at: i}
			found[name] = c
			order = append(order, name)
		}
		c.count++
	}
	var problems []diag.Problem
	for _, name := range order {
		c := found[name]
		problems = append(problems, diag.New(diag.CodeTextHidden, "", "class", name, "character", codePoint(c.first), "count", many(c.count)).
			InText(c.at, utf8.RuneLen(c.first)))
	}
	return problems
}

// needsDeclaration tells the classes that formats.md, rule 8, lists for sources.
func needsDeclaration(class string) bool {
	return class != diag.ClassJoiner && class != diag.ClassVariation && class != diag.ClassMark
}

func declared(allowed []AllowedCharacters, r rune) bool {
	return slices.ContainsFunc(allowed, func(a AllowedCharacters) bool { return strings.ContainsRune(a.Characters, r) })
}

// many is a count that is worth saying.
func many(n int) string {
	if n < 2 {
		return ""
	}
	return strconv.Itoa(n)
}

// hiddenIn reports the first character of a text that nobody sees, and how many there are.
func hiddenIn(text string, allowed []AllowedCharacters) (diag.Problem, bool) {
	var problem diag.Problem
	count := 0
	for i, r := range text {
		class, hidden := diag.Hidden(r)
		if !hidden || declared(allowed, r) {
			continue
		}
		if count == 0 {
			problem = diag.New(diag.CodeHiddenCharacter, "", "class", class, "character", codePoint(r)).Within(i, utf8.RuneLen(r))
		}
		count++
	}
	if count == 0 {
		return diag.Problem{}, false
	}
	problem.Data["count"] = many(count)
	return problem, true
}

// texts looks at every text of the definition that is not part of a contract: what nobody sees, and secrets
// everywhere. Where the text is that of an allowance itself, its characters are the point.
func (c *checker) texts() {
	value, ok := c.def.Value().(map[string]any)
	if !ok {
		return
	}
	c.walk("", value)
}

func (c *checker) walk(at string, value canonical.Value) {
	switch v := value.(type) {
	case string:
		c.text(at, v)
	case []any:
		for i, item := range v {
			c.walk(at+"/"+strconv.Itoa(i), item)
		}
	case map[string]any:
		for _, name := range sortedKeys(v) {
			c.walk(canonical.JoinPointer(at, name), v[name])
		}
	}
}

func (c *checker) text(at, text string) {
	for _, secret := range FindSecrets(text) {
		c.add(diag.New(diag.CodeSecret, at, "kind", secret.Kind).Within(secret.Offset, secret.Length))
	}
	if strings.HasPrefix(at, "/tools/") || strings.HasPrefix(at, "/inputs/") || strings.HasSuffix(at, "/characters") {
		return
	}
	if p, found := hiddenIn(text, nil); found {
		p.Target.Pointer = at
		c.add(p)
	}
}
