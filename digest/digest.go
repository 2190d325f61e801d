package digest

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/seif-dev/seifc/digest/canonical"
)

// Size is the length of each kind in bytes.
const Size = sha256.Size

// Digest is SHA-256 over bytes, or over the RFC 8785 form of a document of ours.
type Digest [Size]byte

// Of is the digest of bytes.
func Of(data []byte) Digest { return sha256.Sum256(data) }

// OfValue is the digest of the RFC 8785 form of a value. The error is a [*canonical.Error].
func OfValue(v canonical.Value) (Digest, error) { return new(Hasher).OfValue(v) }

// Hasher computes the digests of many values, one after the other, and keeps the room that their forms need. The zero
// value is ready. It is not safe for concurrent use.
type Hasher struct{ form []byte }

// OfValue is the digest of the RFC 8785 form of a value. The error is a [*canonical.Error].
func (h *Hasher) OfValue(v canonical.Value) (Digest, error) {
	form, err := canonical.Append(h.form[:0], v)
	if err != nil {
		return Digest{}, err
	}
	h.form = form
	return Of(form), nil
}

// FingerprintOf is the fingerprint of a contract's value; see [FingerprintOf].
func (h *Hasher) FingerprintOf(contract canonical.Value) (Fingerprint, error) {
	d, err := h.OfValue(contract)
	return Fingerprint(d), err
}

// Parse reads a digest in the one notation. The error is a [*NotationError].
func Parse(s string) (Digest, error) {
	sum, err := parse(s, prefix)
	return Digest(sum), err
}

// String is the one notation.
func (d Digest) String() string { return notation(prefix, d) }

// Hex is the 64 digits without their prefix, as file names of an OCI layout have them.
func (d Digest) Hex() string { return hex.EncodeToString(d[:]) }

// IsZero tells a digest that was never set.
func (d Digest) IsZero() bool { return d == Digest{} }

// MarshalText gives the one notation.
func (d Digest) MarshalText() ([]byte, error) { return appendNotation(nil, prefix, d), nil }

// UnmarshalText reads the one notation. After an error the digest is as it was.
func (d *Digest) UnmarshalText(text []byte) error {
	read, err := Parse(string(text))
	if err == nil {
		*d = read
	}
	return err
}
