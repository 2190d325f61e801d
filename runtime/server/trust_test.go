package server

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A verified Build says who vouches for it, for which channel and how far that has come, wherever it is named.
func TestVerified(t *testing.T) {
	e := newEnvironment(t)
	e.policy(t, "role: release}", "role: release}, {role: tests}", "roles: [tests]", "roles: [release, tests]")
	e.seal(t, e.release(t, e.ann, "stable", 6), e.release(t, e.tester, "stable", 6), e.release(t, e.ann, "stable", 7), e.passedTests(t, e.tester), e.passedTests(t, newKey(t)))
	s := e.load(t)
	want := Trust{Signature: "VERIFIED", Channel: "stable", Sequence: 7, Signers: []Signer{
		{Name: "ann", Key: e.ann.Public().ID().String(), Roles: []string{"release"}},
		{Name: "tester", Key: e.tester.Public().ID().String(), Roles: []string{"tests"}},
	}}
	if diff := cmp.Diff(want, s.Summary().Trust); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
	r := start(t, s, time.Second)
	members := map[string]any{
		"signature": "VERIFIED", "channel": "stable", "sequence": 7.0, "signers": []any{
			map[string]any{"name": "ann", "key": e.ann.Public().ID().String(), "roles": []any{"release"}},
			map[string]any{"name": "tester", "key": e.tester.Public().ID().String(), "roles": []any{"tests"}},
		},
	}
	ready := r.get(t, "/v1/ready", opsToken).members(t)
	for where, got := range map[string]map[string]any{
		"/v1/build": r.get(t, "/v1/build", webToken).members(t), "/v1/ready": ready, "log": r.log.find(t, "the Build is VERIFIED"),
	} {
		for name, value := range members {
			if name == "signature" && where == "log" {
				continue
			}
			if diff := cmp.Diff(value, got[name]); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", where, name, diff)
			}
		}
	}
	if got := r.get(t, "/v1/health", ""); got.status != http.StatusOK || string(got.body) != `{"alive":true,"signature":"VERIFIED"}`+"\n" {
		t.Errorf("%d %s", got.status, got.body)
	}
	if strings.Contains(r.log.String(), Unsigned) || r.log.find(t, "listening")["signature"] != Verified {
		t.Errorf("the log: %s", r.log)
	}
	if got := r.get(t, "/v1/ready", "").members(t); len(got) != 1 {
		t.Errorf("what anybody learns: %v", got)
	}
}

// An unsigned Build says so to everybody, and nothing that only a signature could vouch for.
func TestUnsignedSaysSo(t *testing.T) {
	r := start(t, loaded(t, ""), time.Second)
	r.log.find(t, "the Build is UNSIGNED: nobody vouches for it but who started this")
	for path, token := range map[string]string{"/v1/health": "", "/v1/ready": opsToken, "/v1/build": webToken} {
		got := r.get(t, path, token).members(t)
		if got["signature"] != "UNSIGNED" || got["channel"] != nil || got["sequence"] != nil || got["signers"] != nil {
			t.Errorf("%s: %v", path, got)
		}
	}
}
