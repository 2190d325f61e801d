package manifest

import (
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
	// Form is the contract in its RFC 8785 form, nil if what stands there has none.
	Form []byte
}

// Contract is the contract as a value, nil if there is none.
func (p LockedPin) Contract() canonical.Value {
	value, err := canonical.Parse(p.Form, canonical.Limits{})
	if err != nil {
		return nil
	}
	return value
}

// ContractID is the contract's own id.
func (p LockedPin) ContractID() string {
	members, _ := p.Contract().(map[string]any)
	id, _ := members["id"].(string)
	return id
}

// ReadLock reads a lock from its bytes. A lock as seifc writes it is read without the nodes that only places need.
func ReadLock(path string, source []byte) (*Lock, []diag.Diagnostic) {
	if lock := writtenLock(path, source); lock != nil {
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
		if form, err := canonical.Marshal(contract.Value()); err == nil {
			p.Form = form // else it is no contract with the stated fingerprint, which is reported with the others
		}
	} else {
		contract.Object()
	}
	o.Done()
	return p
}

// Encode gives the lock as it is written: its RFC 8785 form and a line end.
func (l *Lock) Encode() ([]byte, error) {
	pins := make(map[string]any, len(l.Pins))
	for _, entry := range l.Pins {
		pins[entry.ID] = map[string]any{
			"catalogue": entry.Value.Catalogue, "fingerprint": entry.Value.Fingerprint.String(), "contract": entry.Value.Contract(),
		}
	}
	form, err := canonical.Marshal(map[string]any{"schema": LockSchema, "pins": pins})
	return append(form, '\n'), err
}
