package document

import (
	"regexp"
	"strings"

	"github.com/seif-dev/seifc/diag"
)

// tagLikeExpression matches a tag that was meant to be a negated expression: `!has(x)`, `!inputs.done`.
var tagLikeExpression = regexp.MustCompile(`^!+(\(|[A-Za-z_][A-Za-z0-9_]*[.(])`)

// standardTags are the tags of the core schema. They may stand where they change nothing but doubt.
var standardTags = map[string]bool{
	"!!str": true, "!!int": true, "!!float": true, "!!bool": true, "!!null": true, "!!map": true, "!!seq": true,
}

// checkTokens reports directives, tags and further documents. It gives where a second document begins, -1 if none
// does.
func (r *reader) checkTokens(tokens []token) (second int) {
	begun, ended := false, false
	second = -1
	for _, t := range tokens {
		start, end := int(t.start), int(t.end)
		text := r.file.lines.text[start:end]
		if t.kind == tokenDirective {
			r.report(start, end, diag.CodeYAMLDirective)
			continue
		}
		if (begun && t.kind == tokenDocument && text == "---" || ended && text != "...") && second < 0 {
			second = start
			r.report(start, end, diag.CodeSeveralDocuments)
		}
		begun, ended = true, ended || t.kind == tokenDocument && text == "..."
		if t.kind != tokenTag {
			continue
		}
		switch {
		case text == "!", tagLikeExpression.MatchString(text):
			r.report(start, end, diag.CodeTagExpression, "tag", shortened(text))
		case !standardTags[text]:
			r.report(start, end, diag.CodeYAMLTag, "tag", shortened(text))
		}
	}
	return second
}

// tagFits tells whether a standard tag says what the node is anyway.
func tagFits(n *Node, tag string) bool {
	switch tag {
	case "!!str":
		return n.Kind == String
	case "!!int":
		return n.Kind == Number && n.Doubt == NoDoubt && !strings.ContainsAny(n.Text, ".eE")
	case "!!float":
		return n.Kind == Number && n.Doubt == NoDoubt
	case "!!bool":
		return n.Kind == Bool
	case "!!null":
		return n.Kind == Null
	case "!!map":
		return n.Kind == Mapping
	case "!!seq":
		return n.Kind == Sequence
	}
	return true // reported with the tokens
}

// remedies maps what yaml.v3 says to what an author can do. The first match counts.
var remedies = []struct{ problem, says, remedy string }{
	{"found character that cannot start any token", "this character cannot begin a value", "quote the value"},
	{"mapping values are not allowed", "a second `: ` on one line",
		"quote the value if the colon belongs to it, or put the inner map on its own lines"},
	{"did not find expected key", "this does not fit the map around it",
		"indent it like the other keys, and quote values that begin or end with a quote, a bracket or `*`, `&`, `!`, `%`, `@`"},
	{"did not find expected '-' indicator", "this does not fit the list around it", "begin the item with `- ` in the column of the others"},
	{"could not find expected ':'", "a key without `: `", "write `key: value`, with a space behind the colon"},
	{"found unexpected end of stream", "a quoted text is not closed", "close the quote"},
	{"found unexpected document indicator", "a quoted text is not closed", "close the quote"},
	{"did not find expected ',' or ']'", "a list in brackets is not closed or lacks a comma", "separate the items by `, ` and close it by `]`"},
	{"did not find expected ',' or '}'", "a map in braces is not closed or lacks a comma", "separate the members by `, ` and close it by `}`"},
	{"found unknown escape character", "this escape does not exist", "write `\\\\` for a backslash, or use single quotes"},
	{"did not find expected hexdecimal number", "an escape lacks hexadecimal digits", "write as many digits as the escape needs, or use single quotes"},
	{"invalid Unicode character escape", "this escape names no character", "write the character itself, or `\\U` and eight digits"},
	{"tab character", "a tab where indentation is expected", "indent by spaces"},
	{"block sequence entries are not allowed", "a list cannot begin here", "put `- ` on its own line below the key"},
	{"did not find expected <document start>", "this stands behind the end of the document", "indent it like the rest, or remove it"},
	{"did not find expected comment or line break", "a text cannot begin on the line of `|` or `>`",
		"begin the text on the next line, or quote a value that begins with `|` or `>`"},
	{"did not find expected alphabetic or numeric character", "`&` and `*` begin an anchor and an alias here", "quote the value"},
	{"did not find expected node content", "a value is missing here", "write the value"},
	{"indentation indicator", "this indentation cannot be", "use a digit from 1 to 9, or none"},
}

// syntax reports what yaml.v3 has against the file.
func (r *reader) syntax(marks *markIndex, tokens []token, failed *syntaxError) {
	at := marks.at(failed.at)
	if failed.problem == "unknown anchor" {
		r.report(at, min(at+1+len(failed.context), len(r.file.Source)), diag.CodeUnknownAnchor, "anchor", failed.context)
		return
	}
	if unclosed(failed) {
		at = marks.at(failed.contextAt)
	}
	if r.explained(at) {
		return
	}
	begun := -1
	if failed.context != "" && failed.contextAt.line < failed.at.line {
		begun = marks.at(failed.contextAt)
	}
	says, remedy, start := r.trap(tokens, at, failed)
	if start >= 0 {
		begun = start
	}
	d := r.report(at, min(at+1, len(r.file.Source)), diag.CodeYAMLSyntax, "problem", says, "remedy", remedy)
	if begun >= 0 && begun < at {
		r.note(d, diag.NoteDetail, begun, min(begun+1, len(r.file.Source)),
			diag.Data{"text": "it began here"})
	}
}

// trap says what is wrong and what to do: first for the mistakes that are made often and that YAML describes badly,
// then by what yaml.v3 says. It gives where the mistake began, if that is not the place.
func (r *reader) trap(tokens []token, at int, failed *syntaxError) (says, remedy string, begun int) {
	before := token{kind: tokenDocument}
	for i := len(tokens) - 1; i >= 0; i-- {
		if int(tokens[i].end) <= at {
			before = tokens[i]
			break
		}
	}
	line := func(offset int32) int { return r.file.lines.line(int(offset)) }
	here := r.file.lines.line(at)
	scalar := before.kind == tokenScalar
	switch quoted := before.style == uint8(StyleSingle) || before.style == uint8(StyleDouble); {
	case at < len(r.file.Source) && r.file.Source[at] == '\t':
		return "a tab where indentation is expected", "indent by spaces", -1
	case at < len(r.file.Source) && (r.file.Source[at] == ']' || r.file.Source[at] == '}') && before.kind == tokenClose:
		return "a bracket too many", "remove it", -1
	case scalar && quoted && line(before.end) == here && strings.Contains(failed.problem, "did not find expected"):
		return "more text behind a quoted value", "quote the whole value, with the other kind of quotes around it", int(before.start)
	case scalar && !quoted && line(before.start) < here && strings.Contains(failed.problem, "mapping values are not allowed"):
		return "a `: ` in a text that goes on from an earlier line",
			"write a space behind the colon where it began, or indent this line like its neighbours", int(before.start)
	}
	for _, known := range remedies {
		if strings.Contains(failed.problem, known.problem) {
			return known.says, known.remedy, -1
		}
	}
	return failed.problem, "check the indentation and the quotes of this line and the one before it", -1
}

// unclosed tells whether the construct began at the context and only failed to end.
func unclosed(failed *syntaxError) bool {
	if failed.contextAt == (mark{}) {
		return false
	}
	switch {
	case strings.Contains(failed.problem, "unexpected end of stream"),
		strings.Contains(failed.problem, "unexpected document indicator"),
		strings.Contains(failed.problem, "could not find expected ':'"):
		return true
	}
	return false
}

// explained tells whether a better finding stands on the line: a tag that was meant as an expression breaks the
// syntax behind it.
func (r *reader) explained(at int) bool {
	line := r.file.lines.line(at) + 1
	for _, d := range r.found {
		if (d.Code == diag.CodeTagExpression || d.Code == diag.CodeYAMLTag || d.Code == diag.CodeYAMLDirective) &&
			(d.Place.Start.Line == line || d.Place.Start.Line == line-1) {
			return true
		}
	}
	return false
}
