package sign_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// readable gives a parser's answer without its type.
func readable[T any](parse func(sign.Statement) (T, []diag.Problem)) func(sign.Statement) (any, []diag.Problem) {
	return func(s sign.Statement) (any, []diag.Problem) {
		value, problems := parse(s)
		return value, problems
	}
}

// roles are all roles with what they say and how it is read.
func roles() map[sign.Role]struct {
	value     any
	statement sign.Statement
	parse     func(sign.Statement) (any, []diag.Problem)
} {
	type row = struct {
		value     any
		statement sign.Statement
		parse     func(sign.Statement) (any, []diag.Problem)
	}
	return map[sign.Role]row{
		sign.RoleRelease:         {release(), release().Statement(build), readable(sign.ParseRelease)},
		sign.RoleTests:           {tests(), tests().Statement(build), readable(sign.ParseTests)},
		sign.RoleGuardReview:     {guardReview(), guardReview().Statement(build), readable(sign.ParseGuardReview)},
		sign.RoleAcknowledgement: {acknowledgement(), acknowledgement().Statement(build), readable(sign.ParseAcknowledgement)},
		sign.RolePromotion:       {promotion(), promotion().Statement(build), readable(sign.ParsePromotion)},
		sign.RoleProvenance:      {provenance(), provenance().Statement(build), readable(sign.ParseProvenance)},
	}
}

// What is signed in a role is read back equal, in that role and in no other.
func TestRoles(t *testing.T) {
	key := newKey(t)
	all := roles()
	if len(all) != len(sign.Roles()) {
		t.Fatalf("%d roles are tested", len(all))
	}
	for _, role := range sign.Roles() {
		t.Run(string(role), func(t *testing.T) {
			row := all[role]
			data := signed(t, key, row.statement)
			verifies(t, data, key.Public())
			s := decoded(t, data).Statement()
			if s.Role() != role || s.PredicateType != role.PredicateType() || s.Subject != build || !s.Canonical || s.Version != sign.StatementV1 {
				t.Errorf("read as %+v", s)
			}
			got, problems := row.parse(s)
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			if d := cmp.Diff(row.value, got); d != "" {
				t.Errorf("(-signed +read):\n%s", d)
			}
			for other, row := range all {
				if other == role {
					continue
				}
				got, problems := row.parse(s)
				only(t, problems, diag.CodePredicateType, "/predicateType")
				if !cmp.Equal(got, zeroOf(other)) {
					t.Errorf("as %s it says %+v", other, got)
				}
			}
		})
	}
}

func zeroOf(role sign.Role) any {
	switch role {
	case sign.RoleRelease:
		return sign.Release{}
	case sign.RoleTests:
		return sign.Tests{}
	case sign.RoleGuardReview:
		return sign.GuardReview{}
	case sign.RoleAcknowledgement:
		return sign.Acknowledgement{}
	case sign.RolePromotion:
		return sign.Promotion{}
	default:
		return sign.Provenance{}
	}
}

// A statement of any other predicate type has no role and passes as what it is.
func TestStatementsWithoutARole(t *testing.T) {
	for _, predicateType := range []string{
		sign.CosignPredicate, "https://example.com/note/v1", "https://seif.dev/attestation/release/v2", sign.ReleasePredicate + "/",
		strings.ToUpper(sign.ReleasePredicate), "release",
	} {
		s, problems := sign.ParseStatement(encoded(t, sign.Statement{Subject: build, PredicateType: predicateType, Predicate: map[string]any{"a": nil}}))
		if len(problems) > 0 || s.Role() != sign.NoRole || len(s.Check()) > 0 {
			t.Errorf("%s: role %q, %v", predicateType, s.Role(), problems)
		}
	}
	if sign.NoRole.PredicateType() != "" || sign.Role("owner").PredicateType() != "" {
		t.Error("a role that does not exist has a predicate type")
	}
}

// What other tools write is read as they write it: not canonical, Statement v0.1, a described subject.
func TestForeignStatements(t *testing.T) {
	digestOf := `{"sha256":"` + build.Hex() + `"}`
	for name, payload := range map[string]string{
		"attest-blob": `{"_type":"https://in-toto.io/Statement/v0.1","subject":[{"name":"blob","digest":` + digestOf + `}],` +
			`"predicateType":"https://example.com/note/v1","predicate":{"Data":"x\n","Timestamp":""}}`,
		"sign": `{"_type":"https://in-toto.io/Statement/v1", "subject":[{"digest":` + digestOf + `, "annotations":{"a":"b"}}], ` +
			`"predicateType":"https://sigstore.dev/cosign/sign/v1", "predicate":{}}`,
		"no predicate": `{"_type":"https://in-toto.io/Statement/v1","subject":[{"uri":"u","digest":` + digestOf + `}],"predicateType":"x"}`,
	} {
		s, problems := sign.ParseStatement([]byte(payload))
		if len(problems) > 0 || s.Subject != build || s.Role() != sign.NoRole || s.Canonical {
			t.Errorf("%s: %+v, %v", name, s, problems)
		}
	}
}

func TestStatementsThatAreRefused(t *testing.T) {
	ours := string(encoded(t, release().Statement(build)))
	plain := string(encoded(t, sign.CosignStatement(build)))
	deep := strings.Repeat(`[`, 40) + strings.Repeat(`]`, 40)
	for _, test := range []struct {
		name, in, old, with string
		code                diag.Code
		pointer             string
	}{
		{"no JSON", "{", "", "", diag.CodeStatementJSONSyntax, ""},
		{"byte order mark", "\xef\xbb\xbf" + plain, "", "", diag.CodeStatementJSONSyntax, ""},
		{"trailing", plain + "{}", "", "", diag.CodeStatementJSONTrailing, ""},
		{"not UTF-8", plain, `{"digest"`, "{\"name\":\"\xff\",\"digest\"", diag.CodeStatementJSONText, "/subject/0/name"},
		{"half a pair", plain, `{"digest"`, `{"name":"\ud800","digest"`, diag.CodeStatementJSONText, "/subject/0/name"},
		{"inexact", plain, `"predicate":{}`, `"predicate":{"n":9007199254740993}`, diag.CodeStatementJSONNumber, "/predicate/n"},
		{"deep", plain, `"predicate":{}`, `"predicate":{"n":` + deep + `}`, diag.CodeStatementJSONLimit, "/predicate/n" + strings.Repeat("/0", 30)},
		{"an array", "[]", "", "", diag.CodeStatementMemberWrong, ""},
		{"another type", plain, sign.StatementV1, "https://in-toto.io/Statement/v2", diag.CodeStatementType, "/_type"},
		{"ours as v0.1", ours, sign.StatementV1, sign.StatementV01, diag.CodeStatementType, "/_type"},
		{"type missing", plain, `"_type":"` + sign.StatementV1 + `",`, "", diag.CodeStatementMemberMissing, ""},
		{"predicate type empty", plain, sign.CosignPredicate, "", diag.CodeStatementMemberWrong, "/predicateType"},
		{"predicate type long", plain, sign.CosignPredicate, strings.Repeat("x", 513), diag.CodeStatementMemberWrong, "/predicateType"},
		{"predicate type null", plain, `"` + sign.CosignPredicate + `"`, "null", diag.CodeStatementMemberWrong, "/predicateType"},
		{"predicate null", plain, `"predicate":{}`, `"predicate":null`, diag.CodeStatementMemberWrong, "/predicate"},
		{"member unknown", plain, `"_type"`, `"extra":1,"_type"`, diag.CodeStatementMemberUnknown, "/extra"},
		{"subject member unknown", plain, `{"digest"`, `{"size":1,"digest"`, diag.CodeStatementMemberUnknown, "/subject/0/size"},
		{"described subject of ours", ours, `"digest":{"sha256":"` + build.Hex() + `"}`, `"digest":{"sha256":"` + build.Hex() + `"},"name":"x"`, diag.CodeStatementMemberUnknown, "/subject/0/name"},
		{"name no text", plain, `{"digest"`, `{"name":1,"digest"`, diag.CodeStatementMemberWrong, "/subject/0/name"},
		{"annotations no object", plain, `{"digest"`, `{"annotations":"","digest"`, diag.CodeStatementMemberWrong, "/subject/0/annotations"},
		{"ours with a space", ours, `"predicate":{`, `"predicate": {`, diag.CodeStatementNotCanonical, "/predicate"},
		{"ours with an escape", ours, `"stable"`, `"st\u0061ble"`, diag.CodeStatementNotCanonical, "/predicate/channel"},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := []byte(test.in)
			if test.old != "" {
				in = replaced(t, in, test.old, test.with)
			}
			s, problems := sign.ParseStatement(in)
			only(t, problems, test.code, test.pointer)
			if s.PredicateType != "" || !s.Subject.IsZero() {
				t.Errorf("it says %+v", s)
			}
		})
	}
	large := plain + strings.Repeat(" ", sign.MaxBundle)
	_, problems := sign.ParseStatement([]byte(large))
	only(t, problems, diag.CodeStatementJSONLimit, "")
}

// Each member of each predicate is needed or known to be optional, and has one form.
func TestPredicatesAreStrict(t *testing.T) {
	optional := map[string]bool{
		"/incident": true, "/previous": false, "/baseline": true, "/reason": true, "/acknowledgements": true,
		"/buildDefinition/resolvedDependencies": true, "/runDetails/metadata": true,
	}
	for role, row := range roles() {
		for _, path := range paths(row.statement.Predicate, "") {
			isOptional := optional[path] && !(role == sign.RoleAcknowledgement || role == sign.RoleGuardReview && path == "/reason" || role == sign.RolePromotion && path == "/reason")
			without := edited(t, row.statement, path, nil, true)
			if _, problems := row.parse(without); (len(problems) == 0) != isOptional {
				t.Errorf("%s without %s: %v", role, path, problems)
			} else if !isOptional && problems[0].Code != diag.CodePredicateMemberMissing {
				t.Errorf("%s without %s: %v", role, path, problems)
			}
			for _, wrong := range []any{nil, true, json.Number("-1"), json.Number("1.5"), "", " x", "a\nb", "a\u202eb"} {
				if strings.HasSuffix(path, "externalParameters") || path == "/buildDefinition" || path == "/runDetails" {
					continue
				}
				if _, problems := row.parse(edited(t, row.statement, path, wrong, false)); len(problems) == 0 || problems[0].Target.Pointer == "" {
					t.Errorf("%s with %s = %v: %v", role, path, wrong, problems)
				}
			}
		}
		more := edited(t, row.statement, "/unknown", true, false)
		_, problems := row.parse(more)
		only(t, problems, diag.CodePredicateMemberUnknown, "/predicate/unknown")
	}
}

// paths lists the members of the predicate, and those of the parts of a provenance.
func paths(members map[string]any, at string) []string {
	var out []string
	for name, value := range members {
		out = append(out, at+"/"+name)
		if inner, ok := value.(map[string]any); ok && (name == "buildDefinition" || name == "runDetails") {
			out = append(out, paths(inner, at+"/"+name)...)
		}
	}
	slices.Sort(out)
	return out
}

// edited is a statement with another value, or none, at one place of its predicate.
func edited(t *testing.T, s sign.Statement, path string, value any, remove bool) sign.Statement {
	t.Helper()
	copied, problems := sign.ParseStatement(encoded(t, s))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	names := strings.Split(path[1:], "/")
	at := copied.Predicate
	for _, name := range names[:len(names)-1] {
		at = at[name].(map[string]any)
	}
	if remove {
		delete(at, names[len(names)-1])
	} else {
		at[names[len(names)-1]] = value
	}
	return copied
}

func TestPredicateValues(t *testing.T) {
	for _, test := range []struct {
		name      string
		statement sign.Statement
		code      diag.Code
		pointer   string
	}{
		{"sequence 0", with(release(), func(r *sign.Release) { r.Sequence = 0 }).Statement(build), diag.CodePredicateMemberWrong, "/predicate/sequence"},
		{"channel", with(release(), func(r *sign.Release) { r.Channel = "Stable" }).Statement(build), diag.CodePredicateMemberWrong, "/predicate/channel"},
		{"no definition", with(release(), func(r *sign.Release) { r.Definition = digest.Digest{} }).Statement(build), diag.CodePredicateMemberWrong, "/predicate/definition"},
		{"decision", with(guardReview(), func(g *sign.GuardReview) { g.Decision = "maybe" }).Statement(build), diag.CodePredicateMemberWrong, "/predicate/decision"},
		{"no reason", with(guardReview(), func(g *sign.GuardReview) { g.Reason = "" }).Statement(build), diag.CodePredicateMemberWrong, "/predicate/reason"},
		{"axis", with(acknowledgement(), func(a *sign.Acknowledgement) { a.Axis = "all" }).Statement(build), diag.CodePredicateMemberWrong, "/predicate/axis"},
		{"kind", with(promotion(), func(p *sign.Promotion) { p.Kind = "" }).Statement(build), diag.CodePredicateMemberWrong, "/predicate/kind"},
		{"no previous", with(promotion(), func(p *sign.Promotion) { p.Previous = digest.Digest{} }).Statement(build), diag.CodePredicateMemberMissing, "/predicate"},
		{"previous of the first", with(promotion(), func(p *sign.Promotion) { p.Sequence, p.Kind = 1, sign.Promote }).Statement(build), diag.CodePredicateMemberWrong, "/predicate/previous"},
		{"rollback at first", with(promotion(), func(p *sign.Promotion) { p.Sequence, p.Previous = 1, digest.Digest{} }).Statement(build), diag.CodePredicateMemberWrong, "/predicate/kind"},
		{"rollback without a reason", with(promotion(), func(p *sign.Promotion) { p.Reason = "" }).Statement(build), diag.CodePredicateMemberMissing, "/predicate"},
		{"no builder", with(provenance(), func(p *sign.Provenance) { p.Builder = "" }).Statement(build), diag.CodePredicateMemberWrong, "/predicate/runDetails/builder/id"},
		{"digest of a material", with(provenance(), func(p *sign.Provenance) { p.Materials[0].Digest["gitCommit"] = "XYZ" }).Statement(build), diag.CodePredicateMemberWrong, "/predicate/buildDefinition/resolvedDependencies/0/digest/gitCommit"},
		{"a test twice", with(tests(), func(r *sign.Tests) { r.Passed = []string{"a", "a"} }).Statement(build), diag.CodePredicateMemberWrong, "/predicate/passedTests/1"},
		{"no test", with(tests(), func(r *sign.Tests) { r.Passed = nil }).Statement(build), diag.CodeTestsNotPassed, "/predicate/passedTests"},
		{"more guards than tests", with(tests(), func(r *sign.Tests) { r.Guards = 3 }).Statement(build), diag.CodePredicateMemberWrong, "/predicate/configuration/0/annotations"},
		{"inherited without a corpus", with(tests(), func(r *sign.Tests) { r.Corpus = digest.Digest{} }).Statement(build), diag.CodePredicateMemberMissing, "/predicate/configuration"},
		{"no tests.json", with(tests(), func(r *sign.Tests) { r.Tests = digest.Digest{} }).Statement(build), diag.CodePredicateMemberWrong, "/predicate/configuration/0/digest/sha256"},
	} {
		t.Run(test.name, func(t *testing.T) { only(t, test.statement.Check(), test.code, test.pointer) })
	}
	first := with(promotion(), func(p *sign.Promotion) {
		p.Sequence, p.Previous, p.Kind, p.Reason, p.Baseline, p.Acknowledgements = 1, digest.Digest{}, sign.Promote, "", digest.Digest{}, nil
	})
	if problems := first.Statement(build).Check(); len(problems) > 0 {
		t.Errorf("the first record: %v", problems)
	}
	accepted := with(promotion(), func(p *sign.Promotion) { p.Acknowledgements = []digest.Digest{build, build} })
	if problems := accepted.Statement(build).Check(); len(problems) != 1 {
		t.Errorf("an acknowledgement twice: %v", problems)
	}
}

// with is a value with a change.
func with[T any](value T, change func(*T)) T {
	change(&value)
	return value
}

// R62: a result that did not pass has no role, although a key signs it; nor does one that names tests which did not pass.
func TestResultsThatDidNotPass(t *testing.T) {
	key := newKey(t)
	payload := encoded(t, tests().Statement(build))
	for _, test := range []struct{ name, old, with, pointer string }{
		{"failed", `"PASSED"`, `"FAILED"`, "/predicate/result"},
		{"warned", `"PASSED"`, `"WARNED"`, "/predicate/result"},
		{"lower case", `"PASSED"`, `"passed"`, "/predicate/result"},
		{"names a failure", `"passedTests":`, `"failedTests":["a"],"passedTests":`, "/predicate/failedTests"},
		{"names a warning", `"passedTests":`, `"warnedTests":["a"],"passedTests":`, "/predicate/warnedTests"},
	} {
		t.Run(test.name, func(t *testing.T) {
			data := bundleOver(t, key, replaced(t, payload, test.old, test.with))
			verifies(t, data, key.Public())
			s := decoded(t, data).Statement()
			got, problems := sign.ParseTests(s)
			only(t, problems, diag.CodeTestsNotPassed, test.pointer)
			if len(got.Passed) > 0 {
				t.Errorf("it says %+v", got)
			}
			if _, err := sign.Sign(t.Context(), key, s); problemsOf(err) == nil || problemsOf(err)[0].Code != diag.CodeTestsNotPassed {
				t.Errorf("it is signed: %v", err)
			}
		})
	}
}

// What cannot be read is not signed.
func TestWhatIsNotSigned(t *testing.T) {
	key := newKey(t)
	for name, s := range map[string]sign.Statement{
		"nothing":         {},
		"no subject":      {PredicateType: sign.CosignPredicate, Predicate: map[string]any{}},
		"no predicate":    {Subject: build, PredicateType: sign.ReleasePredicate},
		"not a release":   {Subject: build, PredicateType: sign.ReleasePredicate, Predicate: map[string]any{}},
		"text not UTF-8":  {Subject: build, PredicateType: "x", Predicate: map[string]any{"a": "\xff"}},
		"a Go value":      {Subject: build, PredicateType: "x", Predicate: map[string]any{"a": 1}},
		"larger than all": {Subject: build, PredicateType: "x", Predicate: map[string]any{"a": strings.Repeat("x", sign.MaxBundle)}},
	} {
		if data, err := sign.Sign(t.Context(), key, s); problemsOf(err) == nil || data != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestToolSetDigest(t *testing.T) {
	def := &definition.Definition{}
	if got := sign.ToolSetDigest(def); got != digest.Of([]byte("[]")) {
		t.Errorf("no tools: %s", got)
	}
	a, b := digest.Fingerprint(digest.Of([]byte("a"))), digest.Fingerprint(digest.Of([]byte("b")))
	def.Tools = map[string]definition.Tool{"review.schedule": {Fingerprint: b}, "lesson.find": {Fingerprint: a}}
	want := `[{"fingerprint":"` + a.String() + `","id":"lesson.find"},{"fingerprint":"` + b.String() + `","id":"review.schedule"}]`
	if got := sign.ToolSetDigest(def); got != digest.Of([]byte(want)) {
		t.Errorf("two tools: %s", got)
	}
	def.Tools["lesson.find"] = definition.Tool{Fingerprint: b}
	if got := sign.ToolSetDigest(def); got == digest.Of([]byte(want)) {
		t.Error("another contract, the same digest")
	}
}
