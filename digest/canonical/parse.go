package canonical

import "encoding/json"

// Parse reads one JSON text strictly (see the package comment) into a value of its own, which shares no memory
// with data. Numbers come in their RFC 8785 spelling. The error is an [*Error].
func Parse(data []byte, limits Limits) (Value, error) {
	s, err := newScanner(data, limits)
	if err != nil {
		return nil, err
	}
	p := parser{scanner: s}
	return p.whole()
}

// ParseForm reads one JSON text like [Parse] and refuses one that is not its own RFC 8785 form like [IsCanonical], in
// one pass. Of a text that is wrong in both ways, the error is about what comes first.
func ParseForm(data []byte, limits Limits) (Value, error) {
	s, err := newOrderedScanner(data, limits)
	if err != nil {
		return nil, err
	}
	p := parser{scanner: s, form: &checker{scanner: s}}
	value, failed := p.whole()
	if failed == nil {
		return value, nil
	}
	if err := IsCanonical(data, limits); err != nil {
		return nil, err
	}
	return nil, failed
}

// parser builds values. Its recursion is bounded by the scanner's depth.
type parser struct {
	*scanner
	form   *checker // nil if any spelling will do
	window string   // a copy of data from from
	from   int
}

// windowSize is how much of a text its strings share: one copy serves all short strings in it, and a string that
// outlives the others keeps no more than this alive.
const windowSize = 4096

// text is a copy of data[start:end].
func (p *parser) text(start, end int) string {
	if end-start >= windowSize {
		return string(p.data[start:end])
	}
	if start < p.from || end > p.from+len(p.window) {
		p.from = start
		p.window = string(p.data[start:min(start+windowSize, len(p.data))])
	}
	return p.window[start-p.from : end-p.from]
}

// decoded is the text of the string that was read last.
func (p *parser) decoded() string {
	if hasEscape(p.last.raw) {
		return unquote(p.last.raw)
	}
	return p.text(p.last.start+1, p.last.end-1)
}

// number is the spelling of the number that was read last.
func (p *parser) number() json.Number {
	if isPlainInteger(p.last.raw) {
		return json.Number(p.text(p.last.start, p.last.end))
	}
	return p.last.number()
}

// whole is the value of the whole text.
func (p *parser) whole() (Value, error) {
	value, fault := p.value()
	if fault == nil {
		fault = p.finish()
	}
	if fault == nil && p.form != nil && p.form.end != len(p.data) {
		fault = &Error{Kind: NotCanonical, Offset: int64(p.form.end), First: -1}
	}
	if fault != nil {
		return nil, fault
	}
	return value, nil
}

// next reads one token.
func (p *parser) next() *Error {
	fault := p.scanner.next()
	if fault == nil && p.form != nil && !p.form.fits(&p.last) {
		fault = p.at(NotCanonical)
	}
	return fault
}

func (p *parser) value() (Value, *Error) {
	if fault := p.next(); fault != nil {
		return nil, fault
	}
	return p.current()
}

// current is the value that begins with the token that was read last.
func (p *parser) current() (Value, *Error) {
	switch p.last.kind {
	case 'n':
		return nil, nil
	case 'f':
		return false, nil
	case 't':
		return true, nil
	case '0':
		return p.number(), nil
	case '[':
		return p.array()
	case '{':
		return p.object()
	default:
		return p.decoded(), nil
	}
}

func (p *parser) array() (Value, *Error) {
	items := []any{}
	for {
		if fault := p.next(); fault != nil {
			return nil, fault
		}
		if p.last.kind == ']' {
			return items, nil
		}
		item, fault := p.current()
		if fault != nil {
			return nil, fault
		}
		items = append(items, item)
	}
}

func (p *parser) object() (Value, *Error) {
	members := map[string]any{}
	for {
		if fault := p.next(); fault != nil {
			return nil, fault
		}
		if p.last.kind == '}' {
			return members, nil
		}
		name := p.decoded()
		value, fault := p.value()
		if fault != nil {
			return nil, fault
		}
		members[name] = value
	}
}
