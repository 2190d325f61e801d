package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	fake "github.com/google/go-containerregistry/pkg/registry"
)

// onOffer is a registry with the signed Build team/shop:1, behind what a test puts in its way.
func onOffer(t *testing.T, meddle func(w http.ResponseWriter, r *http.Request, pass http.Handler)) string {
	t.Helper()
	shopIn(t)
	t.Setenv("SEIFC_PASSWORD", "secret")
	held := fake.New(fake.Logger(quietLog()), fake.WithReferrersSupport(true))
	open := true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if open {
			held.ServeHTTP(w, r)
			return
		}
		meddle(w, r, held)
	}))
	t.Cleanup(server.Close)
	at := "oci://" + strings.TrimPrefix(server.URL, "http://") + "/team/shop:1"
	for _, args := range [][]string{{"sign", "--key", "release.key", "a.seif"}, {"push", "a.seif", at}} {
		if exit, _, stderr := outcome(args...); exit != exitGood {
			t.Fatal(stderr)
		}
	}
	open = false
	return at
}

// watched runs the program where a person reads what goes to standard error.
func watched(args ...string) (exit int, stdout, stderr string) {
	var out, talk bytes.Buffer
	env := environment{stdin: strings.NewReader(""), stdout: &out, stderr: &talk, lookupEnv: os.LookupEnv, now: time.Now, stderrTerminal: true}
	exit = run(env, args)
	return exit, out.String(), talk.String()
}

// How far a transfer is stands on a line of its own, also where the transfer fails halfway.
func TestProgressEndsItsLine(t *testing.T) {
	at := onOffer(t, func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
		if strings.Contains(r.URL.Path, "/blobs/") {
			rec := httptest.NewRecorder()
			pass.ServeHTTP(rec, r)
			if rec.Body.Len() > 200 { // the definition
				time.Sleep(200 * time.Millisecond) // the others have arrived by then
				w.WriteHeader(http.StatusForbidden)
				return
			}
		}
		pass.ServeHTTP(w, r)
	})
	t.Setenv("NO_COLOR", "1")
	for _, args := range [][]string{{"pull", at, "-o", "b.seif"}, {"verify", "--allow-unsigned", at}} {
		exit, _, stderr := watched(args...)
		if exit != exitUnable || !strings.Contains(stderr, "error[registry_denied]") {
			t.Fatalf("exit %d: %q", exit, stderr)
		}
		seen := false
		for _, line := range strings.Split(stderr, "\n") {
			seen = seen || strings.Contains(line, "% of")
			if strings.Contains(line, "\r") && strings.Contains(line, "error") {
				t.Errorf("the error stands behind the progress: %q", line)
			}
		}
		if !seen {
			t.Errorf("there was no progress to be ended: %q", stderr)
		}
	}
}

// What a registry lists as attached and does not give, or what is none, is said by every command that reads there: it may
// be a signature that is withheld.
func TestWhatIsLeftOutIsSaid(t *testing.T) {
	at := onOffer(t, func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
		if strings.Contains(r.URL.Path, "/manifests/sha256:") && r.Method == http.MethodGet {
			rec := httptest.NewRecorder()
			pass.ServeHTTP(rec, r)
			if strings.Contains(rec.Body.String(), "https://seif.dev/attestation/release/v1") {
				http.NotFound(w, r)
				return
			}
		}
		pass.ServeHTTP(w, r)
	})
	for _, test := range []struct {
		args []string
		exit int
	}{
		{[]string{"verify", "--key", "release.pub", "--format", "json", at}, exitGood},
		{[]string{"verify", "--allow-unsigned", "--format", "json", at}, exitGood},
		{[]string{"pull", "-o", filepath.Join(t.TempDir(), "b.seif"), "--format", "json", at}, exitGood},
	} {
		exit, stdout, stderr := outcome(test.args...)
		var document struct {
			Diagnostics []struct{ Code, Message string }
		}
		if err := json.Unmarshal([]byte(stdout), &document); err != nil || exit != test.exit {
			t.Fatalf("%v: exit %d, %v\n%s%s", test.args, exit, err, stdout, stderr)
		}
		said := 0
		for _, d := range document.Diagnostics {
			if d.Code == "registry_skipped" && strings.Contains(d.Message, "does not have it") {
				said++
			}
		}
		if said != 1 {
			t.Errorf("%v: said %d times: %s", test.args, said, stdout)
		}
	}
}
