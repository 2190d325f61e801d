package sign

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// The names by which a test result calls what ran.
const (
	testsName  = "tests.json"
	corpusName = "corpus.json"
	passed     = "PASSED"
	maxTests   = 100_000
)

// Tests says that all tests of a Build and all obligations that it inherits ran and passed. There is no other form: a
// run that failed is not attested.
type Tests struct {
	// Passed names what ran, each once, sorted: a test of the Build by its id, an inherited obligation by [Inherited].
	Passed []string
	// Tests is the digest of tests.json.
	Tests digest.Digest
	// Corpus is the digest of corpus.json, zero when the Build has none.
	Corpus digest.Digest
	// Guards counts the guards among what ran, Inherited the obligations that came from the corpus.
	Guards, Inherited int64
	// Estimator is the token estimator under which they ran.
	Estimator string
}

// Inherited is how a test result names an inherited obligation.
func Inherited(obligation digest.Digest) string { return "obligation " + obligation.String() }

// Statement is the in-toto test result about the Build.
func (t Tests) Statement(build Subject) Statement {
	names := make([]any, 0, len(t.Passed))
	for _, name := range slices.Sorted(slices.Values(t.Passed)) {
		names = append(names, name)
	}
	configuration := []any{resource(testsName, t.Tests, map[string]any{
		"estimator": t.Estimator, "guards": number(t.Guards), "inherited": number(t.Inherited),
	})}
	if !t.Corpus.IsZero() {
		configuration = append(configuration, resource(corpusName, t.Corpus, nil))
	}
	return statement(TestsPredicate, build, map[string]any{
		"result": passed, "configuration": configuration, "passedTests": names,
	})
}

func resource(name string, d digest.Digest, annotations map[string]any) map[string]any {
	out := map[string]any{"name": name, "digest": map[string]any{"sha256": d.Hex()}}
	if annotations != nil {
		out["annotations"] = annotations
	}
	return out
}

// ParseTests reads a test result with our content. One that did not pass, that names tests which failed or warned, or
// no test at all, is refused with the code tests_not_passed.
func ParseTests(s Statement) (Tests, []diag.Problem) {
	const at = "/predicate"
	r, members := predicate(s, TestsPredicate, []string{"configuration", "passedTests", "result"}, []string{"failedTests", "url", "warnedTests"})
	if result, ok := r.text(at, members, "result"); ok && result != passed {
		r.add(diag.CodeTestsNotPassed, at+"/result", "found", strconv.QuoteToASCII(shown(result)))
	}
	for _, name := range []string{"failedTests", "warnedTests"} {
		if others := r.list(at, members, name, maxTests); len(others) > 0 {
			r.add(diag.CodeTestsNotPassed, at+"/"+name, "found", strconv.Itoa(len(others))+" "+name)
		}
	}
	r.text(at, members, "url")
	out := Tests{Passed: r.names(at, members, "passedTests")}
	if _, ok := members["passedTests"].([]any); ok && len(out.Passed) == 0 && len(r.problems) == 0 {
		r.add(diag.CodeTestsNotPassed, at+"/passedTests", "found", "no test")
	}
	r.configuration(members, &out)
	if len(r.problems) == 0 && (out.Guards > int64(len(out.Passed)) || out.Inherited > int64(len(out.Passed))) {
		r.wrong(at+"/configuration/0/annotations", "no more guards and obligations than tests that passed", json.Number(strconv.Itoa(len(out.Passed))))
	}
	if len(r.problems) == 0 && out.Inherited > 0 && out.Corpus.IsZero() {
		r.add(r.codes.missing, at+"/configuration", "member", corpusName)
	}
	if len(r.problems) > 0 {
		return Tests{}, r.problems
	}
	return out, nil
}

// names is a list of lines, none twice, sorted.
func (r *reader) names(pointer string, members map[string]any, name string) []string {
	at := canonical.JoinPointer(pointer, name)
	found := map[string]bool{}
	for i, item := range r.list(pointer, members, name, maxTests) {
		text, ok := item.(string)
		if !ok || !isLine(text, maxName) || found[text] {
			r.wrong(canonical.JoinPointer(at, strconv.Itoa(i)), "a name that is not in the list yet", item)
			continue
		}
		found[text] = true
	}
	return slices.Sorted(maps.Keys(found))
}

// configuration reads what ran: tests.json first, then corpus.json if there is one.
func (r *reader) configuration(members map[string]any, out *Tests) {
	const pointer = "/predicate/configuration"
	codes := digestCodes{several: r.codes.wrong, algorithm: r.codes.wrong, malformed: r.codes.wrong}
	for i, item := range r.list("/predicate", members, "configuration", 2) {
		at := canonical.JoinPointer(pointer, strconv.Itoa(i))
		want, required := testsName, []string{"annotations", "digest", "name"}
		if i == 1 {
			want, required = corpusName, []string{"digest", "name"}
		}
		descriptor := r.object(at, item, required, nil)
		r.fixed(at, descriptor, "name", want)
		var d digest.Digest
		if set, ok := descriptor["digest"]; ok {
			d = r.sha256Of(at+"/digest", set, codes)
		}
		if i == 1 {
			out.Corpus = d
			continue
		}
		out.Tests = d
		if value, ok := descriptor["annotations"]; ok {
			notes := r.object(at+"/annotations", value, []string{"estimator", "guards", "inherited"}, nil)
			out.Estimator = r.line(at+"/annotations", notes, "estimator", maxName)
			out.Guards = r.integer(at+"/annotations", notes, "guards", 0, maxTests)
			out.Inherited = r.integer(at+"/annotations", notes, "inherited", 0, maxTests)
		}
	}
	if items, ok := members["configuration"].([]any); ok && len(items) == 0 {
		r.add(r.codes.missing, pointer, "member", testsName)
	}
}
