package canonical

// Parse reads one JSON text strictly (see the package comment) into a value of its own, which shares no memory
// with data. Numbers come in their RFC 8785 spelling. The error is an [*Error].
func Parse(data []byte, limits Limits) (Value, error) {
	s, err := newScanner(data, limits)
	if err != nil {
		return nil, err
	}
	p := parser{scanner: s}
	value, fault := p.value()
	if fault == nil {
		fault = s.finish()
	}
	if fault != nil {
		return nil, fault
	}
	return value, nil
}

// parser builds values. Its recursion is bounded by the scanner's depth.
type parser struct {
	*scanner
	names [nameSlots]string
}

func (p *parser) value() (Value, *Error) {
	l, fault := p.next()
	if fault != nil {
		return nil, fault
	}
	return p.from(l)
}

func (p *parser) from(l lexeme) (Value, *Error) {
	switch l.kind {
	case 'n':
		return nil, nil
	case 'f':
		return false, nil
	case 't':
		return true, nil
	case '0':
		return l.number(), nil
	case '[':
		return p.array()
	case '{':
		return p.object()
	default:
		return unquote(l.raw), nil
	}
}

func (p *parser) array() (Value, *Error) {
	items := []any{}
	for {
		l, fault := p.next()
		if fault != nil {
			return nil, fault
		}
		if l.kind == ']' {
			return items, nil
		}
		item, fault := p.from(l)
		if fault != nil {
			return nil, fault
		}
		items = append(items, item)
	}
}

func (p *parser) object() (Value, *Error) {
	members := map[string]any{}
	for {
		l, fault := p.next()
		if fault != nil {
			return nil, fault
		}
		if l.kind == '}' {
			return members, nil
		}
		name := p.name(l.raw)
		value, fault := p.value()
		if fault != nil {
			return nil, fault
		}
		members[name] = value
	}
}

// Member names repeat; a short one that was seen before is not allocated again.
const (
	nameSlots     = 256
	maxSharedName = 32
)

func (p *parser) name(raw []byte) string {
	inner := raw[1 : len(raw)-1]
	if len(inner) > maxSharedName || hasEscape(inner) {
		return unquote(raw)
	}
	// FNV-1a; a collision costs an allocation and nothing else.
	hash := uint32(2166136261)
	for _, c := range inner {
		hash = (hash ^ uint32(c)) * 16777619
	}
	slot := &p.names[(hash^hash>>16)%nameSlots]
	if *slot != string(inner) {
		*slot = string(inner)
	}
	return *slot
}
