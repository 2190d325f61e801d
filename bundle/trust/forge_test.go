package trust_test

import (
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

func base64Of(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// prehashed signs the SHA-512 hash of what is to be signed, as Ed25519ph.
func prehashed(t testing.TB, k key, payload []byte) []byte {
	t.Helper()
	sum := sha512.Sum512(sign.Preauthenticated(payload))
	signature, err := k.private.(ed25519.PrivateKey).Sign(rand.Reader, sum[:], &ed25519.Options{Hash: crypto.SHA512})
	if err != nil {
		t.Fatal(err)
	}
	return forced(t, key{fixed(signature), k.public}, payload, k.public.Hint(), "")
}

// written puts a layout into a new folder.
func written(t testing.TB, l *bundle.Layout) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "build")
	if _, err := bundle.WriteLayoutDir(context.Background(), dir, l); err != nil {
		t.Fatal(err)
	}
	return dir
}

func edit(t testing.TB, path string, change func(string) string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := change(string(data))
	if changed == string(data) {
		t.Fatalf("%s was not changed", path)
	}
	if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
}

// forgery is a Build that nobody could assemble, with digests that fit.
type forgery struct {
	manifest   []byte
	definition digest.Digest
}

// forgeDefinition changes the definition in a folder, and the digests of it all the way up.
func forgeDefinition(t testing.TB, dir string, b *bundle.Build, change func(string) string) forgery {
	t.Helper()
	def := change(string(b.DefinitionBytes()))
	if def == string(b.DefinitionBytes()) {
		t.Fatal("the definition was not changed")
	}
	f := forgery{definition: digest.Of([]byte(def))}
	f.manifest = []byte(strings.Replace(string(b.Manifest()), b.DefinitionDigest().String(), f.definition.String(), 1))
	putBlob(t, dir, []byte(def))
	putBlob(t, dir, f.manifest)
	for _, gone := range []digest.Digest{b.Digest(), b.DefinitionDigest()} {
		if err := os.Remove(filepath.Join(dir, "blobs", "sha256", gone.Hex())); err != nil {
			t.Fatal(err)
		}
	}
	edit(t, filepath.Join(dir, "index.json"), func(text string) string {
		return strings.Replace(text, b.Digest().String(), digest.Of(f.manifest).String(), 1)
	})
	return f
}

func putBlob(t testing.TB, dir string, data []byte) digest.Digest {
	t.Helper()
	d := digest.Of(data)
	if err := os.WriteFile(filepath.Join(dir, "blobs", "sha256", d.Hex()), data, 0o644); err != nil {
		t.Fatal(err)
	}
	return d
}

// attachRaw attaches a bundle to whatever manifest is in the folder.
func attachRaw(t testing.TB, dir string, manifest, content []byte) {
	t.Helper()
	descriptor := func(mediaType string, data []byte) map[string]any {
		return map[string]any{"mediaType": mediaType, "digest": putBlob(t, dir, data).String(), "size": number(len(data))}
	}
	referrer := marshal(t, map[string]any{
		"schemaVersion": number(2), "mediaType": bundle.ManifestMediaType, "artifactType": bundle.SigstoreBundleMediaType,
		"config": descriptor(bundle.EmptyMediaType, []byte("{}")), "layers": []any{descriptor(bundle.SigstoreBundleMediaType, content)},
		"subject": descriptor(bundle.ManifestMediaType, manifest),
	})
	entry := descriptor(bundle.ManifestMediaType, referrer)
	entry["artifactType"] = bundle.SigstoreBundleMediaType
	edit(t, filepath.Join(dir, "index.json"), func(text string) string {
		value, err := canonical.Parse([]byte(text), canonical.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		index := value.(map[string]any)
		index["manifests"] = append(index["manifests"].([]any), entry)
		return string(marshal(t, index))
	})
}

func number(n int) canonical.Value { return json.Number(strconv.Itoa(n)) }
