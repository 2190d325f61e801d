package server

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/bundle/sign/keyless"
	"github.com/seif-dev/seifc/bundle/trust"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// failedChecks are the failed checks of a refusal as NAME CODE.
func failedChecks(r trust.Report) []string {
	var out []string
	for _, c := range r.Checks {
		if c.Status == trust.Failed {
			out = append(out, c.Name+" "+string(c.Problem.Code))
		}
	}
	return out
}

// R62, R63, R67: what does not satisfy the policy is not served, and the whole report says why.
func TestNotVerified(t *testing.T) {
	tests := []struct {
		name    string
		prepare func(t *testing.T, e *environment)
		checks  []string
	}{
		{"unsigned", func(t *testing.T, e *environment) { e.seal(t) }, []string{"channel trust_role_unmet", "signatures trust_unsigned", "role release trust_role_unmet"}},
		{
			"signed by a stranger", func(t *testing.T, e *environment) { e.seal(t, e.release(t, newKey(t), "stable", 7)) },
			[]string{"channel trust_role_unmet", "signatures trust_signer_unknown", "role release trust_role_unmet"},
		},
		{
			"tests alone", func(t *testing.T, e *environment) { e.seal(t, e.passedTests(t, e.tester)) },
			[]string{"channel trust_role_unmet", "role release trust_role_unmet"},
		},
		{
			"cosign's own statement", func(t *testing.T, e *environment) {
				e.seal(t, signed(t, e.ann, sign.CosignStatement(e.build.Digest())))
			},
			[]string{"channel trust_role_unmet", "signatures trust_role_unmet", "role release trust_role_unmet"},
		},
		{
			"another channel", func(t *testing.T, e *environment) { e.seal(t, e.release(t, e.ann, "beta", 7)) },
			[]string{"channel trust_role_unmet", "signatures trust_role_unmet", "role release trust_role_unmet"},
		},
		{"a channel that the policy does not have", func(t *testing.T, e *environment) {
			e.bind(t, "trust_policy: trust.yaml\nchannel: nightly\n")
		}, []string{"channel trust_channel_unknown", "signatures trust_role_unmet", "role release trust_role_unmet"}},
		{"another Project", func(t *testing.T, e *environment) {
			e.policy(t, "project: shop", "project: bank")
		}, []string{"project trust_project_differs", "channel trust_role_unmet", "signatures trust_statement_differs", "role release trust_role_unmet"}},
		{"revoked Build", func(t *testing.T, e *environment) {
			e.policy(t, "keys:", "revoked: {builds: {"+e.build.Digest().String()+": told lies}}\nkeys:")
		}, []string{"revoked trust_build_revoked"}},
		{"revoked key", func(t *testing.T, e *environment) {
			e.policy(t, "roles: [tests]", "roles: [release]", "ann.pub, roles: [release]", "ann.pub, roles: [release], revoked: {reason: stolen}")
		}, []string{"channel trust_role_unmet", "signatures trust_signer_revoked", "role release trust_role_unmet"}},
		{"key past its window", func(t *testing.T, e *environment) {
			e.policy(t, "ann.pub, roles: [release]", "ann.pub, roles: [release], not_after: 2026-11-29")
		}, []string{"channel trust_role_unmet", "signatures trust_signer_expired", "role release trust_role_unmet"}},
		{"one of two signers", func(t *testing.T, e *environment) {
			e.policy(t, "role: release}", "role: release, threshold: 2}", "roles: [tests]", "roles: [release]")
		}, []string{"channel trust_role_unmet", "role release trust_role_unmet"}},
		{"below the floor", func(t *testing.T, e *environment) { e.withFloor(t, 8) }, []string{"floor trust_below_floor"}},
		{"no floor state", func(t *testing.T, e *environment) {
			e.put(t, "trust.yaml", stablePolicy+"floor_state: state/floor.json\n")
		}, []string{"floor floor_state_missing"}},
		{"damaged floor state", func(t *testing.T, e *environment) {
			e.withFloor(t, 3)
			e.put(t, "state/floor.json", `{"channels":{"stable":3},"project":"shop"`)
		}, []string{"floor floor_state_malformed"}},
		{"floor state of another Project", func(t *testing.T, e *environment) {
			e.put(t, "trust.yaml", stablePolicy+"floor_state: floor.json\n")
			if _, err := trust.CreateFloorState(e.path("floor.json"), "bank"); err != nil {
				t.Fatal(err)
			}
		}, []string{"floor floor_state_of_another"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := newEnvironment(t)
			e.seal(t, e.release(t, e.ann, "stable", 7))
			test.prepare(t, e)
			s, _, err := Load(t.Context(), e.options())
			var refused *Refused
			if s != nil || !errors.As(err, &refused) {
				t.Fatalf("%v, %v", s, err)
			}
			if diff := cmp.Diff(test.checks, failedChecks(refused.Report)); diff != "" || refused.Report.Verdict != trust.NotVerified {
				t.Errorf("%s (-want +got):\n%s", refused.Report.Verdict, diff)
			}
			if len(refused.Report.Checks) != 13 || len(refused.Findings) != len(test.checks) {
				t.Errorf("%d checks, %d findings", len(refused.Report.Checks), len(refused.Findings))
			}
		})
	}
}

// A Build whose content is wrong, or that is another one than the Bindings name, has a report too.
func TestWrongContentHasAReport(t *testing.T) {
	e := newEnvironment(t)
	e.seal(t, e.release(t, e.ann, "stable", 7))
	data, err := os.ReadFile(e.path("shop.seif"))
	if err != nil {
		t.Fatal(err)
	}
	e.put(t, "forged.seif", strings.Replace(string(data), "30 days", "99 days", 1))
	writeSealed(t, e.path("other.seif"), another(t, "Returns are not taken.\n"))
	for name, code := range map[string]diag.Code{"forged.seif": diag.CodeBlobDigest, "other.seif": diag.CodeBuildDigest} {
		options := e.options()
		options.Build = e.path(name)
		_, _, err := Load(t.Context(), options)
		var refused *Refused
		if !errors.As(err, &refused) || refused.Report.Verdict != trust.NotVerified || !slices.Equal(failedChecks(refused.Report), []string{"contents " + string(code)}) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// R63: an unsigned Build is served only if Bindings and command line both say so, and a word that was said alone is
// answered with the one that is missing. No word saves a Build whose signatures do not satisfy the policy.
func TestUnsignedNeedsTwoWords(t *testing.T) {
	const policy = "trust_policy: trust.yaml\nchannel: stable\n"
	e := newEnvironment(t)
	tests := []struct {
		name, about string
		flag        bool
		bundles     [][]byte
		signature   string
		codes       []string
		help        string
	}{
		{"no word", policy, false, nil, "", []string{"trust_role_unmet", "trust_unsigned", "trust_role_unmet"}, "seifc sign"},
		{"command line alone", policy, true, nil, "", []string{"trust_role_unmet", "build_unsigned", "trust_role_unmet"}, "allow_unsigned: true` in the Bindings"},
		{"Bindings say no", policy + "allow_unsigned: false\n", true, nil, "", []string{"trust_role_unmet", "build_unsigned", "trust_role_unmet"}, "in the Bindings"},
		{"Bindings alone", policy + "allow_unsigned: true\n", false, nil, "", []string{"trust_role_unmet", "build_unsigned", "trust_role_unmet"}, "--allow-unsigned on the command line"},
		{"both", policy + "allow_unsigned: true\n", true, nil, Unsigned, nil, ""},
		{"no policy, Bindings alone", "allow_unsigned: true\n", false, nil, "", []string{"build_unsigned"}, "--allow-unsigned on the command line"},
		{"no policy, both", "allow_unsigned: true\n", true, nil, Unsigned, nil, ""},
		{"signed, no policy", "allow_unsigned: true\n", true, [][]byte{e.release(t, e.ann, "stable", 7)}, Unsigned, nil, ""},
		{"signed, both", policy + "allow_unsigned: true\n", true, [][]byte{e.release(t, e.ann, "stable", 7)}, Verified, nil, ""},
		{
			"a stranger's, both", policy + "allow_unsigned: true\n", true, [][]byte{e.release(t, newKey(t), "stable", 7)}, "",
			[]string{"trust_role_unmet", "trust_signer_unknown", "trust_role_unmet"}, "",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e.bind(t, test.about)
			e.seal(t, test.bundles...)
			options := e.options()
			options.AllowUnsigned = test.flag
			s, findings, err := Load(t.Context(), options)
			if (s != nil) != (test.signature != "") || s != nil && (s.Summary().Signature != test.signature || err != nil) {
				t.Fatalf("%v %v", s, err)
			}
			_, codes := codesOf(findings, err)
			var got []string
			for _, code := range codes {
				got = append(got, string(code))
			}
			if diff := cmp.Diff(test.codes, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			var refused *Refused
			if errors.As(err, &refused) && !strings.Contains(helps(refused.Findings), test.help) {
				t.Errorf("%q is not in the help:\n%s", test.help, helps(refused.Findings))
			}
		})
	}
}

func helps(findings []diag.Diagnostic) string {
	var all []string
	for _, d := range findings {
		all = append(all, d.Help())
	}
	return strings.Join(all, "\n")
}

// Findings about the policy are told with their places, as those about the Bindings; a policy that is not there is an
// error of the file system. Nothing is served either way.
func TestPolicyThatCannotBeUsed(t *testing.T) {
	e := newEnvironment(t)
	e.seal(t, e.release(t, e.ann, "stable", 7))
	e.policy(t, "require: [{role: release}]", "require: []")
	s, findings, err := Load(t.Context(), e.options())
	if s != nil || err != nil || len(findings) != 1 || findings[0].Code != diag.CodeTrustRequireEmpty || findings[0].Place.Start.Line != 4 || filepath.Base(findings[0].Place.Path) != "trust.yaml" {
		t.Errorf("an empty policy: %v, %v", findings, err)
	}
	if err := os.Remove(e.path("trust.yaml")); err != nil {
		t.Fatal(err)
	}
	if s, findings, err := Load(t.Context(), e.options()); s != nil || !errors.Is(err, fs.ErrNotExist) || len(findings) > 0 {
		t.Errorf("no policy: %v, %v", findings, err)
	}
	e.policy(t)
	options := e.options()
	options.Now = time.Time{}
	if s, _, err := Load(t.Context(), options); s != nil || !errors.Is(err, errNoTime) {
		t.Errorf("without a time: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if s, _, err := Load(ended, e.options()); s != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// Row 46: what was verified is what is served. Nothing that was read is read again, so changing or removing it later
// changes nothing.
func TestAttack46(t *testing.T) {
	e := newEnvironment(t)
	e.seal(t, e.release(t, e.ann, "stable", 7))
	s := e.load(t)
	writeSealed(t, e.path("other.seif"), another(t, "Returns are not taken.\n"))
	if err := os.Rename(e.path("other.seif"), e.path("shop.seif")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bindings.yaml", "trust.yaml", "ann.pub"} {
		if err := os.Remove(e.path(name)); err != nil {
			t.Fatal(err)
		}
	}
	r := start(t, s, time.Second)
	got := r.post(t, webToken, `{"profile":"customer","objective":"refund","inputs":{"tenant":"acme"}}`)
	if text, _ := got.members(t)["text"].(string); !strings.Contains(text, "Returns are free for 30 days.") || got.members(t)["build"] != e.build.Digest().String() {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := r.get(t, "/v1/build", webToken).members(t); got["build"] != e.build.Digest().String() || got["signature"] != Verified {
		t.Errorf("%v", got)
	}
}

// seen is an identity that somebody verified, or the error why not.
type seen struct {
	identity sign.Identity
	err      error
}

func (s seen) VerifyIdentity(context.Context, []byte, []byte, digest.Digest) (sign.Identity, error) {
	return s.identity, s.err
}

// A policy with an identity needs who verifies certificates: without the program nothing passes, and the report names
// it. Windows of identities are held against the time in the certificate, not against the clock.
func TestIdentity(t *testing.T) {
	ci := sign.Identity{Issuer: "https://issuer.example", Subject: "https://ci.example/release", Time: noon.AddDate(0, -1, 0)}
	e := newEnvironment(t)
	e.put(t, "root.json", "{}")
	e.policy(t, "keys:", "identities:\n  ci: {issuer: \""+ci.Issuer+"\", subject: \""+ci.Subject+"\", trusted_root: root.json, roles: [release], not_after: 2026-11-01}\nkeys:")
	e.seal(t, certified(t, e.release(t, e.ann, "stable", 7)))
	client := &keyless.Client{Program: e.path(keyless.ProgramName)}
	late, other := ci, ci
	late.Time, other.Subject = noon, "https://ci.example/other"
	tests := []struct {
		name     string
		verifier trust.IdentityVerifier
		code     diag.Code
	}{
		{"the identity", seen{identity: ci}, ""},
		{"nobody who verifies", nil, diag.CodeTrustIdentityUnchecked},
		{"no program", client, diag.CodeKeylessProgramMissing},
		{"another identity", seen{identity: other}, diag.CodeTrustSignerUnknown},
		{"past its window", seen{identity: late}, diag.CodeTrustKeyLate},
		{"not verified", seen{err: keyless.Refuse(diag.CodeKeylessOtherRoot)}, diag.CodeKeylessOtherRoot},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			options := e.options()
			options.Identities = test.verifier
			s, _, err := Load(t.Context(), options)
			var refused *Refused
			switch {
			case test.code == "":
				want := []Signer{{Name: "ci", Key: ci.Subject + " of " + ci.Issuer, Roles: []string{"release"}}}
				if err != nil || !cmp.Equal(want, s.Summary().Signers) {
					t.Errorf("%v", err)
				}
			case s != nil || !errors.As(err, &refused) || refused.Report.Signatures[0].Problem == nil || refused.Report.Signatures[0].Problem.Code != test.code:
				t.Errorf("%v %v", s, err)
			}
		})
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
}
