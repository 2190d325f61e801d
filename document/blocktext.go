package document

import "unicode/utf8"

// blockText decodes a literal or folded scalar whose content is indented by indent columns.
func (d *decoded) blockText(start, indent int, folded bool) {
	i, strip, keep := d.blockHeader(start)
	b := blockReader{decoded: d, indent: indent, folded: folded}
	i = b.breaks(i)
	for i < len(d.source) && b.column == indent {
		i = b.line(i)
		i = b.breaks(i)
	}
	if !strip {
		d.puts(b.leading)
	}
	if keep {
		d.puts(b.trailing)
	}
}

// blockHeader reads the line of the indicator and gives the offset behind it.
func (d *decoded) blockHeader(start int) (next int, strip, keep bool) {
	i, comment := start, false
	for ; i < len(d.source); i++ {
		if n := breakLength(d.source, i); n > 0 {
			return i + n, strip, keep
		}
		switch c := d.source[i]; {
		case c == '#':
			comment = true
		case comment:
		case c == '-':
			strip = true
		case c == '+':
			keep = true
		}
	}
	return i, strip, keep
}

// piece is a line end that may yet be folded or dropped.
type piece struct {
	text     string
	from, to int
}

func (d *decoded) puts(pieces []piece) {
	for _, p := range pieces {
		d.put([]byte(p.text), p.from, p.to)
	}
}

type blockReader struct {
	*decoded
	indent, column    int
	folded            bool
	leadingBlank      bool
	leading, trailing []piece
}

// breaks skips indentation and collects the ends of empty lines.
func (b *blockReader) breaks(i int) int {
	for {
		b.column = 0
		for i < len(b.source) && b.source[i] == ' ' && b.column < b.indent {
			i++
			b.column++
		}
		n := breakLength(b.source, i)
		if n == 0 {
			return i
		}
		b.trailing = append(b.trailing, piece{breakText(b.source[i : i+n]), i, i + n})
		i += n
	}
}

// line reads one line of content with its end.
func (b *blockReader) line(i int) int {
	blank := b.source[i] == ' ' || b.source[i] == '\t'
	if b.folded && !b.leadingBlank && !blank && len(b.leading) > 0 && b.leading[0].text == "\n" {
		if len(b.trailing) == 0 {
			b.put([]byte{' '}, b.leading[0].from, i)
		}
	} else {
		b.puts(b.leading)
	}
	b.puts(b.trailing)
	b.leading, b.trailing = b.leading[:0], b.trailing[:0]
	b.leadingBlank = blank

	from := i
	for i < len(b.source) && breakLength(b.source, i) == 0 {
		_, size := utf8.DecodeRune(b.source[i:])
		i += size
	}
	b.copy(from, i)
	if n := breakLength(b.source, i); n > 0 {
		b.leading = append(b.leading, piece{breakText(b.source[i : i+n]), i, i + n})
		i += n
	}
	return i
}
