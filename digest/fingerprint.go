package digest

import (
	"encoding/hex"

	"github.com/seif-dev/seifc/digest/canonical"
)

// Fingerprint is SHA-256 over the RFC 8785 form of a tool contract.
type Fingerprint [Size]byte

// FingerprintOf is the fingerprint of a contract's value. Which members the value has is for the caller to say. The
// error is a [*canonical.Error].
func FingerprintOf(contract canonical.Value) (Fingerprint, error) {
	return new(Hasher).FingerprintOf(contract)
}

// FingerprintOfForm is the fingerprint of a contract that is in its RFC 8785 form already, for the caller to make sure.
func FingerprintOfForm(form []byte) Fingerprint { return Fingerprint(Of(form)) }

// ParseFingerprint reads a fingerprint in the one notation. The error is a [*NotationError].
func ParseFingerprint(s string) (Fingerprint, error) {
	sum, err := parse(s, prefix)
	return Fingerprint(sum), err
}

// String is the one notation.
func (f Fingerprint) String() string { return notation(prefix, f) }

// Hex is the 64 digits without their prefix.
func (f Fingerprint) Hex() string { return hex.EncodeToString(f[:]) }

// IsZero tells a fingerprint that was never set.
func (f Fingerprint) IsZero() bool { return f == Fingerprint{} }

// MarshalText gives the one notation.
func (f Fingerprint) MarshalText() ([]byte, error) { return appendNotation(nil, prefix, f), nil }

// UnmarshalText reads the one notation. After an error the fingerprint is as it was.
func (f *Fingerprint) UnmarshalText(text []byte) error {
	read, err := ParseFingerprint(string(text))
	if err == nil {
		*f = read
	}
	return err
}
