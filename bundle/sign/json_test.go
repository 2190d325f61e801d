package sign_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/diag"
)

// R66: what is no JSON, or too much of it, is refused at once.
func TestBundlesThatAreNotJSON(t *testing.T) {
	good := string(signed(t, newKey(t), release().Statement(build)))
	for _, test := range []struct {
		name, data string
		code       diag.Code
		pointer    string
	}{
		{"nothing", "", diag.CodeBundleJSONSyntax, ""},
		{"cut", good[:len(good)-1], diag.CodeBundleJSONSyntax, ""},
		{"byte order mark", "\xef\xbb\xbf" + good, diag.CodeBundleJSONSyntax, ""},
		{"large", good + strings.Repeat(" ", sign.MaxBundle), diag.CodeBundleJSONLimit, ""},
		{"deep", strings.Repeat("[", 200_000), diag.CodeBundleJSONLimit, strings.Repeat("/0", 32)},
		{"many", "[" + strings.Repeat("0,", 250_000) + "0]", diag.CodeBundleJSONLimit, "/199999"},
		{"not UTF-8", "{\"x\":\"\xff\"}", diag.CodeBundleJSONText, "/x"},
		{"half a pair", `{"x":"\udc00"}`, diag.CodeBundleJSONText, "/x"},
		{"inexact", `{"x":1e400}`, diag.CodeBundleJSONNumber, "/x"},
		{"an array", "[]", diag.CodeBundleMemberWrong, ""},
		{"null", "null", diag.CodeBundleMemberWrong, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			start := time.Now()
			refused(t, []byte(test.data), test.code, test.pointer)
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
	_, err := sign.Decode([]byte(`{"a":1,"b":2}`))
	if got := len(problemsOf(err)); got != 5 {
		t.Errorf("%d problems: %v", got, problemsOf(err))
	}
	var many bytes.Buffer
	many.WriteString(`{"x":0`)
	for i := range 1000 {
		many.WriteString(`,"m` + strings.Repeat("m", i) + `":0`)
	}
	many.WriteString("}")
	if _, err := sign.Decode(many.Bytes()); len(problemsOf(err)) != 50 {
		t.Errorf("%d problems", len(problemsOf(err)))
	}
}

// Every code of the room has a case, so that each is a code that somebody can meet.
func TestEveryCodeHasACase(t *testing.T) {
	var tests strings.Builder
	names, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tests.Write(data)
	}
	table, err := os.ReadFile("../../diag/codes_sign.go")
	if err != nil {
		t.Fatal(err)
	}
	constants := map[string]string{}
	for _, m := range regexp.MustCompile(`(Code\w+)\s+Code = "(\w+)"`).FindAllStringSubmatch(string(table), -1) {
		constants[m[2]] = m[1]
	}
	count := 0
	for _, e := range diag.Entries() {
		if e.Room != "bundle/sign" {
			continue
		}
		count++
		if name := constants[string(e.Code)]; name == "" || !regexp.MustCompile(`diag\.`+name+`\b`).MatchString(tests.String()) {
			t.Errorf("no test asserts %s", e.Code)
		}
	}
	if count != len(constants) {
		t.Errorf("%d codes in the table, %d constants", count, len(constants))
	}
}
