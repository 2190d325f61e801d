package bench

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// read gives all files of a folder by their path.
func read(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		found[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestWriteIsDeterministic(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	for _, dir := range []string{a, b} {
		if err := Write(dir, Proportional(60)); err != nil {
			t.Fatal(err)
		}
	}
	files := read(t, a)
	if diff := cmp.Diff(files, read(t, b)); diff != "" {
		t.Error(diff)
	}
	// seif.yaml, three catalogues, two files of tests, three sources
	if len(files) != 9 {
		t.Errorf("%d files, want 9", len(files))
	}
}

func TestWriteHasWhatTheSizeSays(t *testing.T) {
	dir := t.TempDir()
	if err := Write(dir, Size{Tools: 130, Tests: 70, Expressions: 40}); err != nil {
		t.Fatal(err)
	}
	files := read(t, dir)
	var all strings.Builder
	for name, text := range files {
		if name != "seif.yaml" {
			all.WriteString(text)
		}
	}
	if got := strings.Count(all.String(), "\n    effect: "); got != 130 {
		t.Errorf("%d tools, want 130", got)
	}
	if got := strings.Count(all.String(), "\n    calls:\n"); got != 70 {
		t.Errorf("%d tests, want 70", got)
	}
	project := files["seif.yaml"]
	if got := strings.Count(project, "    deny: ") + strings.Count(project, ", when: "); got != 40 {
		t.Errorf("%d expressions, want 40", got)
	}
	if got := strings.Count(project, "\n  profile-"); got != 6 {
		t.Errorf("%d profiles, want 6", got)
	}
}

func TestSizesAreThoseOfPublishedTools(t *testing.T) {
	p := &project{random: rand.New(rand.NewPCG(1, 2))}
	var schemas, texts []int
	enums, nested := 0, 0
	const n = 2000
	for i := range n {
		tool := p.newTool(i)
		size := frame
		for _, one := range tool.properties[1:] {
			size += len(one.name) + len(one.schema) + 6
		}
		schemas = append(schemas, size)
		texts = append(texts, len(tool.text))
		var out bytes.Buffer
		tool.result = false
		tool.writeTo(&out)
		if strings.Contains(out.String(), "enum: ") {
			enums++
		}
		if strings.Contains(out.String(), "properties: {") {
			nested++
		}
	}
	within := func(what string, got, low, high int) {
		t.Helper()
		if got < low || got > high {
			t.Errorf("%s: %d, want %d to %d", what, got, low, high)
		}
	}
	slices.Sort(schemas)
	slices.Sort(texts)
	within("median of the schemas", schemas[n/2], 440, 540)
	within("ninth decile of the schemas", schemas[n*9/10], 1200, 1600)
	within("median of the descriptions", texts[n/2], 170, 200)
	within("schemas with an enumeration, in per cent", enums*100/n, 15, 40)
	within("schemas that nest, in per cent", nested*100/n, 10, 30)
}

func TestWriteRefusesSizesThatMakeNoSense(t *testing.T) {
	for _, size := range []Size{{}, {Tools: -1}, {Tools: 100_001}, {Tools: 1, Tests: -1}, {Tools: 1, Expressions: -1}} {
		if err := Write(t.TempDir(), size); err == nil {
			t.Errorf("%+v was written", size)
		}
	}
}
