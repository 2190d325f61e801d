package registry_test

import (
	"context"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/registry"
	"github.com/seif-dev/seifc/diag"
)

// secure is a registry behind TLS, with the pool that its certificate is in.
func secure(t *testing.T, handler http.Handler) (*server, registry.Options) {
	t.Helper()
	s := &server{handler: handler}
	front := httptest.NewTLSServer(s)
	t.Cleanup(front.Close)
	s.host = strings.TrimPrefix(front.URL, "https://")
	opts := hasty()
	opts.TLS, opts.Roots = true, x509.NewCertPool()
	opts.Roots.AddCert(front.Certificate())
	return s, opts
}

func TestTLS(t *testing.T) {
	s, opts := secure(t, inMemory(true))
	layout := signed(t, shop(t), 1)
	if _, err := registry.Push(t.Context(), s.ref(":v1"), layout, opts); err != nil {
		t.Fatal(err)
	}
	if got, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, opts); err != nil || len(got.Attachments) != 1 {
		t.Fatal(err)
	}
	opts.Roots = x509.NewCertPool()
	_, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, opts)
	wantFault(t, err, registry.Unable, diag.CodeRegistryUnreachable)
	_, _, err = registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, hasty())
	wantFault(t, err, registry.Unable, diag.CodeRegistryAnswer) // plain HTTP to a server of TLS
}

// Plain HTTP leads to this machine only, by its name and by its address.
func TestPlainHTTPStaysHere(t *testing.T) {
	for _, url := range []string{"http://registry.example.com/v2/", "http://192.0.2.1/", "http://127.0.0.1.example.com/", "http://localhost.example.com/", "http://[2001:db8::1]/"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = registry.RoundTripper(registry.Options{}).RoundTrip(req)
		wantFault(t, err, registry.Unable, diag.CodeRegistryPlainHTTP)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "ftp://localhost/", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := registry.RoundTripper(registry.Options{}).RoundTrip(req); err == nil {
		t.Error("another scheme was followed")
	}
	if err := registry.OnlyLoopback("tcp", "192.0.2.1:80", nil); err == nil {
		t.Error("a name of this machine may stand for another one")
	}
	for _, address := range []string{"127.0.0.1:80", "127.8.9.1:80", "[::1]:80", "[::ffff:127.0.0.1]:80"} {
		if err := registry.OnlyLoopback("tcp", address, nil); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// Blobs may lie elsewhere. Whoever has them gets no credentials.
func TestRedirectsOfBlobs(t *testing.T) {
	s := withAPI(t)
	layout := signed(t, shop(t), 1)
	push(t, s, ":v1", layout)
	var leaked, served atomic.Int64
	storage := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" || r.Header.Get("Cookie") != "" {
			leaked.Add(1)
		}
		served.Add(1)
		s.handler.ServeHTTP(w, r)
	}))
	defer storage.Close()
	s.with(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
		basic(w, r, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, "/blobs/sha256:") {
				http.Redirect(w, r, storage.URL+r.URL.Path+"?signature=x", http.StatusTemporaryRedirect)
				return
			}
			pass.ServeHTTP(w, r)
		}))
	})
	opts := hasty()
	opts.Credentials, _ = me(registry.Credential{Username: "ann", Password: "s3cret"})
	got, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, opts)
	if err != nil || got.Build.Digest() != layout.Build.Digest() || len(got.Attachments) != 1 {
		t.Fatal(err)
	}
	if leaked.Load() > 0 || served.Load() == 0 {
		t.Errorf("%d of %d requests carried credentials", leaked.Load(), served.Load())
	}
}

func TestRedirectsThatAreNotFollowed(t *testing.T) {
	layout := signed(t, shop(t), 1)
	redirect := func(match, target string) func(http.ResponseWriter, *http.Request, http.Handler) {
		return func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
			if strings.Contains(r.URL.Path, match) {
				http.Redirect(w, r, target, http.StatusTemporaryRedirect)
				return
			}
			pass.ServeHTTP(w, r)
		}
	}
	t.Run("from TLS to plain HTTP", func(t *testing.T) {
		s, opts := secure(t, inMemory(true))
		if _, err := registry.Push(t.Context(), s.ref(":v1"), layout, opts); err != nil {
			t.Fatal(err)
		}
		plain := withAPI(t)
		s.with(redirect("/blobs/sha256:", "http://"+plain.host+"/v2/x/blobs/y"))
		_, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, opts)
		wantFault(t, err, registry.Unable, diag.CodeRegistryRedirect)
		if n := len(plain.requests()); n > 0 {
			t.Errorf("%d requests arrived", n)
		}
	})
	for name, test := range map[string]struct {
		match, target string
		want          diag.Code
	}{
		"in a circle":                {"/blobs/sha256:", "/v2/shop/assistant/blobs/sha256:" + hex64, diag.CodeRegistryRedirect},
		"with credentials":           {"/blobs/sha256:", "http://ann:pw@localhost/x", diag.CodeRegistryRedirect},
		"to plain HTTP elsewhere":    {"/blobs/sha256:", "http://registry.example.com/x", diag.CodeRegistryPlainHTTP},
		"to a file":                  {"/blobs/sha256:", "file:///etc/passwd", diag.CodeRegistryUnreachable},
		"of a manifest, in a circle": {"/manifests/v1", "/v2/shop/assistant/manifests/v1", diag.CodeRegistryRedirect},
	} {
		t.Run(name, func(t *testing.T) {
			s := withAPI(t)
			push(t, s, ":v1", layout)
			s.with(redirect(test.match, test.target))
			_, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, hasty())
			wantFault(t, err, registry.Unable, test.want)
		})
	}
	t.Run("of what changes something", func(t *testing.T) {
		other := withAPI(t)
		for _, match := range []string{"/blobs/uploads/", "/manifests/v1"} {
			s := withAPI(t)
			s.with(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
				if r.Method == http.MethodGet {
					pass.ServeHTTP(w, r)
					return
				}
				redirect(match, "http://"+other.host+"/x")(w, r, pass)
			})
			_, err := registry.Push(t.Context(), s.ref(":v1"), layout, hasty())
			wantFault(t, err, registry.Unable, diag.CodeRegistryRedirect)
		}
		if n := len(other.requests()); n > 0 {
			t.Errorf("%d requests arrived", n)
		}
	})
	t.Run("an upload to another host", func(t *testing.T) {
		other := withAPI(t)
		s := withAPI(t)
		s.with(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
			if r.Method == http.MethodPost {
				w.Header().Set("Location", "http://"+other.host+"/v2/shop/assistant/blobs/uploads/1")
				w.WriteHeader(http.StatusAccepted)
				return
			}
			pass.ServeHTTP(w, r)
		})
		_, err := registry.Push(t.Context(), s.ref(":v1"), layout, hasty())
		wantFault(t, err, registry.Unable, diag.CodeRegistryAnswer)
		if n := len(other.requests()); n > 0 {
			t.Errorf("%d requests arrived", n)
		}
	})
}

func TestStepsOfRedirects(t *testing.T) {
	request := func(url string) *http.Request {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		return req
	}
	for _, test := range []struct {
		from, to string
		follows  bool
	}{
		{"https://registry.example.com/a", "https://storage.example.com/b", true},
		{"http://127.0.0.1:5000/a", "http://localhost:9000/b", true},
		{"http://127.0.0.1:5000/a", "https://storage.example.com/b", true},
		{"https://registry.example.com/a", "http://registry.example.com/a", false},
		{"https://registry.example.com/a", "https://localhost/b", false},
		{"https://registry.example.com/a", "https://127.3.4.5:8443/b", false},
		{"https://registry.example.com/a", "https://[::1]/b", false},
	} {
		err := registry.CheckRedirect(request(test.to), []*http.Request{request(test.from)})
		if test.follows && err != nil {
			t.Errorf("%s to %s: %v", test.from, test.to, err)
		}
		if !test.follows {
			wantFault(t, err, registry.Unable, diag.CodeRegistryRedirect)
		}
	}
}

// Requests that may succeed later are sent again, a few times, with pauses that grow or that the registry names.
func TestRetries(t *testing.T) {
	layout := signed(t, shop(t), 1)
	cut := func(http.ResponseWriter) { panic(http.ErrAbortHandler) }
	half := func(w http.ResponseWriter) {
		w.Header().Set("Content-Length", "1000")
		w.Write([]byte("half"))
		panic(http.ErrAbortHandler)
	}
	status := func(code int) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(code)
		}
	}
	for name, test := range map[string]struct {
		fail  func(http.ResponseWriter)
		tries int64
		want  diag.Code
	}{
		"too many requests":      {status(429), 4, diag.CodeRegistryBusy},
		"unavailable":            {status(503), 4, diag.CodeRegistryBusy},
		"a fault":                {status(500), 4, diag.CodeRegistryBusy},
		"a cut connection":       {cut, 4, diag.CodeRegistryUnreachable},
		"a cut answer":           {half, 4, diag.CodeRegistryUnreachable},
		"forbidden":              {status(403), 1, diag.CodeRegistryDenied},
		"gone":                   {status(410), 1, diag.CodeRegistryAnswer},
		"not found":              {status(404), 1, diag.CodeRegistryNotFound},
		"a status of no meaning": {status(299), 1, diag.CodeRegistryAnswer},
	} {
		t.Run(name, func(t *testing.T) {
			s := withAPI(t)
			push(t, s, ":v1", layout)
			var count, limit atomic.Int64
			s.with(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
				if strings.HasSuffix(r.URL.Path, "/manifests/v1") && count.Add(1) <= limit.Load() {
					test.fail(w)
					return
				}
				pass.ServeHTTP(w, r)
			})
			var pauses []time.Duration
			opts := registry.Options{}.Paused(func(_ context.Context, d time.Duration) error {
				pauses = append(pauses, d)
				return nil
			})
			limit.Store(1000)
			_, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, opts)
			wantFault(t, err, registry.Unable, test.want)
			if count.Load() != test.tries || len(pauses) != int(test.tries)-1 {
				t.Errorf("%d tries, pauses %v", count.Load(), pauses)
			}
			for i, pause := range pauses {
				if test.want == diag.CodeRegistryBusy && pause != 7*time.Second || pause <= 0 || pause > 10*time.Second || i > 0 && pause < pauses[i-1]/2 {
					t.Errorf("pauses %v", pauses)
				}
			}
			if test.tries == 1 {
				return
			}
			count.Store(0)
			limit.Store(test.tries - 1)
			if _, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, opts); err != nil {
				t.Errorf("after %d failures: %v", test.tries-1, err)
			}
		})
	}
}

// An upload that was cut begins anew, with a session of its own: nothing is appended to what may have arrived.
func TestUploadsBeginAnew(t *testing.T) {
	s := withAPI(t)
	layout := signed(t, shop(t), 1)
	seen := map[string]int{}
	cuts := 0
	s.with(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
		if r.Method == http.MethodPut && strings.Contains(r.URL.Path, "/blobs/uploads/") {
			s.mu.Lock()
			seen[r.URL.Path]++
			cut := cuts < 3
			cuts++
			s.mu.Unlock()
			if cut {
				panic(http.ErrAbortHandler)
			}
		}
		pass.ServeHTTP(w, r)
	})
	push(t, s, ":v1", layout)
	for path, n := range seen {
		if n != 1 {
			t.Errorf("%s was written %d times", path, n)
		}
	}
	if len(seen) != 5+3+1 {
		t.Errorf("%d sessions: %v", len(seen), seen)
	}
}

func TestHostsThatAreNotThere(t *testing.T) {
	s := withAPI(t)
	front := httptest.NewServer(s)
	front.Close()
	_, _, err := registry.Pull(t.Context(), "oci://"+strings.TrimPrefix(front.URL, "http://")+"/a:v1", bundle.ReadOptions{}, hasty())
	wantFault(t, err, registry.Unable, diag.CodeRegistryUnreachable)
	_, _, err = registry.Pull(t.Context(), s.ref(":absent"), bundle.ReadOptions{}, hasty())
	wantFault(t, err, registry.Unable, diag.CodeRegistryNotFound)
}

func TestEndlessHeadersAreRefused(t *testing.T) {
	s := withAPI(t)
	s.with(func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		for i := range 2000 {
			w.Header().Set(fmt.Sprint("X-", i), strings.Repeat("x", 100))
		}
	})
	_, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, hasty())
	wantFault(t, err, registry.Unable, diag.CodeRegistryUnreachable)
}
