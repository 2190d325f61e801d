package sign_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"github.com/secure-systems-lab/go-securesystemslib/encrypted"
	"github.com/sigstore/sigstore/pkg/cryptoutils"
	"github.com/sigstore/sigstore/pkg/signature"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/diag"
)

// otherKeys are one of each algorithm but P-256.
func otherKeys(tb testing.TB) []*sign.PrivateKey {
	tb.Helper()
	var keys []*sign.PrivateKey
	for _, signer := range otherSigners(tb) {
		key, err := sign.NewPrivateKey(signer)
		if err != nil {
			tb.Fatal(err)
		}
		keys = append(keys, key)
	}
	return keys
}

func otherSigners(tb testing.TB) []crypto.Signer {
	tb.Helper()
	p384, err384 := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	p521, err521 := ecdsa.GenerateKey(elliptic.P521(), rand.Reader)
	_, edwards, errEdwards := ed25519.GenerateKey(rand.Reader)
	rsaKey, errRSA := rsa.GenerateKey(rand.Reader, 2048)
	if err := errors.Join(err384, err521, errEdwards, errRSA); err != nil {
		tb.Fatal(err)
	}
	return []crypto.Signer{p384, p521, edwards, rsaKey}
}

func TestGeneratedKeys(t *testing.T) {
	key := newKey(t)
	public := key.Public()
	if public.Algorithm() != "ecdsa-p256" {
		t.Errorf("algorithm %s", public.Algorithm())
	}
	block, _ := pem.Decode(public.PEM())
	hash := sha256.Sum256(block.Bytes)
	if public.ID() != hash || public.Hint() != base64.StdEncoding.EncodeToString(hash[:]) {
		t.Error("the ID is not the SHA-256 digest of the SubjectPublicKeyInfo")
	}
	again, err := sign.ParsePublicKey(public.PEM())
	if err != nil || again.ID() != public.ID() || !bytes.Equal(again.PEM(), public.PEM()) {
		t.Errorf("read back: %v, %v", again, err)
	}
	if newKey(t).Public().ID() == public.ID() {
		t.Error("two keys are one")
	}
}

// Our encrypted form is read with the other implementation, and the one that it writes by us; for each algorithm.
func TestEncryptedKeysBothWays(t *testing.T) {
	password := []byte("correct horse")
	for i, signer := range otherSigners(t) {
		pemType := []string{"ENCRYPTED SIGSTORE PRIVATE KEY", "ENCRYPTED COSIGN PRIVATE KEY"}[i%2]
		der, err := x509.MarshalPKCS8PrivateKey(signer)
		if err != nil {
			t.Fatal(err)
		}
		sealed, err := encrypted.EncryptWithCustomKDFParameters(der, password, encrypted.Legacy)
		if err != nil {
			t.Fatal(err)
		}
		key, err := sign.ParsePrivateKey(context.Background(), pem.EncodeToMemory(&pem.Block{Type: pemType, Bytes: sealed}), give(password))
		if err != nil {
			t.Fatal(err)
		}
		if want, err := sign.NewPublicKey(signer.Public()); err != nil || key.Public().ID() != want.ID() {
			t.Errorf("another key: %v", err)
		}
	}
	key := newKey(t)
	data, err := key.EncryptedPEM(password)
	if err != nil {
		t.Fatal(err)
	}
	block, rest := pem.Decode(data)
	if block == nil || block.Type != "ENCRYPTED SIGSTORE PRIVATE KEY" || len(rest) > 0 {
		t.Fatalf("wrote %s", data)
	}
	der, err := encrypted.Decrypt(block.Bytes, password)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		t.Fatal(err)
	}
	if !theirs.(*ecdsa.PrivateKey).PublicKey.Equal(mustPublic(t, key)) {
		t.Error("they read another key")
	}
}

func give(password []byte) sign.PasswordFunc {
	return func(context.Context) ([]byte, error) { return bytes.Clone(password), nil }
}

func mustPublic(t *testing.T, key *sign.PrivateKey) crypto.PublicKey {
	t.Helper()
	public, err := cryptoutils.UnmarshalPEMToPublicKey(key.Public().PEM())
	if err != nil {
		t.Fatal(err)
	}
	return public
}

// An empty password is an empty password, and is asked for.
func TestAnEmptyPassword(t *testing.T) {
	key := newKey(t)
	data, err := key.EncryptedPEM(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sign.ParsePrivateKey(context.Background(), data, give([]byte{})); err != nil {
		t.Errorf("an empty password: %v", err)
	}
	_, err = sign.ParsePrivateKey(context.Background(), data, nil)
	only(t, problemsOf(err), diag.CodeKeyPasswordMissing, "")
	none := errors.New("no terminal")
	if _, err := sign.ParsePrivateKey(context.Background(), data, func(context.Context) ([]byte, error) { return nil, none }); !errors.Is(err, none) {
		t.Errorf("the error of the password function: %v", err)
	}
}

// Keys as other tools write them.
func TestPlainKeys(t *testing.T) {
	signers := otherSigners(t)
	p256, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for _, signer := range append(signers, p256) {
		der, err := x509.MarshalPKCS8PrivateKey(signer)
		if err != nil {
			t.Fatal(err)
		}
		forms := [][]byte{pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})}
		switch k := signer.(type) {
		case *ecdsa.PrivateKey:
			sec1, err := x509.MarshalECPrivateKey(k)
			if err != nil {
				t.Fatal(err)
			}
			block := pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: sec1})
			parameters := pem.EncodeToMemory(&pem.Block{Type: "EC PARAMETERS", Bytes: []byte{6, 8, 42, 134, 72, 206, 61, 3, 1, 7}})
			forms = append(forms, block, append(parameters, block...))
		case *rsa.PrivateKey:
			forms = append(forms, pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(k)}))
		}
		for _, form := range forms {
			key, err := sign.ParsePrivateKey(context.Background(), append(append([]byte("\r\n"), form...), "\n \n"...), nil)
			if err != nil {
				t.Errorf("%T: %v", signer, err)
				continue
			}
			verifies(t, signed(t, key, release().Statement(build)), key.Public())
		}
	}
}

// What is signed with any of our keys is verified by the other implementation, and what it signs by us.
func TestSignaturesBothWays(t *testing.T) {
	p256, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	message := []byte("a message")
	for _, signer := range append(otherSigners(t), p256) {
		key, err := sign.NewPrivateKey(signer)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(key.Public().Algorithm(), func(t *testing.T) {
			theirs, err := signature.LoadDefaultSignerVerifier(signer)
			if err != nil {
				t.Fatal(err)
			}
			ours, err := key.Sign(context.Background(), message)
			if err != nil {
				t.Fatal(err)
			}
			if err := theirs.VerifySignature(bytes.NewReader(ours), bytes.NewReader(message)); err != nil {
				t.Errorf("they refuse ours: %v", err)
			}
			made, err := theirs.SignMessage(bytes.NewReader(message))
			if err != nil {
				t.Fatal(err)
			}
			if err := key.Public().Verify(message, made); err != nil {
				t.Errorf("we refuse theirs: %v", err)
			}
			if err := key.Public().Verify(append(message, '.'), made); !errors.Is(err, sign.ErrSignature) {
				t.Errorf("another message: %v", err)
			}
			if _, edwards := signer.(ed25519.PrivateKey); edwards {
				return
			}
			short, err := signature.LoadSignerVerifier(signer, crypto.SHA256)
			if err != nil {
				t.Fatal(err)
			}
			if made, err = short.SignMessage(bytes.NewReader(message)); err != nil {
				t.Fatal(err)
			}
			if err := key.Public().Verify(message, made); err != nil {
				t.Errorf("we refuse theirs over SHA-256: %v", err)
			}
		})
	}
}

// Keys that are too weak to mean anything.
func TestKeysThatAreRefused(t *testing.T) {
	p224, err := ecdsa.GenerateKey(elliptic.P224(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	product := func(bits uint) *big.Int {
		n := new(big.Int).Lsh(big.NewInt(1), bits-1)
		return n.Add(n, big.NewInt(1))
	}
	var typed *ecdsa.PublicKey
	for name, key := range map[string]crypto.PublicKey{
		"P-224": p224.Public(), "nothing": nil, "typed nothing": typed, "a text": "key", "short Ed25519": ed25519.PublicKey{1, 2},
		"RSA 2047": &rsa.PublicKey{N: product(2047), E: 65537}, "RSA 8193": &rsa.PublicKey{N: product(8193), E: 65537},
		"RSA exponent 1": &rsa.PublicKey{N: product(2048), E: 1}, "RSA exponent 2": &rsa.PublicKey{N: product(2048), E: 2},
		"RSA even": &rsa.PublicKey{N: new(big.Int).Lsh(big.NewInt(1), 2047), E: 65537},
	} {
		_, err := sign.NewPublicKey(key)
		if problems := problemsOf(err); len(problems) != 1 || problems[0].Code != diag.CodeKeyAlgorithm {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := sign.NewPrivateKey(nil); problemsOf(err)[0].Code != diag.CodeKeyAlgorithm {
		t.Errorf("no private key: %v", err)
	}
}

// Under an Ed25519 key of small order a signature that anybody can write verifies: of order 1 for every message.
func TestEd25519KeysOfSmallOrder(t *testing.T) {
	forged := make([]byte, ed25519.SignatureSize)
	forged[0] = 1 // R is the neutral point, S is zero
	neutral := make(ed25519.PublicKey, ed25519.PublicKeySize)
	neutral[0] = 1
	for _, message := range []string{"one", "two", "three"} {
		if !ed25519.Verify(neutral, []byte(message), forged) {
			t.Fatal("the forgery does not work: this test shows nothing")
		}
	}
	all := [][]byte{neutral, make([]byte, 32)}
	for _, text := range []string{
		"7P///////////////////////////////////////38=", "JuiVj8KyJ7BFw/SJ8u+Y8NXfrAXTxjM5sTgCiG1T/AU=", "xxdqcD1N2E+6PAt2DRBnDyogU/osOczGTsf9d5KsA3o=",
		"7f///////////////////////////////////////38=", "7v///////////////////////////////////////38=",
	} {
		key, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, key)
	}
	for _, key := range all {
		for _, sign1 := range []byte{0, 0x80} {
			other := bytes.Clone(key)
			other[31] |= sign1
			if _, err := sign.NewPublicKey(ed25519.PublicKey(other)); problemsOf(err) == nil {
				t.Errorf("%x is accepted", other)
			}
		}
		// Each of them lets through a forgery for one message in eight, or for every one.
		found := 0
		for n := range 400 {
			if ed25519.Verify(key, []byte{byte(n), byte(n >> 8)}, forged) {
				found++
			}
		}
		if found == 0 && !bytes.Equal(key[1:31], bytes.Repeat([]byte{0xff}, 30)) {
			t.Errorf("%x is no key of small order", key)
		}
	}
}

func TestPublicKeyFiles(t *testing.T) {
	key := newKey(t)
	public := key.Public().PEM()
	private, err := key.EncryptedPEM(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		data []byte
		code diag.Code
	}{
		{"nothing", nil, diag.CodeKeyFormat},
		{"text before it", append([]byte("key:\n"), public...), diag.CodeKeyFormat},
		{"text after it", append(bytes.Clone(public), "x"...), diag.CodeKeyFormat},
		{"two", append(bytes.Clone(public), public...), diag.CodeKeyFormat},
		{"a broken one before it", append([]byte("-----BEGIN PUBLIC KEY-----\n!\n-----END PUBLIC KEY-----\n"), public...), diag.CodeKeyFormat},
		{"DER", []byte("0\x59"), diag.CodeKeyFormat},
		{"no key in it", []byte("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"), diag.CodeKeyFormat},
		{"a certificate", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte{0}}), diag.CodeKeyFormat},
		{"trailing DER", pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: append(derOf(public), 0)}), diag.CodeKeyFormat},
		{"private", private, diag.CodeKeyIsPrivate},
		{"large", append(bytes.Repeat([]byte(" "), sign.MaxKey), public...), diag.CodeKeyTooLarge},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := sign.ParsePublicKey(test.data)
			if !got.IsZero() {
				t.Error("a key")
			}
			only(t, problemsOf(err), test.code, "")
			var fault *sign.KeyError
			if !errors.As(err, &fault) || !fault.Wanting() {
				t.Error("a key that is there and wrong is found wanting")
			}
		})
	}
}

func derOf(data []byte) []byte {
	block, _ := pem.Decode(data)
	return block.Bytes
}

func TestPrivateKeyFiles(t *testing.T) {
	key := newKey(t)
	public := key.Public().PEM()
	good, err := key.EncryptedPEM([]byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	sealed := derOf(good)
	seal := func(data []byte) []byte {
		return pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED SIGSTORE PRIVATE KEY", Bytes: data})
	}
	notKey, err := encrypted.Encrypt([]byte("not a key"), []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		data []byte
		code diag.Code
	}{
		{"public", public, diag.CodeKeyIsPublic},
		{"PKCS 8 under a password", pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: []byte{0}}), diag.CodeKeyEncryption},
		{"PEM under a password", pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Headers: map[string]string{"Proc-Type": "4,ENCRYPTED"}, Bytes: []byte{0}}), diag.CodeKeyEncryption},
		{"an SSH key", pem.EncodeToMemory(&pem.Block{Type: "OPENSSH PRIVATE KEY", Bytes: []byte{0}}), diag.CodeKeyFormat},
		{"no key in it", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte{0}}), diag.CodeKeyFormat},
		{"no key in the box", seal(notKey), diag.CodeKeyFormat},
		{"costly parameters", seal(replaced(t, sealed, `"N":65536`, `"N":1073741824`)), diag.CodeKeyFormat},
		{"costly blocks", seal(replaced(t, sealed, `"r":8`, `"r":8192`)), diag.CodeKeyFormat},
		{"another cipher", seal(replaced(t, sealed, "nacl/secretbox", "none")), diag.CodeKeyFormat},
		{"another derivation", seal(replaced(t, sealed, `"scrypt"`, `"md5"`)), diag.CodeKeyFormat},
		{"a member twice", seal(replaced(t, sealed, `"kdf":`, `"kdf":{},"kdf":`)), diag.CodeKeyFormat},
		{"a member more", seal(replaced(t, sealed, `"kdf":`, `"x":1,"kdf":`)), diag.CodeKeyFormat},
		{"no JSON", seal([]byte("{")), diag.CodeKeyFormat},
		{"parameters alone", pem.EncodeToMemory(&pem.Block{Type: "EC PARAMETERS", Bytes: []byte{0}}), diag.CodeKeyFormat},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := sign.ParsePrivateKey(context.Background(), test.data, give([]byte("x")))
			only(t, problemsOf(err), test.code, "")
		})
	}
}

func TestReferences(t *testing.T) {
	key := newKey(t)
	private, err := key.EncryptedPEM([]byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	keyFile, pubFile := filepath.Join(folder, "a.key"), filepath.Join(folder, "a.pub")
	if err := errors.Join(os.WriteFile(keyFile, private, 0o600), os.WriteFile(pubFile, key.Public().PEM(), 0o644)); err != nil {
		t.Fatal(err)
	}
	options := sign.KeyOptions{
		Password: give([]byte("secret")),
		LookupEnv: func(name string) (string, bool) {
			value, ok := map[string]string{"KEY": string(private), "PUB": string(key.Public().PEM()), "EMPTY": ""}[name]
			return value, ok
		},
	}
	for _, ref := range []string{keyFile, "env://KEY"} {
		signer, warnings, err := sign.OpenSigner(context.Background(), ref, options)
		if err != nil || len(warnings) > 0 || signer.Public().ID() != key.Public().ID() {
			t.Errorf("%s: %v, %v", ref, err, warnings)
		}
	}
	for _, ref := range []string{pubFile, "env://PUB"} {
		public, err := sign.OpenPublicKey(context.Background(), ref, options)
		if err != nil || public.ID() != key.Public().ID() {
			t.Errorf("%s: %v", ref, err)
		}
	}
	for ref, code := range map[string]diag.Code{
		"env://NONE": diag.CodeKeyVariable, "env://EMPTY": diag.CodeKeyVariable, "env://": diag.CodeKeyReference, "env://A B": diag.CodeKeyReference,
		"env://1A": diag.CodeKeyReference, "": diag.CodeKeyReference, "a\nb": diag.CodeKeyReference, "env://PUB": diag.CodeKeyIsPublic,
		folder: diag.CodeKeyFormat, "://x": diag.CodeKeyReference, "kms://": diag.CodeKeyReference,
	} {
		_, _, err := sign.OpenSigner(context.Background(), ref, options)
		only(t, problemsOf(err), code, "")
	}
	if _, _, err := sign.OpenSigner(context.Background(), "env://KEY", sign.KeyOptions{}); problemsOf(err)[0].Code != diag.CodeKeyVariable {
		t.Errorf("no environment: %v", err)
	}
	_, err = sign.OpenPublicKey(context.Background(), keyFile, options)
	only(t, problemsOf(err), diag.CodeKeyIsPrivate, "")
	if _, _, err := sign.OpenSigner(context.Background(), filepath.Join(folder, "none"), options); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := sign.OpenSigner(cancelled, keyFile, options); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := key.Sign(cancelled, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
