package resolve

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/schema"
	"github.com/seif-dev/seifc/decide/tokens"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// source makes a source ready: its placeholders, its finished text where it has none, and the most it can take.
func (p *preparation) source(id string, authored definition.Source) {
	m := &material{id: id, input: authored.Input, segments: 1}
	p.sources[id] = m
	at := canonical.JoinPointer("/sources", id)
	if authored.Input != "" {
		m.untrusted = true
		p.runtimeText(m, at)
		return
	}
	m.untrusted = authored.Untrusted
	text, ok := p.texts[id]
	if !ok {
		p.add(diag.New(diag.CodeSourceTextMissing, at, "source", id))
		return
	}
	switch {
	case m.untrusted:
		m.finish(Fence(id, text))
	case authored.NoPlaceholders || !strings.Contains(text, "{{"):
		m.finish(text)
	default:
		p.template(m, text, at)
	}
}

// checkTexts looks at the texts of the file sources for what nobody sees and for secrets.
func checkTexts(def *definition.Definition, texts map[string]string) []diag.Problem {
	var problems []diag.Problem
	for _, id := range sortedKeys(def.Sources) {
		source := def.Sources[id]
		if text, ok := texts[id]; ok && source.Input == "" {
			for _, problem := range definition.CheckSource(text, source.AllowCharacters) {
				problems = append(problems, problem.Under(canonical.JoinPointer("/sources", id)))
			}
		}
	}
	return problems
}

// finish fixes the text of a segment.
func (m *material) finish(text string) {
	s := segment(m, -1, text)
	m.fixed, m.worst = &s, s.Tokens
}

func segment(m *material, index int, text string) Segment {
	return Segment{Source: m.id, Index: index, Untrusted: m.untrusted, Text: text, Tokens: m.count(text) + tokens.PerSegment}
}

// counted is a text with its estimate.
type counted struct {
	text   string
	tokens int
}

// count estimates a text of the source. It remembers the last one: requests of one kind, and the tests of a profile,
// fill a source with the same values again and again.
func (m *material) count(text string) int {
	if last := m.last.Load(); last != nil && last.text == text {
		return last.tokens
	}
	n := tokens.Count(text)
	m.last.Store(&counted{text, n})
	return n
}

// template parses the placeholders of an author's text and bounds what it can become.
func (p *preparation) template(m *material, text, at string) {
	pieces, problems := parsePlaceholders(text, at)
	p.add(problems...)
	m.pieces = pieces
	m.worst = tokens.PerSegment
	filled, told := map[string]insertion{}, 0
	for i, piece := range pieces {
		switch {
		case piece.input != "":
		case i == 0:
			m.worst = add(m.worst, tokens.Count(piece.literal))
			continue
		default:
			m.worst = add(m.worst, mostAfter(piece.literal))
			continue
		}
		found, known := filled[piece.input]
		if !known {
			found = p.insertion(m.id, piece.input, at)
			filled[piece.input] = found
		}
		if found.problem == nil {
			m.worst = add(m.worst, found.most)
		} else if told++; told <= maxMalformed {
			p.add(found.problem.InText(piece.offset, piece.length))
		}
	}
	if len(filled) == 0 {
		m.finish(literals(pieces))
	}
}

func literals(pieces []piece) string {
	var b strings.Builder
	for _, piece := range pieces {
		b.WriteString(piece.literal)
	}
	return b.String()
}

// insertion is what is known of an input that a text inserts.
type insertion struct {
	most    int           // tokens
	problem *diag.Problem // why it cannot be inserted
}

// insertion bounds the tokens of an inserted input, or says why it cannot be inserted.
func (p *preparation) insertion(source, input, at string) insertion {
	found := func(code diag.Code, pairs ...string) insertion {
		problem := diag.New(code, at, append([]string{"input", input}, pairs...)...)
		return insertion{problem: &problem}
	}
	var declared map[string]*schema.Property
	if t := p.inputsType; t != nil {
		declared = t.Properties
	}
	property, ok := declared[input]
	if !ok {
		return found(diag.CodePlaceholderUnknown, "nearest", diag.Nearest(input, sortedKeys(declared)))
	}
	if !property.Required {
		if lacking := p.lacking(source, input); len(lacking) > 0 {
			return found(diag.CodePlaceholderOptional, "profiles", enumerate(lacking))
		}
	}
	most, why := widestValue(property.Type)
	if why != "" {
		return found(diag.CodePlaceholderType, "why", why)
	}
	return insertion{most: most}
}

// lacking lists the profiles that use a source and do not require an input.
func (p *preparation) lacking(source, input string) []string {
	if p.users == nil {
		p.users = map[string][]string{}
		for _, id := range sortedKeys(p.def.Profiles) {
			used := map[string]bool{}
			for _, e := range p.def.Profiles[id].Context {
				if !used[e.Source] {
					used[e.Source] = true
					p.users[e.Source] = append(p.users[e.Source], id)
				}
			}
		}
	}
	var lacking []string
	for _, id := range p.users[source] {
		if !slices.Contains(p.def.Profiles[id].Requires, input) {
			lacking = append(lacking, id)
		}
	}
	return lacking
}

// widestValue bounds the tokens of a value that may be inserted, or says why its type may not.
func widestValue(t *schema.Type) (int, string) {
	switch {
	case t.Dynamic || t.Kinds == 0:
		return 0, "it may have several types"
	case t.Kinds == schema.Boolean:
		return max(mostAfter("true"), mostAfter("false")), ""
	case t.Kinds == schema.Integer:
		if t.Minimum == "" || t.Maximum == "" {
			return 0, "it is an integer without minimum and maximum"
		}
		return widestInteger(t.Minimum, t.Maximum), ""
	case t.Kinds != schema.String:
		return 0, "it is of type " + t.Kinds.String()
	}
	most, ok := widestString(t)
	if !ok {
		return 0, "it is a string without maxLength or enum"
	}
	return most, ""
}

// widestString bounds the tokens of a string by its listed values or its maxLength.
func widestString(t *schema.Type) (int, bool) {
	if t.Enum != nil {
		most := 0
		for _, value := range t.Enum {
			if text, ok := value.(string); ok {
				most = max(most, mostAfter(text))
			}
		}
		return most, true
	}
	if t.MaxLength == nil {
		return 0, false
	}
	return tokens.Maximum(clampInt(*t.MaxLength)), true
}

// widestInteger bounds the tokens of any integer between two bounds: it has no more bytes than the longer bound or
// a number with an exponent.
func widestInteger(minimum, maximum json.Number) int {
	return max(len(integerText(minimum)), len(integerText(maximum)), len("-1e+21"))
}

// integerText is how a bound is written as an integer, with the canonical form where it has an exponent.
func integerText(n json.Number) string {
	text, err := canonical.Number(string(n))
	if err != nil {
		return string(n)
	}
	return string(text)
}

// runtimeText makes a source ready whose text arrives with the request.
func (p *preparation) runtimeText(m *material, at string) {
	var declared map[string]*schema.Property
	if t := p.inputsType; t != nil {
		declared = t.Properties
	}
	property, ok := declared[m.input]
	if !ok {
		p.unknown(at+"/input", diag.CodeUnknownInput, m.input, sortedKeys(declared))
		return
	}
	text := property.Type
	schemaAt := canonical.JoinPointer("/inputs/properties", m.input)
	unbounded := func(keyword string) {
		p.add(diag.New(diag.CodeSourceInputUnbounded, schemaAt, "input", m.input, "keyword", keyword).With(diag.NoteUsedHere, at))
	}
	if text.Kinds == schema.Array {
		if text.MaxItems == nil {
			unbounded("maxItems")
			return
		}
		m.segments = clampInt(*text.MaxItems)
		if text.Items == nil {
			text = &schema.Type{}
		} else {
			text = text.Items
		}
	}
	if text.Kinds != schema.String {
		p.add(diag.New(diag.CodeSourceInputType, at+"/input", "source", m.id, "input", m.input, "type", typeWords(property.Type)))
		return
	}
	most, ok := widestString(text)
	if !ok {
		unbounded("maxLength")
		return
	}
	m.worst = add(add(most, fenceMost(m.id)), tokens.PerSegment)
}

func typeWords(t *schema.Type) string {
	if t.Kinds == schema.Array && t.Items != nil {
		return "an array of " + t.Items.Kinds.String()
	}
	if t.Kinds == 0 {
		return "nothing"
	}
	return t.Kinds.String()
}

// fenceMost bounds the tokens of a fence, whatever the text: its fixed parts, and each digit of its marks alone.
func fenceMost(id string) int {
	return tokens.Count("<<<untrusted "+id+" ") + mostAfter(">>>\n") + mostAfter("\n<<<end ") + mostAfter(">>>") + 2*fenceDigits
}

// mostAfter bounds what a text adds to the tokens of an unknown text before it.
//
// The estimator prices a character by itself and by what it remembers of the text before. It forgets that text at
// the end of the first run of one ASCII character that is neither letter nor digit, but for at most one token that
// it still owes. Up to there no byte costs more than a token, and from there on the text costs what it costs alone.
func mostAfter(text string) int {
	known := len(text)
	for i := range len(text) {
		if c := text[i]; c < utf8.RuneSelf && !alphanumeric(c) && i+1 < len(text) && text[i+1] != c {
			known = i + 1
			break
		}
	}
	return min(len(text), known+1+tokens.Count(text))
}

func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// Sums of tokens saturate: a declared maximum may be any number.
const endless = 1 << 50

func add(a, b int) int { return min(a+b, endless) }

func multiply(a, b int) int {
	if a != 0 && b > endless/a {
		return endless
	}
	return a * b
}

func clampInt(n int64) int { return int(min(max(n, 0), int64(math.MaxInt32))) }

// fill inserts the inputs into a text. Values were checked when the request was read.
func (m *material) fill(inputs map[string]canonical.Value) string {
	var b strings.Builder
	for _, piece := range m.pieces {
		if piece.input == "" {
			b.WriteString(piece.literal)
			continue
		}
		b.WriteString(insertedText(inputs[piece.input]))
	}
	return b.String()
}

// insertedText is how a value is written into a text.
func insertedText(v canonical.Value) string {
	switch v := v.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		return integerText(v)
	}
	return ""
}
