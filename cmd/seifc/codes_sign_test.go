package main

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/sha512"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/digest"
)

// signingStep makes what a fixture of the rooms of signing needs:
//
//	sign build                         good.seif, the Build of the base
//	sign key NAME                      NAME.key without a password, and NAME.pub
//	sign locked NAME PASSWORD          NAME.key with a password
//	sign mode FILE MODE
//	sign statement FILE KEY ROLE [OLD NEW]...   the signature of a statement of the role, or of cosign's, about good.seif,
//	                                   with text of its payload changed before the key signs it
//	sign prehashed FILE KEY ROLE       the same in the way that is not accepted
//	sign registry empty|HTTP-STATUS    a registry, or something that answers all requests with a status
//	sign push REFERENCE                good.seif, into the registry
//	sign refer REPOSITORY              a manifest that refers to good.seif in the registry and is no attachment
func (f *fixture) signingStep(t *testing.T, step []string) {
	t.Helper()
	switch step[0] {
	case "build":
		goodBuild(t)
	case "key":
		layKey(t, step[1])
	case "locked":
		lockKey(t, step[1], step[2])
	case "mode":
		mode, err := strconv.ParseUint(step[2], 8, 32)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(step[1], os.FileMode(mode)); err != nil {
			t.Fatal(err)
		}
	case "statement", "prehashed":
		put(t, step[1], signedStatement(t, step[2], step[3], step[0] == "prehashed", step[4:]))
	case "registry":
		f.registry = fixtureRegistry(t, step[1])
	case "push":
		goodBuild(t)
		if exit, stdout, stderr := outcome("push", "good.seif", strings.ReplaceAll(step[1], "@registry", f.registry)); exit != exitGood {
			t.Fatalf("%s%s", stdout, stderr)
		}
	case "refer":
		f.refer(t, step[1])
	default:
		t.Fatalf("unknown step %s", step[0])
	}
}

// goodBuild makes good.seif unless it is there.
func goodBuild(t *testing.T) *bundle.Build {
	t.Helper()
	if !exists("good.seif") {
		if exit, stdout, stderr := outcome("build", "-o", "good.seif"); exit != exitGood {
			t.Fatalf("the base does not build\n%s%s", stdout, stderr)
		}
	}
	build, err := bundle.Read(context.Background(), "good.seif", bundle.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return build
}

// aboutGood writes the digest of good.seif into a text that asks for it.
func aboutGood(t *testing.T, text string) string {
	t.Helper()
	if !strings.Contains(text, "@digest") && !strings.Contains(text, "@hex") {
		return text
	}
	name := goodBuild(t).Digest()
	return strings.NewReplacer("@digest", name.String(), "@hex", name.Hex()).Replace(text)
}

func layKey(t *testing.T, name string) {
	t.Helper()
	private, public, err := testKey(name)
	if err != nil {
		t.Fatal(err)
	}
	put(t, name+".pub", public)
	if err := os.WriteFile(name+".key", private, 0o600); err != nil {
		t.Fatal(err)
	}
}

func rawKey(t *testing.T, name string) ed25519.PrivateKey {
	t.Helper()
	private, _, err := testKey(name)
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(private)
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return key.(ed25519.PrivateKey)
}

func lockKey(t *testing.T, name, password string) {
	t.Helper()
	key, err := sign.NewPrivateKey(rawKey(t, name))
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := key.EncryptedPEM([]byte(password))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name+".key", sealed, 0o600); err != nil {
		t.Fatal(err)
	}
}

// signedStatement signs what a role says about good.seif, changed by edits as no tool of ours would.
func signedStatement(t *testing.T, name, role string, prehashed bool, edits []string) []byte {
	t.Helper()
	build := goodBuild(t)
	payload, err := sign.CosignStatement(build.Digest()).Encode()
	if err != nil {
		t.Fatal(err)
	}
	if role != "cosign" {
		layKey(t, name)
		if exit, stdout, stderr := outcome("sign", "--key", name+".key", "--role", role, "--bundle-out", "said.json", "good.seif"); exit != exitGood {
			t.Fatalf("%s%s", stdout, stderr)
		}
		said, err := sign.Decode(get(t, "said.json"))
		if err != nil {
			t.Fatal(err)
		}
		payload = said.Payload()
	}
	layKey(t, name)
	for pair := range slices.Chunk(edits, 2) {
		payload = substitute(t, payload, aboutGood(t, pair[0]), aboutGood(t, pair[1]))
	}
	key := rawKey(t, name)
	message, options := sign.Preauthenticated(payload), &ed25519.Options{}
	if prehashed {
		sum := sha512.Sum512(message)
		message, options.Hash = sum[:], crypto.SHA512
	}
	signature, err := key.Sign(nil, message, options)
	if err != nil {
		t.Fatal(err)
	}
	public, err := sign.NewPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	in := base64.StdEncoding.EncodeToString
	return fmt.Appendf(nil, `{"dsseEnvelope":{"payload":"%s","payloadType":"%s","signatures":[{"sig":"%s"}]},"mediaType":"%s","verificationMaterial":{"publicKey":{"hint":"%s"}}}`,
		in(payload), sign.PayloadType, in(signature), sign.MediaType, public.Hint())
}

// fixtureRegistry starts a registry that is empty, or what answers with one status.
func fixtureRegistry(t *testing.T, kind string) string {
	t.Helper()
	handler := registry.New(registry.Logger(quietLog()), registry.WithReferrersSupport(true))
	if status, err := strconv.Atoi(kind); err == nil {
		handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if status == http.StatusUnauthorized {
				w.Header().Set("WWW-Authenticate", `Basic realm="fixture"`)
			}
			w.WriteHeader(status)
		})
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

// refer puts a manifest of another kind into the registry, which refers to good.seif.
func (f *fixture) refer(t *testing.T, repository string) {
	t.Helper()
	build := goodBuild(t)
	manifest := fmt.Appendf(nil, `{"schemaVersion":2,"mediaType":"%[1]s","artifactType":"application/vnd.example.scan.v1+json",`+
		`"config":{"mediaType":"application/vnd.oci.empty.v1+json","digest":"%[2]s","size":2},"layers":[],`+
		`"subject":{"mediaType":"%[1]s","digest":"%[3]s","size":%[4]d}}`,
		bundle.ManifestMediaType, digest.Of([]byte("{}")), build.Digest(), len(build.Manifest()))
	at := "http://" + f.registry + "/v2/" + repository + "/manifests/" + digest.Of(manifest).String()
	request, err := http.NewRequest(http.MethodPut, at, bytes.NewReader(manifest))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", bundle.ManifestMediaType)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusCreated {
		t.Fatalf("the registry answers %d", answer.StatusCode)
	}
}
