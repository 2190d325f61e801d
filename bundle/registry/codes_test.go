package registry_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/diag"
)

// Every code of the room is asserted by a test, so that each is one that somebody can meet.
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
	table, err := os.ReadFile("../../diag/codes_registry.go")
	if err != nil {
		t.Fatal(err)
	}
	constants := regexp.MustCompile(`(Code\w+)\s+Code = "(\w+)"`).FindAllStringSubmatch(string(table), -1)
	if len(constants) < 20 {
		t.Fatalf("the table names %d codes", len(constants))
	}
	for _, m := range constants {
		if entry, ok := diag.Lookup(m[2]); !ok || entry.Room != "bundle/registry" {
			t.Errorf("%s is no code of this room", m[2])
		}
		if !regexp.MustCompile(`diag\.` + m[1] + `\b`).MatchString(tests.String()) {
			t.Errorf("no test asserts %s", m[2])
		}
	}
}
