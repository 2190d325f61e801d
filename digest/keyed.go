package digest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"

	"github.com/seif-dev/seifc/digest/canonical"
)

// Keyed is HMAC-SHA256 under a key that stays with its owner, so that nobody else can try values against it. Its
// notation begins with "hmac-sha256:".
type Keyed [Size]byte

// What [Key] refuses.
var (
	ErrNoKey    = errors.New("the key of a keyed fingerprint is empty")
	ErrNoDomain = errors.New("the domain of a keyed fingerprint is empty")
)

// Key is the keyed fingerprint of parts within a domain: HMAC-SHA256 over the domain and then each part, each
// preceded by its length in bytes as a big-endian 64-bit number. So no two different lists of parts, in one domain
// or in two, give the same input. An empty key or domain is refused.
func Key(key []byte, domain string, parts ...[]byte) (Keyed, error) {
	if len(key) == 0 {
		return Keyed{}, ErrNoKey
	}
	if domain == "" {
		return Keyed{}, ErrNoDomain
	}
	mac := hmac.New(sha256.New, key)
	var length [8]byte
	write := func(part []byte) {
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
		mac.Write(length[:])
		mac.Write(part)
	}
	write([]byte(domain))
	for _, part := range parts {
		write(part)
	}
	var out Keyed
	mac.Sum(out[:0])
	return out, nil
}

// ArgumentDomain separates argument fingerprints from everything else under the same key.
const ArgumentDomain = "seif.argument-fingerprint.v1"

// ArgumentFingerprint is the keyed fingerprint of a call's arguments to the tool with that contract: [Key] in
// [ArgumentDomain] over the 32 bytes of the contract's fingerprint and the RFC 8785 form of the arguments. Two
// spellings of the same arguments have one fingerprint (R35), and no other arguments have it. The error is
// [ErrNoKey] or a [*canonical.Error].
func ArgumentFingerprint(key []byte, tool Fingerprint, arguments canonical.Value) (Keyed, error) {
	if len(key) == 0 {
		return Keyed{}, ErrNoKey
	}
	form, err := canonical.Marshal(arguments)
	if err != nil {
		return Keyed{}, err
	}
	return Key(key, ArgumentDomain, tool[:], form)
}

// ParseKeyed reads a keyed fingerprint in its notation. The error is a [*NotationError].
func ParseKeyed(s string) (Keyed, error) {
	sum, err := parse(s, keyedPrefix)
	return Keyed(sum), err
}

// Equal compares in constant time. It is the way to check a keyed fingerprint that someone presents.
func (k Keyed) Equal(other Keyed) bool { return hmac.Equal(k[:], other[:]) }

// String is the notation of keyed fingerprints.
func (k Keyed) String() string { return notation(keyedPrefix, k) }

// Hex is the 64 digits without their prefix.
func (k Keyed) Hex() string { return hex.EncodeToString(k[:]) }

// IsZero tells a keyed fingerprint that was never set.
func (k Keyed) IsZero() bool { return k == Keyed{} }

// MarshalText gives the notation of keyed fingerprints.
func (k Keyed) MarshalText() ([]byte, error) { return appendNotation(nil, keyedPrefix, k), nil }

// UnmarshalText reads the notation of keyed fingerprints. After an error the fingerprint is as it was.
func (k *Keyed) UnmarshalText(text []byte) error {
	read, err := ParseKeyed(string(text))
	if err == nil {
		*k = read
	}
	return err
}
