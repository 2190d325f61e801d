package manifest

import (
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
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
