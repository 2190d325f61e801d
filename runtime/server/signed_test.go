package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/bundle/trust"
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/digest/canonical"
)

// noon is when everything is judged unless a test says otherwise.
var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// environment is a folder with the keys, the policy and the Bindings of one environment, and a Build in a file.
type environment struct {
	dir    string
	ann    *sign.PrivateKey // releases
	tester *sign.PrivateKey // attests tests
	build  *bundle.Build
}

const stablePolicy = "schema: seif.trust-policy.v1\nproject: shop\nchannels: [beta, stable]\nrequire: [{role: release}]\n" +
	"keys:\n  ann: {file: ann.pub, roles: [release]}\n  tester: {file: tester.pub, roles: [tests]}\n"

func newEnvironment(t testing.TB) *environment {
	t.Helper()
	_, build := written(t, textsOnly(t))
	e := &environment{dir: t.TempDir(), build: build, ann: newKey(t), tester: newKey(t)}
	e.put(t, "ann.pub", string(e.ann.Public().PEM()))
	e.put(t, "tester.pub", string(e.tester.Public().PEM()))
	e.policy(t)
	e.bind(t, "trust_policy: trust.yaml\nchannel: stable\n")
	return e
}

func newKey(t testing.TB) *sign.PrivateKey {
	t.Helper()
	key, err := sign.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func (e *environment) path(name string) string { return filepath.Join(e.dir, name) }

func (e *environment) put(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(e.path(name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// bind writes the Bindings with what they say about signatures.
func (e *environment) bind(t testing.TB, about string) {
	t.Helper()
	data, err := os.ReadFile(bound(t, e.build.Digest(), ""))
	if err != nil {
		t.Fatal(err)
	}
	e.put(t, "bindings.yaml", strings.Replace(string(data), "allow_unsigned: true\n", about, 1))
}

// policy writes the trust policy with changes to it.
func (e *environment) policy(t testing.TB, changes ...string) {
	t.Helper()
	e.put(t, "trust.yaml", strings.NewReplacer(changes...).Replace(stablePolicy))
}

// release makes a release statement about the Build and signs it.
func (e *environment) release(t testing.TB, key *sign.PrivateKey, channel string, sequence int64) []byte {
	t.Helper()
	def := e.build.Definition()
	return signed(t, key, sign.Release{
		Project: def.Project, Channel: channel, Sequence: sequence, Definition: e.build.DefinitionDigest(),
		Runtime: def.Version.Runtime(), Tools: sign.ToolSetDigest(def),
	}.Statement(e.build.Digest()))
}

func (e *environment) passedTests(t testing.TB, key *sign.PrivateKey) []byte {
	t.Helper()
	def := e.build.Definition()
	return signed(t, key, sign.Tests{Passed: []string{"a"}, Tests: def.Tests.Digest, Estimator: def.Estimator}.Statement(e.build.Digest()))
}

func signed(t testing.TB, key *sign.PrivateKey, s sign.Statement) []byte {
	t.Helper()
	out, err := sign.Sign(t.Context(), key, s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// certified has a bundle name a certificate instead of a key. Who verifies it is told what to find, so it is anybody's.
func certified(t testing.TB, content []byte) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: noon, NotAfter: noon.Add(time.Minute)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	members := parsed(t, string(content)).(map[string]any)
	members["verificationMaterial"] = map[string]any{"certificate": map[string]any{"rawBytes": base64.StdEncoding.EncodeToString(der)}}
	out, err := canonical.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// seal writes the Build with these signatures and no others.
func (e *environment) seal(t testing.TB, bundles ...[]byte) {
	t.Helper()
	writeSealed(t, e.path("shop.seif"), e.build, bundles...)
}

func writeSealed(t testing.TB, path string, build *bundle.Build, bundles ...[]byte) {
	t.Helper()
	layout := &bundle.Layout{Build: build}
	for _, content := range bundles {
		attached, err := build.Attach(content, sign.ReleasePredicate)
		if err != nil {
			t.Fatal(err)
		}
		layout.Attachments = append(layout.Attachments, attached)
	}
	if _, err := bundle.WriteLayoutFile(t.Context(), path, layout); err != nil {
		t.Fatal(err)
	}
}

// options are those of a start without any word on the command line.
func (e *environment) options() Options {
	return Options{Build: e.path("shop.seif"), Bindings: e.path("bindings.yaml"), Now: noon}
}

func (e *environment) load(t testing.TB) *Service {
	t.Helper()
	s, findings, err := Load(t.Context(), e.options())
	if err != nil || s == nil || len(findings) > 0 {
		t.Fatalf("Load: %v, %v", findings, err)
	}
	return s
}

// withFloor has the policy name a state file, with a floor for stable unless it is 0.
func (e *environment) withFloor(t testing.TB, sequence int64) {
	t.Helper()
	e.put(t, "trust.yaml", stablePolicy+"floor_state: state/floor.json\n")
	if err := os.MkdirAll(e.path("state"), 0o700); err != nil {
		t.Fatal(err)
	}
	state, err := trust.CreateFloorState(e.path("state/floor.json"), "shop")
	if err != nil {
		t.Fatal(err)
	}
	if sequence > 0 {
		if _, err := state.Advance(t.Context(), "stable", sequence); err != nil {
			t.Fatal(err)
		}
	}
}

// floor is the floor of stable as it is on the disk.
func (e *environment) floor(t testing.TB) int64 {
	t.Helper()
	state, err := trust.OpenFloorState(e.path("state/floor.json"))
	if err != nil {
		t.Fatal(err)
	}
	return state.Sequence("stable")
}

// another is a Build of the same Project with other texts of its own.
func another(t testing.TB, text string) *bundle.Build {
	t.Helper()
	def := &definition.Definition{
		Version: definition.V1, Project: "shop", Estimator: definition.Estimator,
		Sources:  map[string]definition.Source{"returns": {Blob: blobOf(text)}},
		Profiles: map[string]definition.Profile{"customer": {BudgetTokens: 2000, Context: []definition.ContextEntry{{Source: "returns"}}}},
		Tests:    blobOf(emptyTests),
	}
	data, err := def.Encode()
	if err != nil {
		t.Fatal(err)
	}
	build, problems := bundle.Assemble(data, map[string]string{"returns": text}, []byte(emptyTests), nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return build
}
