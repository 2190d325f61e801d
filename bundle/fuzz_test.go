package bundle_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/digest"
)

// Whatever is read is refused with a code, or is a Build that can be written and read again.
func FuzzReadTar(f *testing.F) {
	f.Add(tarOf(f, shop(f)))
	f.Add(tarOf(f, toolBuild(f)))
	f.Add(tarOf(f, shop(f))[:1500])
	f.Add(rawHeader("../x", 1<<33-1, nil))
	f.Add(rawHeader("x", 0, func(h []byte) { h[156] = 'x' }))
	f.Add([]byte("\x1f\x8b\x08"))
	cases, err := filepath.Glob("testdata/cases/14/*.tar")
	if err != nil || len(cases) != 8 {
		f.Fatalf("%v, %v", cases, err)
	}
	for _, path := range cases {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := bundle.ReadTar(context.Background(), bytes.NewReader(data), bundle.ReadOptions{})
		judge(t, b, err)
	})
}

// The same with a manifest of any bytes, named and listed as it should be.
func FuzzManifest(f *testing.F) {
	b := shop(f)
	f.Add(b.Manifest())
	f.Add(toolBuild(f).Manifest())
	f.Add([]byte(`{}`))
	f.Add([]byte(`{"mediaType":"application/vnd.oci.image.manifest.v1+json","artifactType":"application/vnd.seif.build.v1+json"}`))
	f.Add(bytes.Replace(b.Manifest(), []byte("sources/tone"), []byte("../../tone"), 1))
	f.Add(bytes.Replace(b.Manifest(), []byte(`"size"`), []byte(`"si\u007ae"`), 1))
	files := filesOf(f, b)
	delete(files, blobName(b.Manifest()))
	f.Fuzz(func(t *testing.T, manifest []byte) {
		mine := map[string][]byte{}
		for name, data := range files {
			mine[name] = data
		}
		mine[blobName(manifest)] = manifest
		mine["index.json"] = indexOf(t, manifest)
		got, err := bundle.ReadTar(context.Background(), bytes.NewReader(rawTar(t, mine)), bundle.ReadOptions{})
		judge(t, got, err)
		if err == nil && got.Digest() != digest.Of(manifest) {
			t.Errorf("read as %s", got.Digest())
		}
	})
}

func judge(t *testing.T, b *bundle.Build, err error) {
	t.Helper()
	if err != nil {
		var invalid *bundle.Invalid
		if b != nil || !errors.As(err, &invalid) || len(invalid.Problems) == 0 || len(invalid.Diagnostics()) != len(invalid.Problems) {
			t.Fatalf("%v, %v", b, err)
		}
		return
	}
	again, err := bundle.ReadTar(context.Background(), bytes.NewReader(tarOf(t, b)), bundle.ReadOptions{Digest: b.Digest()})
	if err != nil || !bytes.Equal(tarOf(t, b), tarOf(t, again)) {
		t.Fatalf("it does not come back: %v", err)
	}
}
