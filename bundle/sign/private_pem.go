package sign

import (
	"context"
	"crypto"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"strings"

	"github.com/secure-systems-lab/go-securesystemslib/encrypted"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// PasswordFunc gives the password of an encrypted key. It is asked once, and only when a key is encrypted.
type PasswordFunc func(ctx context.Context) ([]byte, error)

// ParsePrivateKey reads one PEM block of at most [MaxKey] bytes: cosign's encrypted form (ENCRYPTED SIGSTORE PRIVATE KEY,
// or ENCRYPTED COSIGN PRIVATE KEY as older versions wrote it), PKCS #8 (PRIVATE KEY), SEC 1 (EC PRIVATE KEY), PKCS #1
// (RSA PRIVATE KEY). The error is a [*KeyError], or that of password.
func ParsePrivateKey(ctx context.Context, data []byte, password PasswordFunc) (*PrivateKey, error) {
	block, err := onlyBlock(data)
	if err != nil {
		return nil, err
	}
	defer clear(block.Bytes)
	switch block.Type {
	case sigstorePEM, cosignPEM:
		der, err := decrypt(ctx, block.Bytes, password)
		if err != nil {
			return nil, err
		}
		defer clear(der)
		return privateKey(parsePKCS8, der)
	case "PRIVATE KEY":
		return plainKey(block, parsePKCS8)
	case "EC PRIVATE KEY":
		return plainKey(block, func(der []byte) (any, error) { return x509.ParseECPrivateKey(der) })
	case "RSA PRIVATE KEY":
		return plainKey(block, func(der []byte) (any, error) { return x509.ParsePKCS1PrivateKey(der) })
	case "ENCRYPTED PRIVATE KEY":
		return nil, keyFault(diag.CodeKeyEncryption)
	default:
		if strings.HasSuffix(block.Type, "PUBLIC KEY") {
			return nil, keyFault(diag.CodeKeyIsPublic)
		}
		return nil, keyFault(diag.CodeKeyFormat, "why", "its PEM type is not that of a private key")
	}
}

func parsePKCS8(der []byte) (any, error) { return x509.ParsePKCS8PrivateKey(der) }

func plainKey(block *pem.Block, parse func([]byte) (any, error)) (*PrivateKey, error) {
	if len(block.Headers) > 0 {
		return nil, keyFault(diag.CodeKeyEncryption)
	}
	return privateKey(parse, block.Bytes)
}

// privateKey gives nothing of the parser's error: it may quote what it read.
func privateKey(parse func([]byte) (any, error), der []byte) (*PrivateKey, error) {
	key, err := parse(der)
	if err != nil {
		return nil, keyFault(diag.CodeKeyFormat, "why", "the bytes within the PEM block are not a private key that is known here")
	}
	signer, ok := key.(crypto.Signer)
	if !ok {
		return nil, keyFault(diag.CodeKeyAlgorithm, "why", "it is not a key for signing")
	}
	return NewPrivateKey(signer)
}

// decrypt opens the encrypted form. Its document is read strictly before a password is asked for, so that what then
// fails is the password, or a byte of the box.
func decrypt(ctx context.Context, sealed []byte, password PasswordFunc) ([]byte, error) {
	if !isSealed(sealed) {
		return nil, keyFault(diag.CodeKeyFormat, "why", "the encrypted form within the PEM block is not the one that cosign writes")
	}
	if password == nil {
		return nil, keyFault(diag.CodeKeyPasswordMissing)
	}
	secret, err := password(ctx)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	der, err := encrypted.Decrypt(sealed, secret)
	if err != nil {
		return nil, keyFault(diag.CodeKeyPasswordWrong)
	}
	return der, nil
}

// isSealed tells the encrypted form: scrypt with parameters that are known to be bounded, and a secretbox.
func isSealed(data []byte) bool {
	value, err := canonical.Parse(data, canonical.Limits{Bytes: MaxKey, Depth: 4, Values: 20})
	if err != nil {
		return false
	}
	r := &reader{}
	root := r.object("", value, []string{"cipher", "ciphertext", "kdf"}, nil)
	kdf := r.object("", root["kdf"], []string{"name", "params", "salt"}, nil)
	params := r.object("", kdf["params"], []string{"N", "p", "r"}, nil)
	cipher := r.object("", root["cipher"], []string{"name", "nonce"}, nil)
	r.fixed("", kdf, "name", "scrypt")
	r.fixed("", cipher, "name", "nacl/secretbox")
	salt, nonce, box := r.bytes("", kdf, "salt"), r.bytes("", cipher, "nonce"), r.bytes("", root, "ciphertext")
	known := params["r"] == json.Number("8") && params["p"] == json.Number("1")
	switch params["N"] {
	case json.Number("32768"), json.Number("65536"), json.Number("131072"):
	default:
		known = false
	}
	return known && len(r.problems) == 0 && len(salt) >= 16 && len(nonce) == 24 && len(box) > 16
}
