package sign

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// PublicKey is a public key that signatures can be verified with. The zero value verifies nothing. Two are the same
// key if and only if their IDs are equal.
type PublicKey struct {
	id        digest.Digest
	spki      string // the SubjectPublicKeyInfo, DER
	algorithm string
	key       crypto.PublicKey
}

// ParsePublicKey reads the PEM form: one block PUBLIC KEY (SubjectPublicKeyInfo, RFC 5280) or RSA PUBLIC KEY (RFC 8017)
// and nothing beside it but white space, at most [MaxKey] bytes. The error is a [*KeyError].
func ParsePublicKey(data []byte) (PublicKey, error) {
	block, err := onlyBlock(data)
	if err != nil {
		return PublicKey{}, err
	}
	var key crypto.PublicKey
	var failed error
	switch block.Type {
	case "PUBLIC KEY":
		key, failed = x509.ParsePKIXPublicKey(block.Bytes)
	case "RSA PUBLIC KEY":
		key, failed = x509.ParsePKCS1PublicKey(block.Bytes)
	default:
		if strings.HasSuffix(block.Type, "PRIVATE KEY") {
			return PublicKey{}, keyFault(diag.CodeKeyIsPrivate)
		}
		return PublicKey{}, keyFault(diag.CodeKeyFormat, "why", "its PEM type is not PUBLIC KEY")
	}
	if failed != nil {
		return PublicKey{}, keyFault(diag.CodeKeyFormat, "why", "the bytes within the PEM block are not a public key that is known here")
	}
	return NewPublicKey(key)
}

// NewPublicKey takes ECDSA keys on P-256, P-384 and P-521, Ed25519 keys, and RSA keys of 2048 to 8192 bits. Anything
// else is refused, as are points off their curve and Ed25519 points of small order, under which one signature fits
// every message. The error is a [*KeyError] of code key_algorithm.
func NewPublicKey(key crypto.PublicKey) (PublicKey, error) {
	algorithm, why := algorithmOf(key)
	if why != "" {
		return PublicKey{}, keyFault(diag.CodeKeyAlgorithm, "why", why)
	}
	spki, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return PublicKey{}, keyFault(diag.CodeKeyAlgorithm, "why", "it has no encoding")
	}
	return PublicKey{id: digest.Of(spki), spki: string(spki), algorithm: algorithm, key: key}, nil
}

// algorithmOf names the algorithm of a key, or says why the key is refused.
func algorithmOf(key crypto.PublicKey) (name, why string) {
	switch k := key.(type) {
	case *ecdsa.PublicKey:
		if k == nil || k.Curve == nil {
			return "", "there is no key"
		}
		name, known := curveNames(k.Curve)
		if !known {
			return "", "its curve is none of P-256, P-384 and P-521"
		}
		if _, err := k.ECDH(); err != nil {
			return "", "its point is not on its curve"
		}
		return name, ""
	case ed25519.PublicKey:
		switch {
		case len(k) != ed25519.PublicKeySize:
			return "", "an Ed25519 key has 32 bytes"
		case smallOrder(k):
			return "", "its Ed25519 point is of small order or not in its one encoding"
		}
		return "ed25519", ""
	case *rsa.PublicKey:
		if k == nil || k.N == nil {
			return "", "there is no key"
		}
		bits := k.N.BitLen()
		switch {
		case bits < minRSA || bits > maxRSA:
			return "", "it is an RSA key of " + strconv.Itoa(bits) + " bits; 2048 to 8192 are allowed"
		case k.E < 3 || k.E&1 == 0 || k.N.Bit(0) == 0:
			return "", "its RSA modulus or exponent is not sound"
		}
		return "rsa-" + strconv.Itoa(bits), ""
	default:
		return "", "it is none of ECDSA, Ed25519 and RSA"
	}
}

func curveNames(curve elliptic.Curve) (name string, known bool) {
	switch curve {
	case elliptic.P256():
		return "ecdsa-p256", true
	case elliptic.P384():
		return "ecdsa-p384", true
	case elliptic.P521():
		return "ecdsa-p521", true
	default:
		return "", false
	}
}

// ID is the SHA-256 digest of the SubjectPublicKeyInfo: what is counted where k of n have to sign.
func (k PublicKey) ID() digest.Digest { return k.id }

// Hint is the same hash in standard base64, as cosign writes it into bundles.
func (k PublicKey) Hint() string { return base64.StdEncoding.EncodeToString(k.id[:]) }

// PEM is the key as a PEM block PUBLIC KEY.
func (k PublicKey) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: []byte(k.spki)})
}

// Algorithm is ecdsa-p256, ecdsa-p384, ecdsa-p521, ed25519, or rsa- and the bits of the modulus.
func (k PublicKey) Algorithm() string { return k.algorithm }

// IsZero tells a key that was never set.
func (k PublicKey) IsZero() bool { return k.key == nil }

// String names the key: its algorithm and ID.
func (k PublicKey) String() string {
	if k.IsZero() {
		return "no key"
	}
	return k.algorithm + " " + k.id.String()
}

// onlyBlock is the one PEM block of a text. Parameters of a curve before a private key, which some tools write, are
// passed over: the key names its curve itself.
func onlyBlock(data []byte) (*pem.Block, error) {
	if len(data) > MaxKey {
		return nil, keyFault(diag.CodeKeyTooLarge, "limit", strconv.Itoa(MaxKey))
	}
	notOne := keyFault(diag.CodeKeyFormat, "why", "it is not exactly one PEM block")
	begin := []byte("-----BEGIN ")
	for rest := bytes.TrimSpace(data); ; {
		block, after := pem.Decode(rest)
		// The decoder passes over what it cannot decode; the block that it gives has to be the first.
		if block == nil || !bytes.HasPrefix(rest, []byte("-----BEGIN "+block.Type+"-----")) {
			return nil, notOne
		}
		after = bytes.TrimSpace(after)
		if bytes.Count(rest[:len(rest)-len(after)], begin) != 1 {
			return nil, notOne
		}
		if len(after) == 0 {
			return block, nil
		}
		if block.Type != "EC PARAMETERS" {
			return nil, notOne
		}
		rest = after
	}
}
