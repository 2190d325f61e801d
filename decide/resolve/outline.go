package resolve

import (
	"sync"

	"github.com/seif-dev/seifc/digest"
)

// outline is what a profile and an objective yield before anything is observed. Resolutions start from copies.
type outline struct {
	// offered are the includes that may be disclosed, sorted by tool.
	offered []include
	// withheld are the tools that are not offered, with the reason.
	withheld map[string]Reason
	entries  []entry

	mutex sync.Mutex
	// digests remembers tools digests by the set of disclosed tools, as most resolutions disclose the same.
	digests map[string]digest.Digest
}

type outlineKey struct{ profile, objective string }

// maxRememberedDigests bounds what an outline remembers.
const maxRememberedDigests = 256

func (p *Plan) outline(r *recipe, objective string) *outline {
	key := outlineKey{r.id, objective}
	if known, ok := p.outlines.Load(key); ok {
		return known.(*outline)
	}
	made := &outline{withheld: map[string]Reason{}, digests: map[string]digest.Digest{}}
	for id := range r.profile.Exclude {
		made.withheld[id] = Excluded
	}
	for _, i := range r.includes {
		if _, excluded := made.withheld[i.tool.id]; excluded {
			continue
		}
		if !stands(i.objectives, objective) {
			made.withheld[i.tool.id] = OffObjective
			continue
		}
		made.offered = append(made.offered, i)
	}
	for _, e := range r.entries {
		if stands(e.objectives, objective) {
			made.entries = append(made.entries, e)
		}
	}
	known, _ := p.outlines.LoadOrStore(key, made)
	return known.(*outline)
}

// toolsDigest is the digest over the offered tools that are disclosed.
func (o *outline) toolsDigest(disclosed []bool) digest.Digest {
	set := make([]byte, (len(disclosed)+7)/8)
	for i, yes := range disclosed {
		if yes {
			set[i/8] |= 1 << (i % 8)
		}
	}
	o.mutex.Lock()
	known, ok := o.digests[string(set)]
	o.mutex.Unlock()
	if ok {
		return known
	}
	texts := make([][]byte, 0, len(disclosed))
	for i, yes := range disclosed {
		if yes {
			texts = append(texts, o.offered[i].tool.text)
		}
	}
	made := toolsDigest(texts)
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if len(o.digests) < maxRememberedDigests {
		o.digests[string(set)] = made
	}
	return made
}
