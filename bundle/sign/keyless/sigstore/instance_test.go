package sigstore_test

import (
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/bundle/sign/keyless"
	"github.com/seif-dev/seifc/bundle/sign/keyless/sigstore"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/tools/virtualsigstore"
)

// The identities of the tests: a person and a workload.
const (
	issuer   = "https://issuer.example.test"
	person   = "release@example.test"
	workload = "https://ci.example.test/acme/shop/.ci/release@refs/heads/main"
)

var (
	artifact   = digest.Of([]byte("an artifact"))
	everything = virtualsigstore.Everything()
)

// kind is one way to sign: which log, and whether with a timestamp authority.
type kind struct {
	name    string
	version int
	stamped bool
}

var kinds = []kind{
	{"log of version 1 with a timestamp", 1, true},
	{"log of version 1 alone", 1, false},
	{"log of version 2 with a timestamp", 2, true},
}

func newInstance(t testing.TB) *virtualsigstore.Instance {
	t.Helper()
	instance, err := virtualsigstore.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(instance.Close)
	return instance
}

func rootOf(t testing.TB, instance *virtualsigstore.Instance, parts virtualsigstore.Parts) []byte {
	t.Helper()
	data, err := instance.TrustedRoot(parts)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func statement(subject digest.Digest) []byte {
	return []byte(`{"_type":"https://in-toto.io/Statement/v1","predicate":{},"predicateType":"https://sigstore.dev/cosign/sign/v1",` +
		`"subject":[{"digest":{"sha256":"` + subject.Hex() + `"}}]}`)
}

// order is an order that the instance carries out.
func order(t testing.TB, instance *virtualsigstore.Instance, k kind, subject string) keyless.Order {
	t.Helper()
	token, err := instance.Token(issuer, subject)
	if err != nil {
		t.Fatal(err)
	}
	o := keyless.Order{
		Payload: statement(artifact), Artifact: artifact, TrustedRoot: rootOf(t, instance, virtualsigstore.Everything()), Token: token,
		Services: keyless.Services{Fulcio: instance.FulcioURL(), Rekor: instance.RekorURL(), RekorVersion: k.version},
	}
	if k.version == 2 {
		o.Services.Rekor = instance.Rekor2URL()
	}
	if k.stamped {
		o.Services.Timestamp = instance.TimestampURL()
	}
	return o
}

// signed signs, and gives the demand that accepts the signature.
func signed(t testing.TB, instance *virtualsigstore.Instance, k kind, subject string) keyless.Demand {
	t.Helper()
	o := order(t, instance, k, subject)
	s, err := sigstore.Sign(t.Context(), o)
	if err != nil {
		t.Fatalf("signing: %v", describe(err))
	}
	return keyless.Demand{TrustedRoot: o.TrustedRoot, Bundle: s.Bundle, Artifact: artifact, Issuer: issuer, Subject: subject}
}

// describe is an error with its sentences.
func describe(err error) string {
	var text strings.Builder
	for _, p := range problemsOf(err) {
		text.WriteString(string(p.Code) + " " + p.Data["why"] + "; ")
	}
	return err.Error() + ": " + text.String()
}

func problemsOf(err error) []diag.Problem {
	var found interface{ Findings() []diag.Problem }
	if errors.As(err, &found) {
		return found.Findings()
	}
	return nil
}

// wantCode holds that an error has one problem of the given code.
func wantCode(t *testing.T, err error, want diag.Code) {
	t.Helper()
	if err == nil {
		t.Fatalf("it was accepted, not refused with %s", want)
	}
	if got := problemsOf(err); len(got) != 1 || got[0].Code != want {
		t.Fatalf("refused with %s, not with %s", describe(err), want)
	}
}

func refuses(t *testing.T, d keyless.Demand, want diag.Code) {
	t.Helper()
	identity, err := sigstore.Verify(t.Context(), d)
	wantCode(t, err, want)
	if identity != (sign.Identity{}) {
		t.Errorf("a refused bundle has the identity %v", identity)
	}
}

// changed is a bundle or a trusted root with one member changed; a nil value takes the member away.
func changed(t testing.TB, data []byte, pointer string, change func(canonical.Value) canonical.Value) []byte {
	t.Helper()
	value, err := canonical.Parse(data, canonical.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := canonical.SplitPointer(pointer)
	if err != nil {
		t.Fatal(err)
	}
	out, err := canonical.Marshal(at(t, value, tokens, change))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func at(t testing.TB, value canonical.Value, tokens []string, change func(canonical.Value) canonical.Value) canonical.Value {
	t.Helper()
	if len(tokens) == 0 {
		return change(value)
	}
	switch v := value.(type) {
	case map[string]any:
		copied := maps.Clone(v)
		if copied[tokens[0]] = at(t, v[tokens[0]], tokens[1:], change); copied[tokens[0]] == nil {
			delete(copied, tokens[0])
		}
		return copied
	case []any:
		copied := append([]any{}, v...)
		copied[0] = at(t, v[0], tokens[1:], change)
		return copied
	}
	t.Fatalf("there is no member %q", tokens[0])
	return nil
}

func gone(canonical.Value) canonical.Value { return nil }

func becomes(v canonical.Value) func(canonical.Value) canonical.Value {
	return func(canonical.Value) canonical.Value { return v }
}

// memberOf is one member of a bundle.
func memberOf(t testing.TB, data []byte, pointer string) canonical.Value {
	t.Helper()
	value, err := canonical.Parse(data, canonical.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	member, ok := canonical.Lookup(value, pointer)
	if !ok {
		t.Fatalf("the bundle has no %s", pointer)
	}
	return member
}

func fixed(at time.Time) func() time.Time { return func() time.Time { return at } }
