package definition_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
)

// Secrets are put together here and stand nowhere whole, so that no scanner takes this file for a leak.
func made(parts ...string) string { return strings.Join(parts, "") }

const (
	base62 = "k3Jd82hFq0Lz7WxNc5Vb1RtYp9Gm4SaEu6HvQwZiT2Ko8XfBnP7rDyMj3CgAe5Us0LhVt1Wq9Zx4Nb6Kp2Fd8Rg7Yc3TmJ5vQe0"
	hex    = "9f2c47b1e6038da5c9b07e14f3825d6a0b9c8e7f1a2d3c4b5e6f708192a3b4c5"
	upper  = "Q7ZK3M9XT2WB8RN4PVJ6HC5LDF0GYSAE1UQ7ZK3M9XT2WB8RN4PVJ6HC5LDF0"
)

func shapes() map[string]string {
	return map[string]string{
		made("AKI", "A", upper[:16]):                                                   "cloud access key",
		made("ASI", "A", upper[3:19]):                                                  "cloud access key",
		made("AIz", "a", base62[:35]):                                                  "cloud API key",
		made("GOC", "SPX-", base62[:28]):                                               "cloud client secret",
		made("ya2", "9.", base62[:60]):                                                 "cloud access token",
		made("dop", "_v1_", hex):                                                       "cloud access token",
		made("gh", "p_", base62[:36]):                                                  "code hosting token",
		made("gh", "o_", base62[:36]):                                                  "code hosting token",
		made("gh", "u_", base62[:36]):                                                  "code hosting token",
		made("gh", "s_", base62[:36]):                                                  "code hosting token",
		made("gh", "r_", base62[:76]):                                                  "code hosting token",
		made("github", "_pat_", base62[:22], "_", base62[:59]):                         "code hosting token",
		made("glp", "at-", base62[:20]):                                                "code hosting token",
		made("np", "m_", base62[:36]):                                                  "package registry token",
		made("pypi", "-AgE", base62[:60]):                                              "package registry token",
		made("rubygems", "_", hex[:48]):                                                "package registry token",
		made("dckr", "_pat_", base62[:27]):                                             "package registry token",
		made("sk-", "ant-", "api03-", base62[:90]):                                     "model provider key",
		made("sk-", "proj-", base62[:48]):                                              "model provider key",
		made("sk", "-", base62[:48]):                                                   "model provider key",
		made("h", "f_", base62[:34]):                                                   "model provider key",
		made("xo", "xb-", "1234567890-", base62[:24]):                                  "chat token",
		made("sk_", "live_", base62[:24]):                                              "payment key",
		made("sk_", "test_", base62[:24]):                                              "payment key",
		made("whs", "ec_", base62[:32]):                                                "payment key",
		made("shp", "at_", hex[:32]):                                                   "shop token",
		made("SG", ".", base62[:22], ".", base62[:43]):                                 "mail service key",
		made("S", "K", hex[:32]):                                                       "telephony key",
		made("hv", "s.", base62[:24]):                                                  "vault token",
		made("dap", "i", hex[:32]):                                                     "data platform token",
		made("AGE-SECRET", "-KEY-1", upper[:58]):                                       "private key",
		made("ey", "JhbGciOiJIUzI1NiJ9", ".ey", "JzdWIiOiIxMjM0In0", ".", base62[:43]): "signed token",
		made("-----BEGIN ", "PRIVATE KEY", "-----"):                                    "private key",
		made("-----BEGIN ", "RSA PRIVATE KEY", "-----"):                                "private key",
		made("-----BEGIN ", "OPENSSH PRIVATE KEY", "-----"):                            "private key",
		made("-----BEGIN ", "PGP PRIVATE KEY BLOCK", "-----"):                          "private key",
	}
}

// R50, need 50: each known shape, wherever it stands, with its exact place.
func TestKnownShapesOfSecrets(t *testing.T) {
	for secret, kind := range shapes() {
		for _, around := range [][2]string{{"", ""}, {"Use ", " to log in."}, {"\"", "\""}, {"é\n", "\n"}, {"(", ")"}, {"token: ", ""}, {"X_KEY=", "\n"}} {
			text := around[0] + secret + around[1]
			want := []definition.Secret{{Kind: kind, Offset: len(around[0]), Length: len(secret)}}
			if d := cmp.Diff(want, definition.FindSecrets(text)); d != "" {
				t.Errorf("%s in %q…%q: %s", kind, around[0], around[1], d)
			}
		}
	}
}

func TestSecretsByWhatStandsBeside(t *testing.T) {
	opaque := base62[:24]
	basic := base64.StdEncoding.EncodeToString([]byte("admin:" + "hunter2" + "x9"))
	for _, test := range []struct{ before, secret, after, kind string }{
		{"api_key: ", opaque, "", "value named as a secret"},
		{"API-KEY = \"", opaque, "\"", "value named as a secret"},
		{"\"apiKey\":\"", opaque, "\"}", "value named as a secret"},
		{"the password is: ", "", "", ""},
		{"password=", "Zk4" + "9vTq2" + "Lw8xPn3", "", "value named as a secret"},
		{"DB_PASSWORD='", opaque, "'", "value named as a secret"},
		{"client secret := ", opaque, "", "value named as a secret"},
		{"X-Auth-Token: ", hex[:32], "\n", "value named as a secret"},
		{"args.token == \"", opaque, "\"", "value named as a secret"},
		{"secret => ", opaque, ",", "value named as a secret"},
		{"`token`: `", opaque, "`", "value named as a secret"},
		{"token:\n  ", "", "", ""},
		{"postgres://app:", "s3cr" + "et!", "@db.internal/x", "password in an address"},
		{"redis://:", "Pa" + "ssw0rt", "@cache:6379", "password in an address"},
		{"see https://bob:", "hun" + "ter2", "@example.com/a for more", "password in an address"},
		{"Server=db;User Id=sa;Password=", "Summer" + "!26", ";", "password in a connection string"},
		{"AccountName=a;AccountKey=", base62[:86] + "==", ";EndpointSuffix=x", "password in a connection string"},
		{"Authorization: Bearer ", opaque, "", "authorization header"},
		{"-H 'Authorization: Bearer ", base62[:40], "'", "authorization header"},
		{"Authorization: Basic ", basic, "", "authorization header"},
	} {
		var want []definition.Secret
		if test.secret != "" {
			want = []definition.Secret{{Kind: test.kind, Offset: len(test.before), Length: len(test.secret)}}
		}
		if d := cmp.Diff(want, definition.FindSecrets(test.before+test.secret+test.after)); d != "" {
			t.Errorf("%s…%s: %s", test.before, test.after, d)
		}
	}
}

// Need 50: placeholders, digests and words raise no alarm.
func TestWhatIsNoSecret(t *testing.T) {
	for _, text := range []string{
		"",
		"token: {{ inputs.token }}", "api_key={{inputs.api_key}}", "password: <your password>", "api_key = YOUR_API_KEY_HERE_1234567890",
		"token=${TOKEN_2024_A1B2C3D4E5F6}", "password: %(db_password_a1b2c3d4e5)s", "secret: xxxxxxxxxxxxxxxxxxxx", "token: ********************",
		"api_key: 00000000000000000000", "password: changeme-1a2b3c4d5e6f7a8b", "password: example-1a2b3c4d5e6f7a8b",
		made("sk", "-", strings.Repeat("x", 48)), made("gh", "p_", strings.Repeat("x", 36)), made("AKI", "A", strings.Repeat("X", 16)),
		made("sk", "-..."), made("gh", "p_abc"), "AKIA is how such keys begin", "sk-learn and scikit-learn",
		"secret: sha256:" + hex, "fingerprint: sha256:" + hex, "token " + hex, "token: " + hex, "secret: " + hex[:40],
		"token: 2eb8aa08-aa98-11ea-b4aa-73b441d16380", "commit " + hex[:40],
		"tokens: 60000", "budget: {tokens: 60000}", "max_tokens=4096", "password: string", "token: a short lived value", "The secret: never give up.",
		"secret_santa_2024: off", "password: correct-horse-battery-staple", "token: book-2024-edition-v2-final", "password: order_number_12345678",
		"deny: args.password != inputs.password", "args.token == inputs.token", "has(args.secret) && args.secret == \"\"",
		"secret: https://example.com/docs/v2/secrets", "https://example.com:8080/a@b", "http://user@example.com", "mailto:a@b.example",
		"https://user:password@example.com", "postgres://USER:PASSWORD@HOST/db", "https://{user}:{password}@host", "https://user:<password>@host",
		"Bearer of bad news, whoever that may be", "Authorization: Bearer <token>", "Authorization: Bearer {{ inputs.token }}", "Authorization: Bearer YOUR_TOKEN",
		"Basic information about everything", "Basic dXNlcjpwYXNzd29yZA==",
		made("-----BEGIN ", "PUBLIC KEY", "-----"), made("-----BEGIN ", "CERTIFICATE", "-----"), "-----", "----- BEGIN PRIVATE KEY -----",
		"eyJ.eyJ.eyJ", "pattern: ^[A-Za-z0-9]{32}$", "Password=abc", "a=b;c=d", "token: 2026-11-02T10:15:00Z", "key: " + base62[:24],
		"The customer_id is c-1234567890.", "Grüße: 12345678901234567890",
	} {
		if found := definition.FindSecrets(text); len(found) > 0 {
			t.Errorf("%q: %v %q", text, found, text[found[0].Offset:found[0].Offset+found[0].Length])
		}
	}
}

// R50: a secret is found in whatever an author can write, with its place.
func TestSecretsInDefinitions(t *testing.T) {
	secret := made("gh", "p_", base62[:36])
	opaque := base62[:24]
	cases := map[string]change{
		"/description":                                func(d *definition.Definition) { d.Description = secret },
		"/objectives/plan":                            func(d *definition.Definition) { d.Objectives["plan"] = secret },
		"/policies/own/deny":                          policy("own", func(p *definition.Policy) { p.Deny = `args.student == "` + secret + `"` }),
		"/policies/own/message":                       policy("own", func(p *definition.Policy) { p.Message = secret }),
		"/profiles/guest/tools/exclude/enroll":        profile("guest", func(p *definition.Profile) { p.Exclude["enroll"] = secret }),
		"/profiles/student/tools/include/enroll/when": include("enroll", func(i *definition.Inclusion) { i.When = `"` + secret + `" == ""` }),
		"/sources/flags/allow_characters/0/reason":    allow("U+200B", secret),
		"/tools/enroll/contract/description":          contract("enroll", func(c *definition.Contract) { c.Description = secret }),
		"/tools/enroll/contract/schema/properties/a/default": contract("enroll", func(c *definition.Contract) {
			c.Schema = value(t, `{"type":"object","additionalProperties":false,"properties":{"a":{"type":"string","default":"`+secret+`"}}}`)
		}),
		"/tools/enroll/contract/schema/properties/api_key/default": contract("enroll", func(c *definition.Contract) {
			c.Schema = value(t, `{"type":"object","additionalProperties":false,"properties":{"api_key":{"type":"string","default":"`+opaque+`"}}}`)
		}),
		"/tools/enroll/contract/result/enum/0": contract("enroll", func(c *definition.Contract) { c.Result = value(t, `{"enum":["`+secret+`"]}`) }),
		"/inputs/properties/a/const":           inputs(t, `{"type":"object","properties":{"a":{"const":"`+secret+`"}}}`),
	}
	for at, change := range cases {
		def := estuda(t)
		change(def)
		var got []string
		for _, p := range def.Check() {
			if p.Code == diag.CodeSecret {
				got = append(got, p.Target.Pointer)
				codeRow(t, p)
			}
		}
		if d := cmp.Diff([]string{at}, got); d != "" {
			t.Errorf("%s: %s", at, d)
		}
	}
}

func TestCheckSecrets(t *testing.T) {
	secret := made("gh", "p_", base62[:36])
	v := map[string]any{
		"a":     []any{"x", map[string]any{"b": "use " + secret}, nil, true},
		secret:  "y",
		"token": map[string]any{"value": base62[:20], "note": "how it is made"},
		"other": base62[:20],
	}
	want := []diag.Problem{
		diag.New(diag.CodeSecret, "/a/1/b", "kind", "code hosting token").Within(4, 40),
		diag.New(diag.CodeSecret, "/"+secret, "kind", "code hosting token").Within(0, 40).AtKey(),
		diag.New(diag.CodeSecret, "/token/value", "kind", "value named as a secret"),
	}
	if d := cmp.Diff(want, definition.CheckSecrets(v)); d != "" {
		t.Error(d)
	}
}

// Of many secrets some are reported, and no run of characters is measured again from each place within it: a megabyte
// of each unit would take hours, and this test would not end. The short run is too short to hold that.
func TestFindSecretsIsBoundedAndLinear(t *testing.T) {
	secret := made("gh", "p_", base62[:36])
	if found := definition.FindSecrets(strings.Repeat(secret+" ", 100)); len(found) != 20 {
		t.Errorf("%d found", len(found))
	}
	size := 1 << 20
	if testing.Short() {
		size = 1 << 16
	}
	for _, unit := range []string{
		"eyJ-", "eyJaaaaaaaaaa.", "eyJaaaaaaaaaa.eyJ", "a", "a.", "://", "a://b:c", "a://", "sk-", "sk-ant-", "token:", "token: a1b2c3d4e5f6", "password=a;",
		"Bearer ", "Bearer a", "-----BEGIN ", "-", "=", "ghp_", "\"", "AKIA", ": ", "Basic YWRtaW46",
	} {
		text := strings.Repeat(unit, size/len(unit))
		if found := definition.FindSecrets(text); len(found) > 20 {
			t.Errorf("%q again and again: %d found", unit, len(found))
		}
	}
}

func FuzzFindSecrets(f *testing.F) {
	for secret := range shapes() {
		f.Add(secret)
	}
	f.Add("password=a; a://b:c@d Bearer x")
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, s := range definition.FindSecrets(text) {
			if s.Kind == "" || s.Length <= 0 || s.Offset < end || s.Offset+s.Length > len(text) {
				t.Fatalf("%v after %d in %d bytes", s, end, len(text))
			}
			end = s.Offset + s.Length
		}
	})
}

func BenchmarkFindSecrets(b *testing.B) {
	text := strings.Repeat("Answer in the language of the question: be brief, kind and exact. See https://example.com/a?b=c.\n", 10_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if found := definition.FindSecrets(text); len(found) > 0 {
			b.Fatal(fmt.Sprint(found))
		}
	}
}
