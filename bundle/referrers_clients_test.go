package bundle_test

import (
	"bytes"
	"context"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	ggcr "github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"oras.land/oras-go/v2"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/content/oci"
	"oras.land/oras-go/v2/registry"
	"oras.land/oras-go/v2/registry/remote"

	"github.com/seif-dev/seifc/bundle"
)

// layoutFile writes a layout to a `.seif` file of the test.
func layoutFile(t *testing.T, l *bundle.Layout) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.seif")
	if outcome, err := bundle.WriteLayoutFile(context.Background(), path, l); err != nil || outcome != bundle.Written {
		t.Fatalf("%q, %v", outcome, err)
	}
	return path
}

func listOf[T any](items ...T) []T { return items }

// An independent client finds the Build by its tag, and by it what refers to it, with the bytes that were attached.
func TestLayoutInAnotherClient(t *testing.T) {
	ctx := t.Context()
	b := shop(t)
	l := signed(t, b, 2)
	store, err := oci.NewFromTar(ctx, layoutFile(t, l))
	if err != nil {
		t.Fatal(err)
	}
	build, err := store.Resolve(ctx, "build")
	if err != nil || build.Digest.String() != b.Digest().String() || build.Size != int64(len(b.Manifest())) {
		t.Fatalf("%v, %v", build, err)
	}
	referrers, err := registry.Referrers(ctx, store, build, bundle.SigstoreBundleMediaType)
	if err != nil {
		t.Fatal(err)
	}
	var found, contents []string
	for _, r := range referrers {
		found = append(found, r.Digest.String())
		blobs, err := content.Successors(ctx, store, r) // subject, config, layer
		if err != nil || len(blobs) != 3 {
			t.Fatalf("%v, %v", blobs, err)
		}
		data, err := content.FetchAll(ctx, store, blobs[2])
		if err != nil {
			t.Fatal(err)
		}
		contents = append(contents, string(data))
	}
	slices.Sort(found)
	slices.Sort(contents)
	if d := cmp.Diff(sortedDigests(l.Attachments...), found); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{string(sigstore(0)), string(sigstore(1))}, contents); d != "" {
		t.Error(d)
	}
}

// registryOf is a registry on the loopback interface, with or without the referrers API.
func registryOf(t *testing.T, referrers bool) string {
	t.Helper()
	server := httptest.NewServer(ggcr.New(ggcr.WithReferrersSupport(referrers), ggcr.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// A client that copies with referrers moves a layout to a registry and back, and a registry without the referrers API
// keeps them under a tag that does not get into the layout. What comes back has lost what the index said and is the same
// layout.
func TestLayoutThroughRegistries(t *testing.T) {
	ctx := t.Context()
	b := shop(t)
	l := signed(t, b, 2)
	for what, referrers := range map[string]bool{"with referrers": true, "without referrers": false} {
		t.Run(what, func(t *testing.T) {
			from, err := oci.NewFromTar(ctx, layoutFile(t, l))
			if err != nil {
				t.Fatal(err)
			}
			repository, err := remote.NewRepository(registryOf(t, referrers) + "/shop")
			if err != nil {
				t.Fatal(err)
			}
			repository.PlainHTTP = true
			if _, err := oras.ExtendedCopy(ctx, from, "build", repository, "v1", oras.DefaultExtendedCopyOptions); err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(t.TempDir(), "back")
			to, err := oci.New(dir)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := oras.ExtendedCopy(ctx, repository, "v1", to, "v1", oras.DefaultExtendedCopyOptions); err != nil {
				t.Fatal(err)
			}
			sameLayout(t, dir, l)
		})
	}
}

// sameLayout reads a folder and expects this layout of it.
func sameLayout(t *testing.T, dir string, want *bundle.Layout) {
	t.Helper()
	got, err := bundle.ReadLayoutDir(context.Background(), dir, bundle.ReadOptions{Digest: want.Build.Digest()})
	if err != nil {
		index, _ := os.ReadFile(filepath.Join(dir, "index.json"))
		t.Fatalf("%v\n%s", err, index)
	}
	if !bytes.Equal(layoutTar(t, want), layoutTar(t, got)) {
		t.Errorf("attachments %v, want %v", digestsOf(got), digestsOf(want))
	}
}

// What a client attaches in a layout folder of ours is an attachment, with its time and its subject's annotations, and
// it stands beside ours after the next update.
func TestAttachedByAnotherClient(t *testing.T) {
	ctx := t.Context()
	b := shop(t)
	dir := places(t, b)[1]
	store, err := oci.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	build, err := store.Resolve(ctx, "build")
	if err != nil {
		t.Fatal(err)
	}
	layer, err := oras.PushBytes(ctx, store, bundle.SigstoreBundleMediaType, sigstore(0))
	if err != nil {
		t.Fatal(err)
	}
	layer.Annotations = map[string]string{bundle.TitleAnnotation: "bundle.json"}
	theirs, err := oras.PackManifest(ctx, store, oras.PackManifestVersion1_1, bundle.SigstoreBundleMediaType,
		oras.PackManifestOptions{Subject: &build, Layers: listOf(layer)})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{theirs.Digest.String()}, attachedTo(t, dir)); d != "" {
		t.Fatal(d)
	}
	ours := attach(t, b, sigstore(0))
	if _, err := bundle.Update(ctx, dir, b.Digest(), adding(ours)); err != nil {
		t.Fatal(err)
	}
	want := slices.Sorted(slices.Values([]string{theirs.Digest.String(), ours.Digest().String()}))
	if d := cmp.Diff(want, attachedTo(t, dir)); d != "" {
		t.Error(d)
	}
}

// A client that saves every referrer as a layout of its own in one folder, and the image last, leaves an index that
// lists the image alone. What is attached is found all the same.
func TestReferrersThatAreNotListed(t *testing.T) {
	b := shop(t)
	l := signed(t, b, 2)
	from := filepath.Join(t.TempDir(), "from")
	if _, err := bundle.WriteLayoutDir(t.Context(), from, l); err != nil {
		t.Fatal(err)
	}
	source, err := layout.FromPath(from)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "saved")
	for _, digest := range append(digestsOf(l), b.Digest().String()) {
		hash, err := v1.NewHash(digest)
		if err != nil {
			t.Fatal(err)
		}
		image, err := source.Image(hash)
		if err != nil {
			t.Fatal(err)
		}
		path, err := layout.Write(dir, empty.Index)
		if err != nil {
			t.Fatal(err)
		}
		if err := path.AppendImage(image, layout.WithAnnotations(map[string]string{"kind": "dev.cosignproject.cosign/image"})); err != nil {
			t.Fatal(err)
		}
	}
	index, err := os.ReadFile(filepath.Join(dir, "index.json"))
	if err != nil || bytes.Count(index, []byte(`"digest"`)) != 1 {
		t.Fatalf("%s, %v", index, err)
	}
	sameLayout(t, dir, l)
}
