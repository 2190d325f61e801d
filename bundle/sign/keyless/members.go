package keyless

import (
	"encoding/base64"
	"encoding/json"

	"github.com/seif-dev/seifc/digest/canonical"
)

// members takes an object apart, each member once, and keeps the first fault. What is left over is a fault as well.
type members struct {
	left map[string]any
	err  error
}

func newMembers(v canonical.Value) *members {
	object, ok := v.(map[string]any)
	if !ok {
		return &members{err: malformed("it is no object")}
	}
	left := make(map[string]any, len(object))
	for name, value := range object {
		left[name] = value
	}
	return &members{left: left}
}

func (m *members) fail(format string, values ...any) {
	if m.err == nil {
		m.err = malformed(format, values...)
	}
}

func (m *members) has(name string) bool { _, ok := m.left[name]; return ok }

func (m *members) take(name string) any {
	value, ok := m.left[name]
	if !ok {
		m.fail("%s is missing", name)
		return nil
	}
	delete(m.left, name)
	return value
}

// text takes a text of at most the given bytes.
func (m *members) text(name string, most int) string {
	text, ok := m.take(name).(string)
	if !ok || len(text) > most {
		m.fail("%s is no text of at most %d bytes", name, most)
		return ""
	}
	return text
}

// optional takes a text that may be absent; one that is there is not empty.
func (m *members) optional(name string, most int) string {
	if !m.has(name) {
		return ""
	}
	text := m.text(name, most)
	if text == "" {
		m.fail("%s is empty", name)
	}
	return text
}

// bytes takes base64 in its one form.
func (m *members) bytes(name string, most int) []byte {
	text := m.text(name, base64.StdEncoding.EncodedLen(most))
	data, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || len(data) > most || base64.StdEncoding.EncodeToString(data) != text {
		m.fail("%s is no base64 of at most %d bytes", name, most)
		return nil
	}
	return data
}

// small takes an integer from 0 to 9.
func (m *members) small(name string) int {
	number, ok := m.take(name).(json.Number)
	if !ok || len(number) != 1 || number[0] < '0' || number[0] > '9' {
		m.fail("%s is no small number", name)
		return 0
	}
	return int(number[0] - '0')
}

// list takes a list of at most so many values.
func (m *members) list(name string, most int) []any {
	list, ok := m.take(name).([]any)
	if !ok || len(list) > most {
		m.fail("%s is no list of at most %d", name, most)
		return nil
	}
	return list
}

// done is the first fault, also that something is left over.
func (m *members) done() error {
	for name := range m.left {
		m.fail("it has a member %q more", shown(name))
	}
	return m.err
}
