package sigstore_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/bundle/sign/keyless"
	"github.com/seif-dev/seifc/bundle/trust"
	"github.com/seif-dev/seifc/diag"
)

// A client is what a trust policy asks.
var _ trust.IdentityVerifier = (*keyless.Client)(nil)

// TestPolicyTrustsAnIdentity signs a Build by identity and has a trust policy judge it: everything is real but the
// instance.
func TestPolicyTrustsAnIdentity(t *testing.T) {
	instance, other := newInstance(t), newInstance(t)
	client := newClient(t)
	build := someBuild(t)
	def := build.Definition()
	release := sign.Release{
		Project: def.Project, Channel: "stable", Sequence: 1, Definition: build.DefinitionDigest(),
		Runtime: def.Version.Runtime(), Tools: sign.ToolSetDigest(def),
	}
	payload, err := release.Statement(build.Digest()).Encode()
	if err != nil {
		t.Fatal(err)
	}
	o := order(t, instance, kinds[0], workload)
	o.Payload, o.Artifact = payload, build.Digest()
	s, err := client.Sign(t.Context(), o)
	if err != nil {
		t.Fatal(describe(err))
	}
	attached, err := build.Attach(s.Bundle, sign.ReleasePredicate)
	if err != nil {
		t.Fatal(err)
	}
	layout := &bundle.Layout{Build: build, Attachments: []bundle.Attachment{attached}}
	policy := "schema: seif.trust-policy.v1\nproject: " + def.Project + "\nchannels: [stable]\nrequire: [{role: release}]\nidentities:\n" +
		"  ci: {issuer: \"" + issuer + "\", subject: \"" + workload + "\", trusted_root: root.json, roles: [release]}\n"

	for name, c := range map[string]struct {
		policy   string
		root     []byte
		verifier trust.IdentityVerifier
		want     diag.Code
	}{
		"right identity":    {policy, o.TrustedRoot, client, ""},
		"another subject":   {strings.Replace(policy, workload, workload+"2", 1), o.TrustedRoot, client, diag.CodeTrustSignerUnknown},
		"another issuer":    {strings.Replace(policy, issuer, issuer+".invalid", 1), o.TrustedRoot, client, diag.CodeTrustSignerUnknown},
		"another root":      {policy, rootOf(t, other, everything), client, diag.CodeKeylessOtherRoot},
		"a root of nothing": {policy, []byte("{}"), client, diag.CodeKeylessTrustedRoot},
		"no program": {policy, o.TrustedRoot, &keyless.Client{Program: filepath.Join(t.TempDir(), keyless.ProgramName)},
			diag.CodeKeylessProgramMissing},
	} {
		t.Run(name, func(t *testing.T) {
			p, found := trust.Read("policy.yaml", []byte(c.policy), fstest.MapFS{"root.json": {Data: c.root}})
			if p == nil {
				t.Fatal(found)
			}
			report := trust.Verify(t.Context(), trust.Request{Layout: layout, Policy: p, Channel: "stable", Now: time.Now(), Identities: c.verifier})
			if got := report.Verdict == trust.Verified; got != (c.want == "") {
				t.Fatalf("the verdict is %s: %v", report.Verdict, report.Problems())
			}
			if p := report.Signatures[0].Problem; c.want != "" && (p == nil || p.Code != c.want) {
				t.Errorf("the signature has %v, not %s", p, c.want)
			}
		})
	}
}

// someBuild is the first Build of the published ones.
func someBuild(t *testing.T) *bundle.Build {
	t.Helper()
	data, err := os.ReadFile("../../../../conformance/builds.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Builds []struct {
			Definition, Tests string
			Texts             map[string]string
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	first := file.Builds[0]
	b, problems := bundle.Assemble([]byte(first.Definition), first.Texts, []byte(first.Tests), nil)
	if b == nil {
		t.Fatal(problems)
	}
	return b
}
