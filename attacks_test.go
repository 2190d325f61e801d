package seifc_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// attacks is how many rows the table of attacks on Builds and signatures has.
const attacks = 48

// TestEveryAttackIsATest holds that each row of the table has a test of its number, and that no test has a number beyond
// the table.
func TestEveryAttackIsATest(t *testing.T) {
	named := regexp.MustCompile(`(?m)^func TestAttack([0-9]{2})[A-Za-z0-9]*\(t \*testing\.T\)`)
	rows := map[string]string{}
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		data, err := os.ReadFile(name)
		for _, match := range named.FindAllSubmatch(data, -1) {
			rows[string(match[1])] = name
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for row := 1; row <= attacks; row++ {
		number := string([]byte{'0' + byte(row/10), '0' + byte(row%10)})
		if rows[number] == "" {
			t.Errorf("no test is called TestAttack%s", number)
		}
		delete(rows, number)
	}
	for number, name := range rows {
		t.Errorf("%s has TestAttack%s, and the table ends at %d", name, number, attacks)
	}
}
