package definition

import (
	"maps"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// texts looks at every string and every name of the definition outside of contracts, which look after themselves:
// control characters, what nobody sees, and secrets. Schemas are checked for the former by the schema profile.
func (c *checker) texts() {
	value, ok := c.def.Value().(map[string]any)
	if !ok {
		return
	}
	delete(value, "tools")
	visible := map[string]any{}
	maps.Copy(visible, value)
	delete(visible, "inputs")
	c.add(judgeTexts(value, func(t foundText) []diag.Problem { return append(secretsIn(t), controlsIn(t)...) })...)
	c.add(judgeTexts(visible, func(t foundText) []diag.Problem {
		if _, found := hiddenIn("", t.text); !found || declaration(t.path) {
			return nil
		}
		p, _ := hiddenIn(t.at(), t.text)
		return []diag.Problem{t.place(p)}
	})...)
	// The ids of tools are the Project's own.
	for _, id := range c.sets.tools.sorted {
		if p, found := hiddenIn(canonical.JoinPointer("/tools", id), id); found {
			c.add(p.AtKey())
		}
	}
}

// controlsIn reports the first control character of a text. No authored document can hold one, so only a stranger's
// definition does.
func controlsIn(t foundText) []diag.Problem {
	for i, r := range t.text {
		if refusedControl(r) {
			return []diag.Problem{t.place(diag.New(diag.CodeTextControl, t.at(), "character", codePoint(r)).Within(i, utf8.RuneLen(r)))}
		}
	}
	return nil
}

// declaration tells the place of a declaration of characters, which may hold the characters themselves:
// /sources/ID/allow_characters/N/characters.
func declaration(path []string) bool {
	return len(path) == 5 && path[0] == "sources" && path[2] == "allow_characters" && path[4] == "characters"
}

// foundText is a string, or the name of a member.
type foundText struct {
	path []string // valid during the visit only; empty on a first look
	text string
	key  bool
	// betrayed says that a member around it has the name of something secret.
	betrayed bool
}

// at is the text's pointer. It is made where it is asked for: almost no text has anything to report.
func (t foundText) at() string { return canonical.JoinPointer("", t.path...) }

func (t foundText) place(p diag.Problem) diag.Problem {
	if t.key {
		return p.AtKey()
	}
	return p
}

// judgeTexts judges every string and every member name of a value and gives all that is found, names first and in
// order. Almost no value has anything to report, so a first look, in no order and without paths, settles whether there
// is a second one: judge has to find something in a text whatever its path, or to find it on the second look only.
func judgeTexts(value canonical.Value, judge func(foundText) []diag.Problem) []diag.Problem {
	if !suspicious(value, false, judge) {
		return nil
	}
	w := textWalk{judge: judge}
	w.value(value, false)
	return w.problems
}

func suspicious(value canonical.Value, betrayed bool, judge func(foundText) []diag.Problem) bool {
	switch v := value.(type) {
	case string:
		return judge(foundText{text: v, betrayed: betrayed}) != nil
	case []any:
		for _, item := range v {
			if suspicious(item, betrayed, judge) {
				return true
			}
		}
	case map[string]any:
		for name, member := range v {
			if judge(foundText{text: name, key: true}) != nil || suspicious(member, betrayed || secretWord(name) != "", judge) {
				return true
			}
		}
	}
	return false
}

type textWalk struct {
	path     []string
	judge    func(foundText) []diag.Problem
	problems []diag.Problem
}

func (w *textWalk) visit(t foundText) { w.problems = append(w.problems, w.judge(t)...) }

func (w *textWalk) value(value canonical.Value, betrayed bool) {
	switch v := value.(type) {
	case string:
		w.visit(foundText{path: w.path, text: v, betrayed: betrayed})
	case []any:
		w.path = append(w.path, "")
		for i, item := range v {
			w.path[len(w.path)-1] = strconv.Itoa(i)
			w.value(item, betrayed)
		}
		w.path = w.path[:len(w.path)-1]
	case map[string]any:
		w.path = append(w.path, "")
		for _, name := range sortedKeys(v) {
			w.path[len(w.path)-1] = name
			w.visit(foundText{path: w.path, text: name, key: true})
			w.value(v[name], betrayed || secretWord(name) != "")
		}
		w.path = w.path[:len(w.path)-1]
	}
}

// CheckSecrets reports the secrets in every string and member name of a value, for documents that do not become part of
// a definition as they are: shared schemas, tests, what a catalogue notes beside a contract. Pointers are into the value.
func CheckSecrets(value canonical.Value) []diag.Problem {
	return judgeTexts(value, secretsIn)
}

// secretsIn reports the secrets of a text: those that it holds, and itself if its name says that it is one.
func secretsIn(t foundText) []diag.Problem {
	var problems []diag.Problem
	for _, s := range FindSecrets(t.text) {
		problems = append(problems, t.place(diag.New(diag.CodeSecret, t.at(), "kind", s.Kind).Within(s.Offset, s.Length)))
	}
	if len(problems) == 0 && t.betrayed && !strings.Contains(t.text, " ") && !standsForAnother(t.text) && opaque(t.text) {
		problems = append(problems, t.place(diag.New(diag.CodeSecret, t.at(), "kind", namedSecret)))
	}
	return problems
}
