package registry_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/registry"
	"github.com/seif-dev/seifc/diag"
)

// Whoever is given a credential can send it back, out of malice or in an answer for debugging. No finding and no error
// repeats it, in no form in which it was sent.
func TestCredentialsThatComeBackAreNotShown(t *testing.T) {
	const password = "s3cret-of-ann"
	packed := base64.StdEncoding.EncodeToString([]byte("ann:" + password))
	layout := signed(t, shop(t), 1)
	code := func(w http.ResponseWriter, status int, text string) {
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(map[string]any{"errors": []any{map[string]any{"code": text, "message": text, "detail": text}}})
	}
	for name, test := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request, header string)
		kind   registry.Kind
		want   diag.Code
	}{
		"in the code of an error": {func(w http.ResponseWriter, _ *http.Request, header string) { code(w, 418, header) }, registry.Unable, diag.CodeRegistryAnswer},
		"as it is":                {func(w http.ResponseWriter, _ *http.Request, _ string) { code(w, 403, password) }, registry.Unable, diag.CodeRegistryDenied},
		"in the digest": {func(w http.ResponseWriter, _ *http.Request, header string) {
			w.Header().Set("Docker-Content-Digest", header+" "+password)
			w.Write(layout.Build.Manifest())
		}, registry.Unverified, diag.CodeRegistryDigest},
		"in a realm": {func(w http.ResponseWriter, _ *http.Request, header string) {
			w.Header().Set("WWW-Authenticate", fmt.Sprintf("Bearer realm=%q", "ftp://"+password+"/"+header))
			w.WriteHeader(401)
		}, registry.Unable, diag.CodeRegistryDenied},
		"in a place": {func(w http.ResponseWriter, r *http.Request, header string) {
			w.Header().Set("Location", "http://127.0.0.1:1/"+password)
			w.WriteHeader(http.StatusTemporaryRedirect)
		}, registry.Unable, diag.CodeRegistryUnreachable},
		"in no HTTP": {func(w http.ResponseWriter, _ *http.Request, header string) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			fmt.Fprintf(conn, "%s %s\r\n\r\n", header, password)
			conn.Close()
		}, registry.Unable, diag.CodeRegistryUnreachable},
	} {
		t.Run(name, func(t *testing.T) {
			s := withAPI(t)
			push(t, s, ":v1", layout)
			s.with(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
				basic := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if header := r.Header.Get("Authorization"); header != "" {
						test.answer(w, r, header)
						return
					}
					w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
					w.WriteHeader(http.StatusUnauthorized)
				})
				basic.ServeHTTP(w, r)
			})
			opts := hasty()
			opts.Credentials, _ = me(registry.Credential{Username: "ann", Password: password})
			_, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, opts)
			hidden(t, wantFault(t, err, test.kind, test.want), password, packed)
		})
	}
}

// hidden holds that texts are nowhere in a fault.
func hidden(t *testing.T, f *registry.Fault, secrets ...string) {
	t.Helper()
	texts := []string{f.Error(), fmt.Sprintf("%v %+v", f.Problem, f.Diagnostics())}
	for _, text := range texts {
		for _, secret := range secrets {
			if strings.Contains(text, secret) {
				t.Errorf("it repeats a secret: %s", text)
			}
		}
	}
}

// A token that a token server gave, and one for identity, are secrets as a password is.
func TestTokensThatComeBackAreNotShown(t *testing.T) {
	issuer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		json.NewEncoder(w).Encode(map[string]string{"access_token": "access-granted"})
	}))
	defer issuer.Close()
	s := withAPI(t)
	s.with(func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		if header := r.Header.Get("Authorization"); header != "" {
			w.Header().Set("Docker-Content-Digest", header+" refresh-of-ann")
			w.Write([]byte("{}"))
			return
		}
		w.Header().Set("WWW-Authenticate", fmt.Sprintf("Bearer realm=%q", issuer.URL))
		w.WriteHeader(http.StatusUnauthorized)
	})
	opts := hasty()
	opts.Credentials, _ = me(registry.Credential{IdentityToken: "refresh-of-ann"})
	_, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, opts)
	f := wantFault(t, err, registry.Unverified, diag.CodeRegistryDigest)
	hidden(t, f, "access-granted", "refresh-of-ann")
	if !strings.Contains(f.Problem.Data["expected"], "(secret)") {
		t.Errorf("it says %q", f.Problem.Data["expected"])
	}
}

// The place that a redirect leads to is often signed: who knows it has access. It is in no error.
func TestPlacesOfRedirectsAreNotShown(t *testing.T) {
	s := withAPI(t)
	s.with(func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		http.Redirect(w, r, "http://127.0.0.1:1/blob?X-Signature=hush", http.StatusTemporaryRedirect)
	})
	_, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, hasty())
	f := wantFault(t, err, registry.Unable, diag.CodeRegistryUnreachable)
	for _, text := range []string{f.Error(), f.Diagnostics()[0].Message()} {
		if strings.Contains(text, "hush") {
			t.Errorf("it shows the place: %s", text)
		}
	}
}

// The code of an error has a form (OCI distribution specification, "Error Codes"). A text without it is the registry's
// own, and is not passed on to whoever reads the log.
func TestCodesOfErrorsHaveAForm(t *testing.T) {
	for text, shown := range map[string]bool{
		"TOOMANYREQUESTS": true, "NAME_INVALID": true,
		"": false, "denied by policy": false, "\x1b[31mPWNED\x1b[0m": false, "A\n::error::B": false, strings.Repeat("A", 100): false,
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			s := withAPI(t)
			s.with(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
				if r.Method != method {
					pass.ServeHTTP(w, r)
					return
				}
				w.WriteHeader(http.StatusTeapot)
				json.NewEncoder(w).Encode(map[string]any{"errors": []any{map[string]any{"code": text}}})
			})
			_, err := registry.Push(t.Context(), s.ref(":v1"), signed(t, shop(t), 1), hasty())
			f := wantFault(t, err, registry.Unable, diag.CodeRegistryAnswer)
			want := "status 418 to " + method
			if shown {
				want += " (" + text + ")"
			}
			if got := f.Problem.Data["why"]; got != want {
				t.Errorf("%q: it says %q", text, got)
			}
		}
	}
}
