package registry_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/seif-dev/seifc/bundle/registry"
	"github.com/seif-dev/seifc/diag"
)

// helped is a docker config that names a helper, and the helper is a shell script.
func helped(t *testing.T, script string) registry.Credentials {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the helper of this test is a shell script")
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "docker-credential-seif-test"), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	config := filepath.Join(folder, "config.json")
	if err := os.WriteFile(config, []byte(`{"credsStore":"seif-test"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return registry.DockerConfig(config, true)
}

// A helper writes secrets to its standard output. Whatever comes of it, no error repeats any of that, and it is bounded.
func TestHelpersThatFail(t *testing.T) {
	const secret = `{"Username":"ann","Secret":"s3cret"}`
	for name, test := range map[string]struct{ script, why string }{
		"with its secret":          {"echo '" + secret + "'; exit 1", "exit status 1"},
		"with words":               {"echo 'no s3cret store' >&2; echo '" + secret + "'; exit 7", "exit status 7"},
		"with colours":             {`printf '\033[31mlocked\033[0m' >&2; exit 1`, "locked"},
		"with an answer of no use": {"echo 's3cret'", "not a JSON object"},
		"with two answers":         {"echo '" + secret + secret + "'", "not a JSON object"},
		"with an answer of a list": {`echo '["s3cret"]'`, "not a JSON object"},
		"with a name of no text":   {`echo '{"Username":{"s3cret":1},"Secret":"s3cret"}'`, "Username"},
		"with a member twice":      {`echo '{"Username":"ann","Secret":"a","Secret":"s3cret"}'`, "not a JSON object"},
		"without end":              {"exec cat /dev/zero", "more than"},
		"without end, in words":    {"exec cat /dev/zero >&2", ""},
	} {
		t.Run(name, func(t *testing.T) {
			get := helped(t, test.script)
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			got, err := get(ctx, "h")
			if got != (registry.Credential{}) {
				t.Error("it gave a credential")
			}
			if name == "without end, in words" {
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("got %v", err)
				}
				return
			}
			f := wantFault(t, err, registry.Unable, diag.CodeRegistryCredentials)
			if why := f.Problem.Data["why"]; !strings.Contains(why, test.why) {
				t.Errorf("it says %q", why)
			}
			for _, text := range []string{err.Error(), f.Diagnostics()[0].Message()} {
				if strings.Contains(text, "s3cret\"") || strings.Contains(text, "ann") {
					t.Errorf("it repeats what the helper gave: %s", text)
				}
			}
		})
	}
}

// What is not asked in time, or is no longer wanted, is ended, and so is what it has started.
func TestHelpersThatHang(t *testing.T) {
	for name, script := range map[string]string{
		"alone":         "exec sleep 60",
		"with children": "sleep 60 &\nsleep 60",
	} {
		t.Run(name, func(t *testing.T) {
			get := helped(t, script)
			gone := errors.New("gone")
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(200*time.Millisecond, func() { cancel(gone) })
			start := time.Now()
			if _, err := get(ctx, "h"); !errors.Is(err, gone) {
				t.Errorf("got %v", err)
			}
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}

func TestHelpersThatGiveATokenOfIdentity(t *testing.T) {
	get := helped(t, `echo '{"ServerURL":"h","Username":"<token>","Secret":"refresh"}'`)
	if got, err := get(t.Context(), "h"); err != nil || got != (registry.Credential{IdentityToken: "refresh"}) {
		t.Errorf("%#v, %v", got.Username, err)
	}
}

// A helper is taken from the search path and from nowhere else, above all not from the folder that one stands in.
func TestHelpersHereAreNotRun(t *testing.T) {
	get := helped(t, "echo '{}'")
	folder := t.TempDir()
	t.Chdir(folder)
	if err := os.WriteFile("docker-credential-seif-test", []byte("#!/bin/sh\ntouch ran\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"", ".", ":/nowhere", "./"} {
		t.Setenv("PATH", path)
		_, err := get(t.Context(), "h")
		wantFault(t, err, registry.Unable, diag.CodeRegistryCredentials)
		if _, err := os.Stat("ran"); err == nil {
			t.Fatalf("PATH=%q: it ran", path)
		}
	}
}
