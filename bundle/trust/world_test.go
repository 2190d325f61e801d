package trust_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/bundle/trust"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// noon is when everything is judged unless a test says otherwise.
var noon = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// The Builds of conformance/builds.json that the tests use, by their place.
const (
	plain      = 0
	withCorpus = 2
	withTools  = 4
)

func readBuild(t testing.TB, place int) *bundle.Build {
	t.Helper()
	data, err := os.ReadFile("../../conformance/builds.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Builds []struct {
			Definition, Tests string
			Texts             map[string]string
			Corpus            *string
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	one := file.Builds[place]
	var corpus []byte
	if one.Corpus != nil {
		corpus = []byte(*one.Corpus)
	}
	b, problems := bundle.Assemble([]byte(one.Definition), one.Texts, []byte(one.Tests), corpus)
	if b == nil {
		t.Fatal(problems)
	}
	return b
}

// signed makes a Sigstore bundle of a statement that may be signed.
func signed(t testing.TB, k key, s sign.Statement) []byte {
	t.Helper()
	out, err := sign.Sign(context.Background(), k, s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// forced signs any payload, with any hint and key id, as no tool of ours would.
func forced(t testing.TB, k key, payload []byte, hint, keyID string) []byte {
	t.Helper()
	signature, err := k.Sign(context.Background(), sign.Preauthenticated(payload))
	if err != nil {
		t.Fatal(err)
	}
	one := map[string]any{"sig": base64.StdEncoding.EncodeToString(signature)}
	if keyID != "" {
		one["keyid"] = keyID
	}
	return marshal(t, map[string]any{
		"mediaType":            sign.MediaType,
		"verificationMaterial": map[string]any{"publicKey": map[string]any{"hint": hint}},
		"dsseEnvelope": map[string]any{
			"payload": base64.StdEncoding.EncodeToString(payload), "payloadType": sign.PayloadType, "signatures": []any{one},
		},
	})
}

func marshal(t testing.TB, v canonical.Value) []byte {
	t.Helper()
	out, err := canonical.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func payloadOf(t testing.TB, s sign.Statement) []byte {
	t.Helper()
	out, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func releaseOf(b *bundle.Build, channel string, sequence int64) sign.Release {
	def := b.Definition()
	return sign.Release{
		Project: def.Project, Channel: channel, Sequence: sequence, Definition: b.DefinitionDigest(),
		Runtime: def.Version.Runtime(), Tools: sign.ToolSetDigest(def),
	}
}

func release(t testing.TB, k key, b *bundle.Build, channel string, sequence int64) []byte {
	t.Helper()
	return signed(t, k, releaseOf(b, channel, sequence).Statement(b.Digest()))
}

func testsOf(b *bundle.Build) sign.Tests {
	out := sign.Tests{Passed: []string{"a"}, Tests: b.Definition().Tests.Digest, Estimator: b.Definition().Estimator}
	if corpus := b.Corpus(); corpus != nil {
		out.Corpus = digest.Of(corpus)
	}
	return out
}

func passedTests(t testing.TB, k key, b *bundle.Build) []byte {
	t.Helper()
	return signed(t, k, testsOf(b).Statement(b.Digest()))
}

// failedTests is a well-formed result of a run that failed, validly signed.
func failedTests(t testing.TB, k key, b *bundle.Build) []byte {
	t.Helper()
	st := testsOf(b).Statement(b.Digest())
	st.Predicate["result"] = "FAILED"
	st.Predicate["failedTests"] = []any{"b"}
	return forced(t, k, payloadOf(t, st), k.public.Hint(), "")
}

// layout attaches bundles to a Build.
func layout(t testing.TB, b *bundle.Build, bundles ...[]byte) *bundle.Layout {
	t.Helper()
	l := &bundle.Layout{Build: b}
	for _, content := range bundles {
		a, err := b.Attach(content, "https://example.com/any")
		if err != nil {
			t.Fatal(err)
		}
		l.Attachments = append(l.Attachments, a)
	}
	slices.SortFunc(l.Attachments, func(a, b bundle.Attachment) int { return cmp.Compare(a.Digest().String(), b.Digest().String()) })
	l.Attachments = slices.CompactFunc(l.Attachments, func(a, b bundle.Attachment) bool { return a.Digest() == b.Digest() })
	return l
}

// policy reads a policy in which KEY:name stands for the PEM text of a key.
func policy(t testing.TB, text string, keys map[string]key) *trust.Policy {
	t.Helper()
	var pairs []string
	for name, k := range keys {
		pairs = append(pairs, "KEY:"+name, quoted(k))
	}
	files, _ := folder(t)
	p, found := trust.Read("policy.yaml", []byte(strings.NewReplacer(pairs...).Replace(text)), files)
	if p == nil {
		t.Fatalf("the policy is refused: %v", found)
	}
	return p
}

// keyNames are long enough not to be a prefix of each other.
var keyNames = []string{"ann", "bob", "cyd", "pipeline", "stranger"}

func newKeys(t testing.TB) map[string]key {
	t.Helper()
	out := map[string]key{}
	for _, name := range keyNames {
		out[name] = newKey(t)
	}
	return out
}

const releaseByAnn = "schema: seif.trust-policy.v1\nproject: shop\nchannels: [beta, stable]\nrequire: [{role: release}]\n" +
	"keys:\n  ann: {pem: KEY:ann, roles: [release]}\n"

const twoOfThree = "schema: seif.trust-policy.v1\nproject: shop\nchannels: [beta, stable]\n" +
	"require: [{role: release, threshold: 2}, {role: tests}]\nkeys:\n" +
	"  ann: {pem: KEY:ann, roles: [release]}\n  bob: {pem: KEY:bob, roles: [release]}\n  cyd: {pem: KEY:cyd, roles: [release]}\n" +
	"  pipeline: {pem: KEY:pipeline, roles: [provenance, tests]}\n"

func verify(l *bundle.Layout, p *trust.Policy, more ...func(*trust.Request)) trust.Report {
	req := trust.Request{Layout: l, Policy: p, Now: noon}
	for _, change := range more {
		change(&req)
	}
	return trust.Verify(context.Background(), req)
}

// refused holds that a report says not verified, because of a check with a code.
func refused(t testing.TB, r trust.Report, check, code string) {
	t.Helper()
	if r.Verdict != trust.NotVerified {
		t.Errorf("the verdict is %s", r.Verdict)
	}
	c := r.Check(check)
	if c.Name == "" || c.Status != trust.Failed || c.Problem == nil || string(c.Problem.Code) != code {
		t.Errorf("the check %s is not refused with %s:\n%s", check, code, textOf(t, r))
	}
}

func accepted(t testing.TB, r trust.Report) {
	t.Helper()
	if r.Verdict != trust.Verified {
		t.Errorf("not verified:\n%s", textOf(t, r))
	}
}

func textOf(t testing.TB, r trust.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
