package diag

import (
	"slices"
	"strings"
	"unicode"
)

// The bounds of a word difference. Longer texts are compared by what they have in common at both ends.
const (
	maxDiffWords   = 3000
	contextWords   = 6
	removedBegin   = "[-"
	removedEnd     = "-]"
	insertedBegin  = "{+"
	insertedEnd    = "+}"
	unchangedShort = " ... "
)

// WordDiff shows what changed between two texts, word by word: [-removed-]{+added+} with a few unchanged words
// around. Equal texts give "". The result is as hostile as the texts; printers escape it.
func WordDiff(before, after string) string {
	if before == after {
		return ""
	}
	a, b := words(before), words(after)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	d := &differ{}
	d.keep(a[:head])
	d.middle(a[head:len(a)-tail], b[head:len(b)-tail])
	d.keep(a[len(a)-tail:])
	return d.text()
}

// words splits a text into words and the spaces between them.
func words(text string) []string {
	var out []string
	start, space := 0, false
	for i, r := range text {
		if s := unicode.IsSpace(r); i == 0 {
			space = s
		} else if s != space {
			out = append(out, text[start:i])
			start, space = i, s
		}
	}
	if start < len(text) {
		out = append(out, text[start:])
	}
	return out
}

// run is a stretch of words that are all kept, removed or inserted.
type run struct {
	kind  byte // ' ', '-', '+'
	words []string
}

type differ struct{ runs []run }

func (d *differ) add(kind byte, words ...string) {
	if len(words) == 0 {
		return
	}
	if n := len(d.runs); n > 0 && d.runs[n-1].kind == kind {
		d.runs[n-1].words = append(d.runs[n-1].words, words...)
		return
	}
	d.runs = append(d.runs, run{kind, slices.Clone(words)})
}

func (d *differ) keep(words []string) { d.add(' ', words...) }

// middle finds the longest common subsequence of what differs.
func (d *differ) middle(a, b []string) {
	if len(a)*len(b) > maxDiffWords*maxDiffWords/4 {
		d.add('-', a...)
		d.add('+', b...)
		return
	}
	common := make([][]int32, len(a)+1)
	for i := range common {
		common[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			d.add(' ', a[i])
			i, j = i+1, j+1
		case common[i+1][j] >= common[i][j+1]:
			d.add('-', a[i])
			i++
		default:
			d.add('+', b[j])
			j++
		}
	}
	d.add('-', a[i:]...)
	d.add('+', b[j:]...)
}

func (d *differ) text() string {
	var out strings.Builder
	for i, r := range d.runs {
		text := strings.Join(r.words, "")
		switch r.kind {
		case '-':
			out.WriteString(removedBegin + text + removedEnd)
		case '+':
			out.WriteString(insertedBegin + text + insertedEnd)
		default:
			out.WriteString(around(r.words, i == 0, i == len(d.runs)-1))
		}
	}
	return strings.TrimSpace(out.String())
}

// around cuts unchanged words to those next to a change.
func around(words []string, first, last bool) string {
	const most = 2 * contextWords // words and the spaces between them
	head, tail := most, most
	if first {
		head = 0
	}
	if last {
		tail = 0
	}
	if len(words) <= head+tail+1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:head], "") + unchangedShort + strings.Join(words[len(words)-tail:], "")
}
