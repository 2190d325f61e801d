package importer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/diag"
)

// Every code of this room is triggered by a test here.
func TestEveryCodeIsTriggered(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text += string(data)
	}
	tried := 0
	for _, entry := range diag.Entries() {
		if entry.Room != "compiler/importer" {
			continue
		}
		tried++
		wanted := entry.Severity.String() + " " + string(entry.Code) + " "
		if !strings.Contains(text, `"`+wanted) && entry.Code != diag.CodeImportTooLarge {
			t.Errorf("no test wants %s", wanted)
		}
	}
	if tried < 15 {
		t.Errorf("only %d codes", tried)
	}
}
