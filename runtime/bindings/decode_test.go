package bindings_test

import (
	"bytes"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/document"
	"github.com/seif-dev/seifc/runtime/bindings"
)

// verdict is a document with the findings of the reader: CODE and, if told, LINE:COLUMN.
type verdict struct {
	name string
	text string
	want []string
	// beyond says that the fault is beyond the form that a JSON Schema describes.
	beyond bool
}

func token(n int) string { return digest.Of([]byte(fmt.Sprint("token ", n))).String() }

// document parts that most cases share.
const (
	head = "schema: seif.bindings.v1\nbuild: BUILD\nallow_unsigned: true\n"
	web  = "credentials:\n  web: {class: app, token_digest: T1, principal: shop, profiles: [customer]}\n"
)

func with(more string) string { return head + web + more }

// signed are Bindings that say something else about signatures.
func signed(about string) string {
	return strings.Replace(with(""), "allow_unsigned: true", about, 1)
}

func app(more string) string {
	return head + "credentials:\n  web: {class: app, token_digest: T1, principal: shop, profiles: [customer]" + more + "}\n"
}

func fill(text string) string {
	build := digest.Of([]byte("a Build")).String()
	return strings.NewReplacer("BUILD", build, "T1", token(1), "T2", token(2)).Replace(text)
}

func good() []verdict {
	return []verdict{
		{name: "least", text: with("")},
		{name: "trust policy", text: signed("trust_policy: trust.yaml\nchannel: stable")},
		{name: "trust policy elsewhere", text: signed("trust_policy: /etc/seif/trust.yaml\nchannel: stable\nallow_unsigned: false")},
		{name: "trust policy or unsigned", text: with("trust_policy: ../trust.yaml\nchannel: stable-1\n")},
		{name: "listen", text: with("listen: 127.0.0.9:0\n")},
		{name: "listen on IPv6", text: with("listen: \"[::1]:7343\"\n")},
		{name: "listen for others, in words", text: with("listen: 0.0.0.0:80\ninsecure_listen: true\n")},
		{name: "listen for others on IPv6, in words", text: with("listen: \"[2001:db8::1]:80\"\ninsecure_listen: true\n")},
		{name: "ops", text: with("  ops: {class: ops, token_digest: T2, principal: ops}\n")},
		{name: "inputs", text: app(", inputs: {tenant: acme, limits: {n: [1, 2.5, null, true]}}")},
		{name: "quotas", text: with("quotas: {requests_in_flight: 1, per_credential: 1024, body_bytes: 4194304}\n")},
		{name: "no quota", text: with("quotas: {}\n")},
		{name: "principal", text: strings.Replace(with(""), "principal: shop", "principal: svc:shop@prod", 1)},
	}
}

func bad() []verdict {
	return slices.Concat(badDocuments(), badCredentials(), badBeyondForm())
}

func badDocuments() []verdict {
	return []verdict{
		{name: "no schema", text: strings.Replace(with(""), "schema: seif.bindings.v1\n", "", 1), want: []string{"missing_field 1:1"}},
		{name: "another schema", text: strings.Replace(with(""), "bindings.v1", "bindings.v2", 1), want: []string{"unknown_word 1:9"}},
		{name: "no Build", text: strings.Replace(with(""), "build: BUILD\n", "", 1), want: []string{"missing_field 1:1"}},
		{name: "Build by tag", text: strings.Replace(with(""), "BUILD", "latest", 1), want: []string{"bindings_digest_malformed 2:8"}},
		{name: "Build in upper case", text: strings.Replace(with(""), "BUILD", "sha256:"+strings.Repeat("AB", 32), 1), want: []string{"bindings_digest_malformed 2:8"}},
		{name: "Build by another algorithm", text: strings.Replace(with(""), "BUILD", "sha512:"+strings.Repeat("ab", 64), 1), want: []string{"bindings_digest_malformed 2:8"}},
		{name: "nothing about signatures", text: strings.Replace(with(""), "allow_unsigned: true\n", "", 1), want: []string{"trust_missing 1:1"}},
		{name: "signatures demanded", text: strings.Replace(with(""), "allow_unsigned: true", "allow_unsigned: false", 1), want: []string{"trust_missing 3:17"}},
		{name: "unsigned as a word", text: strings.Replace(with(""), "allow_unsigned: true", "allow_unsigned: yes", 1), want: []string{"ambiguous_scalar 3:17"}},
		{name: "unsigned as null", text: strings.Replace(with(""), "allow_unsigned: true", "allow_unsigned: null", 1), want: []string{"unexpected_null 3:17"}},
		{name: "policy without a channel", text: signed("trust_policy: trust.yaml"), want: []string{"missing_field 1:1"}},
		{name: "policy without a name", text: signed("trust_policy: \"\"\nchannel: stable"), want: []string{"string_empty 3:15"}},
		{name: "policy as a list", text: signed("trust_policy: [trust.yaml]\nchannel: stable"), want: []string{"wrong_type 3:15"}},
		{name: "policy as null", text: signed("trust_policy: null\nchannel: stable"), want: []string{"unquoted_scalar 3:15"}},
		{name: "channel by pattern", text: signed("trust_policy: trust.yaml\nchannel: \"*\""), want: []string{"id_form 4:10"}},
		{name: "channel without a name", text: signed("trust_policy: trust.yaml\nchannel: \"\""), want: []string{"id_form 4:10"}},
		{name: "several channels", text: signed("trust_policy: trust.yaml\nchannel: [beta, stable]"), want: []string{"wrong_type 4:10"}},
		{name: "channel without a policy", text: with("channel: stable\n"), want: []string{"channel_without_policy 6:1"}},
		{name: "channel alone", text: signed("channel: stable"), want: []string{"trust_missing 1:1", "channel_without_policy 3:1"}},
		{name: "policy with a word for unsigned", text: signed("trust_policy: trust.yaml\nchannel: stable\nallow_unsigned: \"true\""), want: []string{"wrong_type 5:17"}},
		{name: "executors", text: with("executors: {crm: {url: \"https://crm.example\"}}\n"), want: []string{"executors_not_supported 6:12"}},
		{name: "unknown member", text: with("ledger: x\n"), want: []string{"unknown_field 6:1"}},
		{name: "listen on a name", text: with("listen: localhost:80\n"), want: []string{"listen_malformed 6:9"}},
		{name: "listen on a port alone", text: with("listen: \":80\"\n"), want: []string{"listen_malformed 6:9"}},
		{name: "listen without a port", text: with("listen: 127.0.0.1\n"), want: []string{"listen_malformed 6:9"}},
		{name: "listen for others", text: with("listen: 0.0.0.0:80\n"), want: []string{"listen_insecure 6:9"}},
		{name: "listen for others, denied", text: with("listen: 10.0.0.1:80\ninsecure_listen: false\n"), want: []string{"listen_insecure 7:18"}},
		{name: "insecure by default", text: with("insecure_listen: true\n"), want: []string{"listen_not_insecure 6:18"}},
		{name: "insecure loopback", text: with("listen: \"[::1]:80\"\ninsecure_listen: true\n"), want: []string{"listen_not_insecure 7:18"}},
		{name: "quota of zero", text: with("quotas: {requests_in_flight: 0}\n"), want: []string{"number_out_of_range 6:30"}},
		{name: "quota without end", text: with("quotas: {body_bytes: 4194305}\n"), want: []string{"number_out_of_range 6:22"}},
		{name: "quota as text", text: with("quotas: {per_credential: \"3\"}\n"), want: []string{"wrong_type 6:26"}},
		{name: "unknown quota", text: with("quotas: {requests: 3}\n"), want: []string{"unknown_field 6:10"}},
		{name: "null", text: with("quotas: null\n"), want: []string{"unexpected_null 6:9"}},
		{name: "a list", text: "- 1\n", want: []string{"wrong_type 1:1"}},
	}
}

func badCredentials() []verdict {
	one := func(inside string) string { return head + "credentials:\n  web: {" + inside + "}\n" }
	return []verdict{
		{name: "no credentials", text: head, want: []string{"missing_field 1:1"}},
		{name: "empty credentials", text: head + "credentials: {}\n", want: []string{"credentials_none 4:14"}},
		{name: "credential id", text: head + "credentials:\n  Web: {class: ops, token_digest: T1, principal: x}\n", want: []string{"id_form 5:3"}},
		{name: "no class", text: one("token_digest: T1, principal: x"), want: []string{"missing_field 5:8"}},
		{name: "unknown class", text: one("class: admin, token_digest: T1, principal: x"), want: []string{"unknown_word 5:16"}},
		{name: "approver", text: one("class: approver, token_digest: T1, principal: x"), want: []string{"approver_not_supported 5:16"}},
		{name: "no token", text: one("class: ops, principal: x"), want: []string{"missing_field 5:8"}},
		{name: "token in the clear", text: one("class: ops, token: hunter2hunter2, token_digest: T1, principal: x"), want: []string{"unknown_field 5:21"}},
		{name: "token for a digest", text: one("class: ops, token_digest: hunter2hunter2, principal: x"), want: []string{"bindings_digest_malformed 5:35"}},
		{name: "no principal", text: one("class: ops, token_digest: T1"), want: []string{"missing_field 5:8"}},
		{name: "principal of two words", text: one("class: ops, token_digest: T1, principal: x y"), want: []string{"principal_form 0"}},
		{name: "empty principal", text: one("class: ops, token_digest: T1, principal: \"\""), want: []string{"principal_form 0"}},
		{name: "app without profiles", text: one("class: app, token_digest: T1, principal: x"), want: []string{"missing_field 5:8"}},
		{name: "app with no profile", text: one("class: app, token_digest: T1, principal: x, profiles: []"), want: []string{"list_empty 0"}},
		{name: "profile as text", text: one("class: app, token_digest: T1, principal: x, profiles: customer"), want: []string{"wrong_type 0"}},
		{name: "profile by pattern", text: one("class: app, token_digest: T1, principal: x, profiles: [\"*\"]"), want: []string{"id_form 0"}},
		{name: "profile twice", text: one("class: app, token_digest: T1, principal: x, profiles: [a, a]"), want: []string{"profile_repeated 0"}},
		{name: "no fixed input", text: app(", inputs: {}"), want: []string{"list_empty 0"}},
		{name: "fixed input by path", text: app(", inputs: {a.b: 1}"), want: []string{"id_form 0"}},
		{name: "ops with profiles", text: one("class: ops, token_digest: T1, principal: x, profiles: [a]"), want: []string{"credential_member 0"}},
		{name: "ops with inputs", text: one("class: ops, token_digest: T1, principal: x, inputs: {a: 1}"), want: []string{"credential_member 0"}},
	}
}

func badBeyondForm() []verdict {
	many := head + "credentials:\n"
	for i := range bindings.MaxCredentials + 1 {
		many += fmt.Sprintf("  c%d: {class: ops, token_digest: %s, principal: x}\n", i, token(i))
	}
	return []verdict{
		{name: "token twice", beyond: true, text: with("  web2: {class: app, token_digest: T1, principal: x, profiles: [customer]}\n"), want: []string{"credential_repeated 6:36"}},
		{name: "token in two classes", beyond: true, text: with("  ops: {class: ops, token_digest: T1, principal: x}\n"), want: []string{"credential_in_two_classes 6:35"}},
		{name: "too many credentials", text: many, want: []string{"credentials_too_many 4:1"}},
		{name: "port beyond 65535", beyond: true, text: with("listen: 127.0.0.1:65536\n"), want: []string{"listen_malformed 6:9"}},
		{name: "octet beyond 255", beyond: true, text: with("listen: 127.0.0.256:80\n"), want: []string{"listen_malformed 6:9"}},
		{name: "another spelling", beyond: true, text: with("listen: \"[0:0:0:0:0:0:0:1]:80\"\ninsecure_listen: true\n"), want: []string{"listen_malformed 6:9"}},
		{name: "IPv4 in IPv6", text: with("listen: \"[::ffff:127.0.0.1]:80\"\n"), want: []string{"listen_malformed 6:9"}},
		{name: "zone", text: with("listen: \"[fe80::1%eth0]:80\"\ninsecure_listen: true\n"), want: []string{"listen_malformed 6:9"}},
		{name: "doubtful input", beyond: true, text: app(", inputs: {a: no}"), want: []string{"ambiguous_scalar 0"}},
	}
}

func decode(t *testing.T, text string) (*bindings.Bindings, *document.File, []diag.Diagnostic) {
	t.Helper()
	file, problems := document.Parse("bindings.yaml", []byte(fill(text)))
	if file.Root == nil || len(problems) > 0 {
		t.Fatalf("the case is no sound YAML: %v\n%s", problems, text)
	}
	b, found := bindings.Decode(file)
	return b, file, found
}

// shown is a finding as the cases write it.
func shown(d diag.Diagnostic, want string) string {
	if strings.HasSuffix(want, " 0") {
		return string(d.Code) + " 0"
	}
	return fmt.Sprintf("%s %d:%d", d.Code, d.Place.Start.Line, d.Place.Start.Column)
}

// R75: tokens and Builds have one notation. Every fault has its own code, at its own place.
func TestDecode(t *testing.T) {
	for _, c := range slices.Concat(good(), bad()) {
		t.Run(c.name, func(t *testing.T) {
			b, _, found := decode(t, c.text)
			var got []string
			for i, d := range found {
				got = append(got, shown(d, append(c.want, make([]string, len(found))...)[i]))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if (b == nil) != (len(c.want) > 0) {
				t.Errorf("Bindings: %v", b)
			}
		})
	}
}

// The published schema and the reader accept and refuse the same documents, as far as form goes.
func TestSchemaAgreesWithReader(t *testing.T) {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(bindings.JSONSchema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("bindings", value); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("bindings")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range slices.Concat(good(), bad()) {
		t.Run(c.name, func(t *testing.T) {
			_, file, _ := decode(t, c.text)
			accepted := compiled.Validate(file.Root.Value()) == nil
			if want := len(c.want) == 0 || c.beyond; accepted != want {
				t.Errorf("the schema accepts: %v, want %v", accepted, want)
			}
		})
	}
}

// Every code of the room has a case, so that each is a code that somebody can meet.
func TestEveryCodeHasACase(t *testing.T) {
	seen := map[string]bool{
		// Proven by other tests of the room.
		"bindings_too_large": true, "bindings_unknown_profile": true, "bindings_unknown_input": true, "bindings_input_invalid": true,
	}
	for _, c := range bad() {
		for _, want := range c.want {
			code, _, _ := strings.Cut(want, " ")
			seen[code] = true
		}
	}
	for _, e := range diag.Entries() {
		if e.Room == "runtime/bindings" && !seen[string(e.Code)] {
			t.Errorf("no case for %s", e.Code)
		}
	}
}

func TestDecodedValue(t *testing.T) {
	text := with("  ops: {class: ops, token_digest: T2, principal: oncall}\n") + "listen: 127.0.0.1:9\nquotas: {per_credential: 3}\n"
	text = strings.Replace(text, "[customer]", "[z, a], inputs: {tenant: acme}", 1)
	got, _, found := decode(t, text)
	if len(found) > 0 {
		t.Fatal(found)
	}
	want := &bindings.Bindings{
		Build: digest.Of([]byte("a Build")), Listen: netip.MustParseAddrPort("127.0.0.1:9"), AllowUnsigned: true,
		Credentials: []bindings.Credential{
			{ID: "ops", Class: bindings.Ops, Token: digest.Of([]byte("token 2")), Principal: "oncall"},
			{
				ID: "web", Class: bindings.App, Token: digest.Of([]byte("token 1")), Principal: "shop",
				Profiles: []string{"z", "a"}, Inputs: map[string]any{"tenant": "acme"},
			},
		},
		Quotas: bindings.Quotas{RequestsInFlight: 64, PerCredential: 3, BodyBytes: 256 << 10},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateComparable(netip.AddrPort{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A trust policy is found from the folder of the Bindings, wherever the program was started.
func TestTrustPolicyIsRelativeToTheBindings(t *testing.T) {
	for written, want := range map[string]string{
		"trust.yaml": "etc/seif/trust.yaml", "../trust.yaml": "etc/trust.yaml", "keys/./trust.yaml": "etc/seif/keys/trust.yaml", "/srv/trust.yaml": "/srv/trust.yaml",
	} {
		text := fill(signed("trust_policy: " + written + "\nchannel: stable\nallow_unsigned: false"))
		file, problems := document.Parse("etc/seif/bindings.yaml", []byte(text))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		b, found := bindings.Decode(file)
		if len(found) > 0 {
			t.Fatal(found)
		}
		if b.TrustPolicy != filepath.FromSlash(want) || b.Channel != "stable" || b.AllowUnsigned {
			t.Errorf("%s: %+v", written, b)
		}
	}
}

// The example of the page about the runtime is accepted.
func TestDocumentedExample(t *testing.T) {
	page, err := os.ReadFile("../../docs/runtime.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "```yaml\n")
	text, _, closed := strings.Cut(rest, "```\n")
	if !found || !closed {
		t.Fatal("docs/runtime.md has no YAML")
	}
	if _, _, findings := decode(t, text); len(findings) > 0 {
		t.Errorf("%v", findings)
	}
}

// A token that somebody wrote where its digest belongs, or beside it, stands in no finding.
func TestAFindingDoesNotRepeatAToken(t *testing.T) {
	for _, change := range []struct{ from, to string }{
		{"T1", "hunter2-hunter2-hunter2-hunter2-hunter2"}, {"T1", "4242424242"}, {"T1", "[hunter2]"},
		{"token_digest: T1", "token_digest: T1, token: hunter2"}, {"principal: shop", "principal: hunter2 hunter2"},
	} {
		_, _, found := decode(t, strings.Replace(with(""), change.from, change.to, 1))
		if len(found) != 1 {
			t.Fatal(found)
		}
		for _, format := range diag.Formats() {
			var out bytes.Buffer
			if err := diag.Print(&out, format, found, diag.Options{}); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(out.String(), "hunter2") || strings.Contains(out.String(), "4242") {
				t.Errorf("%s: the token is in the finding:\n%s", format, &out)
			}
		}
	}
}

func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bindings.yaml")
	if _, _, _, err := bindings.Read(path); err == nil {
		t.Error("a file that is not there was read")
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(fill(with("")))
	if b, file, found, err := bindings.Read(path); err != nil || len(found) > 0 || b == nil || file == nil {
		t.Errorf("%v, %v, %v", b, found, err)
	}
	write(fill(with("")) + strings.Repeat("#\n", bindings.MaxBytes/2))
	if b, _, found, err := bindings.Read(path); err != nil || b != nil || len(found) != 1 || found[0].Code != diag.CodeBindingsTooLarge {
		t.Errorf("%v, %v, %v", b, found, err)
	}
	write(fill(with("build: BUILD\n")))
	if b, _, found, err := bindings.Read(path); err != nil || b != nil || len(found) != 1 || found[0].Code != diag.CodeDuplicateKey {
		t.Errorf("%v, %v, %v", b, found, err)
	}
}

// FuzzDecode: no document makes the reader fail, and what it accepts is safe to serve by.
func FuzzDecode(f *testing.F) {
	for _, c := range slices.Concat(good(), bad()) {
		f.Add([]byte(fill(c.text)))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		file, problems := document.Parse("bindings.yaml", source)
		if file == nil || file.Root == nil || diag.HasErrors(problems) {
			return
		}
		b, found := bindings.Decode(file)
		if (b == nil) != diag.HasErrors(found) {
			t.Fatalf("%v with %v", b, found)
		}
		if b == nil {
			return
		}
		seen := map[digest.Digest]bool{}
		for _, c := range b.Credentials {
			if seen[c.Token] || c.Token.IsZero() || (c.Class == bindings.App) != (len(c.Profiles) > 0) {
				t.Errorf("credential %+v", c)
			}
			seen[c.Token] = true
		}
		if len(b.Credentials) == 0 || !b.AllowUnsigned && b.TrustPolicy == "" || (b.TrustPolicy == "") != (b.Channel == "") || b.Build.IsZero() || !b.Listen.IsValid() {
			t.Errorf("%+v", b)
		}
	})
}
