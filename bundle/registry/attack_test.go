package registry_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/registry"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// answerIndex answers with an index of the given entries.
func answerIndex(w http.ResponseWriter, entries ...map[string]any) {
	w.Header().Set("Content-Type", bundle.IndexMediaType)
	if entries == nil {
		entries = []map[string]any{}
	}
	json.NewEncoder(w).Encode(map[string]any{"schemaVersion": 2, "mediaType": bundle.IndexMediaType, "manifests": entries})
}

func entry(manifest []byte, artifactType string) map[string]any {
	return map[string]any{
		"mediaType": bundle.ManifestMediaType, "artifactType": artifactType,
		"digest": digest.Of(manifest).String(), "size": len(manifest),
	}
}

// R67, row 42: the type that a registry lists an attachment under counts for nothing; what it lists beside is left out
// by its content and named; and when it withholds signatures, the Build arrives unsigned and says so.
func TestAttack42(t *testing.T) {
	b, other := shop(t), build(t, map[string]string{"other": "Another Build.\n"})
	layout := signed(t, b, 2)
	mine, foreign := layout.Attachments[0], attachment(t, other, "signature of another Build")
	scan := []byte(`{"schemaVersion":2,"mediaType":"` + bundle.ManifestMediaType + `","artifactType":"application/vnd.example.scan",` +
		`"config":{"mediaType":"application/vnd.oci.empty.v1+json","digest":"` + digest.Of([]byte("{}")).String() + `","size":2},"layers":[],` +
		`"subject":{"mediaType":"` + bundle.ManifestMediaType + `","digest":"` + b.Digest().String() + `","size":` + fmt.Sprint(len(b.Manifest())) + `}}`)
	twice := []byte(strings.Replace(string(scan), `"layers":[]`, `"layers":[],"layers":[]`, 1))
	gone := attachment(t, b, "never pushed")

	t.Run("lies about what is listed", func(t *testing.T) {
		s := withAPI(t)
		push(t, s, ":v1", layout)
		push(t, s, ":other", signed(t, other, 1))
		if err := registry.Attach(t.Context(), s.ref(":other"), other, []bundle.Attachment{foreign}, hasty()); err != nil {
			t.Fatal(err)
		}
		for _, manifest := range [][]byte{scan, twice} {
			if w := s.raw("PUT", "/manifests/"+digest.Of(manifest).String(), bundle.ManifestMediaType, string(manifest)); w.Code != http.StatusCreated {
				t.Fatal(w.Body)
			}
		}
		s.with(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
			if !strings.Contains(r.URL.Path, "/referrers/") {
				pass.ServeHTTP(w, r)
				return
			}
			huge := entry([]byte("huge"), bundle.SigstoreBundleMediaType)
			huge["size"] = 1 << 40
			answerIndex(w,
				entry(mine.Manifest(), "application/vnd.example.something"), // the wrong type
				entry(layout.Attachments[1].Manifest(), ""),                 // none
				entry(mine.Manifest(), bundle.SigstoreBundleMediaType),      // twice
				entry(foreign.Manifest(), bundle.SigstoreBundleMediaType),   // of another Build
				entry(scan, bundle.SigstoreBundleMediaType),                 // no signature
				entry(twice, bundle.SigstoreBundleMediaType),                // not even strict JSON
				entry(b.Manifest(), bundle.SigstoreBundleMediaType),         // the Build itself
				entry(gone.Manifest(), bundle.SigstoreBundleMediaType),      // not there
				huge,
				map[string]any{"digest": "sha512:" + hex64 + hex64, "size": 3},
			)
		})
		got, report := pull(t, s, ":v1")
		if d := cmp.Diff(digests(layout.Attachments), digests(got.Attachments)); d != "" {
			t.Errorf("attachments (-want +got):\n%s", d)
		}
		why := map[string]diag.Code{}
		for _, skipped := range report.Skipped {
			if skipped.Problems[0].Code != diag.CodeRegistrySkipped {
				t.Errorf("%s: %s", skipped.Digest, skipped.Problems[0].Code)
			}
			why[skipped.Digest.String()] = skipped.Problems[len(skipped.Problems)-1].Code
		}
		want := map[string]diag.Code{
			foreign.Digest().String():          diag.CodeAttachmentSubject,
			digest.Of(scan).String():           diag.CodeUnknownAttachment,
			digest.Of(twice).String():          diag.CodeBuildJSONDuplicate,
			b.Digest().String():                diag.CodeBuildMemberMissing,
			gone.Digest().String():             diag.CodeRegistrySkipped,
			digest.Of([]byte("huge")).String(): diag.CodeRegistrySkipped,
		}
		if d := cmp.Diff(want, why); d != "" {
			t.Errorf("skipped (-want +got):\n%s", d)
		}
		if !slices.IsSortedFunc(report.Skipped, func(a, b registry.Skipped) int { return strings.Compare(a.Digest.String(), b.Digest.String()) }) {
			t.Error("what was skipped is not sorted")
		}
	})

	everywhere(t, func(t *testing.T, s *server) {
		push(t, s, ":v1", layout)
		s.with(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
			switch {
			case strings.Contains(r.URL.Path, "/referrers/"):
				answerIndex(w)
			case strings.Contains(r.URL.Path, "/manifests/sha256-"), strings.Contains(r.URL.Path, "/tags/"):
				http.NotFound(w, r)
			default:
				pass.ServeHTTP(w, r)
			}
		})
		got, report := pull(t, s, ":v1")
		if len(got.Attachments) != 0 || report.Attachments != 0 {
			t.Errorf("%d attachments arrived", len(got.Attachments))
		}
		if len(report.Notices) != 1 || report.Notices[0].Code != diag.CodeRegistryUnsigned {
			t.Errorf("notices: %v", report.Notices)
		}
		hint := diag.AtPlace(diag.Place{}, report.Notices[0].Code).Help()
		for _, tool := range []string{"crane", "skopeo", "cosign copy", "oras cp -r"} {
			if !strings.Contains(hint, tool) {
				t.Errorf("the hint does not name %s: %s", tool, hint)
			}
		}
	})
}

// R67, row 43: a tag is asked for once; whatever it stands for a moment later, one Build arrives, whole.
func TestAttack43(t *testing.T) {
	everywhere(t, func(t *testing.T, s *server) {
		first, second := signed(t, shop(t), 2), signed(t, build(t, map[string]string{"tone": "Be evil.\n"}), 1)
		push(t, s, ":v2", second)
		push(t, s, ":v1", first)
		moved := false
		s.with(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
			pass.ServeHTTP(w, r)
			if strings.HasSuffix(r.URL.Path, "/manifests/v1") && !moved {
				moved = true
				if w := s.raw("PUT", "/manifests/v1", bundle.ManifestMediaType, string(second.Build.Manifest())); w.Code != http.StatusCreated {
					t.Error(w.Body)
				}
			}
		})
		s.requests()
		got, report := pull(t, s, ":v1")
		if got.Build.Digest() != first.Build.Digest() || report.Digest != first.Build.Digest() {
			t.Errorf("%s arrived", got.Build.Digest())
		}
		if d := cmp.Diff(digests(first.Attachments), digests(got.Attachments)); d != "" {
			t.Errorf("attachments (-want +got):\n%s", d)
		}
		asked := 0
		for _, r := range s.requests() {
			if strings.HasSuffix(r, "/manifests/v1") {
				asked++
			}
		}
		if asked != 1 {
			t.Errorf("the tag was asked for %d times", asked)
		}
		if !strings.HasSuffix(report.Reference, "@"+first.Build.Digest().String()) {
			t.Errorf("the report names %s", report.Reference)
		}
		s.with(nil)
		_, _, err := registry.Pull(t.Context(), s.ref(":v1@"+first.Build.Digest().String()), bundle.ReadOptions{}, hasty())
		wantFault(t, err, registry.Unverified, diag.CodeRegistryTagElsewhere)
		err = registry.Attach(t.Context(), s.ref(":v1"), first.Build, first.Attachments, hasty())
		wantFault(t, err, registry.Unverified, diag.CodeRegistryTagElsewhere)
	})
}

// A listing that cannot be read to its end is not read in part.
func TestListingsThatLieAreRefused(t *testing.T) {
	layout := signed(t, shop(t), 1)
	write := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", bundle.IndexMediaType)
			w.Write([]byte(body))
		}
	}
	many := func(w http.ResponseWriter, _ *http.Request) {
		var entries []map[string]any
		for i := range 2000 {
			entries = append(entries, entry(fmt.Append(nil, i), ""))
		}
		answerIndex(w, entries...)
	}
	endless := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", fmt.Sprintf("<%s?page=%s0>; rel=\"next\"", r.URL.Path, r.URL.Query().Get("page")))
		answerIndex(w)
	}
	for name, test := range map[string]struct {
		handler http.HandlerFunc
		want    diag.Code
	}{
		"no JSON":                    {write(`<html>`), diag.CodeRegistryListing},
		"a member twice":             {write(`{"manifests":[],"manifests":[]}`), diag.CodeRegistryListing},
		"trailing data":              {write(`{"manifests":[]} {}`), diag.CodeRegistryListing},
		"deep":                       {write(strings.Repeat("[", 200_000)), diag.CodeRegistryListing},
		"no object":                  {write(`[]`), diag.CodeRegistryListing},
		"another type":               {write(`{"mediaType":"application/json","manifests":[]}`), diag.CodeRegistryListing},
		"no array":                   {write(`{"manifests":{}}`), diag.CodeRegistryListing},
		"an entry that is no object": {write(`{"manifests":["x"]}`), diag.CodeRegistryListing},
		"an entry without a size":    {write(`{"manifests":[{"digest":"sha256:` + hex64 + `"}]}`), diag.CodeRegistryListing},
		"a negative size":            {write(`{"manifests":[{"size":-1,"digest":"sha256:` + hex64 + `"}]}`), diag.CodeRegistryListing},
		"a digest in capitals":       {write(`{"manifests":[{"size":1,"digest":"sha256:` + strings.ToUpper(hex64) + `"}]}`), diag.CodeRegistryListing},
		"too many entries":           {many, diag.CodeRegistryListing},
		"pages without end":          {endless, diag.CodeRegistryListing},
		"too many bytes":             {write(`{"x":"` + strings.Repeat("x", bundle.MaxManifest) + `"}`), diag.CodeRegistryTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			s := withAPI(t)
			push(t, s, ":v1", layout)
			s.with(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
				if strings.Contains(r.URL.Path, "/referrers/") {
					test.handler(w, r)
					return
				}
				pass.ServeHTTP(w, r)
			})
			_, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, hasty())
			wantFault(t, err, registry.Unverified, test.want)
		})
	}
}

// Pages of a listing are followed inside the listing, and to nowhere else.
func TestPagesAreFollowedInTheListingOnly(t *testing.T) {
	layout := signed(t, shop(t), 2)
	for link, want := range map[string]int{
		"%s?page=2":                       2,
		"http://192.0.2.1%s?page=2":       1,
		"https://127.0.0.1%s?page=2":      1,
		"/v2/shop/assistant/tags/list?%s": 1,
	} {
		s := withAPI(t)
		push(t, s, ":v1", layout)
		s.with(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
			switch {
			case !strings.Contains(r.URL.Path, "/referrers/"):
				pass.ServeHTTP(w, r)
			case r.URL.Query().Get("page") == "":
				w.Header().Set("Link", "<"+fmt.Sprintf(link, r.URL.Path)+`>; rel="next"`)
				answerIndex(w, entry(layout.Attachments[0].Manifest(), ""))
			default:
				answerIndex(w, entry(layout.Attachments[1].Manifest(), ""))
			}
		})
		if got, _ := pull(t, s, ":v1"); len(got.Attachments) != want {
			t.Errorf("%s: %d attachments", link, len(got.Attachments))
		}
	}
}

// Who drowns a Build in attachments stops it from being verified, and does not hide among them what was signed.
func TestTooManyAttachmentsAreRefused(t *testing.T) {
	b := shop(t)
	s := withAPI(t)
	push(t, s, ":v1", &bundle.Layout{Build: b})
	for i := range bundle.MaxAttachments + 1 {
		a := attachment(t, b, fmt.Sprint(i))
		s.raw("PUT", "/manifests/"+a.Digest().String(), bundle.ManifestMediaType, string(a.Manifest()))
		upload(t, s, string(a.Content()))
	}
	upload(t, s, "{}")
	_, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, hasty())
	wantFault(t, err, registry.Unverified, diag.CodeTooManyAttachments)
}

// upload puts a blob into a registry, past whatever is in the way.
func upload(t *testing.T, s *server, content string) {
	t.Helper()
	if w := s.raw("POST", "/blobs/uploads/?digest="+digest.Of([]byte(content)).String(), "application/octet-stream", content); w.Code != http.StatusCreated {
		t.Fatal(w.Code, w.Body)
	}
}
