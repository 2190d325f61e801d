package manifest

import (
	"bytes"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/document"
)

// The lock is as large as all other documents together, it is written by seifc, and hardly ever is more of it needed
// than that its contracts are what they are said to be. So one that stands as it was written is not made into values:
// the scan for canonical form has settled its grammar, and its parts are cut out.

// writtenLock reads a lock that stands as [Lock.Encode] writes it, nil for anything else.
func writtenLock(path string, source []byte) *Lock {
	form := bytes.TrimSuffix(source, []byte("\n"))
	if canonical.IsCanonical(form, canonical.Limits{Depth: document.MaxDepth}) != nil {
		return nil
	}
	c := cutter{rest: form}
	lock := &Lock{Origin: Origin{File: document.JSONFile(path, source)}}
	if !c.take(`{"pins":{`) {
		return nil
	}
	for !c.take(`},"schema":"` + LockSchema + `"}`) {
		if len(lock.Pins) > 0 && !c.take(",") {
			return nil
		}
		id, pin, ok := c.pin()
		if !ok {
			return nil
		}
		lock.Pins = append(lock.Pins, Entry[LockedPin]{
			Origin: Origin{File: lock.File, Pointer: canonical.JoinPointer("/pins", id)}, ID: id, Value: pin,
		})
	}
	if len(c.rest) > 0 {
		return nil
	}
	return lock
}

// cutter takes apart a text that is in canonical form.
type cutter struct{ rest []byte }

// take moves over a text if it comes next.
func (c *cutter) take(text string) bool {
	rest, ok := bytes.CutPrefix(c.rest, []byte(text))
	c.rest = rest
	return ok
}

func (c *cutter) pin() (id string, pin LockedPin, ok bool) {
	if id, ok = c.text(); !ok || !definition.IDForm.Fits(id) || !c.take(`:{"catalogue":`) {
		return "", pin, false
	}
	if pin.Catalogue, ok = c.text(); !ok || pin.Catalogue == "" || !c.take(`,"contract":`) {
		return "", pin, false
	}
	if pin.Form, ok = c.object(); !ok || !c.take(`,"fingerprint":`) {
		return "", pin, false
	}
	text, ok := c.text()
	if !ok || !c.take("}") {
		return "", pin, false
	}
	fingerprint, err := digest.ParseFingerprint(text)
	pin.Fingerprint = fingerprint
	return id, pin, err == nil
}

// text takes a string without escapes.
func (c *cutter) text() (string, bool) {
	if !c.take(`"`) {
		return "", false
	}
	end := bytes.IndexAny(c.rest, `"\`)
	if end < 0 || c.rest[end] == '\\' {
		return "", false
	}
	text := string(c.rest[:end])
	c.rest = c.rest[end+1:]
	return text, true
}

// object takes an object.
func (c *cutter) object() ([]byte, bool) {
	depth, quoted := 0, false
	for i := 0; i < len(c.rest); i++ {
		switch b := c.rest[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '{':
			depth++
		case b == '}':
			depth--
		}
		if depth == 0 {
			if i == 0 {
				return nil, false // no object
			}
			object := c.rest[: i+1 : i+1]
			c.rest = c.rest[i+1:]
			return object, true
		}
	}
	return nil, false
}
