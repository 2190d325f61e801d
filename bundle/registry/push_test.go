package registry_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/registry"
	"github.com/seif-dev/seifc/diag"
)

// R66: what is pushed is pulled, signatures included, by tag and by digest, with and without the referrers API.
func TestPushedBuildsArriveWhole(t *testing.T) {
	everywhere(t, func(t *testing.T, s *server) {
		layout := signed(t, shop(t), 3)
		report := push(t, s, ":v1", layout)
		want := registry.PushReport{
			Reference: s.ref("@" + layout.Build.Digest().String()), Digest: layout.Build.Digest(), Tag: "v1",
			Outcome: bundle.Written, Sent: 8, Attachments: 3,
		}
		if d := cmp.Diff(want, report); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
		for _, name := range []string{":v1", "@" + layout.Build.Digest().String(), ":v1@" + layout.Build.Digest().String()} {
			got, report := pull(t, s, name)
			if got.Build.Digest() != layout.Build.Digest() || string(got.Build.DefinitionBytes()) != string(layout.Build.DefinitionBytes()) {
				t.Errorf("%s: another Build arrived", name)
			}
			if d := cmp.Diff(digests(layout.Attachments), digests(got.Attachments)); d != "" {
				t.Errorf("%s: attachments (-want +got):\n%s", name, d)
			}
			for _, a := range got.Attachments {
				if !slices.ContainsFunc(layout.Attachments, func(b bundle.Attachment) bool { return string(a.Content()) == string(b.Content()) }) {
					t.Errorf("%s: the content of %s changed", name, a.Digest())
				}
			}
			if report.Attachments != 3 || len(report.Skipped) != 0 || len(report.Notices) != 0 || report.Digest != layout.Build.Digest() {
				t.Errorf("%s: %+v", name, report)
			}
		}
	})
}

// R66: the second push of the same says so and writes nothing.
func TestPushingTwiceChangesNothing(t *testing.T) {
	everywhere(t, func(t *testing.T, s *server) {
		layout := signed(t, shop(t), 2)
		push(t, s, ":v1", layout)
		s.requests()
		report := push(t, s, ":v1", layout)
		if report.Outcome != bundle.Unchanged || report.Sent != 0 || report.Skipped != 7 {
			t.Errorf("%+v", report)
		}
		for _, r := range s.requests() {
			if method, _, _ := strings.Cut(r, " "); method != http.MethodGet && method != http.MethodHead {
				t.Errorf("it sent %s", r)
			}
		}
		if report := push(t, s, ":v2", layout); report.Outcome != bundle.Written || report.Sent != 0 {
			t.Errorf("another tag: %+v", report)
		}
	})
}

// The tag is the last thing that is written.
func TestTheTagMovesLast(t *testing.T) {
	everywhere(t, func(t *testing.T, s *server) {
		push(t, s, ":v1", signed(t, shop(t), 2))
		var writes []string
		for _, r := range s.requests() {
			if strings.HasPrefix(r, "PUT ") {
				writes = append(writes, r)
			}
		}
		if last := writes[len(writes)-1]; last != "PUT /v2/shop/assistant/manifests/v1" {
			t.Errorf("the last write is %s", last)
		}
		if n := len(slices.DeleteFunc(writes, func(r string) bool { return !strings.HasSuffix(r, "/manifests/v1") })); n != 1 {
			t.Errorf("the tag was written %d times", n)
		}
	})
}

// Where the registry keeps the list, nothing is written beside what was pushed.
func TestTheAPINeedsNoTags(t *testing.T) {
	s := withAPI(t)
	push(t, s, ":v1", signed(t, shop(t), 2))
	if got := s.raw("GET", "/tags/list", "", "").Body.String(); got != `{"name":"shop/assistant","tags":["v1"]}` {
		t.Errorf("tags: %s", got)
	}
}

// A push that stops at any request leaves the tag as it was, and the next one goes on from there.
func TestInterruptedPushesLeaveTheTagAndGoOn(t *testing.T) {
	for _, api := range []bool{true, false} {
		t.Run(fmt.Sprintf("referrers API %v", api), func(t *testing.T) {
			old, layout := shop(t), signed(t, build(t, map[string]string{"tone": "Be brief.\n", "law": "No advice.\n"}), 2)
			for stop := 1; ; stop++ {
				s := serve(t, inMemory(api))
				push(t, s, ":v1", &bundle.Layout{Build: old})
				var count atomic.Int64
				s.with(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
					if count.Add(1) >= int64(stop) {
						panic(http.ErrAbortHandler)
					}
					pass.ServeHTTP(w, r)
				})
				_, err := registry.Push(t.Context(), s.ref(":v1"), layout, hasty())
				s.with(nil)
				if err == nil {
					if stop < 20 {
						t.Fatalf("the push took %d requests only", stop)
					}
					return
				}
				wantFault(t, err, registry.Unable, diag.CodeRegistryUnreachable)
				if got, _ := pull(t, s, ":v1"); got.Build.Digest() != old.Digest() && len(got.Attachments) != 2 {
					t.Fatalf("stopped at request %d: the tag stands for a Build without its signatures", stop)
				}
				push(t, s, ":v1", layout)
				if got, _ := pull(t, s, ":v1"); got.Build.Digest() != layout.Build.Digest() || len(got.Attachments) != 2 {
					t.Fatalf("stopped at request %d: the next push did not mend it", stop)
				}
			}
		})
	}
}

func TestBlobsThatAreThereAreNotSentAgain(t *testing.T) {
	s := withAPI(t)
	layout := signed(t, shop(t), 1)
	s.with(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
		if r.Method == http.MethodPut && strings.Contains(r.URL.Path, "/manifests/") {
			http.Error(w, "later", http.StatusServiceUnavailable)
			return
		}
		pass.ServeHTTP(w, r)
	})
	_, err := registry.Push(t.Context(), s.ref(":v1"), layout, hasty())
	wantFault(t, err, registry.Unable, diag.CodeRegistryBusy)
	s.with(nil)
	if report := push(t, s, ":v1", layout); report.Sent != 0 || report.Skipped != 6 || report.Outcome != bundle.Written {
		t.Errorf("%+v", report)
	}
}

func TestAPinnedPushIsOfThatBuild(t *testing.T) {
	s := withAPI(t)
	_, err := registry.Push(t.Context(), s.ref(":v1@sha256:"+hex64), &bundle.Layout{Build: shop(t)}, hasty())
	wantFault(t, err, registry.Unverified, diag.CodeBuildDigest)
	if sent := s.requests(); len(sent) > 0 {
		t.Errorf("it sent %v", sent)
	}
	b := shop(t)
	report := push(t, s, "@"+b.Digest().String(), &bundle.Layout{Build: b})
	if report.Tag != "" || report.Outcome != bundle.Written {
		t.Errorf("%+v", report)
	}
}

// A registry that says yes and does something else is found out before the tag moves, or when the tag is read back.
func TestPushReadsBack(t *testing.T) {
	accept := func(match string) func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
		return func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
			if r.Method == http.MethodPut && strings.Contains(r.URL.Path, match) {
				w.WriteHeader(http.StatusCreated)
				return
			}
			pass.ServeHTTP(w, r)
		}
	}
	b := shop(t)
	t.Run("a manifest that it drops", func(t *testing.T) {
		s := withAPI(t)
		s.with(accept("/manifests/sha256:"))
		_, err := registry.Push(t.Context(), s.ref(":v1"), &bundle.Layout{Build: b}, hasty())
		wantFault(t, err, registry.Unverified, diag.CodeRegistryReadBack)
		if w := s.raw("GET", "/manifests/v1", "", ""); w.Code != http.StatusNotFound {
			t.Error("the tag moved")
		}
	})
	t.Run("a tag that it drops", func(t *testing.T) {
		s := withAPI(t)
		s.with(accept("/manifests/v1"))
		_, err := registry.Push(t.Context(), s.ref(":v1"), &bundle.Layout{Build: b}, hasty())
		wantFault(t, err, registry.Unverified, diag.CodeRegistryReadBack)
	})
	t.Run("a tag that it leaves on another Build", func(t *testing.T) {
		s := withAPI(t)
		push(t, s, ":v1", &bundle.Layout{Build: build(t, map[string]string{"a": "b\n"})})
		s.with(accept("/manifests/v1"))
		_, err := registry.Push(t.Context(), s.ref(":v1"), &bundle.Layout{Build: b}, hasty())
		wantFault(t, err, registry.Unverified, diag.CodeRegistryTagElsewhere)
	})
	t.Run("an attachment that it takes note of and does not list", func(t *testing.T) {
		s := withAPI(t)
		s.with(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
			switch {
			case strings.Contains(r.URL.Path, "/referrers/"):
				w.Header().Set("Content-Type", bundle.IndexMediaType)
				fmt.Fprint(w, `{"schemaVersion":2,"manifests":[]}`)
			default:
				w.Header().Set("OCI-Subject", b.Digest().String())
				pass.ServeHTTP(w, r)
			}
		})
		_, err := registry.Push(t.Context(), s.ref(":v1"), signed(t, b, 1), hasty())
		wantFault(t, err, registry.Unverified, diag.CodeRegistryReadBack)
		if w := s.raw("GET", "/manifests/v1", "", ""); w.Code != http.StatusNotFound {
			t.Error("the tag moved")
		}
	})
	t.Run("an API that lists nothing of what it takes", func(t *testing.T) {
		s := withoutAPI(t)
		s.with(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
			if strings.Contains(r.URL.Path, "/referrers/") {
				w.Header().Set("Content-Type", bundle.IndexMediaType)
				fmt.Fprint(w, `{"schemaVersion":2,"manifests":[]}`)
				return
			}
			pass.ServeHTTP(w, r)
		})
		push(t, s, ":v1", signed(t, b, 2))
		if got, _ := pull(t, s, ":v1"); len(got.Attachments) != 2 {
			t.Errorf("%d attachments arrived", len(got.Attachments))
		}
	})
	t.Run("a blob of another size", func(t *testing.T) {
		s := withAPI(t)
		s.with(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
			if r.Method == http.MethodHead {
				w.Header().Set("Content-Length", "1")
				return
			}
			pass.ServeHTTP(w, r)
		})
		_, err := registry.Push(t.Context(), s.ref(":v1"), &bundle.Layout{Build: b}, hasty())
		wantFault(t, err, registry.Unverified, diag.CodeRegistrySize)
	})
}

func TestProgressAddsUp(t *testing.T) {
	s := withAPI(t)
	layout := signed(t, build(t, map[string]string{"a": strings.Repeat("long text\n", 100_000), "b": "short\n"}), 1)
	var last registry.Progress
	calls := 0
	opts := hasty()
	opts.Progress = func(p registry.Progress) {
		if p.Done < 0 || p.Done > p.Total && p.Total > 0 {
			t.Errorf("%+v", p)
		}
		last = p
		calls++
	}
	if _, err := registry.Push(t.Context(), s.ref(":v1"), layout, opts); err != nil {
		t.Fatal(err)
	}
	if last.Done != last.Total || last.Total < 1_000_000 || calls < 10 {
		t.Errorf("push: %+v after %d calls", last, calls)
	}
	last, calls = registry.Progress{}, 0
	if _, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, opts); err != nil {
		t.Fatal(err)
	}
	if last.Done < 1_000_000 || calls < 10 {
		t.Errorf("pull: %+v after %d calls", last, calls)
	}
}

// A command that is interrupted ends at once, with its own reason.
func TestCancellationEndsPushAndPull(t *testing.T) {
	s := withAPI(t)
	layout := signed(t, shop(t), 1)
	push(t, s, ":v1", layout)
	reason := errors.New("interrupted")
	for name, run := range map[string]func(context.Context) error{
		"push": func(ctx context.Context) error {
			_, err := registry.Push(ctx, s.ref(":v2"), signed(t, build(t, map[string]string{"x": "y\n"}), 1), registry.Options{})
			return err
		},
		"pull": func(ctx context.Context) error {
			_, _, err := registry.Pull(ctx, s.ref(":v1"), bundle.ReadOptions{}, registry.Options{})
			return err
		},
		"attach": func(ctx context.Context) error {
			return registry.Attach(ctx, s.ref(":v1"), layout.Build, []bundle.Attachment{attachment(t, layout.Build, "late")}, registry.Options{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			s.with(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
				if strings.Contains(r.URL.Path, "/blobs/") {
					cancel(reason)
					<-r.Context().Done()
					return
				}
				pass.ServeHTTP(w, r)
			})
			if err := run(ctx); !errors.Is(err, reason) {
				t.Errorf("got %v", err)
			}
			s.with(nil)
		})
	}
	if w := s.raw("GET", "/manifests/v2", "", ""); w.Code != http.StatusNotFound {
		t.Error("the tag of the push that was interrupted is there")
	}
}

// wantFault makes sure of the kind and the code of an error.
func wantFault(t testing.TB, err error, kind registry.Kind, code diag.Code) *registry.Fault {
	t.Helper()
	var f *registry.Fault
	if !errors.As(err, &f) {
		t.Fatalf("got %v, want %s", err, code)
	}
	if f.Problem.Code != code || f.Kind != kind {
		t.Fatalf("got %s of kind %d (%v), want %s of kind %d", f.Problem.Code, f.Kind, f, code, kind)
	}
	for _, d := range f.Diagnostics() {
		if message := d.Message(); message == "" || strings.Contains(message, "{") {
			t.Errorf("the message lacks its data: %s", message)
		}
	}
	return f
}
