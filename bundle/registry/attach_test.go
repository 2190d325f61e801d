package registry_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/registry/remote"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/registry"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// R66: many clients attach at once, each on its own connection and some in processes of their own, and nothing is lost:
// neither for our reader, nor for one that knows only the fallback index.
func TestConcurrentAttachesLoseNothing(t *testing.T) {
	everywhere(t, func(t *testing.T, s *server) {
		b := shop(t)
		push(t, s, ":v1", signed(t, b, 1))
		const goroutines, processes, each = 24, 2, 4
		want := digests(signed(t, b, 1).Attachments)
		var wait sync.WaitGroup
		start := make(chan struct{})
		for i := range goroutines {
			a := attachment(t, b, fmt.Sprintf("goroutine %d", i))
			want = append(want, a.Digest().String())
			wait.Go(func() {
				<-start
				if err := registry.Attach(t.Context(), s.ref(":v1"), b, []bundle.Attachment{a}, registry.Options{}); err != nil {
					t.Errorf("attachment %d: %v", i, err)
				}
			})
		}
		for i := range processes {
			for j := range each {
				want = append(want, attachment(t, b, processContent(i, j)).Digest().String())
			}
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAttachInAProcess$", "-test.v")
			cmd.Env = append(os.Environ(), "SEIF_TEST_ATTACH="+s.ref(":v1"), fmt.Sprintf("SEIF_TEST_PROCESS=%d", i), fmt.Sprintf("SEIF_TEST_EACH=%d", each))
			wait.Go(func() {
				<-start
				if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "attached") {
					t.Errorf("process %d: %v\n%s", i, err, out)
				}
			})
		}
		close(start)
		wait.Wait()
		slices.Sort(want)

		got, report := pull(t, s, ":v1")
		if d := cmp.Diff(want, digests(got.Attachments)); d != "" {
			t.Errorf("attachments (-want +got):\n%s", d)
		}
		if len(report.Skipped) > 0 {
			t.Errorf("skipped: %v", report.Skipped)
		}
		if d := cmp.Diff(want, seenByOthers(t, s, b)); d != "" {
			t.Errorf("as another client sees it (-want +got):\n%s", d)
		}
	})
}

func processContent(process, n int) string { return fmt.Sprintf("process %d, %d", process, n) }

// TestAttachInAProcess is the other process of the test above; on its own it attaches to a registry of its own.
func TestAttachInAProcess(t *testing.T) {
	b := shop(t)
	ref, process, each := os.Getenv("SEIF_TEST_ATTACH"), 0, 1
	if ref == "" {
		s := withoutAPI(t)
		push(t, s, ":v1", &bundle.Layout{Build: b})
		ref = s.ref(":v1")
	} else {
		fmt.Sscan(os.Getenv("SEIF_TEST_PROCESS"), &process)
		fmt.Sscan(os.Getenv("SEIF_TEST_EACH"), &each)
	}
	for j := range each {
		a := attachment(t, b, processContent(process, j))
		if err := registry.Attach(t.Context(), ref, b, []bundle.Attachment{a}, registry.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	t.Log("attached")
}

// seenByOthers lists what is attached as an unmodified client does, by the referrers API or the fallback index.
func seenByOthers(t *testing.T, s *server, b *bundle.Build) []string {
	t.Helper()
	repo := foreign(t, s)
	subject := content.NewDescriptorFromBytes(bundle.ManifestMediaType, b.Manifest())
	found, err := repo.Predecessors(t.Context(), subject)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range found {
		out = append(out, d.Digest.String())
	}
	slices.Sort(out)
	return out
}

// foreign is an unmodified client for the repository.
func foreign(t *testing.T, s *server) *remote.Repository {
	t.Helper()
	repo, err := remote.NewRepository(s.host + "/shop/assistant")
	if err != nil {
		t.Fatal(err)
	}
	repo.PlainHTTP = true
	return repo
}

// A client that rewrites the fallback index from an old copy takes nothing away from our readers, and the next attach
// puts everything back for the others.
func TestARewrittenIndexLosesNothing(t *testing.T) {
	b := shop(t)
	layout := signed(t, b, 2)
	s := withoutAPI(t)
	push(t, s, ":v1", layout)
	theirs := attachment(t, b, "signature of another tool")
	upload(t, s, string(theirs.Content()))
	if w := s.raw("PUT", "/manifests/"+theirs.Digest().String(), bundle.ManifestMediaType, string(theirs.Manifest())); w.Code != http.StatusCreated {
		t.Fatal(w.Body)
	}
	index := `{"schemaVersion":2,"mediaType":"` + bundle.IndexMediaType + `","annotations":{"a":"kept"},"manifests":[` +
		`{"mediaType":"` + bundle.ManifestMediaType + `","digest":"` + theirs.Digest().String() + `","size":` + fmt.Sprint(len(theirs.Manifest())) + `,"platform":{"os":"any","architecture":"any"}}]}`
	tag := "/manifests/sha256-" + b.Digest().Hex()
	if w := s.raw("PUT", tag, bundle.IndexMediaType, index); w.Code != http.StatusCreated {
		t.Fatal(w.Body)
	}
	want := digests(append(slices.Clone(layout.Attachments), theirs))
	got, _ := pull(t, s, ":v1")
	if d := cmp.Diff(want, digests(got.Attachments)); d != "" {
		t.Errorf("after the rewrite (-want +got):\n%s", d)
	}
	late := attachment(t, b, "late")
	if err := registry.Attach(t.Context(), s.ref(":v1"), b, []bundle.Attachment{late}, hasty()); err != nil {
		t.Fatal(err)
	}
	want = digests(append(slices.Clone(layout.Attachments), theirs, late))
	if d := cmp.Diff(want, seenByOthers(t, s, b)); d != "" {
		t.Errorf("as another client sees it (-want +got):\n%s", d)
	}
	if body := s.raw("GET", tag, "", "").Body.String(); !strings.Contains(body, `"kept"`) || !strings.Contains(body, `"platform"`) {
		t.Errorf("what others wrote was changed: %s", body)
	}
}

// An unmodified client attaches; our reader finds it; and ours is found by an unmodified client, in the form that the
// OCI distribution specification asks for.
func TestOtherClientsAttachToo(t *testing.T) {
	everywhere(t, func(t *testing.T, s *server) {
		b := shop(t)
		push(t, s, ":v1", signed(t, b, 1))
		theirs := attachment(t, b, "signature of another tool")
		repo := foreign(t, s)
		for _, blob := range [][]byte{theirs.Content(), []byte("{}")} {
			if err := repo.Blobs().Push(t.Context(), content.NewDescriptorFromBytes("", blob), strings.NewReader(string(blob))); err != nil {
				t.Fatal(err)
			}
		}
		manifest := content.NewDescriptorFromBytes(bundle.ManifestMediaType, theirs.Manifest())
		if err := repo.Push(t.Context(), manifest, strings.NewReader(string(theirs.Manifest()))); err != nil && !strings.Contains(err.Error(), "delete") {
			t.Fatal(err)
		}
		want := digests(append(signed(t, b, 1).Attachments, theirs))
		got, _ := pull(t, s, ":v1")
		if d := cmp.Diff(want, digests(got.Attachments)); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
		if d := cmp.Diff(want, seenByOthers(t, s, b)); d != "" {
			t.Errorf("as another client sees it (-want +got):\n%s", d)
		}
	})
}

func TestFallbackEntriesSayWhatTheySpecify(t *testing.T) {
	b := shop(t)
	s := withoutAPI(t)
	layout := signed(t, b, 1)
	push(t, s, ":v1", layout)
	a := layout.Attachments[0]
	want := `{"manifests":[{"annotations":{"dev.sigstore.bundle.content":"dsse-envelope","dev.sigstore.bundle.predicateType":"https://seif.dev/attestation/release/v1"},` +
		`"artifactType":"application/vnd.dev.sigstore.bundle.v0.3+json","digest":"` + a.Digest().String() +
		`","mediaType":"application/vnd.oci.image.manifest.v1+json","size":` + fmt.Sprint(len(a.Manifest())) +
		`}],"mediaType":"application/vnd.oci.image.index.v1+json","schemaVersion":2}`
	if got := s.raw("GET", "/manifests/sha256-"+b.Digest().Hex(), "", "").Body.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	anchor := "/manifests/sha256-" + b.Digest().Hex() + ".seif-" + a.Digest().Hex()[:32]
	if got := s.raw("GET", anchor, "", "").Body.Bytes(); digest.Of(got) != a.Digest() {
		t.Errorf("the anchor has %s", got)
	}
}

func TestAttachNeedsItsBuild(t *testing.T) {
	everywhere(t, func(t *testing.T, s *server) {
		b := shop(t)
		list := []bundle.Attachment{attachment(t, b, "x")}
		err := registry.Attach(t.Context(), s.ref("@"+b.Digest().String()), b, list, hasty())
		wantFault(t, err, registry.Unable, diag.CodeRegistryNotFound)
		err = registry.Attach(t.Context(), s.ref("@sha256:"+hex64), b, list, hasty())
		wantFault(t, err, registry.Unverified, diag.CodeBuildDigest)
		err = registry.Attach(t.Context(), "oci://", b, list, hasty())
		wantFault(t, err, registry.Malformed, diag.CodeReferenceHost)
		push(t, s, "@"+b.Digest().String(), &bundle.Layout{Build: b})
		if err := registry.Attach(t.Context(), s.ref("@"+b.Digest().String()), b, list, hasty()); err != nil {
			t.Fatal(err)
		}
		if got, _ := pull(t, s, "@"+b.Digest().String()); len(got.Attachments) != 1 {
			t.Errorf("%d attachments", len(got.Attachments))
		}
	})
}

func TestAttachmentsOfAnotherBuildAreNotSent(t *testing.T) {
	s := withAPI(t)
	b, other := shop(t), build(t, map[string]string{"other": "Another Build.\n"})
	push(t, s, ":v1", &bundle.Layout{Build: b})
	s.requests()
	list := []bundle.Attachment{attachment(t, other, "x")}
	_, pushed := registry.Push(t.Context(), s.ref(":v1"), &bundle.Layout{Build: b, Attachments: list}, hasty())
	for _, err := range []error{pushed, registry.Attach(t.Context(), s.ref(":v1"), b, list, hasty())} {
		var invalid *bundle.Invalid
		if !errors.As(err, &invalid) || invalid.Problems[0].Code != diag.CodeAttachmentSubject {
			t.Errorf("got %v", err)
		}
	}
	_, err := registry.Push(t.Context(), s.ref(":v1"), signed(t, b, bundle.MaxAttachments+1), hasty())
	wantFault(t, err, registry.Unverified, diag.CodeTooManyAttachments)
	if sent := s.requests(); len(sent) > 0 {
		t.Errorf("it sent %v", sent)
	}
}

// A registry that keeps giving an index without the attachment is not believed.
func TestAnIndexThatDoesNotChangeIsFoundOut(t *testing.T) {
	b := shop(t)
	s := withoutAPI(t)
	push(t, s, ":v1", &bundle.Layout{Build: b})
	s.with(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
		if strings.HasSuffix(r.URL.Path, "/manifests/sha256-"+b.Digest().Hex()) && r.Method == http.MethodPut {
			w.WriteHeader(http.StatusCreated)
			return
		}
		pass.ServeHTTP(w, r)
	})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := registry.Attach(ctx, s.ref(":v1"), b, []bundle.Attachment{attachment(t, b, "x")}, hasty())
	wantFault(t, err, registry.Unverified, diag.CodeRegistryReadBack)
}

// The list of tags has a page for every few Builds that were ever pushed: a repository that is in use for years is read
// to its end, and one that has none is given up.
func TestManyPagesOfTags(t *testing.T) {
	layout := signed(t, shop(t), 1)
	for _, test := range []struct {
		pages int
		ends  bool
	}{{500, true}, {1 << 30, false}} {
		s := withoutAPI(t)
		push(t, s, ":v1", layout)
		s.with(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
			if !strings.HasSuffix(r.URL.Path, "/tags/list") {
				pass.ServeHTTP(w, r)
				return
			}
			page, _ := strconv.Atoi(r.URL.Query().Get("page"))
			if page < test.pages {
				w.Header().Set("Link", fmt.Sprintf("<%s?page=%d>; rel=\"next\"", r.URL.Path, page+1))
			}
			fmt.Fprintf(w, `{"name":"shop/assistant","tags":["v%d"]}`, page)
		})
		_, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, hasty())
		if test.ends && err != nil {
			t.Errorf("%d pages: %v", test.pages, err)
		}
		if !test.ends {
			wantFault(t, err, registry.Unverified, diag.CodeRegistryListing)
		}
	}
}
