package sign

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	_ "crypto/sha256" // the hashes that hashesOf names
	_ "crypto/sha512"

	"github.com/seif-dev/seifc/diag"
)

// Verify checks a signature over a message. ECDSA signatures are ASN.1 DER (RFC 3279) over SHA-256, with P-384 and P-521
// over the hash of the curve's own strength or, as older cosign wrote them, over SHA-256. Ed25519 is pure (RFC 8032
// section 5.1). RSA is PKCS #1 v1.5 over SHA-256 (RFC 8017 section 8.2). The error is a [*SignatureError]:
// signature_encoding for bytes that are no signature of this algorithm, signature_prehashed for Ed25519ph,
// signature_mismatch otherwise.
func (k PublicKey) Verify(message, signature []byte) error {
	switch key := k.key.(type) {
	case *ecdsa.PublicKey:
		if !ecdsaShape(signature) {
			return mismatch(diag.CodeSignatureEncoding, "algorithm", k.algorithm)
		}
		for _, hash := range k.hashes() {
			if ecdsa.VerifyASN1(key, sum(hash, message), signature) {
				return nil
			}
		}
	case ed25519.PublicKey:
		if len(signature) != ed25519.SignatureSize {
			return mismatch(diag.CodeSignatureEncoding, "algorithm", k.algorithm)
		}
		if ed25519.Verify(key, message, signature) {
			return nil
		}
		if prehashed(key, message, signature) {
			return mismatch(diag.CodeSignaturePrehashed)
		}
	case *rsa.PublicKey:
		if len(signature) != key.Size() {
			return mismatch(diag.CodeSignatureEncoding, "algorithm", k.algorithm)
		}
		if rsa.VerifyPKCS1v15(key, crypto.SHA256, sum(crypto.SHA256, message), signature) == nil {
			return nil
		}
	}
	return mismatch(diag.CodeSignatureMismatch, "key", k.String())
}

// hashes are those that ECDSA messages may be hashed with; the first is the one that we sign with.
func (k PublicKey) hashes() []crypto.Hash {
	switch k.algorithm {
	case "ecdsa-p384":
		return []crypto.Hash{crypto.SHA384, crypto.SHA256}
	case "ecdsa-p521":
		return []crypto.Hash{crypto.SHA512, crypto.SHA256}
	default:
		return []crypto.Hash{crypto.SHA256}
	}
}

func sum(hash crypto.Hash, message []byte) []byte {
	h := hash.New()
	h.Write(message)
	return h.Sum(nil)
}

// prehashed tells a signature that would verify as Ed25519ph.
func prehashed(key ed25519.PublicKey, message, signature []byte) bool {
	options := &ed25519.Options{Hash: crypto.SHA512}
	return ed25519.VerifyWithOptions(key, sum(crypto.SHA512, message), signature, options) == nil
}

// ecdsaShape tells whether bytes are the DER of a sequence of two positive integers in their shortest form, and
// nothing more.
func ecdsaShape(signature []byte) bool {
	body, rest, ok := derElement(signature, 0x30)
	if !ok || len(rest) > 0 {
		return false
	}
	for range 2 {
		var number []byte
		if number, body, ok = derElement(body, 0x02); !ok || !positive(number) {
			return false
		}
	}
	return len(body) == 0
}

// derElement takes one element of a tag and a definite, shortest length below 256.
func derElement(data []byte, tag byte) (content, rest []byte, ok bool) {
	if len(data) < 2 || data[0] != tag {
		return nil, nil, false
	}
	length, data := int(data[1]), data[2:]
	if length == 0x81 && len(data) > 0 && data[0] >= 0x80 {
		length, data = int(data[0]), data[1:]
	} else if length >= 0x80 {
		return nil, nil, false
	}
	if length > len(data) {
		return nil, nil, false
	}
	return data[:length], data[length:], true
}

func positive(number []byte) bool {
	switch {
	case len(number) == 0, number[0] >= 0x80:
		return false
	case number[0] == 0:
		return len(number) > 1 && number[1] >= 0x80
	default:
		return true
	}
}
