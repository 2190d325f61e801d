package sign

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"log/slog"

	"github.com/secure-systems-lab/go-securesystemslib/encrypted"

	"github.com/seif-dev/seifc/diag"
)

// PEM types of encrypted private keys: what cosign writes and what it wrote before.
const (
	sigstorePEM = "ENCRYPTED SIGSTORE PRIVATE KEY"
	cosignPEM   = "ENCRYPTED COSIGN PRIVATE KEY"
)

// PrivateKey is a private key in memory. However it is printed, it shows its public key only. The private part is behind a
// function, so that nothing that walks over values comes to it either.
type PrivateKey struct {
	signer func() crypto.Signer
	public PublicKey
}

// GenerateKey makes a new ECDSA key on P-256. It is the default because every client of Sigstore verifies it; with
// Ed25519 keys cosign signs prehashed and verifies pure, so that its own signatures fail.
func GenerateKey() (*PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making a key: %w", err)
	}
	return NewPrivateKey(key)
}

// NewPrivateKey takes a private key whose public key [NewPublicKey] takes, and makes sure that the two fit.
func NewPrivateKey(signer crypto.Signer) (*PrivateKey, error) {
	if signer == nil {
		return nil, keyFault(diag.CodeKeyAlgorithm, "why", "there is no key")
	}
	public, err := NewPublicKey(signer.Public())
	if err != nil {
		return nil, err
	}
	return &PrivateKey{signer: func() crypto.Signer { return signer }, public: public}, nil
}

// Public is the key that verifies what [PrivateKey.Sign] signs.
func (k *PrivateKey) Public() PublicKey { return k.public }

// Sign signs a message as [PublicKey.Verify] says.
func (k *PrivateKey) Sign(ctx context.Context, message []byte) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var options crypto.SignerOpts = crypto.Hash(0)
	if _, pure := k.public.key.(ed25519.PublicKey); !pure {
		hash := k.public.hashes()[0]
		options, message = hash, sum(hash, message)
	}
	signature, err := k.signer().Sign(rand.Reader, message, options)
	if err != nil {
		return nil, keyFault(diag.CodeSigningFailed, "why", "the key could not sign")
	}
	return signature, nil
}

// EncryptedPEM is the key as cosign writes it: PKCS #8 under a password, scrypt and secretbox, in a PEM block ENCRYPTED
// SIGSTORE PRIVATE KEY. An empty password is an empty password.
func (k *PrivateKey) EncryptedPEM(password []byte) ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(k.signer())
	if err != nil {
		return nil, keyFault(diag.CodeKeyAlgorithm, "why", "its private part cannot be written")
	}
	defer clear(der)
	sealed, err := encrypted.Encrypt(der, password)
	if err != nil {
		return nil, fmt.Errorf("encrypting a key: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: sigstorePEM, Bytes: sealed}), nil
}

// Format keeps every verb of package fmt from the private part.
func (k PrivateKey) Format(state fmt.State, _ rune) { fmt.Fprint(state, k.String()) }

// String names the key by its public part.
func (k PrivateKey) String() string { return "private key of " + k.public.String() }

// LogValue keeps the private part from logs.
func (k PrivateKey) LogValue() slog.Value { return slog.StringValue(k.String()) }

// MarshalText keeps the private part from documents.
func (k PrivateKey) MarshalText() ([]byte, error) { return []byte(k.String()), nil }
