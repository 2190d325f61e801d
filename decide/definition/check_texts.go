package definition

import (
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// texts looks at every string and every name of the definition outside of contracts, which look after themselves: what
// nobody sees, and secrets. Schemas are checked for the former by the schema profile.
func (c *checker) texts() {
	value, ok := c.def.Value().(map[string]any)
	if !ok {
		return
	}
	delete(value, "tools")
	walkTexts("", value, false, func(t foundText) {
		c.add(secretsIn(t)...)
		if strings.HasPrefix(t.at, "/inputs/") || allowanceAt(t.at) {
			return
		}
		if p, found := hiddenIn(t.at, t.text); found {
			c.add(t.place(p))
		}
	})
	// The ids of tools are the Project's own.
	for _, id := range c.sets.tools.sorted {
		if p, found := hiddenIn(canonical.JoinPointer("/tools", id), id); found {
			c.add(p.AtKey())
		}
	}
}

// allowanceAt tells the place of a declaration of characters, which may hold the characters themselves.
func allowanceAt(pointer string) bool {
	return strings.HasPrefix(pointer, "/sources/") && strings.HasSuffix(pointer, "/characters") && strings.Contains(pointer, "/allow_characters/")
}

// foundText is a string, or the name of a member.
type foundText struct {
	at   string
	text string
	key  bool
	// betrayed says that a member around it has the name of something secret.
	betrayed bool
}

func (t foundText) place(p diag.Problem) diag.Problem {
	if t.key {
		return p.AtKey()
	}
	return p
}

// walkTexts visits every string and every member name of a value, names first and in order.
func walkTexts(at string, value canonical.Value, betrayed bool, visit func(foundText)) {
	switch v := value.(type) {
	case string:
		visit(foundText{at: at, text: v, betrayed: betrayed})
	case []any:
		for i, item := range v {
			walkTexts(at+"/"+strconv.Itoa(i), item, betrayed, visit)
		}
	case map[string]any:
		for _, name := range sortedKeys(v) {
			pointer := canonical.JoinPointer(at, name)
			visit(foundText{at: pointer, text: name, key: true})
			walkTexts(pointer, v[name], betrayed || secretWord(name) != "", visit)
		}
	}
}

// CheckSecrets reports the secrets in every string and member name of a value, for documents that do not become part of
// a definition as they are: shared schemas, tests, what a catalogue notes beside a contract. Pointers are into the value.
func CheckSecrets(value canonical.Value) []diag.Problem {
	var problems []diag.Problem
	walkTexts("", value, false, func(t foundText) { problems = append(problems, secretsIn(t)...) })
	return problems
}

// secretsIn reports the secrets of a text: those that it holds, and itself if its name says that it is one.
func secretsIn(t foundText) []diag.Problem {
	var problems []diag.Problem
	for _, s := range FindSecrets(t.text) {
		problems = append(problems, t.place(diag.New(diag.CodeSecret, t.at, "kind", s.Kind).Within(s.Offset, s.Length)))
	}
	if len(problems) == 0 && t.betrayed && !strings.Contains(t.text, " ") && !standsForAnother(t.text) && opaque(t.text) {
		problems = append(problems, t.place(diag.New(diag.CodeSecret, t.at, "kind", namedSecret)))
	}
	return problems
}
