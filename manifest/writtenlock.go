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
	c := canonical.Cut(form)
	lock := &Lock{Origin: Origin{File: document.JSONFile(path, source)}}
	if !c.Take(`{"pins":{`) {
		return nil
	}
	for !c.Take(`},"schema":"` + LockSchema + `"}`) {
		if len(lock.Pins) > 0 && !c.Take(",") {
			return nil
		}
		id, pin, ok := cutPin(c)
		if !ok {
			return nil
		}
		lock.Pins = append(lock.Pins, Entry[LockedPin]{
			Origin: Origin{File: lock.File, Pointer: canonical.JoinPointer("/pins", id)}, ID: id, Value: pin,
		})
	}
	if !c.Done() {
		return nil
	}
	return lock
}

func cutPin(c *canonical.Cutter) (id string, pin LockedPin, ok bool) {
	if id, ok = c.Text(); !ok || !definition.IDForm.Fits(id) || !c.Take(`:{"catalogue":`) {
		return "", pin, false
	}
	if pin.Catalogue, ok = c.Text(); !ok || pin.Catalogue == "" || !c.Take(`,"contract":`) {
		return "", pin, false
	}
	if pin.Form = c.Value(); len(pin.Form) == 0 || pin.Form[0] != '{' || !c.Take(`,"fingerprint":`) {
		return "", pin, false
	}
	text, ok := c.Text()
	if !ok || !c.Take("}") {
		return "", pin, false
	}
	fingerprint, err := digest.ParseFingerprint(text)
	pin.Fingerprint = fingerprint
	return id, pin, err == nil
}
