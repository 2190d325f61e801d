package interop_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/bundle/sign"
)

// oras moves a Build with its signatures from our files into a registry and back, and we verify what arrives: by our
// own pull, and in the folder that oras writes.
func TestOrasMovesBuildsWithSignatures(t *testing.T) {
	oras := client(t, "oras")
	onRegistries(t, func(d desk, repository string) {
		for form, source := range map[string]string{"file": "signed.seif", "folder": "signed"} {
			tag := repository + ":" + form
			d.run(0, oras, "cp", "-r", "--from-oci-layout", source+":build", "--to-plain-http", tag)
			d.seifc(0, "pull", "oci://"+tag, "-o", "pulled-"+form+".seif")
			d.verified("pulled-" + form + ".seif")
			d.run(0, oras, "cp", "-r", "--from-plain-http", tag, "--to-oci-layout", "back-"+form+":build")
			d.verified("back-" + form)
		}
	})
}

// What our push puts into a registry is found by oras with its signatures.
func TestOrasTakesWhatWePush(t *testing.T) {
	oras := client(t, "oras")
	onRegistries(t, func(d desk, repository string) {
		tag := repository + ":v1"
		d.seifc(0, "push", "signed.seif", "oci://"+tag)
		// One of the two registries lists the type of the config as the artifact's, so the statement is looked for.
		d.says(d.run(0, oras, "discover", "--plain-http", tag), d.digest("signed.seif"), sign.ReleasePredicate, sign.CosignPredicate)
		d.run(0, oras, "cp", "-r", "--from-plain-http", tag, "--to-oci-layout", "copied:build")
		d.verified("copied")
	})
}

// oras pull restores the texts and tests of a Build as files.
func TestOrasRestoresFiles(t *testing.T) {
	oras := client(t, "oras")
	onRegistries(t, func(d desk, repository string) {
		d.seifc(0, "push", "signed.seif", "oci://"+repository+":v1")
		d.run(0, oras, "pull", "--plain-http", repository+":v1", "-o", d.path("files"))
		texts, err := filepath.Glob(d.path("files/sources/*"))
		if err != nil || len(texts) == 0 {
			d.Fatalf("no texts: %v", err)
		}
		for _, text := range texts {
			restored, err := os.ReadFile(text)
			if err != nil {
				d.Fatal(err)
			}
			if !isBlob(d, restored) {
				d.Errorf("%s is no blob of the Build", filepath.Base(text))
			}
		}
		d.read("files/tests.json")
	})
}

// isBlob tells whether the Build in the folder has a blob of these bytes.
func isBlob(d desk, content []byte) bool {
	d.Helper()
	blobs, err := filepath.Glob(d.path("unsigned/blobs/sha256/*"))
	if err != nil {
		d.Fatal(err)
	}
	for _, blob := range blobs {
		data, err := os.ReadFile(blob)
		if err != nil {
			d.Fatal(err)
		}
		if string(data) == string(content) {
			return true
		}
	}
	return false
}

// A detached signature of ours that somebody attaches with oras counts like one that we attach.
func TestOrasAttachesDetachedSignatures(t *testing.T) {
	oras := client(t, "oras")
	onRegistries(t, func(d desk, repository string) {
		d.seifc(0, "push", "unsigned.seif", "oci://"+repository+":v1")
		d.seifc(0, "pull", "oci://"+repository+":v1", "-o", "before.seif")
		d.unsigned("before.seif")
		d.seifc(0, "sign", "--key", "release.key", "--role", "release", "--channel", "stable", "--sequence", "1",
			"--bundle-out", "release.sigstore.json", "unsigned.seif")
		const mediaType = "application/vnd.dev.sigstore.bundle.v0.3+json"
		d.run(0, oras, "attach", "--plain-http", "--artifact-type", mediaType,
			"--annotation", "dev.sigstore.bundle.content=dsse-envelope", repository+":v1", "release.sigstore.json:"+mediaType)
		d.seifc(0, "pull", "oci://"+repository+":v1", "-o", "after.seif")
		d.verified("after.seif")
		// Without the referrers it is the Build alone, and we say so.
		d.run(0, oras, "cp", "--from-plain-http", repository+":v1", "--to-oci-layout", "alone:build")
		d.unsigned("alone")
	})
}

// A byte that changed on the way is refused by us, whoever carried it.
func TestOrasCopyThatWasChangedIsRefused(t *testing.T) {
	oras := client(t, "oras")
	onRegistries(t, func(d desk, repository string) {
		d.run(0, oras, "cp", "-r", "--from-oci-layout", "signed.seif:build", "--to-plain-http", repository+":v1")
		d.run(0, oras, "cp", "-r", "--from-plain-http", repository+":v1", "--to-oci-layout", "copied:build")
		d.verified("copied")
		changeText(d, "copied")
		d.seifc(4, "verify", "--trust", "trust.yaml", "copied")
	})
}

// changeText changes one byte of a text of the Build in a folder.
func changeText(d desk, folder string) {
	d.Helper()
	blobs, err := filepath.Glob(d.path(folder + "/blobs/sha256/*"))
	if err != nil {
		d.Fatal(err)
	}
	for _, blob := range blobs {
		data, err := os.ReadFile(blob)
		if err != nil {
			d.Fatal(err)
		}
		if len(data) == 0 || strings.HasPrefix(string(data), "{") || strings.HasPrefix(string(data), "[") {
			continue
		}
		data[0] ^= 1
		if err := os.Chmod(blob, 0o600); err != nil {
			d.Fatal(err)
		}
		if err := os.WriteFile(blob, data, 0o600); err != nil {
			d.Fatal(err)
		}
		return
	}
	d.Fatal("there is no text to change")
}
