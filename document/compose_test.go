package document

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readBothWays reads a text by the composer, and by yaml.v3 and the builder.
func readBothWays(source []byte) (composed *Node, built *File, found int) {
	ways := [2]*reader{}
	for i := range ways {
		r := &reader{file: &File{Path: "a.yaml", Source: source, lines: newLineIndex(source)}}
		ways[i] = r
		from := 0
		if bytes.HasPrefix(source, byteOrderMark) {
			from = len(byteOrderMark)
		}
		if !r.checkBytes(from) {
			return nil, r.file, len(r.found)
		}
		tokens, stop := scanTokens(source, from)
		if stop == scanTooMany || stop == scanTooDeep {
			return nil, r.file, 1
		}
		second := r.checkTokens(tokens)
		if i == 0 && stop == scanDone {
			composed = r.compose(tokens)
		} else if i == 1 {
			r.build(tokens, from, second)
		}
	}
	return composed, ways[1].file, len(ways[1].found)
}

// checkCompose holds the law of the composer.
func checkCompose(t *testing.T, source []byte) (composed bool) {
	t.Helper()
	root, built, found := readBothWays(source)
	if root == nil {
		return false
	}
	if found > 0 || built.Root == nil {
		t.Errorf("composed, but yaml.v3 and the builder have %d findings:\n%s", found, source)
		return true
	}
	all := cmp.Exporter(func(reflect.Type) bool { return true })
	if diff := cmp.Diff(built.Root, root, all); diff != "" {
		t.Errorf("built (-) and composed (+) differ:\n%s\n%s", diff, source)
	}
	return true
}

func TestCompose(t *testing.T) {
	tests := []struct {
		name, source string
		want         bool
	}{
		{"map", "a: b\nc: 1\n", true},
		{"no line end", "a: b", true},
		{"left out", "a:\nb:\n  c:\n", true},
		{"nested", "a:\n  b:\n    c: d\n  e: f\ng: h\n", true},
		{"lists", "a:\n- b\n-\n- - c\n  - d\n- e: f\n  g:\n  - h\ni:\n  - j\n", true},
		{"flow", "a: [b, {c: d, e: [f]}, \"g h\", 'i']\nj: {}\nk: []\nl: [m,]\n", true},
		{"flow lines", "a: [\n  b, # x\n  c\n]\nd: {\n e: f,\n}\n", true},
		{"block scalars", "a: |\n  b\n\n   c\nd: >-\n  e\n  f\ng: |+\n  h\n\n\n", true},
		{"plain lines", "a: b\n  c\n\n  d\ne: f\n", true},
		{"comments", "# x\na: b # y\n  # z\nc:\n# w\n  d: e\n#v\n", true},
		{"quotes", "'a''b': \"c\"\n\"d\": 'e'\n", true},
		{"byte order mark", "\uFEFFa: b\n", true},
		{"mark and text", "é: ü\nß:\n  - ä: ö\n    õ: ô\n", true},
		{"numbers", "a: [1, -1, 1.5, 1e3, 017, 0x1, 1_0, 12:30, 2026-11-02, ~, true, no]\n", true},

		{"anchor", "a: &x b\nc: *x\n", false},
		{"tag", "a: !!str b\n", false},
		{"documents", "---\na: b\n", false},
		{"complex key", "? a\n: b\n", false},
		{"carriage return", "a: b\r\n", false},
		{"tab", "a:\tb\n", false},
		{"escape", "a: \"\\n\"\n", false},
		{"quoted lines", "a: \"b\n  c\"\n", false},
		{"duplicate", "a: b\na: c\n", false},
		{"two maps on a line", "a: b: c\n", false},
		{"list on the line of a key", "a: - b\n", false},
		{"too little indentation", "  a: b\n c: d\n", false},
		{"too much indentation", "a: b\n  c: d\n", false},
		{"list between keys", "a: b\n- c\n", false},
		{"pair in a list", "[a: b]\n", false},
		{"key alone", "{a, b: c}\n", false},
		{"wrong bracket", "[a}\n", false},
		{"open bracket", "[a\n", false},
		{"open quote", "a: \"b\n", false},
		{"too many brackets", "a: [b]]\n", false},
		{"commas", "[a,,b]\n", false},
		{"scalar alone", "a\n", false},
		{"key of another type", "1: a\n", false},
		{"merge key", "<<: a\n", false},
		{"not finite", "a: .inf\n", false},
		{"inexact", "a: 1e400\n", false},
		{"long key", strings.Repeat("a", 1100) + ": b\n", false},
		{"deep", strings.Repeat("[", 49) + strings.Repeat("]", 49), false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := checkCompose(t, []byte(test.source)); got != test.want {
				t.Errorf("composed: %t, want %t", got, test.want)
			}
		})
	}
}

// Every YAML file of this module is read alike both ways, and most take the short one.
func TestComposeFiles(t *testing.T) {
	var all, composed int
	for _, root := range []string{"../examples", "../testdata", "../../shared/cases", "../../shared/format-sample"} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" {
				return err
			}
			source, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			all++
			if checkCompose(t, source) {
				composed++
			}
			return nil
		})
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	if composed*2 < all || composed == 0 {
		t.Errorf("%d of %d files composed", composed, all)
	}
}

// FuzzCompose holds the law of the composer on any text.
func FuzzCompose(f *testing.F) {
	for _, seed := range []string{
		"a: b\nc:\n- d\n- - e\n  - f: g\n    h:\n  -\ni: [j, {k: l}]\n",
		"a: |\n  b\n\n c\nd: >\n e\n\n  f\n g\nh: |-\n\n\n  i\n",
		"# a\nb: # c\n  d: e # f\n  # g\n# h\ni: 'j''k' # l\n",
		"a: b\n c\n\n d\n'e': \"f\"\n? g\n: h\n",
		"{a: b, \"c\": [d, 'e'], f: {g: h}}\n",
		"a: [\n b,\n c: d,\n# e\n]\nf:   1.50\n",
		"- a\n- b: c\n  d: e\n-   - f\n    - g\n-\n  h: i\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, source []byte) { checkCompose(t, source) })
}

// Texts of fragments that matter to YAML come nearer to the edges of its grammar than random bytes do.
func TestComposeFragments(t *testing.T) {
	fragments := []string{
		"a", "b", "a: ", "b:", ": ", ":", "- ", "-", "\n", "\n", "\n  ", "\n ", "\n    ", " ", "  ", "[", "]", "{", "}", ",", ", ",
		"#", " # c", "'", "\"", "'a'", "\"b\"", "|", ">", "|-\n", ">+\n", "|\n  ", "|2", "?", "? ", "1", "~", ".", "\\", "%", "@", "&", "*a", "---", "...",
	}
	texts := 30_000
	if testing.Short() {
		texts = 3_000
	}
	random := rand.New(rand.NewPCG(1, 2))
	composed := 0
	for range texts {
		var text strings.Builder
		for range 1 + random.IntN(14) {
			text.WriteString(fragments[random.IntN(len(fragments))])
		}
		if checkCompose(t, []byte(text.String())) {
			composed++
		}
	}
	if composed < texts/200 {
		t.Errorf("only %d of %d texts composed", composed, texts)
	}
}
