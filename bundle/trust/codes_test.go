package trust_test

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/diag"
)

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
	constants := map[string]string{}
	for _, name := range []string{"codes_trust.go", "codes_trust_policy.go"} {
		table, err := os.ReadFile("../../diag/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(Code\w+)\s+Code = "(\w+)"`).FindAllStringSubmatch(string(table), -1) {
			constants[m[2]] = m[1]
		}
	}
	for _, e := range diag.Entries() {
		if e.Room != "bundle/trust" {
			continue
		}
		word := regexp.MustCompile(`\b(` + string(e.Code) + `|` + cmp.Or(constants[string(e.Code)], "-") + `)\b`)
		if !word.MatchString(tests.String()) {
			t.Errorf("%s has no test", e.Code)
		}
	}
}
