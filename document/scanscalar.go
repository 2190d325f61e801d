package document

// Where scalars end. What they mean is in scalar.go.

func (s *scanner) double() bool {
	start := s.pos
	for s.pos++; s.pos < len(s.source); {
		switch c := s.source[s.pos]; {
		case c == '"':
			s.pos++
			s.scalar(StyleDouble, start, s.pos)
			return true
		case c == '\\' && breakLength(s.source, s.pos+1) == 0:
			s.pos += 2
		case c == '\\':
			s.pos++
		default:
			s.step()
		}
	}
	s.pos = len(s.source)
	return false
}

func (s *scanner) single() bool {
	start := s.pos
	for s.pos++; s.pos < len(s.source); {
		switch {
		case s.source[s.pos] != '\'':
			s.step()
		case s.pos+1 < len(s.source) && s.source[s.pos+1] == '\'':
			s.pos += 2
		default:
			s.pos++
			s.scalar(StyleSingle, start, s.pos)
			return true
		}
	}
	return false
}

// step moves over one byte or one line end.
func (s *scanner) step() {
	if n := breakLength(s.source, s.pos); n > 0 {
		s.newLine(n)
		return
	}
	s.pos++
}

// plain scans a plain scalar, which may go on over further lines.
func (s *scanner) plain() bool {
	start, end := s.pos, s.pos
	lines := false
	for s.pos < len(s.source) {
		if s.pos == s.lineStart && s.documentMark(s.pos) || s.source[s.pos] == '#' {
			break
		}
		for s.pos < len(s.source) && (endsNothing(s.source[s.pos]) || !s.blankAt(s.pos) && !s.plainEnds()) {
			s.pos++
			end = s.pos
		}
		if !s.blankAt(s.pos) || s.pos >= len(s.source) {
			break
		}
		before := s.line
		s.skipPlainBlank()
		lines = lines || s.line != before
		if s.flow == 0 && s.column() < s.indent+1 {
			break
		}
	}
	if end == start {
		return false
	}
	s.scalar(StylePlain, start, end)
	if lines {
		s.keyAllowed = true
	}
	return true
}

// endsNothing tells bytes that never end a plain scalar.
func endsNothing(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func (s *scanner) plainEnds() bool {
	c := s.source[s.pos]
	return c == ':' && s.blankAt(s.pos+1) || s.flow > 0 && (flowByte(c) || c == '?')
}

func (s *scanner) skipPlainBlank() {
	for s.pos < len(s.source) {
		if n := breakLength(s.source, s.pos); n > 0 {
			s.newLine(n)
			continue
		}
		if c := s.source[s.pos]; c != ' ' && c != '\t' {
			return
		}
		s.pos++
	}
}

// block scans a literal or folded scalar.
func (s *scanner) block(indicator byte) bool {
	start := s.pos
	s.pos++
	strip, keep, increment := s.blockHeader()
	for s.pos < len(s.source) && (s.source[s.pos] == ' ' || s.source[s.pos] == '\t') {
		s.pos++
	}
	if s.pos < len(s.source) && s.source[s.pos] == '#' {
		s.pos = s.lineEnd(s.pos)
	}
	end := s.pos
	if s.pos < len(s.source) {
		n := breakLength(s.source, s.pos)
		if n == 0 {
			return false
		}
		s.newLine(n)
	}
	indent := 0
	if increment > 0 {
		indent = max(s.indent, 0) + increment
	}
	indent, end = s.blockLines(indent, end, strip, keep)
	style := StyleLiteral
	if indicator == '>' {
		style = StyleFolded
	}
	s.scalar(style, start, end)
	s.tokens[len(s.tokens)-1].indent = int32(indent)
	return true
}

// blockHeader reads the chomping and indentation indicators, in either order.
func (s *scanner) blockHeader() (strip, keep bool, increment int) {
	for limit := s.pos + 2; s.pos < len(s.source) && s.pos < limit; s.pos++ {
		switch c := s.source[s.pos]; {
		case c == '+':
			keep = true
		case c == '-':
			strip = true
		case c >= '1' && c <= '9':
			increment = int(c - '0')
		default:
			return strip, keep, increment
		}
	}
	return strip, keep, increment
}

// blockLines moves behind the content. It gives the indentation of the content and the end of what belongs to
// the scalar: its last line, with the line end unless that is stripped, and the empty lines behind it if those
// are kept.
func (s *scanner) blockLines(indent, end int, strip, keep bool) (int, int) {
	indent = s.blockBreaks(indent)
	if keep {
		end = max(end, s.lineStart)
	}
	for s.pos < len(s.source) && s.column() == indent {
		s.pos = s.lineEnd(s.pos)
		end = s.pos
		if n := breakLength(s.source, s.pos); n > 0 {
			s.newLine(n)
			if !strip {
				end = s.pos
			}
		}
		s.blockBreaks(indent)
		if keep {
			end = max(end, s.lineStart)
		}
	}
	return indent, end
}

// blockBreaks skips indentation and empty lines, and finds the indentation out if it is not known (0).
func (s *scanner) blockBreaks(indent int) int {
	widest := 0
	for {
		for s.pos < len(s.source) && s.source[s.pos] == ' ' && (indent == 0 || s.column() < indent) {
			s.pos++
		}
		widest = max(widest, s.column())
		n := breakLength(s.source, s.pos)
		if n == 0 {
			break
		}
		s.newLine(n)
	}
	if indent == 0 {
		indent = max(widest, s.indent+1, 1)
	}
	return indent
}
