package trust

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/digest"
)

// SchemaName is the value of the document's `schema` member.
const SchemaName = "seif.trust-policy.v1"

// Bounds of a trust policy.
const (
	// MaxBytes bounds the file, and each file that it names.
	MaxBytes = 1 << 20
	// MaxSigners bounds the keys, and the identities: a signature may be held against every one of them.
	MaxSigners = 64
	// MaxListed bounds every other list of a policy.
	MaxListed = 10_000
)

// Policy says who may sign for one Project and what has to be signed. It never changes, and it is never read from a
// Build.
type Policy struct {
	project    string
	channels   []string
	signers    []signer // keys and then identities, each sorted by name
	require    []Requirement
	builds     map[digest.Digest]string      // why a Build is revoked
	contracts  map[digest.Fingerprint]string // why a contract is revoked
	floor      map[string]int64
	floorState string // path; empty if the floor stands in the policy or there is none
	integrity  bool   // of [ForKey]: any statement of the one key is enough
}

// Requirement is a role with the number of distinct signers that it needs.
type Requirement struct {
	Role      sign.Role
	Threshold int
}

// signer is a key or an identity with what the policy says of it.
type signer struct {
	name  string
	key   sign.PublicKey // of a key
	roles []sign.Role    // sorted
	window
	signed  map[digest.Digest]bool // Builds that a key past its window verifies
	revoked *revocation

	identity *identity // nil for a key
}

// identity is whom a certificate has to name, and what vouches for the certificate.
type identity struct {
	issuer, subject string
	trustedRoot     []byte
}

// revocation says that no signature of a signer counts, whenever it was made.
type revocation struct{ reason, date string }

// window is when a signer counts; a zero end is open. Both ends belong to it.
type window struct{ from, until time.Time }

func (w window) early(t time.Time) bool { return !w.from.IsZero() && t.Before(w.from) }
func (w window) late(t time.Time) bool  { return !w.until.IsZero() && t.After(w.until) }

// id is what is counted for k of n: the key itself or the identity itself, whatever its name.
func (s signer) id() string {
	if s.identity != nil {
		return "identity " + s.identity.issuer + " " + s.identity.subject
	}
	return s.key.ID().String()
}

func (s signer) holds(role sign.Role) bool { return slices.Contains(s.roles, role) }

// requirable are the roles of statements about a Build, which a policy can require.
func requirable(role sign.Role) bool { return role != sign.RoleGuardReview }

// ForKey is the policy of `verify --key`: a Build is verified if that key signed it, with whatever statement that is
// true of it, one that cosign made included. Project, channel, roles, windows and floor are not looked at, and the
// report says so.
func ForKey(key sign.PublicKey) *Policy {
	return &Policy{integrity: true, signers: []signer{{name: key.ID().String(), key: key}}}
}

// Project is the Project that the policy speaks for; empty for [ForKey].
func (p *Policy) Project() string { return p.project }

// Channels are the channels that releases may be for, in authored order.
func (p *Policy) Channels() []string { return slices.Clone(p.channels) }

// Require is what has to be signed, in authored order; at least one unless the policy is [ForKey].
func (p *Policy) Require() []Requirement { return slices.Clone(p.require) }

// FloorState is the path of the state file that holds the release floor; empty if there is none. A relative one is
// relative to the folder of the policy. The caller opens it ([OpenFloorState]) and gives it to [Verify].
func (p *Policy) FloorState() string { return p.floorState }

// beside is where a path of the policy leads.
func beside(policy, path string) string {
	if path == "" || filepath.IsAbs(filepath.FromSlash(path)) || strings.HasPrefix(path, "/") {
		return filepath.FromSlash(path)
	}
	return filepath.Join(filepath.Dir(policy), filepath.FromSlash(path))
}

// knownRuntimes are the names of contracts, in the order given; all for none.
func knownRuntimes(known []definition.Version) []string {
	if known == nil {
		known = []definition.Version{definition.V1, definition.V2}
	}
	names := make([]string, len(known))
	for i, v := range known {
		names[i] = v.Runtime()
	}
	return names
}
