package manifest

import (
	"bytes"
	"maps"
	"slices"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/document"
)

// Lock is `seif.lock`: the canonical contract behind every pin, to show what changed when a pin no longer fits.
// It never resolves anything.
type Lock struct {
	Origin
	Pins []Entry[LockedPin]
}

// LockedPin is what the lock holds of one pin.
type LockedPin struct {
	// Catalogue is the name of the catalogue, or of the Project, that defined the contract.
	Catalogue   string
	Fingerprint digest.Fingerprint
	// Contract is the contract's own id, which Value repeats.
	Contract string
	Value    canonical.Value
}

// ReadLock reads a lock from its bytes. A lock as seifc writes it is read without the nodes that only places need.
func ReadLock(path string, source []byte) (*Lock, []diag.Diagnostic) {
	if lock := quickLock(path, source); lock != nil {
		return lock, nil
	}
	// The lock is JSON whatever its name ends in.
	file, found := document.ParseJSON(path, source)
	if file.Root == nil || diag.HasErrors(found) {
		return nil, found
	}
	lock, more := DecodeLock(file)
	return lock, append(found, more...)
}

// quickLock reads a lock in its canonical form, nil for anything else.
func quickLock(path string, source []byte) *Lock {
	form := bytes.TrimSuffix(source, []byte("\n"))
	value, err := canonical.Parse(form, canonical.Limits{Depth: document.MaxDepth})
	if err != nil {
		return nil
	}
	lock := lockOf(value, document.JSONFile(path, source))
	if lock == nil {
		return nil
	}
	// Only what writing the lock again gives is taken, so that nothing in it can be left unread.
	again, err := canonical.Marshal(lock.Value())
	if err != nil || !bytes.Equal(again, form) {
		return nil
	}
	return lock
}

func lockOf(value canonical.Value, file *document.File) *Lock {
	root, _ := value.(map[string]any)
	pins, ok := root["pins"].(map[string]any)
	if !ok || root["schema"] != LockSchema {
		return nil
	}
	lock := &Lock{Origin: Origin{File: file}}
	for _, id := range slices.Sorted(maps.Keys(pins)) {
		members, _ := pins[id].(map[string]any)
		text, _ := members["fingerprint"].(string)
		catalogue, _ := members["catalogue"].(string)
		contract, ok := members["contract"].(map[string]any)
		fingerprint, err := digest.ParseFingerprint(text)
		if err != nil || !ok || catalogue == "" || !definition.IDForm.Fits(id) {
			return nil
		}
		name, _ := contract["id"].(string)
		lock.Pins = append(lock.Pins, Entry[LockedPin]{
			Origin: Origin{File: file, Pointer: canonical.JoinPointer("/pins", id)}, ID: id,
			Value: LockedPin{Catalogue: catalogue, Fingerprint: fingerprint, Contract: name, Value: contract},
		})
	}
	return lock
}

// DecodeLock reads a lock, which is JSON that seifc wrote. The result is nil when the file is no lock at all.
func DecodeLock(file *document.File) (*Lock, []diag.Diagnostic) {
	return read(file, LockSchema, func(r *reader, o *document.Object, at Origin) *Lock {
		return &Lock{Origin: at, Pins: entries(r, o.Required("pins"), "tool", r.lockedPin)}
	})
}

func (r *reader) lockedPin(f document.Field) LockedPin {
	o := f.Object()
	p := LockedPin{Catalogue: r.text(o.Required("catalogue")).Value}
	fingerprint := o.Required("fingerprint")
	if text := fingerprint.String(); text != "" {
		parsed, err := digest.ParseFingerprint(text)
		if err != nil {
			fingerprint.Problem(diag.CodePinMalformed, "pinned", text, "why", err.Error())
		}
		p.Fingerprint = parsed
	}
	contract := o.Required("contract")
	if contract.Present() && contract.Node.Kind == document.Mapping {
		p.Value = contract.Value()
		if id := contract.Node.Member("id"); id != nil {
			p.Contract = id.Text
		}
	} else {
		contract.Object()
	}
	o.Done()
	return p
}

// Value is the lock as a canonical value, in the form in which it is written.
func (l *Lock) Value() canonical.Value {
	pins := make(map[string]any, len(l.Pins))
	for _, entry := range l.Pins {
		pins[entry.ID] = map[string]any{
			"catalogue": entry.Value.Catalogue, "fingerprint": entry.Value.Fingerprint.String(), "contract": entry.Value.Value,
		}
	}
	return map[string]any{"schema": LockSchema, "pins": pins}
}
