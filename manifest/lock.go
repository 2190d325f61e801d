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
	// Contract is the contract's own id, which Value repeats.
	Contract string
	Value    canonical.Value
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
