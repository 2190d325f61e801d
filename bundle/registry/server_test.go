package registry_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	fake "github.com/google/go-containerregistry/pkg/registry"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/registry"
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/digest"
)

// server is a registry on this machine behind a handler that a test can put in its way.
type server struct {
	host    string
	handler http.Handler // the registry itself

	mu      sync.Mutex
	meddle  func(w http.ResponseWriter, r *http.Request, pass http.Handler)
	history []string
}

// serve starts a handler on loopback.
func serve(t testing.TB, handler http.Handler) *server {
	t.Helper()
	s := &server{handler: handler}
	front := httptest.NewServer(s)
	t.Cleanup(front.Close)
	s.host = strings.TrimPrefix(front.URL, "http://")
	return s
}

// withAPI is a registry with the referrers API, withoutAPI one without.
func withAPI(t testing.TB) *server    { return serve(t, inMemory(true)) }
func withoutAPI(t testing.TB) *server { return serve(t, inMemory(false)) }

func inMemory(api bool) http.Handler {
	return fake.New(fake.WithReferrersSupport(api), fake.Logger(log.New(io.Discard, "", 0)))
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.history = append(s.history, r.Method+" "+r.URL.Path)
	meddle := s.meddle
	s.mu.Unlock()
	if meddle != nil {
		meddle(w, r, s.handler)
		return
	}
	s.handler.ServeHTTP(w, r)
}

// with lets a function answer requests, or pass them on; nil takes it away again.
func (s *server) with(meddle func(w http.ResponseWriter, r *http.Request, pass http.Handler)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.meddle = meddle
}

// requests gives the requests since the last call.
func (s *server) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.history
	s.history = nil
	return out
}

func (s *server) ref(name string) string { return "oci://" + s.host + "/shop/assistant" + name }

// raw is a request to the registry itself, past whatever is in the way.
func (s *server) raw(method, path, contentType string, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://"+s.host+"/v2/shop/assistant"+path, strings.NewReader(body))
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

// debian is Debian's docker-registry, an own program. Without it the test is skipped by the name of `registry`.
func debian(t testing.TB) *server {
	t.Helper()
	program, err := exec.LookPath("docker-registry")
	if err != nil {
		t.Skip("registry: docker-registry is not installed; nothing was tested against it")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	folder := t.TempDir()
	config := filepath.Join(folder, "config.yml")
	text := fmt.Sprintf("version: 0.1\nlog: {level: error, accesslog: {disabled: true}}\nstorage:\n  filesystem: {rootdirectory: %s}\nhttp: {addr: %q}\n", folder, address)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	cmd := exec.Command(program, "serve", config)
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	deadline := time.Now().Add(20 * time.Second)
	for {
		resp, err := http.Get("http://" + address + "/v2/")
		if err == nil {
			resp.Body.Close()
			break
		}
		if time.Now().After(deadline) {
			cmd.Process.Kill()
			cmd.Wait()
			t.Fatalf("docker-registry does not answer: %v\n%s", err, said.Bytes())
		}
		time.Sleep(20 * time.Millisecond)
	}
	return serve(t, forward(address))
}

// forward passes requests on to another server, as they are.
func forward(address string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := r.Clone(r.Context())
		out.RequestURI = ""
		out.URL.Scheme, out.URL.Host = "http", address
		resp, err := http.DefaultTransport.RoundTrip(out)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		maps.Copy(w.Header(), resp.Header)
		w.WriteHeader(resp.StatusCode)
		io.Copy(w, resp.Body)
	})
}

// everywhere runs a test against every kind of registry.
func everywhere(t *testing.T, run func(t *testing.T, s *server)) {
	for _, kind := range []struct {
		name  string
		start func(testing.TB) *server
	}{{"with the referrers API", withAPI}, {"without it", withoutAPI}, {"docker-registry", debian}} {
		t.Run(kind.name, func(t *testing.T) { run(t, kind.start(t)) })
	}
}

// hasty waits for nothing between two tries.
func hasty() registry.Options {
	return registry.Options{}.Paused(func(ctx context.Context, _ time.Duration) error { return context.Cause(ctx) })
}

// build is a Build with the given texts.
func build(t testing.TB, texts map[string]string) *bundle.Build {
	t.Helper()
	const tests = `{"schema":"seif.tests.v1","tests":{}}`
	blob := func(s string) definition.Blob {
		return definition.Blob{Digest: digest.Of([]byte(s)), Size: int64(len(s))}
	}
	def := &definition.Definition{
		Version: definition.V1, Project: "shop", Estimator: "seif-est/1",
		Sources: map[string]definition.Source{}, Tests: blob(tests),
	}
	profile := definition.Profile{BudgetTokens: 1_000_000}
	for _, id := range slices.Sorted(maps.Keys(texts)) {
		def.Sources[id] = definition.Source{Blob: blob(texts[id])}
		profile.Context = append(profile.Context, definition.ContextEntry{Source: id})
	}
	def.Profiles = map[string]definition.Profile{"customer": profile}
	encoded, err := def.Encode()
	if err != nil {
		t.Fatal(err)
	}
	b, problems := bundle.Assemble(encoded, texts, []byte(tests), nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return b
}

func shop(t testing.TB) *bundle.Build {
	return build(t, map[string]string{"returns": "Returns are free for 30 days.\n", "tone": "Be kind.\n"})
}

// signed is a Build with a number of attachments.
func signed(t testing.TB, b *bundle.Build, count int) *bundle.Layout {
	t.Helper()
	layout := &bundle.Layout{Build: b}
	for i := range count {
		layout.Attachments = append(layout.Attachments, attachment(t, b, fmt.Sprintf("signature %d", i)))
	}
	return layout
}

func attachment(t testing.TB, b *bundle.Build, content string) bundle.Attachment {
	t.Helper()
	a, err := b.Attach([]byte(content), "https://seif.dev/attestation/release/v1")
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// digests are the digests of attachments, sorted.
func digests(attachments []bundle.Attachment) []string {
	out := []string{}
	for _, a := range attachments {
		out = append(out, a.Digest().String())
	}
	slices.Sort(out)
	return out
}

func push(t testing.TB, s *server, name string, layout *bundle.Layout) registry.PushReport {
	t.Helper()
	report, err := registry.Push(t.Context(), s.ref(name), layout, hasty())
	if err != nil {
		t.Fatalf("push: %+v", err)
	}
	return report
}

func pull(t testing.TB, s *server, name string) (*bundle.Layout, registry.PullReport) {
	t.Helper()
	layout, report, err := registry.Pull(t.Context(), s.ref(name), bundle.ReadOptions{}, hasty())
	if err != nil {
		t.Fatalf("pull: %+v", err)
	}
	return layout, report
}
