package sign

import (
	"bytes"

	"github.com/seif-dev/seifc/diag"
)

// MediaType is that of the Sigstore bundles that are read and written.
const MediaType = "application/vnd.dev.sigstore.bundle.v0.3+json"

// Bundle is a decoded Sigstore bundle: one statement and one signature. It never changes. That it was decoded says
// nothing about its signature.
type Bundle struct {
	raw       []byte
	payload   []byte
	statement Statement
	signature []byte
	keyID     string
	material  material
}

// Statement is what was signed. What it holds must not be changed.
func (b *Bundle) Statement() Statement { return b.statement }

// Payload is the bytes of the statement.
func (b *Bundle) Payload() []byte { return bytes.Clone(b.payload) }

// Signature is the bytes of the signature.
func (b *Bundle) Signature() []byte { return bytes.Clone(b.signature) }

// Hint is what the bundle says about the key that signed it. Anybody can write anything here; it decides nothing.
func (b *Bundle) Hint() string { return b.material.hint }

// KeyID is what the envelope says about the key. It can make [Bundle.Verify] refuse a key and never choose one.
func (b *Bundle) KeyID() string { return b.keyID }

// Certificate is the DER of the certificate that the bundle was signed with, nil when it was signed with a key. It is
// not judged here.
func (b *Bundle) Certificate() []byte { return bytes.Clone(b.material.certificate) }

// LogEntries counts the transparency log entries, none of which is judged here.
func (b *Bundle) LogEntries() int { return b.material.logEntries }

// Timestamps are the RFC 3161 timestamps, none of which is judged here.
func (b *Bundle) Timestamps() [][]byte {
	out := make([][]byte, len(b.material.timestamps))
	for i, t := range b.material.timestamps {
		out[i] = bytes.Clone(t)
	}
	return out
}

// Raw is the bundle as it was read.
func (b *Bundle) Raw() []byte { return bytes.Clone(b.raw) }

// Verify checks the signature over the statement with one key. A bundle that was signed with a certificate is refused:
// no key speaks for an identity. So is one that names another key than k in its envelope. The error is a
// [*SignatureError].
func (b *Bundle) Verify(k PublicKey) error {
	if b.material.certificate != nil {
		return mismatch(diag.CodeSignatureByIdentity)
	}
	if b.keyID != "" && b.keyID != k.ID().String() && b.keyID != k.Hint() {
		return mismatch(diag.CodeSignatureKeyID, "found", shown(b.keyID), "key", k.String())
	}
	return k.Verify(Preauthenticated(b.payload), b.signature)
}
