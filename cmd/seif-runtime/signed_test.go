package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"math/big"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/bundle/trust"
	"github.com/seif-dev/seifc/digest"
)

// vouched is a Build that a key released as sequence 7 of stable, and what judges it.
type vouched struct {
	dir string
	key *sign.PrivateKey
}

func vouch(t *testing.T) vouched {
	t.Helper()
	f := prepare(t)
	v := vouched{dir: filepath.Dir(f.plain)}
	build, err := bundle.Read(t.Context(), f.plain, bundle.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if v.key, err = sign.GenerateKey(); err != nil {
		t.Fatal(err)
	}
	def := build.Definition()
	content, err := sign.Sign(t.Context(), v.key, sign.Release{
		Project: def.Project, Channel: "stable", Sequence: 7, Definition: build.DefinitionDigest(),
		Runtime: def.Version.Runtime(), Tools: sign.ToolSetDigest(def),
	}.Statement(build.Digest()))
	if err != nil {
		t.Fatal(err)
	}
	attached, err := build.Attach(content, sign.ReleasePredicate)
	if err != nil {
		t.Fatal(err)
	}
	layout := &bundle.Layout{Build: build, Attachments: []bundle.Attachment{attached}}
	if _, err := bundle.WriteLayoutFile(t.Context(), v.path("signed.seif"), layout); err != nil {
		t.Fatal(err)
	}
	if _, err := trust.CreateFloorState(v.path("floor.json"), "shop"); err != nil {
		t.Fatal(err)
	}
	write(t, v.path("ann.pub"), string(v.key.Public().PEM()))
	const policy = "schema: seif.trust-policy.v1\nproject: shop\nchannels: [beta, stable]\nrequire: [{role: release}]\n" +
		"keys:\n  ann: {file: ann.pub, roles: [release]}\n"
	write(t, v.path("trust.yaml"), policy+"floor_state: floor.json\n")
	write(t, v.path("above.yaml"), policy+"floor: {stable: 8}\n")
	write(t, v.path("damaged.yaml"), policy+"floor_state: ann.pub\n")
	write(t, v.path("empty.yaml"), strings.Replace(policy, "[{role: release}]", "[]", 1))
	return v
}

func (v vouched) path(name string) string { return filepath.Join(v.dir, name) }

// serve is a command line for the signed Build, judged by a policy for a channel.
func (v vouched) serve(t *testing.T, policy, channel string, more ...string) []string {
	t.Helper()
	data := strings.Replace(read(t, v.path("plain.yaml")), "allow_unsigned: true", "trust_policy: "+policy+"\nchannel: "+channel, 1)
	bindings := v.path("bindings-" + channel + "-" + policy)
	write(t, bindings, data)
	return append([]string{"serve", "--build", v.path("signed.seif"), "--bindings", bindings}, more...)
}

// R62, R63, R67, R79: whatever verification says, the whole report is the answer, in text and JSON, and exit 4 says that
// nothing is served. Without --check it is the same, and nothing listens.
func TestReports(t *testing.T) {
	v := vouch(t)
	unsigned := v.serve(t, "trust.yaml", "stable")
	unsigned[2] = v.path("plain.seif")
	tests := []struct {
		name string
		args []string
		exit int
		want string
	}{
		{"verified", v.serve(t, "trust.yaml", "stable", "--check"), exitGood, "VERIFIED sha256:"},
		{"verified, needless word", v.serve(t, "trust.yaml", "stable", "--check", "--allow-unsigned"), exitGood, "VERIFIED sha256:"},
		{"another channel", v.serve(t, "trust.yaml", "beta"), exitUnverified, "trust_role_unmet"},
		{"unknown channel", v.serve(t, "trust.yaml", "nightly"), exitUnverified, "trust_channel_unknown"},
		{"below the floor", v.serve(t, "above.yaml", "stable"), exitUnverified, "trust_below_floor"},
		{"damaged floor state", v.serve(t, "damaged.yaml", "stable"), exitUnverified, "floor_state_malformed"},
		{"unsigned", unsigned, exitUnverified, "trust_unsigned"},
		{"unsigned, one word", append(unsigned, "--allow-unsigned"), exitUnverified, "build_unsigned"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			// What must not be served would be served without end.
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			var out, talk bytes.Buffer
			if exit := run(ctx, streams{&out, &talk}, test.args); exit != test.exit {
				t.Errorf("exit %d, want %d\n%s", exit, test.exit, &talk)
			}
			for _, line := range []string{"contents: sha256:", "  digest: ", "project: shop", "revoked: neither", "rerun: not asked for", test.want} {
				if !strings.Contains(out.String(), line) {
					t.Errorf("%q is not in the report:\n%s", line, &out)
				}
			}
			if (test.exit == exitUnverified) != strings.Contains(out.String(), "NOT VERIFIED sha256:") || strings.Contains(talk.String(), "listening") {
				t.Errorf("%s\n%s", &out, &talk)
			}
			out.Reset()
			run(ctx, streams{&out, &talk}, append(test.args, "--format=json"))
			var document struct {
				Exit      int
				Signature string
				Channel   string
				Sequence  int64
				Report    struct {
					Version int
					Verdict trust.Verdict
					Checks  []struct{ Name, Status, Code string }
				}
			}
			if err := json.Unmarshal(out.Bytes(), &document); err != nil {
				t.Fatalf("%v\n%s", err, &out)
			}
			if document.Exit != test.exit || document.Report.Version != 1 || len(document.Report.Checks) != 13 || document.Report.Checks[12].Name != "rerun" {
				t.Errorf("%+v", document)
			}
			if good := test.exit == exitGood; good != (document.Report.Verdict == trust.Verified) || good != (document.Signature == "VERIFIED" && document.Channel == "stable" && document.Sequence == 7) {
				t.Errorf("%+v", document)
			}
		})
	}
	if state, err := trust.OpenFloorState(v.path("floor.json")); err != nil || state.Sequence("stable") != 0 {
		t.Errorf("--check changed the floor: %v, %v", state, err)
	}
}

// Identities are verified by the program beside this one. There is none beside a test, and the report says so.
func TestIdentityWithoutTheProgram(t *testing.T) {
	v := vouch(t)
	build, err := bundle.Read(t.Context(), v.path("plain.seif"), bundle.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	attached, err := build.Attach(certified(t, build.Digest()), sign.CosignPredicate)
	if err != nil {
		t.Fatal(err)
	}
	layout := &bundle.Layout{Build: build, Attachments: []bundle.Attachment{attached}}
	if _, err := bundle.WriteLayoutFile(t.Context(), v.path("signed.seif"), layout); err != nil {
		t.Fatal(err)
	}
	write(t, v.path("root.json"), "{}")
	write(t, v.path("identity.yaml"), "schema: seif.trust-policy.v1\nproject: shop\nchannels: [stable]\nrequire: [{role: release}]\n"+
		"identities:\n  ci: {issuer: \"https://issuer.example\", subject: \"https://ci.example/release\", trusted_root: root.json, roles: [release]}\n")
	var out, talk bytes.Buffer
	exit := run(t.Context(), streams{&out, &talk}, v.serve(t, "identity.yaml", "stable", "--check"))
	if exit != exitUnverified || !strings.Contains(out.String(), "error[keyless_program_missing]") {
		t.Errorf("exit %d\n%s%s", exit, &out, &talk)
	}
}

// certified is a bundle that names a certificate. Nobody gets so far as to look at its signature.
func certified(t *testing.T, build digest.Digest) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now()}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	payload, err := sign.CosignStatement(build).Encode()
	if err != nil {
		t.Fatal(err)
	}
	content, err := json.Marshal(map[string]any{
		"mediaType":            sign.MediaType,
		"verificationMaterial": map[string]any{"certificate": map[string]any{"rawBytes": der}},
		"dsseEnvelope": map[string]any{
			"payload": payload, "payloadType": sign.PayloadType, "signatures": []any{map[string]any{"sig": []byte("none")}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// A policy that is wrong is told with its places, and one that is missing is a missing file.
func TestPolicyThatCannotBeUsed(t *testing.T) {
	v := vouch(t)
	for policy, want := range map[string]struct {
		exit int
		text string
	}{
		"empty.yaml": {exitWanting, "empty.yaml:4:10: error[trust_require_empty]"},
		"none.yaml":  {exitUnable, "error[missing]: reading the trust policy: open " + v.path("none.yaml")},
	} {
		var out, talk bytes.Buffer
		if exit := run(t.Context(), streams{&out, &talk}, v.serve(t, policy, "stable")); exit != want.exit || !strings.Contains(talk.String(), want.text) || out.Len() > 0 {
			t.Errorf("%s: exit %d\n%s%s", policy, exit, &out, &talk)
		}
	}
}

// The summary of a verified Build names who vouches for what.
func TestSummaryNamesTheSigners(t *testing.T) {
	v := vouch(t)
	var out, talk bytes.Buffer
	run(t.Context(), streams{&out, &talk}, v.serve(t, "trust.yaml", "stable", "--check"))
	want := "release      stable, sequence 7\nsigner       ann: release (" + v.key.Public().ID().String() + ")\n"
	if !strings.Contains(out.String(), want) || !strings.Contains(out.String(), ", VERIFIED\n") {
		t.Errorf("%s%s", &out, &talk)
	}
}
