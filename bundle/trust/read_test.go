package trust_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seif-dev/seifc/bundle/trust"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/document"
)

// form is a document with the findings of the reader: CODE LINE:COLUMN, or CODE 0 where the place is not told.
type form struct {
	name string
	text string
	want []string
	// beyond says that the fault is beyond the form that a JSON Schema describes.
	beyond bool
}

const (
	head    = "schema: seif.trust-policy.v1\nproject: shop\nchannels: [stable]\n"
	require = "require: [{role: release}]\n"
	oneKey  = "keys:\n  a: {file: a.pub, roles: [release]}\n"
	oneID   = "identities:\n  w: {issuer: \"https://i.example\", subject: s, trusted_root: root.json, roles: [release]}\n"
)

func with(more string) string { return head + require + oneKey + more }

func withKey(more string) string {
	return head + require + "keys:\n  a: {file: a.pub, roles: [release], " + more + "}\n"
}

func withID(from, to string) string {
	return head + require + strings.Replace(oneID, from, to, 1)
}

// folder holds what the cases name.
func folder(t testing.TB) (fs.FS, *strings.Replacer) {
	t.Helper()
	a, b := newKey(t), newEdKey(t)
	files := fstest.MapFS{
		"a.pub": {Data: a.public.PEM()}, "b.pub": {Data: b.public.PEM()}, "sub/b.pub": {Data: b.public.PEM()}, "empty.pub": {},
		"private.key": {Data: []byte("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")},
		"root.json":   {Data: []byte(`{"mediaType":"x"}`)}, "twice.json": {Data: []byte(`{"a":1,"a":2}`)},
		"large.pub": {Data: make([]byte, trust.MaxBytes+1)},
	}
	return files, strings.NewReplacer("PEM_A", quoted(a), "PEM_B", quoted(b), "DIGEST", digest.Of([]byte("a Build")).String())
}

func goodForms() []form {
	return []form{
		{name: "least", text: with("")},
		{name: "least by identity", text: head + require + oneID},
		{name: "pem", text: head + require + "keys: {a: {pem: PEM_A, roles: [release]}}\n"},
		{name: "two keys", text: head + "require: [{role: release, threshold: 2}]\nkeys: {a: {pem: PEM_A, roles: [release]}, b: {file: sub/b.pub, roles: [release, tests]}}\n"},
		{name: "a key and an identity", text: head + "require: [{role: release, threshold: 2}]\n" + oneKey + oneID},
		{name: "days", text: withKey("not_before: 2026-01-01, not_after: 2026-12-31")},
		{name: "one day", text: withKey("not_before: 2026-01-01, not_after: 2026-01-01")},
		{name: "seconds", text: withKey("not_before: \"2026-01-01T10:00:00Z\", not_after: 2026-01-01T10:00:00Z")},
		{name: "signed", text: withKey("not_after: 2026-12-31, signed: [DIGEST]")},
		{name: "a revoked key beside", text: head + require + oneKey + "  b: {file: b.pub, roles: [release], revoked: {reason: stolen, date: 2026-03-02}}\n"},
		{name: "revoked", text: with("revoked: {builds: {DIGEST: bad}, contracts: {DIGEST: wrong}}\n")},
		{name: "floor", text: with("floor: {stable: 9007199254740991}\n")},
		{name: "floor state", text: with("floor_state: /var/lib/seif/floor.json\n")},
		{name: "window of an identity", text: withID("roles", "not_before: 2026-01-01, not_after: 2027-01-01, roles")},
		{name: "every role", text: head + "require: [{role: acknowledgement}, {role: promotion}, {role: provenance}, {role: release}, {role: tests}]\n" +
			"keys: {a: {file: a.pub, roles: [acknowledgement, guard-review, promotion, provenance, release, tests]}}\n"},
	}
}

func badForms() []form {
	return slices.Concat(badDocuments(), badKeys(), badIdentities(), badFloors())
}

func badDocuments() []form {
	return []form{
		{name: "no schema", text: strings.Replace(with(""), "schema: seif.trust-policy.v1\n", "", 1), want: []string{"missing_field 1:1"}},
		{name: "another schema", text: strings.Replace(with(""), "policy.v1", "policy.v2", 1), want: []string{"unknown_word 1:9"}},
		{name: "no Project", text: strings.Replace(with(""), "project: shop\n", "", 1), want: []string{"missing_field 1:1"}},
		{name: "Project form", text: strings.Replace(with(""), "shop", "Shop", 1), want: []string{"id_form 2:10"}},
		{name: "no channels", text: strings.Replace(with(""), "channels: [stable]\n", "", 1), want: []string{"missing_field 1:1"}},
		{name: "no channel", text: strings.Replace(with(""), "[stable]", "[]", 1), want: []string{"list_empty 3:11"}},
		{name: "channel twice", text: strings.Replace(with(""), "[stable]", "[stable, stable]", 1), want: []string{"trust_repeated 3:20"}},
		{name: "channel by pattern", text: strings.Replace(with(""), "[stable]", "[\"*\"]", 1), want: []string{"id_form 3:12"}},
		{name: "unknown member", text: with("require_all: true\n"), want: []string{"unknown_field 7:1"}},
		{name: "a list", text: "- 1\n", want: []string{"wrong_type 1:1"}},
		{name: "no requirement", text: head + "require: []\n" + oneKey, want: []string{"trust_require_empty 4:10"}},
		{name: "no require", text: head + oneKey, want: []string{"missing_field 1:1"}},
		{name: "null require", text: head + "require:\n" + oneKey, want: []string{"unexpected_null 0"}},
		{name: "role unknown", text: head + "require: [{role: releases}]\n" + oneKey, want: []string{"unknown_word 4:18"}},
		{name: "no role", text: head + "require: [{threshold: 1}]\n" + oneKey, want: []string{"missing_field 4:11"}},
		{name: "role twice", text: head + "require: [{role: release}, {role: release}]\n" + oneKey, want: []string{"trust_repeated 4:35"}, beyond: true},
		{name: "guard-review of a Build", text: head + "require: [{role: guard-review}]\nkeys: {a: {file: a.pub, roles: [guard-review]}}\n", want: []string{"trust_require_guard_review 4:18"}},
		{name: "threshold of nobody", text: head + "require: [{role: release, threshold: 0}]\n" + oneKey, want: []string{"number_out_of_range 4:38"}},
		{name: "threshold as text", text: head + "require: [{role: release, threshold: \"1\"}]\n" + oneKey, want: []string{"wrong_type 4:38"}},
		{name: "threshold unreachable", text: head + "require: [{role: release, threshold: 2}]\n" + oneKey, want: []string{"trust_threshold_unreachable 4:11"}, beyond: true},
		{name: "nobody has the role", text: head + "require: [{role: tests}]\n" + oneKey, want: []string{"trust_threshold_unreachable 4:11"}, beyond: true},
		{name: "nobody at all", text: head + require, want: []string{"trust_threshold_unreachable 4:11"}, beyond: true},
		{name: "reachable by a revoked key only", text: withKey("revoked: {reason: lost}"), want: []string{"trust_threshold_unreachable 4:11"}, beyond: true},
		{name: "revoked nothing", text: with("revoked: {}\n"), want: []string{"list_empty 7:10"}},
		{name: "revoked no Build", text: with("revoked: {builds: {}}\n"), want: []string{"list_empty 7:19"}},
		{name: "revoked by tag", text: with("revoked: {builds: {latest: bad}}\n"), want: []string{"trust_digest_malformed 7:20"}},
		{name: "revoked contract by tag", text: with("revoked: {contracts: {orders.find: bad}}\n"), want: []string{"trust_digest_malformed 7:23"}},
		{name: "revoked without a reason", text: with("revoked: {builds: {DIGEST: \"\"}}\n"), want: []string{"string_empty 0"}},
		{name: "revoked in upper case", text: with("revoked: {builds: {\"sha256:" + strings.Repeat("AB", 32) + "\": bad}}\n"), want: []string{"trust_digest_malformed 7:20"}},
	}
}

func badKeys() []form {
	one := func(inside string) string { return head + require + "keys:\n  a: {" + inside + "}\n" }
	two := func(second string) string { return head + require + oneKey + "  b: {" + second + "}\n" }
	return []form{
		{name: "no keys in the map", text: head + require + oneID + "keys: {}\n", want: []string{"list_empty 0"}},
		{name: "key name", text: head + require + "keys:\n  A: {file: a.pub, roles: [release]}\n", want: []string{"id_form 6:3"}},
		{name: "no key", text: one("roles: [release]"), want: []string{"trust_key_source 6:6"}},
		{name: "two sources", text: one("file: a.pub, pem: PEM_A, roles: [release]"), want: []string{"trust_key_source 6:6"}},
		{name: "no roles", text: two("file: b.pub"), want: []string{"missing_field 7:6"}},
		{name: "no role in the list", text: two("file: b.pub, roles: []"), want: []string{"list_empty 7:27"}},
		{name: "role twice", text: one("file: a.pub, roles: [release, release]"), want: []string{"trust_repeated 6:37"}},
		{name: "misspelt member", text: withKey("notafter: 2026-01-01"), want: []string{"unknown_field 6:38"}},
		{name: "key twice", text: two("pem: PEM_A, roles: [tests]"), want: []string{"trust_key_twice 7:3"}, beyond: true},
		{name: "missing file", text: two("file: c.pub, roles: [tests]"), want: []string{"trust_file 7:13"}, beyond: true},
		{name: "file above", text: two("file: ../b.pub, roles: [tests]"), want: []string{"trust_file 7:13"}, beyond: true},
		{name: "absolute file", text: two("file: /b.pub, roles: [tests]"), want: []string{"trust_file 7:13"}, beyond: true},
		{name: "backslash", text: two("file: \"sub\\\\b.pub\", roles: [tests]"), want: []string{"trust_file 7:13"}, beyond: true},
		{name: "folder", text: two("file: sub, roles: [tests]"), want: []string{"trust_file 7:13"}, beyond: true},
		{name: "large file", text: two("file: large.pub, roles: [tests]"), want: []string{"trust_file 7:13"}, beyond: true},
		{name: "no file name", text: two("file: \"\", roles: [tests]"), want: []string{"string_empty 7:13"}},
		{name: "empty file", text: two("file: empty.pub, roles: [tests]"), want: []string{"key_format 7:13"}, beyond: true},
		{name: "no PEM", text: two("pem: hello, roles: [tests]"), want: []string{"key_format 7:12"}, beyond: true},
		{name: "private key", text: two("file: private.key, roles: [tests]"), want: []string{"key_is_private 7:13"}, beyond: true},
		{name: "private key inline", text: two("pem: \"-----BEGIN PRIVATE KEY-----\\nAAAA\\n-----END PRIVATE KEY-----\", roles: [tests]"), want: []string{"key_is_private 7:12"}, beyond: true},
		{name: "time as a word", text: withKey("not_before: soon"), want: []string{"trust_time_malformed 6:50"}},
		{name: "time in a zone", text: withKey("not_before: \"2026-01-01T10:00:00+01:00\""), want: []string{"trust_time_malformed 6:50"}},
		{name: "time without a zone", text: withKey("not_before: \"2026-01-01T10:00:00\""), want: []string{"trust_time_malformed 6:50"}},
		{name: "no such day", text: withKey("not_before: 2026-02-30"), want: []string{"trust_time_malformed 6:50"}, beyond: true},
		{name: "time as a number", text: withKey("not_before: 2026"), want: []string{"unquoted_scalar 6:50"}},
		{name: "empty window", text: withKey("not_before: 2026-02-01, not_after: 2026-01-31"), want: []string{"trust_window_empty 6:73"}, beyond: true},
		{name: "signed without an end", text: withKey("signed: [DIGEST]"), want: []string{"trust_signed_without_end 6:38"}},
		{name: "signed by tag", text: withKey("not_after: 2026-01-01, signed: [v1]"), want: []string{"trust_digest_malformed 6:70"}},
		{name: "signed nothing", text: withKey("not_after: 2026-01-01, signed: []"), want: []string{"list_empty 6:69"}},
		{name: "signed twice", text: withKey("not_after: 2026-01-01, signed: [DIGEST, DIGEST]"), want: []string{"trust_repeated 0"}},
		{name: "revoked in a word", text: two("file: b.pub, roles: [tests], revoked: true"), want: []string{"wrong_type 7:45"}},
		{name: "revoked without a reason", text: two("file: b.pub, roles: [tests], revoked: {date: 2026-01-01}"), want: []string{"missing_field 7:45"}},
		{name: "too many keys", text: head + require + "keys:\n" + manyKeys(), want: []string{"trust_too_many 5:1"}},
	}
}

// manyKeys are more keys than a policy may have; those beyond the bound are not looked at.
func manyKeys() string {
	var b strings.Builder
	for i := range trust.MaxSigners + 1 {
		fmt.Fprintf(&b, "  k%d: {file: none.pub, roles: [release]}\n", i)
	}
	return b.String()
}

func badIdentities() []form {
	return []form{
		{name: "no issuer", text: withID("issuer: \"https://i.example\", ", "") + oneKey, want: []string{"missing_field 6:6"}},
		{name: "issuer without https", text: withID("https:", "http:") + oneKey, want: []string{"trust_issuer_form 6:15"}},
		{name: "subject by pattern", text: withID("subject: s", "subject: \"https://x/*\"") + oneKey, want: []string{"trust_subject_form 6:45"}},
		{name: "empty subject", text: withID("subject: s", "subject: \"\"") + oneKey, want: []string{"trust_subject_form 6:45"}},
		{name: "no trusted root", text: withID("trusted_root: root.json, ", "") + oneKey, want: []string{"missing_field 6:6"}},
		{name: "trusted root that is no JSON", text: withID("root.json", "a.pub") + oneKey, want: []string{"trust_file 6:62"}, beyond: true},
		{name: "trusted root with a member twice", text: withID("root.json", "twice.json") + oneKey, want: []string{"trust_file 6:62"}, beyond: true},
		{name: "identity twice", text: head + require + oneID + "  v: {issuer: \"https://i.example\", subject: s, trusted_root: root.json, roles: [tests]}\n", want: []string{"trust_identity_twice 7:3"}, beyond: true},
		{name: "signed of an identity", text: withID("roles", "signed: [DIGEST], roles") + oneKey, want: []string{"unknown_field 6:73"}},
	}
}

func badFloors() []form {
	return []form{
		{name: "two floors", text: with("floor: {stable: 1}\nfloor_state: s.json\n"), want: []string{"trust_floor_twice 8:14"}},
		{name: "floor of another channel", text: with("floor: {beta: 1}\n"), want: []string{"trust_floor_channel 7:9"}, beyond: true},
		{name: "floor of zero", text: with("floor: {stable: 0}\n"), want: []string{"number_out_of_range 7:17"}},
		{name: "floor without end", text: with("floor: {stable: 9007199254740992}\n"), want: []string{"number_out_of_range 7:17"}},
		{name: "no floor", text: with("floor: {}\n"), want: []string{"list_empty 7:8"}},
		{name: "floor without releases", text: head + "require: [{role: tests}]\nkeys: {a: {file: a.pub, roles: [tests]}}\nfloor: {stable: 1}\n", want: []string{"trust_floor_without_release 6:1"}, beyond: true},
		{name: "no state", text: with("floor_state: \"\"\n"), want: []string{"string_empty 7:14"}},
	}
}

func shown(d diag.Diagnostic, want string) string {
	if strings.HasSuffix(want, " 0") {
		return string(d.Code) + " 0"
	}
	return fmt.Sprintf("%s %d:%d", d.Code, d.Place.Start.Line, d.Place.Start.Column)
}

// Every fault of a policy has its own code, at its own place. TestAttack27 is among them: one key under two names is
// refused, so that nobody takes it for two signers.
func TestRead(t *testing.T) {
	files, fill := folder(t)
	for _, c := range slices.Concat(goodForms(), badForms()) {
		t.Run(c.name, func(t *testing.T) {
			p, found := trust.Read("policy.yaml", []byte(fill.Replace(c.text)), files)
			var got []string
			for i, d := range found {
				got = append(got, shown(d, append(c.want, make([]string, len(found))...)[i]))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if (p == nil) != (len(c.want) > 0) {
				t.Errorf("policy: %v", p)
			}
		})
	}
}

// The published schema and the reader accept and refuse the same documents, as far as form goes.
func TestSchemaAgreesWithReader(t *testing.T) {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(trust.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("trust-policy", value); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("trust-policy")
	if err != nil {
		t.Fatal(err)
	}
	_, fill := folder(t)
	for _, c := range slices.Concat(goodForms(), badForms()) {
		t.Run(c.name, func(t *testing.T) {
			file, problems := document.Parse("policy.yaml", []byte(fill.Replace(c.text)))
			if file.Root == nil || len(problems) > 0 {
				t.Fatalf("the case is no sound YAML: %v", problems)
			}
			err := compiled.Validate(file.Root.Value())
			if want := len(c.want) == 0 || c.beyond; (err == nil) != want {
				t.Errorf("the schema says %v, want accepted: %v", err, want)
			}
		})
	}
}

// A finding about a document with a private key in it repeats no line of it.
func TestPrivateKeyIsNotRepeated(t *testing.T) {
	files, fill := folder(t)
	const secret = "MIGHAgEAMBMGByqGSM49"
	for _, text := range []string{
		head + require + oneKey + "  b: {pem: \"-----BEGIN PRIVATE KEY-----\\n" + secret + "\\n-----END PRIVATE KEY-----\", roles: [tests]}\n",
		head + require + oneKey + "  b:\n    pem: |\n      -----BEGIN EC PRIVATE KEY-----\n      " + secret + "\n    roles: [tests]\n",
		head + require + oneKey + "  b: {pam: \"-----BEGIN PRIVATE KEY-----\\n" + secret + "\", roles: [tests]}\n",
	} {
		p, found := trust.Read("policy.yaml", []byte(fill.Replace(text)), files)
		if p != nil || len(found) == 0 {
			t.Fatalf("accepted: %v", found)
		}
		if all := fmt.Sprintf("%+v", found); strings.Contains(all, secret) {
			t.Errorf("a finding repeats the key: %s", all)
		}
	}
}

// The samples are what an author copies: they are read without a finding, beside the files that they name.
func TestSamples(t *testing.T) {
	paths, err := filepath.Glob("testdata/*/trust-policy.yaml")
	if err != nil || len(paths) != 3 {
		t.Fatalf("samples: %v, %v", paths, err)
	}
	for _, path := range paths {
		p, found, err := trust.Open(path)
		if err != nil || p == nil || len(found) > 0 {
			t.Errorf("%s: %v, %v", path, found, err)
			continue
		}
		if p.Project() != "shop" || len(p.Require()) == 0 || len(p.Channels()) == 0 {
			t.Errorf("%s: %+v", path, p)
		}
	}
}

func TestFilesDoNotLeadOut(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(dir, "outside.pub")
	inside := filepath.Join(dir, "policy")
	if err := os.MkdirAll(inside, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, outside, newKey(t).public.PEM())
	write(t, filepath.Join(inside, "p.yaml"), []byte(with("")))
	if err := os.Symlink(outside, filepath.Join(inside, "a.pub")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	p, found, err := trust.Open(filepath.Join(inside, "p.yaml"))
	if err != nil || p != nil || len(found) != 1 || found[0].Code != diag.CodeTrustFile {
		t.Errorf("a link out of the folder: %v, %v, %v", p, found, err)
	}
}

func TestPolicyIsBounded(t *testing.T) {
	p, found := trust.Read("p.yaml", make([]byte, trust.MaxBytes+1), nil)
	if p != nil || len(found) != 1 || found[0].Code != diag.CodeTrustPolicyTooLarge {
		t.Errorf("got %v, %v", p, found)
	}
	if _, _, err := trust.Open(filepath.Join(t.TempDir(), "none.yaml")); err == nil {
		t.Error("a policy that is not there was read")
	}
}

func TestFloorStateIsRelativeToThePolicy(t *testing.T) {
	files, _ := folder(t)
	p, found := trust.Read("conf/p.yaml", []byte(with("floor_state: state/floor.json\n")), files)
	if p == nil {
		t.Fatal(found)
	}
	if got, want := p.FloorState(), filepath.Join("conf", "state", "floor.json"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
