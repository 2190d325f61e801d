package interop_test

import (
	"strings"
	"testing"

	"github.com/seif-dev/seifc/bundle/sign"
)

// hex is the digest of the signed Build without its algorithm.
func (d desk) hex() string { return strings.TrimPrefix(d.digest("signed.seif"), "sha256:") }

// offline are the flags with which cosign verifies by a key alone. Without the second it asks for the public log.
var offline = []string{"--key", "release.pub", "--insecure-ignore-tlog"}

func with(first []string, more ...string) []string {
	return append(append([]string{}, first...), more...)
}

// cosign verifies a detached signature of ours, against the manifest and against its digest.
func TestCosignVerifiesOurDetachedSignatures(t *testing.T) {
	cosign := client(t, "cosign")
	d := newDesk(t)
	d.seifc(0, "sign", "--key", "release.key", "--role", "release", "--channel", "stable", "--sequence", "1",
		"--bundle-out", "release.sigstore.json", "unsigned.seif")
	manifest := "unsigned/blobs/sha256/" + d.hex()
	attestation := with(append([]string{"verify-blob-attestation"}, offline...), "--bundle", "release.sigstore.json", "--type", sign.ReleasePredicate)
	d.run(0, cosign, with(attestation, manifest)...)
	d.run(0, cosign, with(attestation, "--digest", d.hex(), "--digestAlg", "sha256")...)
	d.run(0, cosign, with(append([]string{"verify-blob"}, offline...), "--bundle", "release.sigstore.json", manifest)...)

	// Another type, another key and another Build are refused.
	d.run(1, cosign, with(append([]string{"verify-blob-attestation"}, offline...), "--bundle", "release.sigstore.json", "--type", sign.TestsPredicate, manifest)...)
	d.run(1, cosign, "verify-blob-attestation", "--key", "other.pub", "--insecure-ignore-tlog", "--bundle", "release.sigstore.json", "--type", sign.ReleasePredicate, manifest)
	d.run(1, cosign, with(attestation, "unsigned/index.json")...)
}

// cosign verifies our signatures in our own folder. Its index has to say that the Build is an image, which we write.
func TestCosignVerifiesOurFolders(t *testing.T) {
	cosign := client(t, "cosign")
	d := newDesk(t)
	d.run(0, cosign, with(append([]string{"verify", "--local-image"}, offline...), "signed")...)
	d.run(0, cosign, with(append([]string{"verify-attestation", "--local-image", "--type", sign.ReleasePredicate}, offline...), "signed")...)
	d.run(1, cosign, with(append([]string{"verify", "--local-image"}, offline...), "unsigned")...)
	d.run(1, cosign, "verify", "--local-image", "--key", "other.pub", "--insecure-ignore-tlog", "signed")
}

// cosign verifies what we push.
func TestCosignVerifiesWhatWePush(t *testing.T) {
	cosign := client(t, "cosign")
	onRegistries(t, func(d desk, repository string) {
		tag := repository + ":v1"
		d.seifc(0, "push", "signed.seif", "oci://"+tag)
		registry := with(offline, "--allow-http-registry")
		d.run(0, cosign, with(append([]string{"verify"}, registry...), tag)...)
		d.run(0, cosign, with(append([]string{"verify-attestation", "--type", sign.ReleasePredicate}, registry...), tag)...)
		d.run(1, cosign, "verify", "--key", "other.pub", "--insecure-ignore-tlog", "--allow-http-registry", tag)
		d.run(0, cosign, "tree", "--allow-http-registry", tag)
		d.run(0, cosign, "save", "--allow-http-registry", "--dir", d.path("saved"), tag)
		d.run(0, cosign, with(append([]string{"verify", "--local-image"}, offline...), "saved")...)
		d.verified("saved")
	})
}

// Without --insecure-ignore-tlog cosign asks for the public log, with a key as well, and cannot without a network.
func TestCosignAsksForThePublicLog(t *testing.T) {
	cosign := client(t, "cosign")
	d := newDesk(t)
	d.run(1, cosign, "verify", "--local-image", "--key", "release.pub", "signed")
}

// cosign says who signed a digest. It does not read what stands behind it, and we do.
func TestCosignDoesNotCheckContent(t *testing.T) {
	cosign := client(t, "cosign")
	d := newDesk(t)
	changeText(d, "signed")
	d.run(0, cosign, with(append([]string{"verify", "--local-image"}, offline...), "signed")...)
	d.seifc(4, "verify", "--trust", "trust.yaml", "signed")
}

// cosign verify is content with any statement, a test result for example; a policy that wants a release is not.
func TestCosignDoesNotCheckRoles(t *testing.T) {
	cosign := client(t, "cosign")
	d := newDesk(t)
	d.seifc(0, "sign", "--key", "release.key", "--role", "tests", "unsigned")
	d.run(0, cosign, with(append([]string{"verify", "--local-image"}, offline...), "unsigned")...)
	d.seifc(4, "verify", "--trust", "trust.yaml", "unsigned")
}

// cosign copy says that it has copied and leaves signatures in bundles behind.
func TestCosignCopiesArriveUnsigned(t *testing.T) {
	cosign := client(t, "cosign")
	onRegistries(t, func(d desk, repository string) {
		from, to := repository+":v1", repository+"-mirror:v1"
		d.seifc(0, "push", "signed.seif", "oci://"+from)
		d.run(0, cosign, "copy", "--allow-http-registry", from, to)
		d.seifc(0, "pull", "oci://"+to, "-o", "mirrored.seif")
		d.unsigned("mirrored.seif")
	})
}
