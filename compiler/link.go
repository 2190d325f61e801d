package compiler

import (
	"fmt"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/manifest"
)

// linker finds the contract behind every pin.
type linker struct {
	in     *loaded
	table  *table
	report *[]diag.Diagnostic
}

// link finds, by Project tool id, the contract that each pin names. Every way to fail has its own code, and none
// of them leaves a tool behind.
func link(in *loaded, t *table, report *[]diag.Diagnostic) map[string]*contract {
	l := &linker{in: in, table: t, report: report}
	linked := map[string]*contract{}
	if in.project == nil {
		return linked
	}
	for _, entry := range in.project.Tools {
		if c := l.find(entry); c != nil {
			c.used = true
			linked[entry.ID] = c
		}
	}
	l.checkLock()
	return linked
}

func (l *linker) find(entry manifest.Entry[manifest.Pin]) *contract {
	pin := entry.Value
	candidates := l.table.contracts[pin.Contract]
	if pin.Fingerprint == "" {
		l.unpinned(entry, candidates)
		return nil
	}
	wanted, err := digest.ParseFingerprint(pin.Fingerprint)
	if err != nil {
		l.at(pin.FingerprintAt, diag.New(diag.CodePinMalformed, pin.FingerprintAt.Pointer, "id", pin.Contract, "pinned", pin.Fingerprint, "why", err.Error()))
		return nil
	}
	for _, c := range candidates {
		if c.fingerprinted && c.fingerprint == wanted {
			return l.checkStatus(entry, c)
		}
	}
	l.unresolved(entry, candidates, wanted)
	return nil
}

// unpinned reports a pin that is missing, or that there is nothing to pin.
func (l *linker) unpinned(entry manifest.Entry[manifest.Pin], candidates []*contract) {
	if len(candidates) == 0 {
		l.unresolved(entry, nil, digest.Fingerprint{})
		return
	}
	l.at(entry.Value.FingerprintAt, l.missingPin(entry, candidates))
}

func (l *linker) missingPin(entry manifest.Entry[manifest.Pin], candidates []*contract) diag.Problem {
	current := ""
	if len(candidates) > 0 {
		if !candidates[0].fingerprinted {
			return undecided(entry, candidates[0].at)
		}
		current = candidates[0].fingerprint.String()
	}
	return diag.New(diag.CodePinMissing, entry.Value.FingerprintAt.Pointer, "id", entry.ID, "remedy", pinRemedy(entry.ID, entry.Value.Long, current))
}

// pinRemedy is what to write for a pin that is missing.
func pinRemedy(id string, long bool, current string) string {
	switch {
	case current == "":
		return ""
	case long:
		return "fingerprint: " + current
	default:
		return id + ": " + current
	}
}

// unresolved reports a pin that fits nothing.
func (l *linker) unresolved(entry manifest.Entry[manifest.Pin], candidates []*contract, wanted digest.Fingerprint) {
	pin := entry.Value
	switch {
	case len(candidates) > 0 && !candidates[0].sound():
		// Its own findings say what is wrong with it; what it was pinned to is compared when it is mended.
	case len(candidates) > 0:
		l.at(pin.FingerprintAt, l.drifted(entry, candidates, wanted))
	case len(l.table.shared[pin.Contract]) > 0:
		l.at(entry.Origin, diag.New(diag.CodePinOfSharedSchema, entry.Pointer, "id", pin.Contract))
	case l.table.broken[pin.Contract] && l.undecided(pin.Contract):
		l.at(pin.FingerprintAt, undecided(entry, l.table.undecided[pin.Contract]))
	case l.table.broken[pin.Contract]:
		// The entry is there and its own findings say what is wrong with it.
	case l.in.incomplete:
		// It may be in the catalogue that could not be read.
	default:
		l.at(entry.Origin, l.unknown(entry))
	}
}

// sound tells whether a contract may be compared with a pin. One that nobody has decided about may: that is what the
// finding says.
func (c *contract) sound() bool { return !c.fingerprinted || !diag.Failed(c.Contract.Check()) }

// unknown tells a catalogue that is not listed any more from a name that never was.
func (l *linker) unknown(entry manifest.Entry[manifest.Pin]) diag.Problem {
	id := entry.Value.Contract
	if locked, ok := l.locked(entry.ID); ok && locked.ContractID() == id && !l.listed(locked.Catalogue) {
		return diag.New(diag.CodeCatalogueNotListed, entry.Pointer, "id", id, "catalogue", locked.Catalogue)
	}
	return diag.New(diag.CodeUnknownName, entry.Pointer, "id", id, "nearest", diag.Nearest(id, keys(l.table.contracts)))
}

// drifted reports a pin whose contract has changed: both fingerprints, and, if the lock has the pinned contract,
// what changed.
func (l *linker) drifted(entry manifest.Entry[manifest.Pin], candidates []*contract, wanted digest.Fingerprint) diag.Problem {
	pin, current := entry.Value, candidates[0]
	if !current.fingerprinted {
		return undecided(entry, current.at)
	}
	problem := diag.New(diag.CodeUnknownFingerprint, pin.FingerprintAt.Pointer,
		"id", pin.Contract, "tool", entry.ID, "pinned", wanted.String(), "current", current.fingerprint.String())
	problem.Notes = append(problem.Notes, definedHere(current.at))
	for _, line := range l.difference(entry.ID, wanted, current) {
		problem.Notes = append(problem.Notes, diag.Note{Kind: diag.NoteDetail, Data: diag.Data{"text": line}})
	}
	return problem
}

func (l *linker) undecided(id string) bool {
	_, ok := l.table.undecided[id]
	return ok
}

// undecided reports a tool whose contract nobody has decided about, with the place to do so.
func undecided(entry manifest.Entry[manifest.Pin], at manifest.Origin) diag.Problem {
	problem := diag.New(diag.CodeEffectUndecided, entry.Value.FingerprintAt.Pointer, "id", entry.Value.Contract, "tool", entry.ID)
	problem.Notes = append(problem.Notes, definedHere(at))
	return problem
}

// definedHere is a note about the place of an entry, which may be in another file than the finding.
func definedHere(at manifest.Origin) diag.Note {
	place := at.File.Locate(diag.Target{Pointer: at.Pointer, Part: diag.PartKey})
	return diag.Note{Kind: diag.NoteDefinedHere, Place: &place}
}

// difference says what changed between the pinned contract, as the lock holds it, and the current one.
func (l *linker) difference(tool string, wanted digest.Fingerprint, current *contract) []string {
	locked, ok := l.locked(tool)
	if !ok || locked.Form == nil || locked.Fingerprint != wanted {
		return []string{fmt.Sprintf("%s does not hold the pinned contract, so the difference cannot be shown", LockFile)}
	}
	return contractDifference(locked.Contract(), current.Value())
}

func (l *linker) checkStatus(entry manifest.Entry[manifest.Pin], c *contract) *contract {
	switch c.status {
	case "retired":
		l.at(entry.Value.FingerprintAt, diag.New(diag.CodePinOfRetired, entry.Value.FingerprintAt.Pointer, "id", c.ID))
	case "revoked":
		l.at(entry.Value.FingerprintAt, diag.New(diag.CodePinOfRevoked, entry.Value.FingerprintAt.Pointer, "id", c.ID))
		return nil
	}
	return c
}

// checkLock recomputes what the lock states. A lock never resolves anything, but one that lies about a contract
// would show a wrong difference.
func (l *linker) checkLock() {
	if l.in.lock == nil {
		return
	}
	for _, entry := range l.in.lock.Pins {
		stated, actual := entry.Value.Fingerprint, digest.FingerprintOfForm(entry.Value.Form)
		if actual != stated {
			l.at(entry.Origin, diag.New(diag.CodeLockMismatch, entry.Pointer+"/fingerprint",
				"id", entry.ID, "stated", stated.String(), "actual", actual.String()))
		}
	}
}

func (l *linker) locked(tool string) (manifest.LockedPin, bool) {
	if l.in.lock == nil {
		return manifest.LockedPin{}, false
	}
	for _, entry := range l.in.lock.Pins {
		if entry.ID == tool {
			return entry.Value, true
		}
	}
	return manifest.LockedPin{}, false
}

func (l *linker) listed(catalogue string) bool {
	for _, c := range l.in.catalogues {
		if c.Name == catalogue {
			return true
		}
	}
	return l.in.project.Name == catalogue
}

func (l *linker) at(origin manifest.Origin, problem diag.Problem) {
	*l.report = append(*l.report, diag.At(origin.File, problem)...)
}

// contractDifference lists what differs between two contracts, one line each.
func contractDifference(before, after canonical.Value) []string {
	var lines []string
	for _, d := range diag.Differences(before, after) {
		lines = append(lines, d.String())
	}
	return lines
}
