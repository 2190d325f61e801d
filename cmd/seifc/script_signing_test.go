package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"

	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/rogpeppe/go-internal/testscript"
)

func quietLog() *log.Logger { return log.New(io.Discard, "", 0) }

// startRegistry starts a registry on loopback that nobody else uses, and gives its address.
func startRegistry(env *testscript.Env) string {
	server := httptest.NewServer(registry.New(registry.Logger(quietLog()), registry.WithReferrersSupport(true)))
	env.Defer(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

// hasMode compares the permissions of a file: `mode FILE 0600`.
func hasMode(ts *testscript.TestScript, _ bool, args []string) {
	info, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	if got := fmt.Sprintf("%#o", info.Mode().Perm()); got != args[1] {
		ts.Fatalf("%s has mode %s", args[0], got)
	}
}

// testKey is a private key that the name gives, so that its signatures are the same in every run. It guards nothing.
func testKey(name string) (private, public []byte, err error) {
	seed := sha256.Sum256([]byte("a key for tests: " + name))
	key := ed25519.NewKeyFromSeed(seed[:])
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, nil, err
	}
	spki, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return nil, nil, err
	}
	private = pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	return private, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: spki}), nil
}

// makeTestKey writes NAME.key, without a password, and NAME.pub: `testkey NAME...`.
func makeTestKey(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		private, public, err := testKey(name)
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(name+".key"), private, 0o600))
		ts.Check(os.WriteFile(ts.MkAbs(name+".pub"), public, 0o644))
	}
}

// keepDigest puts the digest of the Build that the JSON answer names into a variable: `digest NAME`.
func keepDigest(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv(args[0], text(answered(ts), "/build"))
}

// flipByte changes one bit of a file: `flip FILE OFFSET`, where a negative one counts from the end.
func flipByte(ts *testscript.TestScript, _ bool, args []string) {
	data, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	at, err := strconv.Atoi(args[1])
	ts.Check(err)
	if at < 0 {
		at += len(data)
	}
	data[at] ^= 1
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o666))
}
