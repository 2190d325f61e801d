// Package digest is the names of content: digests, fingerprints and keyed fingerprints, each a type of its own.
//
// It guarantees one notation everywhere, `sha256:` and 64 lowercase hex digits, and that nothing else is read: a
// name is compared whole or not at all. The types cannot be mixed up: a digest of bytes never equals the
// fingerprint of a contract, and a keyed fingerprint equals neither.
package digest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/seif-dev/seifc/digest/canonical"
)

// Size is the length of each kind in bytes.
const Size = sha256.Size

// Digest is SHA-256 over bytes, or over the canonical form of a document of ours.
type Digest [Size]byte

// Fingerprint is SHA-256 over the canonical form of a tool contract.
type Fingerprint [Size]byte

// Keyed is HMAC-SHA256 under a key that stays with its owner, so that nobody else can try values against it.
type Keyed [Size]byte

const (
	prefix      = "sha256:"
	keyedPrefix = "hmac-sha256:"
)

// What is wrong with a text that is not a digest.
var (
	ErrPrefix    = errors.New("it does not begin with sha256:")
	ErrLength    = errors.New("it does not have 64 hex digits")
	ErrUpperCase = errors.New("its hex digits are not all lower case")
	ErrCharacter = errors.New("it has a character that is no hex digit")
)

// Of is the digest of bytes.
func Of(data []byte) Digest { return sha256.Sum256(data) }

// OfValue is the digest of the canonical form of a value.
func OfValue(v canonical.Value) (Digest, error) {
	form, err := canonical.Marshal(v)
	if err != nil {
		return Digest{}, fmt.Errorf("writing the canonical form: %w", err)
	}
	return Of(form), nil
}

// FingerprintOf is the fingerprint of a contract's value.
func FingerprintOf(contract canonical.Value) (Fingerprint, error) {
	d, err := OfValue(contract)
	return Fingerprint(d), err
}

// Parse reads a digest in the one notation.
func Parse(s string) (Digest, error) {
	raw, err := parse(s, prefix)
	return Digest(raw), err
}

// ParseFingerprint reads a fingerprint in the one notation.
func ParseFingerprint(s string) (Fingerprint, error) {
	raw, err := parse(s, prefix)
	return Fingerprint(raw), err
}

// ParseKeyed reads a keyed fingerprint, whose notation begins with hmac-sha256.
func ParseKeyed(s string) (Keyed, error) {
	raw, err := parse(s, keyedPrefix)
	return Keyed(raw), err
}

func parse(s, want string) ([Size]byte, error) {
	var out [Size]byte
	if len(s) < len(want) || s[:len(want)] != want {
		return out, ErrPrefix
	}
	digits := s[len(want):]
	for i := range len(digits) {
		switch c := digits[i]; {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'f':
		case c >= 'A' && c <= 'F':
			return out, ErrUpperCase
		default:
			return out, ErrCharacter
		}
	}
	if len(digits) != 2*Size {
		return out, ErrLength
	}
	if _, err := hex.Decode(out[:], []byte(digits)); err != nil {
		return [Size]byte{}, ErrCharacter
	}
	return out, nil
}

// String is the one notation.
func (d Digest) String() string { return prefix + hex.EncodeToString(d[:]) }

// Hex is the 64 digits without their prefix, as file names of an OCI layout have them.
func (d Digest) Hex() string { return hex.EncodeToString(d[:]) }

// IsZero tells a digest that was never set.
func (d Digest) IsZero() bool { return d == Digest{} }

// MarshalText gives the one notation.
func (d Digest) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads the one notation.
func (d *Digest) UnmarshalText(text []byte) (err error) {
	*d, err = Parse(string(text))
	return err
}

// String is the one notation.
func (f Fingerprint) String() string { return prefix + hex.EncodeToString(f[:]) }

// Hex is the 64 digits without their prefix.
func (f Fingerprint) Hex() string { return hex.EncodeToString(f[:]) }

// IsZero tells a fingerprint that was never set.
func (f Fingerprint) IsZero() bool { return f == Fingerprint{} }

// MarshalText gives the one notation.
func (f Fingerprint) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads the one notation.
func (f *Fingerprint) UnmarshalText(text []byte) (err error) {
	*f, err = ParseFingerprint(string(text))
	return err
}

// String is the notation of keyed fingerprints.
func (k Keyed) String() string { return keyedPrefix + hex.EncodeToString(k[:]) }

// Hex is the 64 digits without their prefix.
func (k Keyed) Hex() string { return hex.EncodeToString(k[:]) }

// IsZero tells a keyed fingerprint that was never set.
func (k Keyed) IsZero() bool { return k == Keyed{} }

// MarshalText gives the notation of keyed fingerprints.
func (k Keyed) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the notation of keyed fingerprints.
func (k *Keyed) UnmarshalText(text []byte) (err error) {
	*k, err = ParseKeyed(string(text))
	return err
}

// ErrNoKey refuses to key with nothing.
var ErrNoKey = errors.New("the key of keyed fingerprints is empty")

// Key is the keyed fingerprint of parts within a domain. Domain and parts are written with their lengths, so that
// no two lists of parts give the same input.
func Key(key []byte, domain string, parts ...[]byte) (Keyed, error) {
	if len(key) == 0 {
		return Keyed{}, ErrNoKey
	}
	mac := hmac.New(sha256.New, key)
	write := func(part []byte) {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
		mac.Write(length[:])
		mac.Write(part)
	}
	write([]byte(domain))
	for _, part := range parts {
		write(part)
	}
	return Keyed(mac.Sum(nil)), nil
}

// argumentDomain separates argument fingerprints from everything else under the same key.
const argumentDomain = "seif.argument-fingerprint.v1"

// ArgumentFingerprint is the keyed fingerprint of a call's arguments to one tool contract.
func ArgumentFingerprint(key []byte, tool Fingerprint, arguments canonical.Value) (Keyed, error) {
	form, err := canonical.Marshal(arguments)
	if err != nil {
		return Keyed{}, fmt.Errorf("writing the canonical form of the arguments: %w", err)
	}
	return Key(key, argumentDomain, tool[:], form)
}
