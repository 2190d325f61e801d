package registry_test

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/registry"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// forever sends bytes until the peer has had enough.
func forever(w http.ResponseWriter, _ *http.Request) {
	for piece := bytes.Repeat([]byte("x"), 1<<16); ; {
		if _, err := w.Write(piece); err != nil {
			return
		}
	}
}

// R67: whatever a registry gives in the place of what was named is found out, each with its own code. Nothing of it is
// used, and nothing is asked for twice.
func TestLiesAreFoundOut(t *testing.T) {
	layout := signed(t, shop(t), 1)
	text := []byte("Returns are free for 30 days.\n")
	blob := "/blobs/" + digest.Of(text).String()
	content := "/blobs/" + digest.Of(layout.Attachments[0].Content()).String()
	referrer := "/manifests/" + layout.Attachments[0].Digest().String()
	give := func(data []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", bundle.ManifestMediaType)
			w.Header().Set("Content-Length", strconv.Itoa(len(data)))
			w.Write(data)
		}
	}
	chunked := func(data []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.(http.Flusher).Flush()
			w.Write(data)
		}
	}
	upper := bytes.ToUpper(text)
	for name, test := range map[string]struct {
		path    string
		handler http.HandlerFunc
		want    diag.Code
	}{
		"another text of the same size":       {blob, give(upper), diag.CodeRegistryDigest},
		"another text, chunked":               {blob, chunked(upper), diag.CodeRegistryDigest},
		"a text that is cut, with its size":   {blob, give(text[:10]), diag.CodeRegistrySize},
		"a text that is cut, chunked":         {blob, chunked(text[:10]), diag.CodeRegistrySize},
		"an empty text":                       {blob, give(nil), diag.CodeRegistrySize},
		"a text with more behind it":          {blob, give(append(bytes.Clone(text), '!')), diag.CodeRegistrySize},
		"a text with more behind it, chunked": {blob, chunked(append(bytes.Clone(text), '!')), diag.CodeRegistryTooLarge},
		"a text without end":                  {blob, forever, diag.CodeRegistryTooLarge},
		"another signature":                   {content, give([]byte("signature X")), diag.CodeRegistryDigest},
		"a signature without end":             {content, forever, diag.CodeRegistryTooLarge},
		"another attachment":                  {referrer, give(layout.Build.Manifest()), diag.CodeRegistryDigest},
		"an attachment without end":           {referrer, forever, diag.CodeRegistryTooLarge},
		"a manifest without end":              {"/manifests/v1", forever, diag.CodeRegistryTooLarge},
		"a manifest of a stated terabyte": {"/manifests/v1", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1099511627776")
		}, diag.CodeRegistryTooLarge},
		"a manifest under another digest": {"/manifests/v1", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Docker-Content-Digest", "sha256:"+hex64)
			give(layout.Build.Manifest())(w, r)
		}, diag.CodeRegistryDigest},
		"a manifest under no digest": {"/manifests/v1", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Docker-Content-Digest", "sha1:x")
			give(layout.Build.Manifest())(w, r)
		}, diag.CodeRegistryDigest},
	} {
		t.Run(name, func(t *testing.T) {
			s := withAPI(t)
			push(t, s, ":v1", layout)
			var asked atomic.Int64
			s.with(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
				if strings.HasSuffix(r.URL.Path, test.path) {
					asked.Add(1)
					test.handler(w, r)
					return
				}
				pass.ServeHTTP(w, r)
			})
			got, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, hasty())
			wantFault(t, err, registry.Unverified, test.want)
			if got != nil || asked.Load() != 1 {
				t.Errorf("it was asked %d times", asked.Load())
			}
		})
	}
	t.Run("another manifest for a digest", func(t *testing.T) {
		s := withAPI(t)
		s.with(func(w http.ResponseWriter, r *http.Request, _ http.Handler) { give(layout.Build.Manifest())(w, r) })
		_, _, err := registry.Pull(t.Context(), s.ref("@sha256:"+hex64), bundle.ReadOptions{}, hasty())
		wantFault(t, err, registry.Unverified, diag.CodeRegistryDigest)
	})
}

// What the registry holds, and is no Build, is judged as a file of that content would be.
func TestWhatIsNoBuildIsRefusedAsOne(t *testing.T) {
	b := shop(t)
	image := `{"schemaVersion":2,"mediaType":"application/vnd.docker.distribution.manifest.v2+json","config":{"mediaType":"x","digest":"sha256:` + hex64 + `","size":9},"layers":[]}`
	index := `{"schemaVersion":2,"mediaType":"` + bundle.IndexMediaType + `","manifests":[]}`
	mediaType := func(from, to string) string { return strings.Replace(string(b.Manifest()), from, to, 1) }
	for name, test := range map[string]struct {
		manifest string
		want     diag.Code
	}{
		"an image":                   {image, diag.CodeUnknownManifest},
		"an index":                   {index, diag.CodeUnknownManifest},
		"no JSON":                    {"hello", diag.CodeBuildJSONSyntax},
		"a Build of a later kind":    {mediaType("build.v1", "build.v9"), diag.CodeUnknownBuildType},
		"a definition of a later":    {mediaType("definition.v1+json", "definition.v9+json"), diag.CodeUnknownRuntime},
		"a manifest that was padded": {string(b.Manifest()) + "\n", diag.CodeBuildJSONForm},
		"a layer of a gigabyte":      {mediaType(`"size":30`, `"size":1073741824`), diag.CodeLayerTooLarge},
		"another algorithm":          {mediaType(`"digest":"sha256:`, `"digest":"sha512:`), diag.CodeDigestAlgorithm},
		"a size that lies":           {mediaType(`"size":30`, `"size":31`), ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := withAPI(t)
			push(t, s, ":v1", &bundle.Layout{Build: b})
			if w := s.raw("PUT", "/manifests/v1", bundle.ManifestMediaType, test.manifest); w.Code != http.StatusCreated {
				t.Fatal(w.Body)
			}
			_, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, hasty())
			if test.want == "" {
				wantFault(t, err, registry.Unverified, diag.CodeRegistrySize)
				return
			}
			var invalid *bundle.Invalid
			if !errors.As(err, &invalid) || invalid.Problems[0].Code != test.want {
				t.Fatalf("got %v, want %s", err, test.want)
			}
			if invalid.Path != s.ref(":v1") {
				t.Errorf("the place is %s", invalid.Path)
			}
		})
	}
	t.Run("a Build of more than its limit", func(t *testing.T) {
		s := withAPI(t)
		var layers []string
		for i := range 5 {
			layers = append(layers, fmt.Sprintf(`{"digest":"%s","size":%d}`, digest.Of([]byte{byte(i)}), bundle.MaxBlob))
		}
		manifest := `{"schemaVersion":2,"mediaType":"` + bundle.ManifestMediaType + `","artifactType":"` + bundle.ArtifactType +
			`","config":` + layers[0] + `,"layers":[` + strings.Join(layers, ",") + `]}`
		s.raw("PUT", "/manifests/v1", bundle.ManifestMediaType, manifest)
		_, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, hasty())
		wantFault(t, err, registry.Unverified, diag.CodeBuildTooLarge)
	})
	t.Run("another Build than the caller expects", func(t *testing.T) {
		s := withAPI(t)
		push(t, s, ":v1", &bundle.Layout{Build: b})
		_, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{Digest: digest.Of(nil)}, hasty())
		var invalid *bundle.Invalid
		if !errors.As(err, &invalid) || invalid.Problems[0].Code != diag.CodeBuildDigest {
			t.Fatalf("got %v", err)
		}
	})
}

// A peer that sends a byte now and then, or nothing at all, is given up.
func TestSlowPeersAreGivenUp(t *testing.T) {
	layout := signed(t, shop(t), 1)
	drip := func(w http.ResponseWriter, r *http.Request) {
		for {
			if _, err := w.Write([]byte(" ")); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}
	silent := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	for name, handler := range map[string]http.HandlerFunc{"a byte now and then": drip, "nothing": silent} {
		for _, path := range []string{"/manifests/v1", "/blobs/sha256:", "/referrers/"} {
			t.Run(name+" at "+path, func(t *testing.T) {
				s := withAPI(t)
				push(t, s, ":v1", layout)
				opts := hasty()
				opts.Patience = 200 * time.Millisecond
				s.with(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
					if strings.Contains(r.URL.Path, path) {
						handler(w, r)
						return
					}
					pass.ServeHTTP(w, r)
				})
				start := time.Now()
				_, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, opts)
				f := &registry.Fault{}
				if !errors.As(err, &f) || f.Problem.Code != diag.CodeRegistryTimeout && f.Problem.Code != diag.CodeRegistryTooLarge {
					t.Fatalf("got %v", err)
				}
				if took := time.Since(start); took > 20*time.Second {
					t.Errorf("it took %s", took)
				}
			})
		}
	}
}
