package diag_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"path"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seif-dev/seifc/diag"
)

func decoded(t *testing.T, text string) any {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return value
}

func compiledSchema(t *testing.T, text []byte) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	if err := c.AddResource("urn:schema", decoded(t, string(text))); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("urn:schema")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestJSONFitsItsSchema(t *testing.T) {
	schema := compiledSchema(t, diag.JSONSchema())
	for _, options := range []diag.Options{{}, {Limit: 2}} {
		for _, list := range [][]diag.Diagnostic{nil, samples()} {
			if err := schema.Validate(decoded(t, printed(t, diag.JSON, list, options))); err != nil {
				t.Error(err)
			}
		}
	}
	// The schema is closed over what it names: a member that we write and it does not describe is seen here.
	text := strings.ReplaceAll(string(diag.JSONSchema()), `"type": "object",`, `"type": "object", "unevaluatedProperties": false,`)
	text = strings.ReplaceAll(text, `"place": {
      "type": "object", "unevaluatedProperties": false,`, `"place": {
      "type": "object",`)
	text = strings.ReplaceAll(text, `"unevaluatedProperties": false,
      "additionalProperties"`, `"additionalProperties"`)
	if err := compiledSchema(t, []byte(text)).Validate(decoded(t, printed(t, diag.JSON, samples(), diag.Options{}))); err != nil {
		t.Errorf("closed: %v", err)
	}
	// It refuses what it should.
	for _, broken := range []string{
		`{}`, `{"version":2,"diagnostics":[],"summary":{"errors":0,"warnings":0,"infos":0},"omitted":0}`,
		`{"version":1,"diagnostics":[{"code":"A","severity":"error","message":"m","path":"","pointer":""}],"summary":{"errors":1,"warnings":0,"infos":0},"omitted":0}`,
		`{"version":1,"diagnostics":[{"code":"a","severity":"fatal","message":"m","path":"","pointer":""}],"summary":{"errors":1,"warnings":0,"infos":0},"omitted":0}`,
		`{"version":1,"diagnostics":[{"code":"a","severity":"error","message":"m","path":"","pointer":"","line":1}],"summary":{"errors":1,"warnings":0,"infos":0},"omitted":0}`,
	} {
		if schema.Validate(decoded(t, broken)) == nil {
			t.Errorf("the schema accepts %s", broken)
		}
	}
}

func TestJSONMembersAreThoseOfTheDocument(t *testing.T) {
	members, err := diag.JSONMembers(samples(), diag.Options{Limit: 3})
	if err != nil {
		t.Fatal(err)
	}
	var whole map[string]json.RawMessage
	if err := json.Unmarshal([]byte(printed(t, diag.JSON, samples(), diag.Options{Limit: 3})), &whole); err != nil {
		t.Fatal(err)
	}
	if len(members) != len(whole)-1 {
		t.Errorf("%d members of a document of %d", len(members), len(whole))
	}
	for name, value := range members {
		var a, b bytes.Buffer
		if json.Compact(&a, value) != nil || json.Compact(&b, whole[name]) != nil || a.String() != b.String() {
			t.Errorf("%s: %s, in the document %s", name, &a, &b)
		}
	}
}

// What decoding gives is as safe as the bytes: a reader that prints the strings prints nothing hidden.
func TestDecodedStringsAreSafe(t *testing.T) {
	var walk func(any)
	walk = func(value any) {
		switch v := value.(type) {
		case string:
			shown(t, v, true)
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			for name, item := range v {
				walk(name)
				walk(item)
			}
		}
	}
	for _, format := range []diag.Format{diag.JSON, diag.SARIF, diag.GitLab} {
		walk(decoded(t, printed(t, format, samples(), diag.Options{ToolVersion: hostile})))
	}
}

type sarif struct {
	Version string
	Runs    []struct {
		ColumnKind string
		Tool       struct {
			Driver struct {
				Name, Version string
				Rules         []struct {
					ID                                      string
					ShortDescription, FullDescription, Help struct{ Text string }
				}
			}
		}
		Results []struct {
			RuleID                      string
			RuleIndex                   *int
			Level                       string
			Message                     struct{ Text string }
			Locations, RelatedLocations []struct {
				PhysicalLocation *struct {
					ArtifactLocation *struct{ URI string }
					Region           *struct{ StartLine, StartColumn, EndLine, EndColumn int }
				}
			}
			PartialFingerprints map[string]string
		}
	}
}

// Needs 42: one result without a location, or one absolute URI, and a consumer refuses the whole file.
func TestSARIFIsWhatConsumersAccept(t *testing.T) {
	var log sarif
	if err := json.Unmarshal([]byte(printed(t, diag.SARIF, samples(), diag.Options{})), &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 {
		t.Fatalf("version %q, %d runs", log.Version, len(log.Runs))
	}
	run := log.Runs[0]
	if run.Tool.Driver.Name == "" || run.Tool.Driver.Version == "" || run.ColumnKind != "unicodeCodePoints" {
		t.Errorf("run: %q %q %q", run.Tool.Driver.Name, run.Tool.Driver.Version, run.ColumnKind)
	}
	if len(run.Results) != len(samples()) {
		t.Errorf("%d results of %d findings", len(run.Results), len(samples()))
	}
	seen := map[string]bool{}
	for _, rule := range run.Tool.Driver.Rules {
		if seen[rule.ID] || rule.ShortDescription.Text == "" || rule.FullDescription.Text == "" || rule.Help.Text == "" {
			t.Errorf("rule %+v", rule)
		}
		seen[rule.ID] = true
	}
	for _, result := range run.Results {
		if result.RuleIndex == nil || run.Tool.Driver.Rules[*result.RuleIndex].ID != result.RuleID {
			t.Errorf("%s has the rule index of another rule", result.RuleID)
		}
		if len(result.Locations) != 1 || result.Message.Text == "" || len(result.PartialFingerprints) == 0 {
			t.Errorf("result %+v", result)
		}
		for _, location := range append(result.Locations, result.RelatedLocations...) {
			physical := location.PhysicalLocation
			if physical == nil || physical.ArtifactLocation == nil || physical.Region == nil || physical.Region.StartLine < 1 {
				t.Fatalf("%s: location %+v", result.RuleID, location)
			}
			uri, err := url.Parse(physical.ArtifactLocation.URI)
			if err != nil || uri.IsAbs() || uri.Host != "" || uri.RawQuery != "" || uri.Fragment != "" || uri.Path == "" || path.IsAbs(uri.Path) || strings.HasPrefix(uri.Path, "../") {
				t.Errorf("URI %q: %v", physical.ArtifactLocation.URI, err)
			}
			region := physical.Region
			if region.EndLine == region.StartLine && region.EndColumn < region.StartColumn || region.EndLine != 0 && region.EndLine < region.StartLine {
				t.Errorf("region %+v ends before it starts", *region)
			}
		}
	}
}

func TestSARIFTextIsNoMarkup(t *testing.T) {
	list := []diag.Diagnostic{diag.AtPlace(diag.Place{}, diag.CodeTestNotCovered, "what", "[here](1) {0} {12} {name} {{0}} {")}
	got := printed(t, diag.SARIF, list, diag.Options{})
	if want := "no test reaches [here] (1) {{0}} {{12}} {name} {{{0}}} {\\n"; !strings.Contains(got, want) {
		t.Errorf("%s is not in\n%s", want, got)
	}
}

func TestReportPaths(t *testing.T) {
	toRelative := func(p string) string { return strings.TrimPrefix(p, "/repo/") }
	for _, c := range []struct{ path, project, want string }{
		{"shop/seif.yaml", "", "shop/seif.yaml"},
		{"/repo/shop/seif.yaml", "", "shop/seif.yaml"},
		{"/elsewhere/seif.yaml", "", "elsewhere/seif.yaml"},
		{"./a.yaml", "", "a.yaml"},
		{"../../a.yaml", "", "a.yaml"},
		{"a/../b.yaml", "", "b.yaml"},
		{"//host/a.yaml", "", "host/a.yaml"},
		{"C:/repo/a.yaml", "", "repo/a.yaml"},
		{"", "", "seif.yaml"},
		{"", "/repo/shop/seif.yaml", "shop/seif.yaml"},
		{"..", "other.yaml", "other.yaml"},
		{"/", "..", "seif.yaml"},
	} {
		list := []diag.Diagnostic{diag.AtPlace(diag.Place{Path: c.path}, diag.CodeNoTests)}
		options := diag.Options{RelativePath: toRelative, Project: c.project}
		for format, want := range map[diag.Format]string{
			diag.GitHub: "file=" + c.want + ",", diag.GitLab: `"path": "` + c.want + `"`, diag.SARIF: `"uri": "` + c.want + `"`,
		} {
			if got := printed(t, format, list, options); !strings.Contains(got, want) {
				t.Errorf("%q in %s is not %s:\n%s", c.path, format, want, got)
			}
		}
		for _, format := range []diag.Format{diag.Line, diag.JSON} {
			if got := printed(t, format, list, options); !strings.Contains(got, c.path) {
				t.Errorf("%s does not keep the path %q as typed", format, c.path)
			}
		}
	}
}

type codeQuality []struct {
	Description, Fingerprint, Severity string
	CheckName                          string `json:"check_name"`
	Location                           struct {
		Path  string
		Lines struct{ Begin int }
	}
}

func qualityOf(t *testing.T, list []diag.Diagnostic, options diag.Options) codeQuality {
	t.Helper()
	var entries codeQuality
	if err := json.Unmarshal([]byte(printed(t, diag.GitLab, list, options)), &entries); err != nil {
		t.Fatal(err)
	}
	return entries
}

func TestGitLabEntriesAreComplete(t *testing.T) {
	for _, limit := range []int{0, 3} {
		prints := map[string]bool{}
		for _, e := range qualityOf(t, samples(), diag.Options{Limit: limit}) {
			if e.Description == "" || e.CheckName == "" || e.Location.Path == "" || e.Location.Lines.Begin < 1 {
				t.Errorf("entry %+v", e)
			}
			if e.Severity != "major" && e.Severity != "minor" && e.Severity != "info" {
				t.Errorf("severity %q", e.Severity)
			}
			if prints[e.Fingerprint] || len(e.Fingerprint) != len("sha256:")+64 {
				t.Errorf("fingerprint %q", e.Fingerprint)
			}
			prints[e.Fingerprint] = true
		}
	}
}

// A fingerprint follows a finding through edits elsewhere in its file, and only that finding. R75: it has the one
// notation.
func TestFingerprints(t *testing.T) {
	make := func(line int, path, pointer string, code diag.Code, pairs ...string) diag.Diagnostic {
		d := diag.AtPlace(at(path, line, "a: b", "b"), code, pairs...)
		d.Place.Pointer = pointer
		return d
	}
	of := func(list ...diag.Diagnostic) []string {
		var out []string
		for _, e := range qualityOf(t, list, diag.Options{}) {
			out = append(out, e.Fingerprint)
		}
		return out
	}
	base := of(make(1, "a.yaml", "/x", diag.CodeTestNotCovered, "what", "w"))[0]
	if moved := of(make(9, "a.yaml", "/x", diag.CodeTestNotCovered, "what", "w"))[0]; moved != base {
		t.Error("another line is another finding")
	}
	for name, other := range map[string]diag.Diagnostic{
		"path":           make(1, "b.yaml", "/x", diag.CodeTestNotCovered, "what", "w"),
		"pointer":        make(1, "a.yaml", "/y", diag.CodeTestNotCovered, "what", "w"),
		"code":           make(1, "a.yaml", "/x", diag.CodeNoTests, "what", "w"),
		"data":           make(1, "a.yaml", "/x", diag.CodeTestNotCovered, "what", "v"),
		"name of data":   make(1, "a.yaml", "/x", diag.CodeTestNotCovered, "that", "w"),
		"shifted border": make(1, "a.yaml/", "x", diag.CodeTestNotCovered, "what", "w"),
	} {
		if of(other)[0] == base {
			t.Errorf("another %s is the same finding", name)
		}
	}
	twice := of(make(1, "a.yaml", "/x", diag.CodeTestNotCovered, "what", "w"), make(2, "a.yaml", "/x", diag.CodeTestNotCovered, "what", "w"))
	if len(twice) != 2 || twice[0] != base || twice[1] == base {
		t.Errorf("two like findings: %v", twice)
	}
}
