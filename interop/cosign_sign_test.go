package interop_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"testing"

	"github.com/seif-dev/seifc/bundle/sign"
)

// noServices is a signing configuration without a log and without a timestamp authority, as `cosign signing-config
// create` writes it.
func (d desk) noServices(cosign string) string {
	d.Helper()
	d.run(0, cosign, "signing-config", "create", "--out", "services.json")
	return "services.json"
}

// What cosign signs in a registry is verified by the key, and counts for no role: a policy that requires a release is
// not met by it. The key is ours, which cosign reads.
func TestCosignSignsInRegistries(t *testing.T) {
	cosign := client(t, "cosign")
	onRegistries(t, func(d desk, repository string) {
		d.seifc(0, "push", "unsigned.seif", "oci://"+repository+":v1")
		d.run(0, cosign, "sign", "--key", "release.key", "--signing-config", d.noServices(cosign), "--allow-http-registry", "-y",
			repository+"@"+d.digest("unsigned.seif"))
		d.seifc(0, "pull", "oci://"+repository+":v1", "-o", "pulled.seif")
		d.seifc(0, "verify", "--key", "release.pub", "pulled.seif")
		d.seifc(4, "verify", "--key", "other.pub", "pulled.seif")
		d.seifc(4, "verify", "--trust", "trust.yaml", "pulled.seif")
	})
}

// What cosign attests about our manifest is verified by the key too, and counts for no role, whatever its type is
// called; the manifest that it refers to is the Build.
func TestCosignAttestsOurManifests(t *testing.T) {
	cosign := client(t, "cosign")
	d := newDesk(t)
	d.write("predicate.json", "{}")
	for _, predicate := range []string{"https://example.com/audit/v1", sign.ReleasePredicate} {
		d.run(0, cosign, "attest-blob", "--key", "release.key", "--signing-config", d.noServices(cosign), "--type", predicate,
			"--predicate", "predicate.json", "--bundle", "cosign.sigstore.json", "-y", "unsigned/blobs/sha256/"+d.hex())
		d.seifc(4, "verify", "--trust", "trust.yaml", "--bundle", "cosign.sigstore.json", "unsigned.seif")
		d.run(0, "rm", "services.json")
	}
	d.run(0, cosign, "attest-blob", "--key", "release.key", "--signing-config", d.noServices(cosign), "--type", "https://example.com/audit/v1",
		"--predicate", "predicate.json", "--bundle", "cosign.sigstore.json", "-y", "unsigned/blobs/sha256/"+d.hex())
	d.seifc(0, "verify", "--key", "release.pub", "--bundle", "cosign.sigstore.json", "unsigned.seif")
	d.seifc(4, "verify", "--key", "release.pub", "--bundle", "cosign.sigstore.json", "--digest", "sha256:"+another, "unsigned.seif")
}

const another = "1111111111111111111111111111111111111111111111111111111111111111"

// A key that cosign makes signs with us, and cosign verifies it.
func TestCosignKeysSignHere(t *testing.T) {
	cosign := client(t, "cosign")
	d := newDesk(t)
	d.run(0, cosign, "generate-key-pair", "--output-key-prefix", "theirs")
	d.seifc(0, "sign", "--key", "theirs.key", "--role", "release", "--channel", "stable", "--sequence", "1", "unsigned")
	d.seifc(0, "verify", "--key", "theirs.pub", "unsigned")
	d.run(0, cosign, "verify", "--local-image", "--key", "theirs.pub", "--insecure-ignore-tlog", "unsigned")
}

// What cosign signs with Ed25519 it does not verify itself, and neither do we: it signs a hash where a message belongs.
// If this test fails, cosign has changed that, and docs/signing.md can drop its warning.
func TestCosignEd25519(t *testing.T) {
	cosign := client(t, "cosign")
	d := newDesk(t)
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	d.write("plain.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})))
	d.run(0, cosign, "import-key-pair", "--key", "plain.pem", "--output-key-prefix", "curve")
	d.write("predicate.json", "{}")
	const predicate = "https://example.com/audit/v1"
	manifest := "unsigned/blobs/sha256/" + d.hex()
	d.run(0, cosign, "attest-blob", "--key", "curve.key", "--signing-config", d.noServices(cosign), "--type", predicate,
		"--predicate", "predicate.json", "--bundle", "curve.sigstore.json", "-y", manifest)
	d.run(1, cosign, "verify-blob-attestation", "--key", "curve.pub", "--insecure-ignore-tlog", "--bundle", "curve.sigstore.json", "--type", predicate, manifest)
	d.says(d.seifc(4, "verify", "--key", "curve.pub", "--bundle", "curve.sigstore.json", "unsigned.seif"), "signature_prehashed")

	// The same key signs here, and cosign verifies that.
	d.seifc(0, "sign", "--key", "curve.key", "unsigned")
	d.seifc(0, "verify", "--key", "curve.pub", "unsigned")
	d.run(0, cosign, "verify", "--local-image", "--key", "curve.pub", "--insecure-ignore-tlog", "unsigned")
}
