package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/compiler"
	"github.com/seif-dev/seifc/compiler/importer"
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/expr"
	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/decide/tokens"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/document"
	"github.com/seif-dev/seifc/manifest"
	"github.com/seif-dev/seifc/testsuite"
)

var update = flag.Bool("update", false, "write golden files and the generated tables of the pages anew")

const moduleRoot = "../.."

func readPage(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(moduleRoot, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The tables of the pages are made from the tables that the program runs on.
func TestPagesShowTheTablesOfTheProgram(t *testing.T) {
	pages := map[string]map[string]string{
		"docs/cli.md":     commandTables(t),
		"docs/project.md": {"functions": functionTable(), "limits": limitTable()},
		"docs/builds.md":  {"layers": layerTable(), "limits": buildLimitTable()},
	}
	for _, name := range mapKeys(pages) {
		page := readPage(t, name)
		written := page
		for _, table := range mapKeys(pages[name]) {
			written = fillTable(t, name, written, table, pages[name][table])
		}
		switch {
		case written == page:
		case *update:
			if err := os.WriteFile(filepath.Join(moduleRoot, name), []byte(written), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s differs from the program; run `go test ./cmd/seifc -update`\n%s", name, diag.WordDiff(page, written))
		}
	}
}

// fillTable replaces what stands between the marks of a table.
func fillTable(t *testing.T, name, page, table, content string) string {
	t.Helper()
	begin, end := "<!-- table: "+table+" -->\n", "<!-- end: "+table+" -->"
	before, rest, begun := strings.Cut(page, begin)
	_, after, ended := strings.Cut(rest, end)
	if !begun || !ended {
		t.Errorf("%s has no table %q", name, table)
		return page
	}
	return before + begin + content + end + after
}

// commandTables are the usage and the flags of every command, by its name. Subcommands share their flags.
func commandTables(t *testing.T) map[string]string {
	t.Helper()
	tables := map[string]string{}
	for _, c := range commands() {
		if c.run != nil {
			tables[c.Name] = usageText("seifc "+c.Name, c) + "```\n\n" + flagTable(c)
			continue
		}
		usage, meanings, flags := "", "| subcommand | what |\n| --- | --- |\n", flagTable(c.subcommands[0])
		for _, sub := range c.subcommands {
			usage += usageText("seifc "+c.Name+" "+sub.Name, sub)
			meanings += fmt.Sprintf("| `%s` | %s |\n", sub.Name, sub.Usage)
			if flagTable(sub) != flags {
				t.Errorf("`seifc %s %s` has other flags than its siblings and needs a table of its own", c.Name, sub.Name)
			}
		}
		tables[c.Name] = usage + "```\n\n" + meanings + "\n" + flags
	}
	for name, table := range tables {
		tables[name] = "```text\n" + table
	}
	return tables
}

func usageText(whole string, c *command) string {
	return strings.TrimSpace(whole+" [FLAGS] "+c.ArgsUsage) + "\n"
}

func flagTable(c *command) string {
	out := "| flag | meaning |\n| --- | --- |\n"
	for _, f := range c.Flags {
		names, meaning, takes := describeFlag(f)
		out += fmt.Sprintf("| `%s%s` | %s |\n", names, takes, strings.ReplaceAll(meaning, "|", `\|`))
	}
	return out + "| `--format FORMAT` | " + strings.Join(c.formats, ", ") + " |\n"
}

func functionTable() string {
	out := "| function | takes | gives |\n| --- | --- | --- |\n"
	for _, f := range expr.Functions() {
		out += fmt.Sprintf("| `%s` | %s | %s |\n", strings.ReplaceAll(f.Name, "|", `\|`), f.Takes, f.Gives)
	}
	return out
}

func limitTable() string {
	return limits([][2]string{
		{"one file", bytesOf(document.MaxBytes)},
		{"values in one file, aliases written out", fmt.Sprint(document.MaxNodes)},
		{"maps and lists within each other in one file", fmt.Sprint(document.MaxDepth)},
		{"the files of a Project together", bytesOf(compiler.MaxProjectBytes)},
		{"an import", bytesOf(importer.MaxBytes)},
		{"inputs of `preview --inputs`", bytesOf(maxInputBytes)},
		{"the description of a contract", fmt.Sprintf("%d characters", definition.MaxDescription)},
		{"`timeout_ms`", fmt.Sprintf("1 to %d", manifest.MaxTimeoutMS)},
		{"`call_limit`", fmt.Sprintf("1 to %d", manifest.MaxCallLimit)},
		{"`budget.tokens`", fmt.Sprintf("1 to %d", manifest.MaxBudgetTokens)},
		{"an expression", fmt.Sprintf("%d bytes, %d nodes, %d levels", expr.MaxSourceBytes, expr.MaxNodes, expr.MaxDepth)},
		{"the cost of one evaluation", fmt.Sprint(expr.MaxCost)},
		{"a pattern in an expression", fmt.Sprintf("%d bytes, %d instructions", expr.MaxPatternBytes, expr.MaxPatternSize)},
		{"calls of a test", fmt.Sprint(testsuite.MaxCalls)},
		{"`times`", fmt.Sprintf("1 to %d", testsuite.MaxTimes)},
		{"`at`", fmt.Sprintf("%d hours", testsuite.MaxAtMS/3_600_000)},
		{"the life of a context", fmt.Sprintf("%d minutes", resolve.ContextLifetime/60_000)},
		{"the life of an approval", fmt.Sprintf("%d minutes", resolve.ApprovalLifetime/60_000)},
		{"tokens for a segment and for a tool, beside their text", fmt.Sprintf("%d and %d", tokens.PerSegment, tokens.PerTool)},
		{"tokens for a character of an input, at most", fmt.Sprint(tokens.MaxPerCodePoint)},
	})
}

func buildLimitTable() string {
	return limits([][2]string{
		{"the manifest, `index.json`, `oci-layout`", bytesOf(bundle.MaxManifest)},
		{"any other file", bytesOf(bundle.MaxBlob)},
		{"all files together", bytesOf(bundle.MaxBuild)},
		{"number of files", fmt.Sprint(bundle.MaxEntries)},
		{"arrays and objects within each other in JSON", fmt.Sprint(canonical.MaxDepth)},
	})
}

func limits(rows [][2]string) string {
	out := "| of | limit |\n| --- | --- |\n"
	for _, row := range rows {
		out += "| " + row[0] + " | " + row[1] + " |\n"
	}
	return out
}

func bytesOf(n int) string { return fmt.Sprintf("%d MiB", n>>20) }

func layerTable() string {
	out := "| part | title | media type |\n| --- | --- | --- |\n"
	for _, row := range [][3]string{
		{"config: the definition without tools", "", bundle.DefinitionV1MediaType},
		{"config: the definition with tools", "", bundle.DefinitionV2MediaType},
		{"layer: the tests that the Build inherited", bundle.CorpusTitle, bundle.CorpusMediaType},
		{"layer: one text", bundle.SourcePrefix + "ID", bundle.SourceMediaType},
		{"layer: its Context Tests", bundle.TestsTitle, bundle.TestsMediaType},
	} {
		title := ""
		if row[1] != "" {
			title = "`" + row[1] + "`"
		}
		out += fmt.Sprintf("| %s | %s | `%s` |\n", row[0], title, row[2])
	}
	return out
}

// Every field that the JSON Schemas of the authored documents know is in the reference.
func TestPagesNameEveryField(t *testing.T) {
	pages := readPage(t, "docs/project.md") + readPage(t, "docs/tests.md")
	for _, name := range []string{"project", "catalogue", "tests", "lock"} {
		var schema any
		if err := json.Unmarshal(manifest.JSONSchema(name), &schema); err != nil {
			t.Fatal(err)
		}
		fields := map[string]bool{}
		collectFields(schema, fields)
		if len(fields) == 0 {
			t.Errorf("the schema %s has no fields", name)
		}
		for _, field := range mapKeys(fields) {
			if !regexp.MustCompile("[`.{\" ,]" + regexp.QuoteMeta(field) + "[`:}\",. ]").MatchString(pages) {
				t.Errorf("the field %s of the schema %s is in no page", field, name)
			}
		}
	}
}

// collectFields gathers the names under `properties` of our own objects. What stands inside of an authored JSON
// Schema is not ours.
func collectFields(schema any, into map[string]bool) {
	switch v := schema.(type) {
	case map[string]any:
		if properties, ok := v["properties"].(map[string]any); ok {
			for name := range properties {
				into[name] = true
			}
		}
		for _, value := range v {
			collectFields(value, into)
		}
	case []any:
		for _, item := range v {
			collectFields(item, into)
		}
	}
}

var (
	pageLink = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	heading  = regexp.MustCompile(`(?m)^#+ (.*)$`)
	fenced   = regexp.MustCompile("(?ms)^```.*?^```$")
)

// Every link of a page leads to a file, and to a heading if it names one. Links into the list of codes lead to codes
// that exist.
func TestPagesLinkToWhatExists(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(moduleRoot, "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	names := []string{"README.md"}
	for _, page := range pages {
		names = append(names, "docs/"+filepath.Base(page))
	}
	for _, name := range names {
		page := fenced.ReplaceAllString(readPage(t, name), "")
		for _, link := range pageLink.FindAllStringSubmatch(page, -1) {
			target, anchor, _ := strings.Cut(link[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			if problem := follow(name, target, anchor); problem != "" {
				t.Errorf("%s links to %s: %s", name, link[1], problem)
			}
		}
	}
}

// follow says what is wrong with a link from a page; "" when nothing is.
func follow(from, target, anchor string) string {
	to := cmp.Or(target, path.Base(from))
	file := path.Join(path.Dir(from), to)
	if path.Base(file) == "diagnostics.md" && anchor != "" {
		if entry, ok := diag.Lookup(anchor); !ok || string(entry.Code) != anchor {
			return "there is no such code"
		}
		return ""
	}
	data, err := os.ReadFile(filepath.Join(moduleRoot, filepath.FromSlash(file)))
	if err != nil {
		if info, statErr := os.Stat(filepath.Join(moduleRoot, filepath.FromSlash(file))); statErr == nil && info.IsDir() {
			return ""
		}
		return "there is no such file"
	}
	if anchor == "" {
		return ""
	}
	for _, h := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(string(data), ""), -1) {
		if anchorOf(h[1]) == anchor {
			return ""
		}
	}
	return "there is no such heading"
}

// anchorOf is the anchor that a heading gets where Markdown is shown.
func anchorOf(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case r == ' ' || r == '-':
			b.WriteByte('-')
		case r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		}
	}
	return b.String()
}

// The page of the command line has a table for every command, in the order of the usage text.
func TestPagesShowEveryCommandInOrder(t *testing.T) {
	page := readPage(t, "docs/cli.md")
	var want []string
	for _, c := range commands() {
		want = append(want, c.Name)
	}
	var got []string
	for _, mark := range regexp.MustCompile(`<!-- table: ([a-z]+)`).FindAllStringSubmatch(page, -1) {
		got = append(got, mark[1])
	}
	if !slices.Equal(got, want) {
		t.Errorf("the page has the commands\n%v\nand the usage text\n%v", got, want)
	}
}

// Every test that the decisions name is there to hold them.
func TestPagesNameTestsThatExist(t *testing.T) {
	tests := map[string]bool{}
	err := filepath.WalkDir(moduleRoot, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		data, err := os.ReadFile(name)
		for _, match := range regexp.MustCompile(`(?m)^func (Test[A-Za-z0-9]+)\(`).FindAllSubmatch(data, -1) {
			tests[string(match[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`(Test[A-Za-z0-9]+)`").FindAllStringSubmatch(readPage(t, "docs/decisions.md"), -1)
	if len(named) == 0 {
		t.Error("the decisions name no test")
	}
	for _, name := range named {
		if !tests[name[1]] {
			t.Errorf("docs/decisions.md names %s, and there is no such test", name[1])
		}
	}
}

// Every function, type and method that the architecture page names is declared somewhere.
func TestPagesNameCodeThatExists(t *testing.T) {
	declared := map[string]bool{}
	declaration := regexp.MustCompile(`(?m)^(?:func (?:\([^)]*\) )?|type |\t?var |\t)([A-Za-z]+)\b`)
	err := filepath.WalkDir(moduleRoot, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		data, err := os.ReadFile(name)
		for _, match := range declaration.FindAllSubmatch(data, -1) {
			declared[string(match[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	page := fenced.ReplaceAllString(readPage(t, "docs/architecture.md"), "")
	for _, quoted := range regexp.MustCompile("`(?:[A-Za-z]+\\.)?([A-Za-z]*[A-Z][A-Za-z]*)`").FindAllStringSubmatch(page, -1) {
		if !declared[quoted[1]] {
			t.Errorf("docs/architecture.md names %s, and nothing is declared by that name", quoted[0])
		}
	}
}
