package compiler

import (
	"fmt"
	"slices"

	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/document"
	"github.com/seif-dev/seifc/manifest"
)

// keeps gives the locked contract of a pin that stays although the catalogue has its contract no longer: another pin
// moves away from the same contract, and then the old one is kept among the revisions.
func (p *pinner) keeps(link *linker, entry manifest.Entry[manifest.Pin]) (manifest.LockedPin, bool) {
	pin := entry.Value
	locked, ok := lockedAs(link, entry.ID, pin.Fingerprint)
	candidates := p.table.contracts[pin.Contract]
	if !ok || len(candidates) == 0 || candidates[0].revision || hasFingerprint(candidates, locked.Fingerprint) {
		return manifest.LockedPin{}, false
	}
	moves := slices.ContainsFunc(p.in.project.Tools, func(other manifest.Entry[manifest.Pin]) bool {
		_, locked := lockedAs(link, other.ID, pin.Fingerprint)
		return locked && other.Value.Contract == pin.Contract && other.Value.Fingerprint == pin.Fingerprint && p.wants(other)
	})
	return locked, moves
}

// lockedAs gives what the lock holds of a tool if that is really the contract with the fingerprint.
func lockedAs(link *linker, tool, fingerprint string) (manifest.LockedPin, bool) {
	locked, ok := link.locked(tool)
	if !ok || locked.Fingerprint.String() != fingerprint {
		return manifest.LockedPin{}, false
	}
	return locked, digest.FingerprintOfForm(locked.Form) == locked.Fingerprint
}

func hasFingerprint(contracts []*contract, fingerprint digest.Fingerprint) bool {
	return slices.ContainsFunc(contracts, func(c *contract) bool { return c.fingerprinted && c.fingerprint == fingerprint })
}

// keepOld moves an old contract from the lock into the revisions of the catalogue that defined it, if a pin still
// names it and no revision has it.
func (p *pinner) keepOld(link *linker) error {
	type old struct{ contract, fingerprint string }
	kept := map[old]bool{}
	for i := range p.out.Pinned {
		moved := &p.out.Pinned[i]
		locked, ok := lockedAs(link, moved.Tool, moved.Old)
		if !ok || !p.stillNamed(moved.Contract, moved.Old) || hasFingerprint(p.table.contracts[moved.Contract], locked.Fingerprint) {
			continue
		}
		moved.Kept = true
		if kept[old{moved.Contract, moved.Old}] {
			continue // two pins moved away from it
		}
		kept[old{moved.Contract, moved.Old}] = true
		if err := p.addRevision(moved.Contract, locked.Contract()); err != nil {
			return fmt.Errorf("keeping the old contract of %s: %w", moved.Contract, err)
		}
	}
	return nil
}

// stillNamed tells whether a pin that did not move names the old contract.
func (p *pinner) stillNamed(contract, fingerprint string) bool {
	for _, entry := range p.in.project.Tools {
		if entry.Value.Contract == contract && entry.Value.Fingerprint == fingerprint && !p.moves(entry.ID) {
			return true
		}
	}
	return false
}

func (p *pinner) moves(tool string) bool {
	return slices.ContainsFunc(p.out.Pinned, func(m Pinned) bool { return m.Tool == tool })
}

func (p *pinner) addRevision(id string, value canonical.Value) error {
	current := p.table.contracts[id][0]
	members, _ := value.(map[string]any)
	revision := map[string]any{"status": "retired"}
	for name, member := range members {
		if name != "id" {
			revision[name] = member
		}
	}
	return p.edit(manifest.Origin{File: current.at.File}, func(f *document.File) (*document.File, error) {
		list := canonical.JoinPointer("/revisions", id)
		if f.At(list) != nil {
			return f.Insert(list+"/-", revision)
		}
		if f.At("/revisions") != nil {
			return f.Insert(list, []any{revision})
		}
		return f.Insert("/revisions", map[string]any{id: []any{revision}})
	})
}
