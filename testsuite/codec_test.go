package testsuite_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/testsuite"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s: %s", path, diff)
	}
}

// full is a test in which every member says something.
func full(t testing.TB) testsuite.Test {
	t.Helper()
	fingerprint := digest.Fingerprint(digest.Of([]byte("contract")))
	most, pointer := 1200, "/cents"
	return testsuite.Test{
		Profile: "customer", Objective: "refund", Inputs: object(t, `{"customer": "Zoë", "empty": "", "none": null, "articles": []}`),
		Executors: map[string]testsuite.Executor{"refund": {Unavailable: true}, "find": {Version: "2.0.0", Fingerprint: &fingerprint}},
		Expect: &testsuite.Expectation{
			Disclosed: []string{"find", "refund"}, Withheld: map[string]resolve.Reason{"note": resolve.Excluded}, Segments: []string{"tone"},
			Contains: []string{"Ana"}, Excludes: []string{"{{"}, MaxTokens: &most, Blocked: map[string]resolve.Reason{},
		},
		Calls: []testsuite.Call{
			{Tool: "refund", ID: "a", Arguments: object(t, `{"cents": 1e2}`), Approval: testsuite.Valid, AtMS: 120000, Expect: resolve.Allowed},
			{Tool: "refund", Arguments: nil, Executor: &testsuite.Executor{Unavailable: true}, Times: 3, Expect: resolve.ArgumentsInvalid, Pointer: &pointer},
			{Tool: "refund", Arguments: object(t, `{}`), Expect: resolve.PolicyDenied, Policy: "refund-cap"},
		},
		Incident: "INC-2026-014",
	}
}

// The golden suite has every member of every type, so that a member that is added and not written shows.
func TestTheFormOfTests(t *testing.T) {
	test := full(t)
	for _, v := range []any{test, *test.Expect} {
		of := reflect.ValueOf(v)
		for i := range of.NumField() {
			if of.Field(i).IsZero() {
				t.Errorf("%s.%s says nothing", of.Type(), of.Type().Field(i).Name)
			}
		}
	}
	calls := reflect.TypeFor[testsuite.Call]()
	for i := range calls.NumField() {
		said := false
		for _, call := range test.Calls {
			said = said || !reflect.ValueOf(call).Field(i).IsZero()
		}
		if !said {
			t.Errorf("no call says %s", calls.Field(i).Name)
		}
	}
	suite := &testsuite.Suite{Tests: map[string]testsuite.Test{"full": test}}
	data, err := suite.Encode()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "tests.json", data)
	again, problems := testsuite.Decode(data)
	if diff := cmp.Diff(suite, again); diff != "" || len(problems) > 0 {
		t.Error(diff, problems)
	}
	obligation, err := testsuite.ObligationDigest("full", test)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "obligation.digest", []byte(obligation.String()+"\n"))
	form, _ := canonical.Marshal(map[string]any{"id": "full", "test": test.Value()})
	if digest.Of(form) != obligation {
		t.Error("an obligation is not the digest of its canonical form")
	}
}

func TestNoTestsHaveAForm(t *testing.T) {
	data, err := (&testsuite.Suite{}).Encode()
	if err != nil || string(data) != `{"schema":"seif.tests.v1","tests":{}}` {
		t.Errorf("%s %v", data, err)
	}
	suite, problems := testsuite.Decode(data)
	if len(problems) > 0 || len(suite.Tests) != 0 {
		t.Error(suite, problems)
	}
}

// Saying the default is saying nothing: two ways to write one test have one digest.
func TestDefaultsAreNotWritten(t *testing.T) {
	plain := testsuite.Test{Profile: "p", Calls: []testsuite.Call{{Tool: "a", Arguments: nil, Expect: resolve.Allowed}}}
	said := testsuite.Test{
		Profile: "p", Inputs: map[string]canonical.Value{}, Executors: map[string]testsuite.Executor{"a": {}},
		Calls: []testsuite.Call{{Tool: "a", Arguments: nil, Expect: resolve.Allowed, Times: 1, Executor: &testsuite.Executor{}}},
	}
	if diff := cmp.Diff(plain.Value(), said.Value()); diff != "" {
		t.Error(diff)
	}
}

func TestDecodeRefuses(t *testing.T) {
	valid := `{"schema":"seif.tests.v1","tests":{"t":{"calls":[{"arguments":null,"expect":"allowed","tool":"a"}],"expect":{"disclosed":[],"text":{"contains":["x"]},"tokens":{"max":1},"withheld":{"a":"excluded"}},"profile":"p"}}}`
	if _, problems := testsuite.Decode([]byte(valid)); len(problems) > 0 {
		t.Fatal(problems)
	}
	for name, c := range map[string]struct{ old, new, want string }{
		"another schema":       {`tests.v1`, `tests.v2`, "tests_malformed /schema"},
		"a member of tomorrow": {`"profile"`, `"later":1,"profile"`, "tests_malformed /tests/t/later"},
		"an expectation of tomorrow": {
			`"tokens"`, `"soon":{},"tokens"`, "tests_malformed /tests/t/expect/soon"},
		"a call member of tomorrow": {`"expect":"allowed"`, `"expect":"allowed","soon":1`, "tests_malformed /tests/t/calls/0/soon"},
		"tokens.min":                {`{"max":1}`, `{"max":1,"min":0}`, "tests_malformed /tests/t/expect/tokens/min"},
		"no profile":                {`,"profile":"p"`, ``, "tests_malformed /tests/t/profile"},
		"no tool":                   {`,"tool":"a"`, ``, "tests_malformed /tests/t/calls/0/tool"},
		"no arguments":              {`"arguments":null,`, ``, "tests_malformed /tests/t/calls/0/arguments"},
		"a test that is none":       {`"t":{`, `"s":1,"t":{`, "tests_malformed /tests/s"},
		"calls in an object":        {`"calls":[`, `"calls":{},"x":[`, "tests_malformed /tests/t/x"},
		"a wrong list":              {`"disclosed":[]`, `"disclosed":"a"`, "tests_malformed /tests/t/expect/disclosed"},
		"a number in a list":        {`["x"]`, `[1]`, "tests_malformed /tests/t/expect/text/contains/0"},
		"a wrong reason":            {`"a":"excluded"`, `"a":1`, "tests_malformed /tests/t/expect/withheld/a"},
		"a negative bound":          {`{"max":1}`, `{"max":-1}`, "tests_malformed /tests/t/expect/tokens/max"},
		"half a token":              {`{"max":1}`, `{"max":0.5}`, "tests_malformed /tests/t/expect/tokens/max"},
		"a written default":         {`"tool":"a"`, `"times":1,"tool":"a"`, "tests_unreadable "},
		"no inputs written":         {`"profile":"p"`, `"inputs":{},"profile":"p"`, "tests_unreadable "},
		"white space":               {`"tests":{`, `"tests": {`, "tests_unreadable "},
		"members out of order":      {`"arguments":null,"expect":"allowed"`, `"expect":"allowed","arguments":null`, "tests_unreadable "},
		"a member twice":            {`"profile":"p"`, `"profile":"p","profile":"p"`, "tests_unreadable "},
		"a wrong executor":          {`"profile":"p"`, `"executors":{"a":"ready"},"profile":"p"`, "tests_malformed /tests/t/executors/a"},
		"a short fingerprint":       {`"profile":"p"`, `"executors":{"a":{"fingerprint":"sha256:00"}},"profile":"p"`, "tests_malformed /tests/t/executors/a/fingerprint"},
		"an incident without id":    {`"profile":"p"`, `"incident":{},"profile":"p"`, "tests_malformed /tests/t/incident/id"},
		"something behind":          {`"p"}}}`, `"p"}}} {}`, "tests_unreadable "},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(valid, c.old, c.new, 1)
			if text == valid {
				t.Fatal("nothing was changed")
			}
			suite, problems := testsuite.Decode([]byte(text))
			if suite != nil || len(problems) == 0 || told(problems)[0] != c.want && told(problems)[len(problems)-1] != c.want {
				t.Errorf("got %v, want %s", told(problems), c.want)
			}
		})
	}
}

// randomSuite makes suites of any shape, sensible or not: the form must carry them all.
func randomSuite(r *rand.Rand) *testsuite.Suite {
	suite := &testsuite.Suite{Tests: map[string]testsuite.Test{}}
	for range r.IntN(4) {
		suite.Tests[word(r)] = randomTest(r)
	}
	return suite
}

func word(r *rand.Rand) string {
	return []string{"a", "b.c", "~/", "é", "日本", "", "t-1", "\u0000", `"`, "\U0001F600"}[r.IntN(10)] + fmt.Sprint(r.IntN(9))
}

func maybe[T any](r *rand.Rand, make func(*rand.Rand) T) T {
	var none T
	if r.IntN(2) == 0 {
		return none
	}
	return make(r)
}

func randomTest(r *rand.Rand) testsuite.Test {
	test := testsuite.Test{Profile: word(r), Objective: maybe(r, word), Incident: maybe(r, word)}
	for range r.IntN(3) {
		if test.Inputs == nil {
			test.Inputs = map[string]canonical.Value{}
		}
		test.Inputs[word(r)] = randomValue(r, 3)
	}
	for range r.IntN(3) {
		if test.Executors == nil {
			test.Executors = map[string]testsuite.Executor{}
		}
		test.Executors[word(r)] = randomExecutor(r)
	}
	if r.IntN(3) > 0 {
		test.Expect = &testsuite.Expectation{
			Disclosed: maybe(r, words), Withheld: maybe(r, reasons), Segments: maybe(r, words), Contains: maybe(r, words),
			Excludes: maybe(r, words), Blocked: maybe(r, reasons),
			MaxTokens: maybe(r, func(r *rand.Rand) *int { n := r.IntN(1000); return &n }),
		}
	}
	for range r.IntN(4) {
		call := testsuite.Call{
			Tool: word(r), ID: maybe(r, word), Arguments: randomValue(r, 3), Approval: testsuite.Approval(maybe(r, word)), AtMS: r.Int64N(3),
			Expect: resolve.Outcome(word(r)), Policy: maybe(r, word),
			Pointer:  maybe(r, func(r *rand.Rand) *string { s := maybe(r, word); return &s }),
			Executor: maybe(r, func(r *rand.Rand) *testsuite.Executor { e := randomExecutor(r); return &e }),
		}
		if r.IntN(2) == 0 {
			call.Times = 2 + r.IntN(5)
		}
		test.Calls = append(test.Calls, call)
	}
	return test
}

func randomExecutor(r *rand.Rand) testsuite.Executor {
	fingerprint := digest.Fingerprint(digest.Of([]byte(word(r))))
	return []testsuite.Executor{{Unavailable: true}, {Version: word(r)}, {Fingerprint: &fingerprint}, {Version: word(r), Fingerprint: &fingerprint}}[r.IntN(4)]
}

func words(r *rand.Rand) []string {
	out := []string{}
	for range r.IntN(3) {
		out = append(out, word(r))
	}
	return out
}

func reasons(r *rand.Rand) map[string]resolve.Reason {
	out := map[string]resolve.Reason{}
	for range r.IntN(3) {
		out[word(r)] = resolve.Reason(word(r))
	}
	return out
}

func randomValue(r *rand.Rand, depth int) canonical.Value {
	if depth == 0 {
		return nil
	}
	switch r.IntN(6) {
	case 0:
		return r.IntN(2) == 0
	case 1:
		return json.Number(fmt.Sprint(r.IntN(100)))
	case 2:
		return []any{randomValue(r, depth-1), word(r)}
	case 3:
		return map[string]any{word(r): randomValue(r, depth-1)}
	case 4:
		return word(r)
	}
	return nil
}

// Whatever a suite says, its bytes say it, and say it in one way.
func TestEncodingIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[string]*testsuite.Suite{}
	for range 3000 {
		suite := randomSuite(r)
		data, err := suite.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, problems := testsuite.Decode(data)
		if len(problems) > 0 {
			t.Fatalf("%s: %v", data, problems)
		}
		if diff := cmp.Diff(suite, again); diff != "" {
			t.Fatalf("%s\n%s", data, diff)
		}
		if first, twice := seen[string(data)]; twice && !reflect.DeepEqual(first, suite) {
			t.Fatalf("two suites have the bytes %s", data)
		}
		seen[string(data)] = suite
	}
}

// No bytes make Decode panic, and what it accepts it gives back byte for byte.
func FuzzDecode(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		data, err := randomSuite(r).Encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"schema":"seif.tests.v1","tests":{"t":{"profile":"p","calls":null,"expect":null,"executors":[],"incident":"x"}}}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		suite, problems := testsuite.Decode(data)
		if (suite == nil) == (len(problems) == 0) {
			t.Fatalf("suite %v, problems %v", suite, problems)
		}
		if suite == nil {
			for _, p := range problems {
				if p.Code != diag.CodeTestsMalformed && p.Code != diag.CodeTestsUnreadable {
					t.Errorf("code %s", p.Code)
				}
			}
			return
		}
		again, err := suite.Encode()
		if err != nil || string(again) != string(data) {
			t.Errorf("%s became %s: %v", data, again, err)
		}
	})
}
