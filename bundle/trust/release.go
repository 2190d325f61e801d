package trust

import (
	"cmp"
	"slices"

	"github.com/seif-dev/seifc/bundle/sign"
)

// release is one release of the Build, by all who signed the same channel and sequence.
type release struct {
	channel  string
	sequence int64
	signers  map[string]bool
}

// group puts the release statements that count together by what they agree on, and takes the best: of those with
// enough signers one that is not below its floor, then the highest sequence, then the first channel of the policy. So
// one more signature never makes it worse.
func (v *verification) group() {
	if v.Policy == nil {
		return
	}
	type agreed struct {
		channel  string
		sequence int64
	}
	groups := map[agreed]*release{}
	for _, j := range v.judged {
		if j.release == nil {
			continue
		}
		key := agreed{j.release.Channel, j.release.Sequence}
		if groups[key] == nil {
			groups[key] = &release{channel: key.channel, sequence: key.sequence, signers: map[string]bool{}}
		}
		groups[key].signers[j.signer.id()] = true
	}
	need := max(1, v.threshold(sign.RoleRelease))
	var enough []*release
	for _, r := range groups {
		v.best = max(v.best, len(r.signers))
		if len(r.signers) >= need {
			enough = append(enough, r)
		}
	}
	if len(enough) > 0 {
		v.release = slices.MinFunc(enough, v.compareReleases)
	}
}

func (v *verification) compareReleases(a, b *release) int {
	below := func(r *release) int {
		if floor, ok := v.floorOf(r.channel); ok && r.sequence < floor {
			return 1
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(below(a), below(b)),
		cmp.Compare(b.sequence, a.sequence),
		cmp.Compare(slices.Index(v.Policy.channels, a.channel), slices.Index(v.Policy.channels, b.channel)),
		cmp.Compare(a.channel, b.channel),
	)
}

// floorOf is the lowest sequence that a channel accepts, if there is a floor for it.
func (v *verification) floorOf(channel string) (int64, bool) {
	floor, ok := v.Policy.floor[channel]
	if v.Floor != nil {
		floor, ok = max(floor, v.Floor.Sequence(channel)), true
	}
	return floor, ok
}

// threshold is how many signers the policy requires for a role, 0 if it does not.
func (v *verification) threshold(role sign.Role) int {
	for _, req := range v.Policy.require {
		if req.Role == role {
			return req.Threshold
		}
	}
	return 0
}

// counting is how many distinct signers count for a role; for the empty one, for anything.
func (v *verification) counting(role sign.Role) int {
	if role == sign.RoleRelease {
		return v.best
	}
	signers := map[string]bool{}
	for _, j := range v.judged {
		if j.Status == Passed && (role == "" || j.Role == string(role)) {
			signers[j.signer.id()] = true
		}
	}
	return len(signers)
}
