package server

import (
	"cmp"
	"slices"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/bundle/trust"
)

// What is said of the signature of a Build that is served.
const (
	// Verified: the trust policy of the Bindings is satisfied.
	Verified = "VERIFIED"
	// Unsigned: nobody vouches for the Build, and Bindings and command line both said that this is allowed.
	Unsigned = "UNSIGNED"
)

// Trust says who vouches for what is served. Without a verified signature there is nothing but [Unsigned] in it.
type Trust struct {
	Signature string `json:"signature"`
	// Channel and Sequence are those of the release.
	Channel  string `json:"channel,omitempty"`
	Sequence int64  `json:"sequence,omitempty"`
	// Signers are those whose signatures count, by name.
	Signers []Signer `json:"signers,omitempty"`
}

// Signer is a key or an identity of the trust policy.
type Signer struct {
	// Name is the policy's.
	Name string `json:"name"`
	// Key is the digest of the public key, or subject and issuer of the identity.
	Key string `json:"key"`
	// Roles are what was signed and counts, sorted.
	Roles []string `json:"roles"`
}

func trustOf(r trust.Report) Trust {
	if r.Verdict != trust.Verified {
		return Trust{Signature: Unsigned}
	}
	return Trust{Signature: Verified, Channel: r.Release.Channel, Sequence: r.Release.Sequence, Signers: signers(r)}
}

// signers gathers whose signatures count. Who signed another release than the one that counts did not sign this one.
func signers(r trust.Report) []Signer {
	var out []Signer
	for _, s := range r.Signatures {
		if s.Status != trust.Passed || s.Role == "" || s.Role == string(sign.RoleRelease) && s.Release != r.Release {
			continue
		}
		at := slices.IndexFunc(out, func(known Signer) bool { return known.Name == s.Signer })
		if at < 0 {
			at = len(out)
			out = append(out, Signer{Name: s.Signer, Key: s.Key})
		}
		if !slices.Contains(out[at].Roles, s.Role) {
			out[at].Roles = append(out[at].Roles, s.Role)
		}
	}
	for _, s := range out {
		slices.Sort(s.Roles)
	}
	slices.SortFunc(out, func(a, b Signer) int { return cmp.Compare(a.Name, b.Name) })
	return out
}
