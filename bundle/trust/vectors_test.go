package trust_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/bundle/trust"
	"github.com/seif-dev/seifc/digest"
)

// update signs the vectors anew, with keys that are thrown away.
var update = flag.Bool("update", false, "write the vectors anew")

const vectorsPath = "../../conformance/trust.json"

// vector is one case of conformance/trust.json. What it expects is written down here from the rules, not computed.
type vector struct {
	Name          string   `json:"name"`
	Policy        string   `json:"policy"`
	Build         string   `json:"build"`
	Bundles       []string `json:"bundles"`
	Now           string   `json:"now"`
	Channel       string   `json:"channel,omitempty"`
	AllowUnsigned bool     `json:"allow_unsigned,omitempty"`
	Verdict       string   `json:"verdict"`
	// Failed are the codes of the failed checks by name.
	Failed map[string]string `json:"failed"`
	// Signatures are, for each bundle, "counts", "valid" if it is valid and counts for nothing, or why it does not.
	Signatures []string `json:"signatures"`
}

// failures is a list of checks and codes as a map.
func failures(pairs ...string) map[string]string {
	out := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = pairs[i+1]
	}
	return out
}

func writeVectors(t *testing.T) {
	t.Helper()
	keys := newKeys(t)
	var lines []string
	for _, v := range append(keyVectors(t, keys), timeVectors(t, keys)...) {
		for name, k := range keys {
			v.Policy = strings.ReplaceAll(v.Policy, "KEY:"+name, quoted(k))
		}
		var line bytes.Buffer
		encoder := json.NewEncoder(&line)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(v); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, strings.TrimSpace(line.String()))
	}
	write(t, vectorsPath, []byte("{\"vectors\":[\n"+strings.Join(lines, ",\n")+"\n]}\n"))
}

func texts(bundles ...[]byte) []string {
	out := []string{}
	for _, b := range bundles {
		out = append(out, string(b))
	}
	return out
}

func keyVectors(t *testing.T, keys map[string]key) []vector {
	b, other := readBuild(t, withCorpus), readBuild(t, withTools)
	by := func(name string, sequence int64) []byte { return release(t, keys[name], b, "stable", sequence) }
	tests := passedTests(t, keys["pipeline"], b)
	spoofed := forced(t, keys["stranger"], payloadOf(t, releaseOf(b, "stable", 1).Statement(b.Digest())), keys["ann"].public.Hint(), "")
	const now = "2026-06-01T12:00:00Z"
	build := b.Digest().String()
	one := func(name, policy, verdict string, failed map[string]string, signatures []string, bundles ...[]byte) vector {
		return vector{Name: name, Policy: policy, Build: build, Bundles: texts(bundles...), Now: now, Verdict: verdict, Failed: failed, Signatures: signatures}
	}
	unmet := failures("signatures", "trust_signature_of_another", "role release", "trust_role_unmet")
	out := []vector{
		one("two of three and tests", twoOfThree, "verified", failures(), []string{"counts", "counts", "counts"}, by("ann", 1), by("cyd", 1), tests),
		one("one of three", twoOfThree, "not_verified", failures("role release", "trust_role_unmet"), []string{"counts", "counts"}, by("ann", 1), tests),
		one("one signer twice", twoOfThree, "not_verified", failures("role release", "trust_role_unmet"), []string{"counts", "counts", "counts"}, by("ann", 1), by("ann", 1), tests),
		one("two sequences", twoOfThree, "not_verified", failures("role release", "trust_role_unmet"), []string{"counts", "counts", "counts"}, by("ann", 1), by("bob", 2), tests),
		one("no tests", twoOfThree, "not_verified", failures("role tests", "trust_role_unmet", "tests", "trust_role_unmet"), []string{"counts", "counts"}, by("ann", 1), by("bob", 1)),
		one("failed tests", twoOfThree, "not_verified", failures("role tests", "trust_role_unmet", "tests", "tests_not_passed"),
			[]string{"counts", "counts", "tests_not_passed"}, by("ann", 1), by("bob", 1), failedTests(t, keys["pipeline"], b)),
		one("a stranger beside", releaseByAnn, "verified", failures(), []string{"trust_signer_unknown", "counts"}, by("stranger", 9), by("ann", 1)),
		one("a forgery beside", releaseByAnn, "not_verified", failures("signatures", "trust_signature_tampered"), []string{"trust_signature_tampered", "counts"}, spoofed, by("ann", 1)),
		one("of another Build", releaseByAnn, "not_verified", unmet, []string{"trust_signature_of_another"}, release(t, keys["ann"], other, "stable", 1)),
		one("a role that was not given", twoOfThree, "not_verified", failures("signatures", "trust_role_not_granted", "role release", "trust_role_unmet", "role tests", "trust_role_unmet", "tests", "trust_role_unmet"),
			[]string{"trust_role_not_granted"}, by("pipeline", 1)),
		one("cosign's own statement", releaseByAnn, "not_verified", failures("signatures", "trust_role_unmet", "role release", "trust_role_unmet"),
			[]string{"valid"}, signed(t, keys["ann"], sign.CosignStatement(b.Digest()))),
		one("unsigned", releaseByAnn, "not_verified", failures("signatures", "trust_unsigned", "role release", "trust_role_unmet"), []string{}),
		one("another Project", strings.Replace(releaseByAnn, "shop", "other", 1), "not_verified",
			failures("project", "trust_project_differs", "signatures", "trust_statement_differs", "role release", "trust_role_unmet"), []string{"trust_statement_differs"}, by("ann", 1)),
		one("revoked Build", releaseByAnn+"revoked: {builds: {"+build+": bad}}\n", "not_verified", failures("revoked", "trust_build_revoked"), []string{"counts"}, by("ann", 1)),
		one("below the floor", releaseByAnn+"floor: {stable: 2}\n", "not_verified", failures("floor", "trust_below_floor"), []string{"counts"}, by("ann", 1)),
		one("on the floor", releaseByAnn+"floor: {stable: 2}\n", "verified", failures(), []string{"counts", "counts"}, by("ann", 1), by("ann", 2)),
	}
	allowed := one("unsigned, in words", releaseByAnn, "unsigned", failures(), []string{})
	allowed.AllowUnsigned = true
	saved := one("a stranger's, allowed to be unsigned", releaseByAnn, "not_verified", failures("signatures", "trust_signer_unknown", "role release", "trust_role_unmet"),
		[]string{"trust_signer_unknown"}, by("stranger", 1))
	saved.AllowUnsigned = true
	wrong := one("another channel", releaseByAnn, "not_verified", failures("channel", "trust_role_unmet", "signatures", "trust_role_unmet", "role release", "trust_role_unmet"), []string{"valid"}, by("ann", 1))
	wrong.Channel = "beta"
	return append(out, allowed, saved, wrong)
}

func timeVectors(t *testing.T, keys map[string]key) []vector {
	b := readBuild(t, withCorpus)
	content := release(t, keys["ann"], b, "stable", 1)
	const bob = "  bob: {pem: KEY:bob, roles: [release]}\n"
	var out []vector
	for _, c := range []struct{ name, window, now, code string }{
		{"in the last second of a day", ", not_after: 2026-01-31", "2026-01-31T23:59:59Z", ""},
		{"the day after", ", not_after: 2026-01-31", "2026-02-01T00:00:00Z", "trust_signer_expired"},
		{"the day before", ", not_before: 2026-01-31", "2026-01-30T23:59:59Z", "trust_signer_not_yet"},
		{"in the first second of a day", ", not_before: 2026-01-31", "2026-01-31T00:00:00Z", ""},
		{"listed as signed in time", ", not_after: 2026-01-31, signed: [" + b.Digest().String() + "]", "2027-01-01T00:00:00Z", ""},
		{"listed and revoked", ", not_after: 2026-01-31, signed: [" + b.Digest().String() + "], revoked: {reason: stolen}", "2026-01-01T00:00:00Z", "trust_signer_revoked"},
	} {
		v := vector{
			Name: c.name, Policy: strings.Replace(releaseByAnn, "roles: [release]", "roles: [release]"+c.window, 1) + bob, Build: b.Digest().String(),
			Bundles: texts(content), Now: c.now, Verdict: "verified", Failed: failures(), Signatures: []string{"counts"},
		}
		if c.code != "" {
			v.Verdict, v.Failed, v.Signatures = "not_verified", failures("signatures", c.code, "role release", "trust_role_unmet"), []string{c.code}
		}
		out = append(out, v)
	}
	return out
}

// The published vectors hold here.
func TestVectors(t *testing.T) {
	if *update {
		writeVectors(t)
	}
	data, err := os.ReadFile(vectorsPath)
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors []vector }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Vectors) < 20 {
		t.Fatalf("there are %d vectors", len(file.Vectors))
	}
	builds := map[string]*bundle.Build{}
	for _, place := range []int{plain, withCorpus, withTools} {
		b := readBuild(t, place)
		builds[b.Digest().String()] = b
	}
	for _, v := range file.Vectors {
		t.Run(v.Name, func(t *testing.T) { holdVector(t, v, builds[v.Build]) })
	}
}

func holdVector(t *testing.T, v vector, b *bundle.Build) {
	now, err := time.Parse(time.RFC3339, v.Now)
	if err != nil {
		t.Fatal(err)
	}
	r := verify(&bundle.Layout{Build: b}, policy(t, v.Policy, nil), func(req *trust.Request) {
		req.Now, req.Channel, req.AllowUnsigned = now, v.Channel, v.AllowUnsigned
		for _, content := range v.Bundles {
			req.Detached = append(req.Detached, []byte(content))
		}
	})
	got := vector{Verdict: string(r.Verdict), Failed: failures(), Signatures: []string{}}
	for _, c := range r.Checks {
		if c.Problem != nil {
			got.Failed[c.Name] = string(c.Problem.Code)
		}
	}
	for i, s := range r.Signatures {
		if s.Digest != digest.Of([]byte(v.Bundles[i])) {
			t.Errorf("signature %d is of another bundle", i)
		}
		switch {
		case s.Problem != nil:
			got.Signatures = append(got.Signatures, string(s.Problem.Code))
		case s.Status == trust.Passed:
			got.Signatures = append(got.Signatures, "counts")
		default:
			got.Signatures = append(got.Signatures, "valid")
		}
	}
	want := vector{Verdict: v.Verdict, Failed: v.Failed, Signatures: v.Signatures}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s\n%s", diff, textOf(t, r))
	}
}
