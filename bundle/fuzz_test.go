package bundle_test

import (
	"bytes"
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
	f.Add(layoutTar(f, signed(f, shop(f), 2)))
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
		l, err := readLayout(t, data, bundle.ReadOptions{})
		judge(t, l, err)
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
		got, err := readLayout(t, rawTar(t, mine), bundle.ReadOptions{})
		judge(t, got, err)
		if err == nil && got.Build.Digest() != digest.Of(manifest) {
			t.Errorf("read as %s", got.Build.Digest())
		}
	})
}

// A manifest of any bytes beside the Build's, with the blobs that attachments have: listed or not, it is refused, or it is
// an attachment of this Build. Read by itself it is the same.
func FuzzAttachment(f *testing.F) {
	b := shop(f)
	content := sigstore(0)
	f.Add(attach(f, b, content).Manifest(), true)
	f.Add(attach(f, b, content).Manifest(), false)
	f.Add(attach(f, toolBuild(f), content).Manifest(), true)
	f.Add(foreignManifest(b, content), false)
	f.Add(bytes.Replace(foreignManifest(b, content), []byte(`"subject"`), []byte(`"sub\u006aect"`), 1), true)
	f.Add(indexOf(f, b.Manifest()), true)
	f.Add([]byte(`{"mediaType":"application/vnd.oci.image.manifest.v1+json","subject":null}`), false)
	plain := filesOf(f, b)
	f.Fuzz(func(t *testing.T, manifest []byte, listed bool) {
		files := map[string][]byte{blobName(content): content, blobName([]byte("{}")): []byte("{}"), blobName(manifest): manifest}
		for name, data := range plain {
			files[name] = data
		}
		if listed {
			files["index.json"] = indexOf(t, b.Manifest(), manifest)
		}
		got, err := readLayout(t, rawTar(t, files), bundle.ReadOptions{Digest: b.Digest()})
		judge(t, got, err)
		a, problems := bundle.ParseAttachment(b, manifest, content)
		if err == nil {
			if len(got.Attachments) != 1 || len(problems) > 0 || a.Digest() != got.Attachments[0].Digest() {
				t.Errorf("read as %v, by itself %v", digestsOf(got), problems)
			}
		} else if listed && len(problems) == 0 {
			t.Errorf("refused in a layout and not by itself: %v", err.(*bundle.Invalid).Problems)
		}
	})
}

// An index of any bytes over a layout with an attachment: what is read is always the same.
func FuzzIndex(f *testing.F) {
	b := shop(f)
	l := signed(f, b, 1)
	files := unpack(f, layoutTar(f, l))
	f.Add(files["index.json"])
	f.Add(indexOf(f, b.Manifest()))
	f.Add(indexOf(f, l.Attachments[0].Manifest()))
	f.Add([]byte(`{"schemaVersion":2,"manifests":null}`))
	f.Fuzz(func(t *testing.T, index []byte) {
		mine := map[string][]byte{}
		for name, data := range files {
			mine[name] = data
		}
		mine["index.json"] = index
		got, err := readLayout(t, rawTar(t, mine), bundle.ReadOptions{})
		judge(t, got, err)
		if err == nil && !bytes.Equal(layoutTar(t, got), layoutTar(t, l)) {
			t.Errorf("the index changed the layout: %v", digestsOf(got))
		}
	})
}

func judge(t *testing.T, l *bundle.Layout, err error) {
	t.Helper()
	if err != nil {
		var invalid *bundle.Invalid
		if l != nil || !errors.As(err, &invalid) || len(invalid.Problems) == 0 || len(invalid.Diagnostics()) != len(invalid.Problems) {
			t.Fatalf("%v, %v", l, err)
		}
		return
	}
	again, err := readLayout(t, layoutTar(t, l), bundle.ReadOptions{Digest: l.Build.Digest()})
	if err != nil || !bytes.Equal(layoutTar(t, l), layoutTar(t, again)) {
		t.Fatalf("it does not come back: %v", err)
	}
}
