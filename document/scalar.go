package document

import (
	"strings"
	"unicode/utf8"
)

// decoded is the text of a scalar and, if asked for, where each part of it stands in the source.
type decoded struct {
	source []byte
	text   []byte
	runs   []run
	trace  bool
}

// run says that length bytes of text from text come from the source; exact ones byte for byte.
type run struct {
	text, length, source, sourceLength int
	exact                              bool
}

// copy takes source bytes as they are.
func (d *decoded) copy(from, to int) {
	if from >= to {
		return
	}
	if d.trace {
		d.runs = append(d.runs, run{len(d.text), to - from, from, to - from, true})
	}
	d.text = append(d.text, d.source[from:to]...)
}

// put appends bytes that stand for a range of the source.
func (d *decoded) put(text []byte, from, to int) {
	if d.trace && len(text) > 0 {
		d.runs = append(d.runs, run{len(d.text), len(text), from, to - from, false})
	}
	d.text = append(d.text, text...)
}

// spot maps a range of the text to a range of the source. Bytes that an escape or a folded line stands for map to
// the whole of it.
func (d *decoded) spot(offset, length, fallback int) (start, end int) {
	start, end = fallback, fallback
	if n := len(d.runs); n > 0 {
		last := d.runs[n-1]
		start = last.source + last.sourceLength
		end = start
	}
	for _, r := range d.runs {
		if offset >= r.text && offset < r.text+r.length {
			start, end = r.source, r.source
			if r.exact {
				start += offset - r.text
				end = start
			}
			break
		}
	}
	if length <= 0 {
		return start, end
	}
	final := offset + length - 1
	for _, r := range d.runs {
		if final >= r.text && final < r.text+r.length {
			end = r.source + r.sourceLength
			if r.exact {
				end = r.source + final - r.text + 1
			}
		}
	}
	return start, max(start, end)
}

// decodeScalar reads the scalar that stands in source[start:end] in the given style. A scalar that is not well
// formed gives some text; the caller compares with what yaml.v3 read.
func decodeScalar(source []byte, start, end int, style Style, indent int, trace bool) *decoded {
	d := &decoded{source: source[:end], trace: trace}
	switch style {
	case StylePlain:
		d.flowLines(start, end, plainText)
	case StyleSingle:
		d.flowLines(start+1, max(start+1, end-1), singleText)
	case StyleDouble:
		d.flowLines(start+1, max(start+1, end-1), doubleText)
	case StyleLiteral, StyleFolded:
		d.blockText(start, indent, style == StyleFolded)
	case StyleJSON:
		d.jsonText(start, end)
	}
	return d
}

type flowText int

const (
	plainText flowText = iota
	singleText
	doubleText
)

// flowLines decodes a plain or quoted scalar: characters as they are, escapes, and folded line ends.
func (d *decoded) flowLines(start, end int, kind flowText) {
	for i := start; i < end; {
		from := i
		for i < end && !d.stopsRun(i, kind) {
			i++
		}
		d.copy(from, i)
		if i >= end {
			return
		}
		switch {
		case kind == singleText && d.source[i] == '\'':
			d.put([]byte{'\''}, i, min(i+2, end))
			i += 2
		case kind == doubleText && d.source[i] == '\\':
			i = d.escape(i, end)
		default:
			i = d.fold(i, end)
		}
	}
}

func (d *decoded) stopsRun(i int, kind flowText) bool {
	switch c := d.source[i]; c {
	case '\'':
		return kind == singleText
	case '\\':
		return kind == doubleText
	case ' ', '\t':
		return true
	default:
		return breakLength(d.source, i) > 0
	}
}

// fold reads blanks, and line ends among them: one line end is a space, more are that many less one.
func (d *decoded) fold(from, end int) int {
	i, breaks, first := from, 0, ""
	var rest strings.Builder
	for i < end {
		if c := d.source[i]; c == ' ' || c == '\t' {
			i++
			continue
		}
		n := breakLength(d.source, i)
		if n == 0 {
			break
		}
		if breaks == 0 {
			first = breakText(d.source[i : i+n])
		} else {
			rest.WriteString(breakText(d.source[i : i+n]))
		}
		breaks++
		i += n
	}
	switch {
	case breaks == 0:
		d.copy(from, i)
	case first != "\n":
		d.put([]byte(first+rest.String()), from, i)
	case breaks == 1:
		d.put([]byte{' '}, from, i)
	default:
		d.put([]byte(rest.String()), from, i)
	}
	return i
}

// breakText is what a line end is read as.
func breakText(end []byte) string {
	if len(end) == 3 {
		return string(end)
	}
	return "\n"
}

var simpleEscapes = map[byte]string{
	'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", '\t': "\t", 'n': "\n", 'v': "\v", 'f': "\f", 'r': "\r",
	'e': "\x1b", ' ': " ", '"': "\"", '\'': "'", '/': "/", '\\': "\\", 'N': "\u0085", '_': "\u00A0",
	'L': "\u2028", 'P': "\u2029",
}

// escape reads an escape of a double-quoted scalar.
func (d *decoded) escape(from, end int) int {
	i := from + 1
	if i >= end {
		return end
	}
	if n := breakLength(d.source, i); n > 0 { // an escaped line end joins lines without a space
		return d.joined(from, i+n, end)
	}
	c := d.source[i]
	i++
	if text, ok := simpleEscapes[c]; ok {
		d.put([]byte(text), from, i)
		return i
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	value := rune(0)
	for n := 0; n < digits && i < end; n++ {
		value = value<<4 | rune(hexDigit(d.source[i]))
		i++
	}
	d.put(utf8.AppendRune(nil, value), from, i)
	return i
}

// joined skips the indentation behind an escaped line end, and gives the empty lines there as line ends.
func (d *decoded) joined(from, i, end int) int {
	var breaks strings.Builder
	for i < end {
		if c := d.source[i]; c == ' ' || c == '\t' {
			i++
			continue
		}
		n := breakLength(d.source, i)
		if n == 0 {
			break
		}
		breaks.WriteString(breakText(d.source[i : i+n]))
		i += n
	}
	d.put([]byte(breaks.String()), from, i)
	return i
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	default:
		return 0
	}
}

// jsonText decodes a JSON string, or takes the text of another JSON scalar.
func (d *decoded) jsonText(start, end int) {
	if start >= end || d.source[start] != '"' {
		d.copy(start, end)
		return
	}
	for i := start + 1; i < end-1; {
		from := i
		for i < end-1 && d.source[i] != '\\' {
			i++
		}
		d.copy(from, i)
		if i < end-1 {
			i = d.jsonEscape(i, end-1)
		}
	}
}

func (d *decoded) jsonEscape(from, end int) int {
	if from+1 >= end || d.source[from+1] != 'u' {
		return d.escape(from, end)
	}
	value, i := d.jsonUnit(from+2, end)
	if value >= 0xD800 && value < 0xDC00 && i+1 < end && d.source[i] == '\\' && d.source[i+1] == 'u' {
		if low, after := d.jsonUnit(i+2, end); low >= 0xDC00 && low < 0xE000 {
			value, i = (value-0xD800)<<10+(low-0xDC00)+0x10000, after
		}
	}
	d.put(utf8.AppendRune(nil, value), from, i)
	return i
}

func (d *decoded) jsonUnit(i, end int) (rune, int) {
	value := rune(0)
	for n := 0; n < 4 && i < end; n++ {
		value = value<<4 | rune(hexDigit(d.source[i]))
		i++
	}
	return value, i
}
