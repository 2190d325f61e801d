package seifc_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestDependenciesAreExplained holds that docs/dependencies.md names every module that go.mod requires directly, and no
// module in its table that is not required any more.
func TestDependenciesAreExplained(t *testing.T) {
	page, err := os.ReadFile("docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{if not (or .Main .Indirect)}}{{.Path}}{{end}}", "all").Output()
	if err != nil {
		t.Fatal(err)
	}
	direct := strings.Fields(string(out))
	if len(direct) < 5 {
		t.Fatalf("go list names %d direct modules", len(direct))
	}
	required := map[string]bool{}
	for _, module := range direct {
		required[module] = true
		if !strings.Contains(string(page), "`"+module+"`") {
			t.Errorf("docs/dependencies.md does not say why we need %s", module)
		}
	}
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, "|"); len(cells) > 2 && strings.HasPrefix(cells[1], " `") {
			if module := strings.Trim(cells[1], " `"); !required[module] {
				t.Errorf("docs/dependencies.md explains %s, which go.mod does not require", module)
			}
		}
	}
}
