package canonical

import "bytes"

// Parse reads one JSON document. The error is an [*Error].
func Parse(data []byte, limits Limits) (Value, error) {
	var b builder
	if err := Scan(data, limits, b.token); err != nil {
		return nil, err
	}
	return b.root, nil
}

// IsCanonical gives an error unless data is a document in its own RFC 8785 form.
func IsCanonical(data []byte, limits Limits) error {
	value, err := Parse(data, limits)
	if err != nil {
		return err
	}
	form, err := Append(make([]byte, 0, len(data)), value)
	if err != nil {
		return err
	}
	if !bytes.Equal(form, data) {
		at := 0
		for at < len(form) && at < len(data) && form[at] == data[at] {
			at++
		}
		return &Error{Kind: NotCanonical, Offset: int64(at), First: -1}
	}
	return nil
}

// builder makes a value of the tokens of a scan.
type builder struct {
	root  Value
	stack []frame
}

// frame is a container that is not closed yet.
type frame struct {
	object map[string]any
	array  []any
	name   string
}

func (b *builder) token(t Token) error {
	switch t.Kind {
	case '{':
		b.stack = append(b.stack, frame{object: map[string]any{}})
	case '[':
		b.stack = append(b.stack, frame{array: []any{}})
	case '}', ']':
		top := b.stack[len(b.stack)-1]
		b.stack = b.stack[:len(b.stack)-1]
		if top.object != nil {
			b.add(top.object)
		} else {
			b.add(top.array)
		}
	case '"':
		if t.Name {
			b.stack[len(b.stack)-1].name = t.Text
		} else {
			b.add(t.Text)
		}
	case '0':
		b.add(t.Number)
	case 't', 'f':
		b.add(t.Kind == 't')
	default:
		b.add(nil)
	}
	return nil
}

func (b *builder) add(v Value) {
	if len(b.stack) == 0 {
		b.root = v
		return
	}
	top := &b.stack[len(b.stack)-1]
	if top.object != nil {
		top.object[top.name] = v
	} else {
		top.array = append(top.array, v)
	}
}
