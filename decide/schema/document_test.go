package schema

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the tables of docs/schema-subset.md")

// The published profile and the code are one: each table of the page is made from the code's own.
func TestPublishedTables(t *testing.T) {
	const path = "../../docs/schema-subset.md"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for name, table := range map[string]string{
		"keywords": keywordTable(), "refused": refusedTable(), "formats": formatTable(), "limits": limitTable(), "values": valueTable(),
	} {
		begin, end := "<!-- table: "+name+" -->\n", "<!-- end: "+name+" -->"
		_, rest, ok := strings.Cut(page, begin)
		got, _, ended := strings.Cut(rest, end)
		if !ok || !ended {
			t.Errorf("the page has no table %q", name)
			continue
		}
		if got == table {
			continue
		}
		if !*update {
			t.Errorf("table %q differs from the code; run with -update\nwant:\n%s\ngot:\n%s", name, table, got)
			continue
		}
		page = strings.Replace(page, begin+got+end, begin+table+end, 1)
	}
	if *update {
		if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func keywordTable() string {
	out := "| keyword | value | part of |\n| --- | --- | --- |\n"
	for _, k := range supported {
		out += fmt.Sprintf("| `%s` | %s | %s |\n", k.name, shapeText(k), [...]string{
			asserts: "the verdict", declares: "references", annotates: "the text a model sees", stripped: "nothing: stripped",
		}[k.effect])
	}
	return out
}

func shapeText(k keyword) string {
	switch k.shape {
	case shapeType:
		return "one of " + strings.Join(kindNames[:], ", ") + ", or a list of distinct ones"
	case shapeEnum:
		return fmt.Sprintf("a list of 1 to %d distinct values", MaxEnum)
	case shapeAny:
		return "any value"
	case shapeSchema:
		return "a schema"
	case shapeSchemaMap:
		return fmt.Sprintf("schemas by name of 1 to %d characters", MaxPropertyName)
	case shapeSchemaList:
		return fmt.Sprintf("a list of 1 to %d schemas", MaxBranches)
	case shapeRequired:
		return "a list of distinct names"
	case shapeCount:
		return "an integer from 0 to 2^53-1; 2.0 is one"
	case shapeNumber:
		return "a number"
	case shapePositive:
		return "a number greater than 0"
	case shapeBoolean:
		return "true or false"
	case shapePattern:
		return "a regular expression, see below"
	case shapeFormat:
		return "one of the formats below"
	case shapeReference:
		return "`#/` and a JSON pointer"
	case shapeDescription:
		return fmt.Sprintf("a text of at most %d characters", MaxDescription)
	case shapeTitle:
		return fmt.Sprintf("a text of at most %d characters", MaxTitle)
	case shapeList:
		return "a list"
	}
	return "anything"
}

func refusedTable() string {
	out := "| keyword | instead |\n| --- | --- |\n"
	for _, r := range refused {
		out += fmt.Sprintf("| `%s` | %s |\n", r.name, r.rewrite)
	}
	return out
}

func formatTable() string {
	out := "| format | rule |\n| --- | --- |\n"
	for _, f := range formats {
		rule := f.rule
		if !f.asserted() {
			rule = "none: accepted without effect"
		}
		out += fmt.Sprintf("| `%s` | %s |\n", f.name, rule)
	}
	return out
}

func limitTable() string {
	return limitRows([]limitRow{
		{"bytes, compact and stripped", MaxSchemaBytes}, {"nesting of schemas; the root is 0", MaxNesting},
		{"subschemas, the root included", MaxSubschemas}, {"references", MaxReferences},
		{"subschemas after following references from the root", MaxExpanded}, {"properties of one object", MaxProperties},
		{"properties in all", MaxPropertiesTotal}, {"branches of one `anyOf`, `oneOf` or `allOf`; entries of `prefixItems`", MaxBranches},
		{"branches in all", MaxBranchesTotal}, {"values of one `enum`", MaxEnum}, {"bytes of one `enum`", MaxEnumBytes},
		{"patterns", MaxPatterns}, {"bytes of one pattern", MaxPatternBytes},
		{"matching steps of one pattern, repetitions multiplied out", MaxPatternSize}, {"matching steps of all patterns", MaxPatternTotal},
		{"characters of a `description`", MaxDescription}, {"characters of a `title`", MaxTitle},
		{"characters of a property's name", MaxPropertyName},
	})
}

func valueTable() string {
	return limitRows([]limitRow{
		{"depth of arrays and objects", MaxValueDepth}, {"bytes of arguments, compact", MaxValueBytes}, {"values in arguments", MaxValueNodes},
		{"bytes of a result or of inputs, compact", MaxOtherValueBytes}, {"values in a result or in inputs", MaxOtherValueNodes},
		{"steps of one evaluation", MaxSteps}, {"violations told of one value", MaxViolations},
	})
}

type limitRow struct {
	name string
	most int
}

func limitRows(rows []limitRow) string {
	out := "| what | at most |\n| --- | ---: |\n"
	for _, row := range rows {
		out += fmt.Sprintf("| %s | %d |\n", row.name, row.most)
	}
	return out
}

// The tables are searched by bisection.
func TestTablesAreSorted(t *testing.T) {
	for i := 1; i < len(supported); i++ {
		if supported[i-1].name >= supported[i].name {
			t.Errorf("supported: %s", supported[i].name)
		}
	}
	for i := 1; i < len(refused); i++ {
		if refused[i-1].name >= refused[i].name {
			t.Errorf("refused: %s", refused[i].name)
		}
	}
	for i := 1; i < len(formats); i++ {
		if formats[i-1].name >= formats[i].name {
			t.Errorf("formats: %s", formats[i].name)
		}
	}
	for _, r := range refused {
		if _, both := findKeyword(r.name); both {
			t.Errorf("%s is supported and refused", r.name)
		}
	}
}
