package compiler

import (
	"regexp"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// suppressing adds a suppression to the Project file.
func suppressing(files map[string]string, code, path, digest string) {
	files["seif.yaml"] += "suppressions:\n  - {code: " + code + ", path: " + path + ", digest: \"" + digest + "\", reason: Known.}\n"
}

func TestSuppressions(t *testing.T) {
	const catalogue = "tools/orders.yaml"
	other := digest.Of([]byte("other")).String()
	for name, test := range map[string]struct {
		code, path, digest string
		suppressed         bool
		says               diag.Code
		why                string
	}{
		"one that holds":           {"write_open", catalogue, "", true, "", ""},
		"of another state":         {"write_open", catalogue, other, false, diag.CodeSuppressionStale, "the file now has the digest"},
		"of a file nobody reads":   {"write_open", "tools/none.yaml", other, false, diag.CodeSuppressionStale, "reads no file"},
		"of a file without it":     {"write_open", "context/tone.md", "", false, diag.CodeSuppressionStale, "nothing to suppress"},
		"of what did not happen":   {"pin_of_retired", catalogue, "", false, diag.CodeSuppressionStale, "nothing to suppress"},
		"of what guards authority": {"unknown_fingerprint", catalogue, "", false, diag.CodeSuppressionRefused, ""},
		"of an unknown code":       {"write_opne", catalogue, "", false, diag.CodeSuppressionRefused, ""},
	} {
		t.Run(name, func(t *testing.T) {
			files := pinned(t)
			if !has(compiled(t, treeOf(files)).Findings, diag.CodeWriteOpen) {
				t.Fatal("there is nothing to suppress")
			}
			stated := test.digest
			if stated == "" {
				stated = digest.Of([]byte(files[test.path])).String()
			}
			suppressing(files, test.code, test.path, stated)
			found := compiled(t, treeOf(files)).Findings
			if has(found, diag.CodeWriteOpen) == test.suppressed {
				t.Errorf("%v", found)
			}
			said := ""
			for _, d := range found {
				if d.Code == diag.CodeSuppressionStale || d.Code == diag.CodeSuppressionRefused {
					said += string(d.Code) + " " + d.Data["why"]
				}
			}
			if !strings.HasPrefix(said, string(test.says)) || !strings.Contains(said, test.why) || test.says == "" && said != "" {
				t.Errorf("it says %q", said)
			}
		})
	}
}

// The Project file holds the suppressions, so that its digest there is of the content of all the rest: comments and
// the suppressions themselves may change, content may not.
func TestSuppressionInTheProjectFile(t *testing.T) {
	files := pinned(t)
	contract := "tool_contracts:\n  order.tag:\n    version: 1.0.0\n    description: Add a tag.\n    effect: write\n    schema: {type: object, properties: {tag: {type: string}}}\n"
	change(t, files, "seif.yaml", "tools:\n  order.find", contract+"tools:\n  order.tag:\n  order.find")
	change(t, files, "seif.yaml", "[order.find]", "[order.find, order.tag]")
	pin(t, files, PinOptions{})
	inProject := func(found []diag.Diagnostic) bool {
		for _, d := range found {
			if d.Code == diag.CodeWriteOpen && d.Place.Path == "seif.yaml" {
				return true
			}
		}
		return false
	}
	if !inProject(compiled(t, treeOf(files)).Findings) {
		t.Fatalf("there is nothing to suppress: %v", compiled(t, treeOf(files)).Findings)
	}
	before := files["seif.yaml"]
	suppressing(files, "write_open", "seif.yaml", digest.Of(nil).String())
	wanted := ""
	for _, d := range compiled(t, treeOf(files)).Findings {
		if d.Code == diag.CodeSuppressionStale {
			wanted = regexp.MustCompile("sha256:[0-9a-f]{64}").FindString(d.Data["why"])
		}
	}
	if wanted == "" {
		t.Fatal("the digest to write is not said")
	}
	files["seif.yaml"] = before
	suppressing(files, "write_open", "seif.yaml", wanted)
	files["seif.yaml"] = "# A comment.\n" + strings.Replace(files["seif.yaml"], "reason: Known.", "reason: It is known.", 1)
	if found := compiled(t, treeOf(files)).Findings; inProject(found) || has(found, diag.CodeSuppressionStale) {
		t.Errorf("%v", found)
	}
	change(t, files, "seif.yaml", "Answer a question.", "Answer any question.")
	if found := compiled(t, treeOf(files)).Findings; !inProject(found) || !has(found, diag.CodeSuppressionStale) {
		t.Errorf("it still holds: %v", found)
	}
}
