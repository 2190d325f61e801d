package tokens

import "unicode/utf8"

// scanner prices a text from left to right, one code point at a time. What a code point costs depends on itself and
// on this state alone; the state forgets everything but a bounded past at the next change of kind.
type scanner struct {
	before   kind
	last     byte // the ASCII character before; 0 for any other, and for NUL
	repeated int  // how often last has been repeated, no further than 2
	letter   int  // row in follows of the letter before
	place    int  // letters of the word before this one, no further than wordEnd
	digits   int  // digits of the number before this one, modulo 3
	script   int  // script of the code point before, or -1
	point    rune // the code point before, or 0 for an ASCII character
	owed     int  // units that did not fit into the steps before, at most one token
}

const (
	wordEnd     = len(positions) - 1 // the place in a word from which on letters cost the same
	accentedRow = 26                 // the row in follows of every accented letter
)

// newScanner begins a text half a token in debt, so that rounding leaves a short text no lower than a long one.
func newScanner() scanner { return scanner{before: begin, script: -1, owed: unit / 2} }

// next prices the first code point of a text that is not empty and returns its width in bytes, at least 1. A byte
// that belongs to no UTF-8 sequence stands for itself. The price is in units, never negative, and never more than
// one token per byte.
func (s *scanner) next(text string) (price, width int) {
	if c := text[0]; c < utf8.RuneSelf {
		return s.charge(s.ascii(c), unit), 1
	}
	r, width := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError && width == 1 {
		s.before, s.last, s.repeated, s.script, s.point = rare, 0, 0, -1, 0
		return s.charge(unit, unit), 1
	}
	return s.charge(s.beyond(r), width*unit), width
}

// charge keeps a price within the most that a step may cost. Up to one token of what is above it is owed, and
// charged with the steps after it.
func (s *scanner) charge(price, most int) int {
	price += s.owed
	charged := min(price, most)
	s.owed = min(price-charged, unit)
	return charged
}

func (s *scanner) ascii(c byte) int {
	k := kindOf(c)
	switch {
	case c != s.last || s.last == 0:
		s.repeated = 0
	case s.repeated < 2:
		s.repeated++
	}
	var price int
	switch {
	case k.letter():
		if s.repeated == 2 {
			price = priced(repeats, int(c))
			break
		}
		price = s.change(k) + s.word(k, int(c|0x20)-'a')
	case k == digit && s.before == digit:
		price = s.digit()
	case s.repeated > 0:
		price = priced(repeats, int(c))
	default:
		s.digits = 0
		price = s.change(k)
	}
	s.before, s.last, s.script, s.point = k, c, -1, 0
	return price
}

func (s *scanner) change(to kind) int { return priced(changes, int(s.before)*int(kinds)+int(to)) }

func (s *scanner) digit() int {
	s.digits++
	if s.digits == 3 {
		s.digits = 0
		return digitGroup
	}
	return digitMore
}

// word prices a letter as part of the word before it, or as the first of a new one: also a capital after a small
// letter begins a word.
func (s *scanner) word(k kind, letter int) int {
	within := s.before == k || s.before == upper || s.before == accented
	row := s.letter
	s.letter = letter
	if !within {
		s.place = 0
		return priced(starts, letter)
	}
	s.place = min(s.place+1, wordEnd)
	return priced(follows, row*26+letter) + priced(positions, s.place)
}

func (s *scanner) beyond(r rune) int {
	at := scriptOf(r)
	script := &scripts[at]
	common := everyday(r)
	continues := s.script == at || script.joins && (s.before.letter() || s.before == accented)
	if !continues {
		s.place = 0
	}
	price := script.first
	switch {
	case !common || script.first == script.rare:
		price = script.rare
	case r == s.point:
		price = unit
	case continues:
		price = script.follow
	}
	switch {
	case script.joins:
		s.before, s.letter, s.place = accented, accentedRow, min(s.place+1, wordEnd)
	case common:
		s.before = sign
	default:
		s.before = rare
	}
	s.last, s.repeated, s.script, s.point = 0, 0, at, r
	return price
}
