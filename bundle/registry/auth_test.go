package registry_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/registry"
	"github.com/seif-dev/seifc/diag"
)

// me gives a fixed credential, and counts how often it is asked for.
func me(c registry.Credential) (registry.Credentials, *int) {
	asked := new(int)
	return func(context.Context, string) (registry.Credential, error) {
		*asked++
		return c, nil
	}, asked
}

// basic demands a name and a password.
func basic(w http.ResponseWriter, r *http.Request, pass http.Handler) {
	if name, password, ok := r.BasicAuth(); !ok || name != "ann" || password != "s3cret" {
		w.Header().Set("WWW-Authenticate", `Basic realm="shop"`)
		http.Error(w, `{"errors":[{"code":"UNAUTHORIZED"}]}`, http.StatusUnauthorized)
		return
	}
	pass.ServeHTTP(w, r)
}

func TestBasicAuthentication(t *testing.T) {
	s := withAPI(t)
	s.with(basic)
	layout := signed(t, shop(t), 1)
	opts := hasty()
	var asked *int
	opts.Credentials, asked = me(registry.Credential{Username: "ann", Password: "s3cret"})
	if _, err := registry.Push(t.Context(), s.ref(":v1"), layout, opts); err != nil {
		t.Fatal(err)
	}
	if _, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, opts); err != nil {
		t.Fatal(err)
	}
	if *asked == 0 {
		t.Error("the credential was not asked for")
	}
	s.requests()
	for name, c := range map[string]registry.Credentials{
		"nobody":   nil,
		"no entry": func(context.Context, string) (registry.Credential, error) { return registry.Credential{}, nil },
		"a wrong password": func(context.Context, string) (registry.Credential, error) {
			return registry.Credential{Username: "ann", Password: "guess"}, nil
		},
	} {
		opts := hasty()
		opts.Credentials = c
		_, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, opts)
		if wantFault(t, err, registry.Unable, diag.CodeRegistryDenied); strings.Contains(err.Error(), "guess") {
			t.Errorf("%s: the error has the password", name)
		}
		if n := len(s.requests()); n > 2 {
			t.Errorf("%s: %d requests", name, n)
		}
	}
}

// Who needs no credential is not asked for one: a config that is broken harms only where it matters.
func TestCredentialsAreAskedForOnDemand(t *testing.T) {
	s := withAPI(t)
	opts := hasty()
	var asked *int
	opts.Credentials, asked = me(registry.Credential{Username: "ann", Password: "s3cret"})
	if _, err := registry.Push(t.Context(), s.ref(":v1"), signed(t, shop(t), 1), opts); err != nil {
		t.Fatal(err)
	}
	if *asked != 0 {
		t.Errorf("asked %d times", *asked)
	}
}

// tokens is a token server (distribution token authentication) that knows ann, and the registry that believes it.
func tokens(t *testing.T, s *server) *[]string {
	t.Helper()
	var mu sync.Mutex
	scopes := new([]string)
	issuer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.ParseForm()
		name, password, _ := r.BasicAuth()
		if (name != "ann" || password != "s3cret") && r.PostForm.Get("refresh_token") != "refresh" {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		mu.Lock()
		*scopes = append(*scopes, strings.Join(r.Form["scope"], " "))
		mu.Unlock()
		key := "token"
		if r.Method == http.MethodPost {
			key = "access_token"
		}
		json.NewEncoder(w).Encode(map[string]string{key: "good for " + strings.Join(r.Form["scope"], " ")})
	}))
	t.Cleanup(issuer.Close)
	s.with(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
		need := "repository:shop/assistant:pull"
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			need += ",push"
		}
		if got := r.Header.Get("Authorization"); !strings.HasPrefix(got, "Bearer good for "+need) {
			w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer realm=%q,service="shop",scope=%q`, issuer.URL+"/token", need))
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		pass.ServeHTTP(w, r)
	})
	return scopes
}

func TestTokenAuthentication(t *testing.T) {
	for name, c := range map[string]registry.Credential{
		"by password":       {Username: "ann", Password: "s3cret"},
		"by identity token": {IdentityToken: "refresh"},
	} {
		t.Run(name, func(t *testing.T) {
			s := withAPI(t)
			scopes := tokens(t, s)
			opts := hasty()
			opts.Credentials, _ = me(c)
			if _, err := registry.Push(t.Context(), s.ref(":v1"), signed(t, shop(t), 1), opts); err != nil {
				t.Fatal(err)
			}
			if _, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, opts); err != nil {
				t.Fatal(err)
			}
			for _, scope := range *scopes {
				if scope != "repository:shop/assistant:pull" && scope != "repository:shop/assistant:pull,push" {
					t.Errorf("a token for %q was asked for", scope)
				}
			}
			if len(*scopes) > 20 {
				t.Errorf("%d tokens were asked for", len(*scopes))
			}
			opts.Credentials, _ = me(registry.Credential{Username: "ann", Password: "guess"})
			_, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, opts)
			wantFault(t, err, registry.Unable, diag.CodeRegistryDenied)
		})
	}
}

// A token server may not be where it has no business to be.
func TestTokenServersElsewhereAreNotAsked(t *testing.T) {
	s := withAPI(t)
	opts := hasty()
	opts.Credentials, _ = me(registry.Credential{Username: "ann", Password: "s3cret"})
	for realm, want := range map[string]diag.Code{
		"http://registry.example.com/token": diag.CodeRegistryPlainHTTP,
		"file:///etc/passwd":                diag.CodeRegistryAnswer,
		"http://169.254.169.254/latest":     diag.CodeRegistryAnswer,
	} {
		s.with(func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
			w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer realm=%q,service="x"`, realm))
			w.WriteHeader(http.StatusUnauthorized)
		})
		_, _, err := registry.Pull(t.Context(), s.ref(":v1"), bundle.ReadOptions{}, opts)
		wantFault(t, err, registry.Unable, want)
		if strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: the error has the password", realm)
		}
	}
}

func TestDockerConfigPath(t *testing.T) {
	for _, test := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"DOCKER_CONFIG": "/a", "HOME": "/b"}, "/a/config.json"},
		{map[string]string{"DOCKER_CONFIG": "", "HOME": "/b"}, "/b/.docker/config.json"},
		{map[string]string{"USERPROFILE": "/c"}, "/c/.docker/config.json"},
		{nil, ""},
	} {
		got := registry.DockerConfigPath(func(name string) (string, bool) { v, ok := test.env[name]; return v, ok })
		if filepath.ToSlash(got) != test.want {
			t.Errorf("%v: %s", test.env, got)
		}
	}
}

func TestDockerConfig(t *testing.T) {
	packed := base64.StdEncoding.EncodeToString([]byte("ann:s3:cret\x00"))
	ann := registry.Credential{Username: "ann", Password: "s3:cret"}
	for name, test := range map[string]struct {
		config string
		host   string
		want   registry.Credential
		fails  bool
	}{
		"an entry":                 {`{"auths":{"h:5000":{"auth":"` + packed + `"}}}`, "h:5000", ann, false},
		"another port":             {`{"auths":{"h:5000":{"auth":"` + packed + `"}}}`, "h:5001", registry.Credential{}, false},
		"an entry by URL":          {`{"auths":{"https://h/v1/":{"auth":"` + packed + `"}}}`, "h", ann, false},
		"Docker's own host":        {`{"auths":{"https://index.docker.io/v1/":{"auth":"` + packed + `"}}}`, "registry-1.docker.io", ann, false},
		"name and password":        {`{"auths":{"h":{"username":"ann","password":"s3:cret"}}}`, "h", ann, false},
		"tokens":                   {`{"auths":{"h":{"identitytoken":"i","registrytoken":"r"}}}`, "h", registry.Credential{IdentityToken: "i", RegistryToken: "r"}, false},
		"members of other tools":   {`{"auths":{},"psFormat":"x","aliases":{"a":null},"features":[1]}`, "h", registry.Credential{}, false},
		"no base64":                {`{"auths":{"h":{"auth":"s3cret!"}}}`, "h", registry.Credential{}, true},
		"no colon":                 {`{"auths":{"h":{"auth":"` + base64.StdEncoding.EncodeToString([]byte("s3cret")) + `"}}}`, "h", registry.Credential{}, true},
		"no JSON":                  {`{"auths": s3cret`, "h", registry.Credential{}, true},
		"a member twice":           {`{"auths":{"h":{}},"auths":{"h":{"auth":"` + packed + `"}}}`, "h", registry.Credential{}, true},
		"no object":                {`["s3cret"]`, "h", registry.Credential{}, true},
		"too large":                {`{"x":"` + strings.Repeat("s3cret", 1<<18) + `"}`, "h", registry.Credential{}, true},
		"a helper out of the path": {`{"credHelpers":{"h":"../../tmp/evil"}}`, "h", registry.Credential{}, true},
		"a helper of dots":         {`{"credsStore":".."}`, "h", registry.Credential{}, true},
		"a helper that is missing": {`{"credsStore":"surely-not-installed"}`, "h", registry.Credential{}, true},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "config.json")
			if err := os.WriteFile(path, []byte(test.config), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := registry.DockerConfig(path, true)(t.Context(), test.host)
			if test.fails {
				wantFault(t, err, registry.Unable, diag.CodeRegistryCredentials)
				if text := strings.ReplaceAll(err.Error(), filepath.ToSlash(path), ""); strings.Contains(text, "s3") {
					t.Errorf("the error repeats a secret: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(test.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
	got, err := registry.DockerConfig(filepath.Join(t.TempDir(), "absent.json"), true)(t.Context(), "h")
	if err != nil || got != (registry.Credential{}) {
		t.Errorf("an absent file: %v, %v", got, err)
	}
	if _, err := registry.DockerConfig("", true)(t.Context(), "h"); err != nil {
		t.Errorf("no file: %v", err)
	}
	if text := fmt.Sprintf("%v %+v %#v %s", ann, ann, ann, ann); strings.Contains(text, "s3") {
		t.Errorf("a credential prints as %s", text)
	}
}

// A helper is a program: it runs if it may, and only for a host that the config names it for.
func TestCredentialHelpers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the helper of this test is a shell script")
	}
	folder := t.TempDir()
	script := "#!/bin/sh\nread host\necho \"$1 $host\" >> " + folder + "/log\n" +
		`if [ "$host" = "refused" ]; then echo "credentials not found in native keychain"; exit 1; fi` + "\n" +
		`if [ "$host" = "broken" ]; then echo "no key"; exit 1; fi` + "\n" +
		`if [ "$host" = "hanging" ]; then sleep 3; fi` + "\n" +
		`echo "{\"ServerURL\":\"$host\",\"Username\":\"ann\",\"Secret\":\"s3cret\"}"` + "\n"
	if err := os.WriteFile(filepath.Join(folder, "docker-credential-seif-test"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+":"+os.Getenv("PATH"))
	config := filepath.Join(folder, "config.json")
	text := `{"credHelpers":{"h":"seif-test","refused":"seif-test","broken":"seif-test","hanging":"seif-test"},"auths":{"other":{"username":"bob","password":"p"}}}`
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	get := registry.DockerConfig(config, true)
	if got, err := get(t.Context(), "other"); err != nil || got.Username != "bob" {
		t.Errorf("another host: %s, %v", got.Username, err)
	}
	if _, err := registry.DockerConfig(config, false)(t.Context(), "h"); err == nil {
		t.Error("a helper gave a credential though none may run")
	}
	if _, err := os.Stat(folder + "/log"); err == nil {
		t.Error("the helper ran where it should not")
	}
	if got, err := get(t.Context(), "h"); err != nil || got != (registry.Credential{Username: "ann", Password: "s3cret"}) {
		t.Errorf("%s, %v", got.Username, err)
	}
	if got, err := get(t.Context(), "refused"); err != nil || got != (registry.Credential{}) {
		t.Errorf("not found: %v", err)
	}
	_, err := get(t.Context(), "broken")
	wantFault(t, err, registry.Unable, diag.CodeRegistryCredentials)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := get(ctx, "hanging"); err == nil {
		t.Error("a helper outlived its command")
	}
}
