package trust_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/bundle/sign"
)

// key signs for tests. It is made anew in each run.
type key struct {
	private any
	public  sign.PublicKey
}

func (k key) Public() sign.PublicKey { return k.public }

func (k key) Sign(_ context.Context, message []byte) ([]byte, error) {
	switch private := k.private.(type) {
	case fixed:
		return private, nil
	case ed25519.PrivateKey:
		return ed25519.Sign(private, message), nil
	case *ecdsa.PrivateKey:
		sum := sha256.Sum256(message)
		return ecdsa.SignASN1(rand.Reader, private, sum[:])
	}
	panic("no key")
}

// fixed is a signature that is there already.
type fixed []byte

func newKey(t testing.TB) key {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return keyOf(t, private, private.Public())
}

func newEdKey(t testing.TB) key {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return keyOf(t, private, public)
}

func keyOf(t testing.TB, private, public any) key {
	t.Helper()
	k, err := sign.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	return key{private, k}
}

// quoted is the PEM text of a public key as a YAML scalar.
func quoted(k key) string {
	out, err := json.Marshal(strings.TrimSpace(string(k.public.PEM())))
	if err != nil {
		panic(err)
	}
	return string(out)
}
