package main

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/seif-dev/seifc/compiler"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/document"
	"github.com/seif-dev/seifc/testsuite"
)

// project is a Project in memory, by file name.
type project map[string]string

func example(t *testing.T, name string) project {
	t.Helper()
	out := project{}
	files := os.DirFS(path.Join(moduleRoot, "examples", name))
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() && entry.Name() == "build" {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		out[name] = string(data)
		return err
	})
	if err != nil || len(out) < 5 {
		t.Fatalf("%d files, %v", len(out), err)
	}
	return out
}

func (p project) with(file, before, after string) project {
	out := maps.Clone(p)
	out[file] = strings.Replace(p[file], before, after, 1)
	return out
}

func (p project) compile(t *testing.T) *compiler.Result {
	t.Helper()
	files := fstest.MapFS{}
	for name, data := range p {
		files[name] = &fstest.MapFile{Data: []byte(data)}
	}
	result, err := compiler.Compile(context.Background(), compiler.Tree{Files: files, Project: compiler.ProjectFile})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// digests gives what the Project is built to, or not.
func (p project) digests(t *testing.T) (build, def digest.Digest, ok bool) {
	t.Helper()
	result := p.compile(t)
	if diag.HasErrors(result.Findings) {
		return build, def, false
	}
	report, err := result.Run(context.Background(), testsuite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sealed, findings, err := result.Seal()
	if err != nil {
		t.Fatal(err)
	}
	if report.Failed() > 0 || diag.HasErrors(findings) {
		return build, def, false
	}
	return sealed.Digest(), sealed.DefinitionDigest(), true
}

func errorCodes(result *compiler.Result) []diag.Code {
	var out []diag.Code
	for _, d := range result.Findings {
		if d.Severity == diag.Error {
			out = append(out, d.Code)
		}
	}
	return out
}

// One changed character of anything that a tool promises, with its pin left alone, fails and names both fingerprints.
// R68
func TestOneCharacterOfAContract(t *testing.T) {
	p := example(t, "estuda")
	if _, _, ok := p.digests(t); !ok {
		t.Fatalf("the example does not build: %v", errorCodes(p.compile(t)))
	}
	const file = "tools/reviews.yaml"
	for what, change := range map[string][2]string{
		"description":       {"Schedule a review of a lesson.", "Schedule a review of a lessen."},
		"version":           {"version: 1.3.0", "version: 1.3.1"},
		"schema keyword":    {"maximum: 240", "maximum: 241"},
		"schema property":   {"minutes: {", "minutez: {"},
		"schema required":   {"required: [student_id, lesson_id, day]", "required: [student_id, lesson_id]"},
		"closed schema":     {"      additionalProperties: false\n      required: [student_id, lesson_id, day]", "      additionalProperties: {}\n      required: [student_id, lesson_id, day]"},
		"result":            {"required: [review_id]\n      properties:\n        review_id: {type: string, maxLength: 40}", "required: [review_id]\n      properties:\n        review_id: {type: string, maxLength: 41}"},
		"timeout":           {"timeout_ms: 5000", "timeout_ms: 5001"},
		"call limit":        {"call_limit: 3", "call_limit: 4"},
		"name":              {"    call_limit: 3\n", "    call_limit: 3\n    name: review_schedulf\n"},
		"effect":            {"description: Cancel a planned review.\n    effect: write", "description: Cancel a planned review.\n    effect: read"},
		"approval":          {"effect: read\n    timeout_ms: 3000", "effect: read\n    approval: operator\n    timeout_ms: 3000"},
		"a shared schema":   {"student_id: {type: string, maxLength: 40, pattern: \"^[a-z0-9-]+$\"}", "student_id: {type: string, maxLength: 41, pattern: \"^[a-z0-9-]+$\"}"},
		"the Project's pin": {"", ""},
	} {
		changed := p.with(file, change[0], change[1])
		if what == "the Project's pin" {
			changed = p.with("seif.yaml", "review.cancel: sha256:3", "review.cancel: sha256:4")
		}
		result := changed.compile(t)
		codes := errorCodes(result)
		if len(codes) == 0 || slices.ContainsFunc(codes, func(c diag.Code) bool { return c != diag.CodeUnknownFingerprint }) {
			t.Errorf("%s: the codes are %v", what, codes)
			continue
		}
		d := result.Findings[slices.IndexFunc(result.Findings, func(d diag.Diagnostic) bool { return d.Code == diag.CodeUnknownFingerprint })]
		if pinned, current := d.Data["pinned"], d.Data["current"]; pinned == current || len(pinned) != 71 || len(current) != 71 ||
			!strings.Contains(d.Message(), pinned) || !strings.Contains(d.Message(), current) || d.Place.Start.Line == 0 {
			t.Errorf("%s: %s at %+v", what, d.Message(), d.Place)
		}
	}
}

// What a pin says does not depend on what is published after it: a Project pinned to a revision is the same Build. R70
func TestPublishingChangesNoBuild(t *testing.T) {
	p := example(t, "estuda")
	before, _, _ := p.digests(t)
	const file = "tools/reviews.yaml"
	_, entry, _ := strings.Cut(p[file], "  review.cancel:\n") // the last one in the file
	published := p.with(file, "description: Cancel a planned review.", "description: Cancel a review that is planned.")
	revision := "\nrevisions:\n  review.cancel:\n    - status: active\n"
	for _, line := range strings.Split(strings.TrimRight(entry, "\n"), "\n") {
		revision += "  " + line + "\n"
	}
	published[file] += revision
	after, _, ok := published.digests(t)
	if !ok || after != before {
		t.Errorf("%v, codes %v\n%s", ok, errorCodes(published.compile(t)), published[file])
	}
}

// Every way in which a reference can fail has a code of its own, and with a catalogue that is empty or cannot be read it
// is still about the reference. R71 R72 R73
func TestReferencesFailByTheirOwnCodes(t *testing.T) {
	p := example(t, "estuda")
	pin := func(after string) project {
		return p.with("seif.yaml", "  review.cancel: sha256:3d32686b39675371d4daab09e0bf070f01a3c04cfb8bca6999b51a7f551ebfa3", "  review.cancel: "+after)
	}
	const zero = "sha256:0000000000000000000000000000000000000000000000000000000000000000"
	empty := "schema: seif.tool-catalogue.v1\nname: estuda-reviews\n"
	shared := `{$ref: "tool_contract:student.query", fingerprint: sha256:d572eb82286eed044206c7e507fa6e0c543cfbd5715e3adc7d212e647d6c0ec0}`
	without := maps.Clone(p)
	delete(without, compiler.LockFile)
	for what, c := range map[string]struct {
		project project
		want    diag.Code
	}{
		"unknown name":         {p.with("seif.yaml", "  review.list: sha256", "  review.lost: sha256").with("seif.yaml", "- review.list\n", "- review.lost\n"), diag.CodeUnknownName},
		"unknown fingerprint":  {pin(zero), diag.CodeUnknownFingerprint},
		"missing pin":          {pin(""), diag.CodePinMissing},
		"malformed pin":        {pin("sha256:abc"), diag.CodePinMalformed},
		"upper case":           {pin(strings.ToUpper(zero[:10]) + zero[10:]), diag.CodePinMalformed},
		"content mismatch":     {p.with("tools/reviews.yaml", "  review.cancel:\n", "  review.cancel:\n    fingerprint: "+zero+"\n"), diag.CodeFingerprintMismatch},
		"catalogue not listed": {p.with("seif.yaml", "[tools/*.yaml]", "[tools/courses.yaml]"), diag.CodeCatalogueNotListed},
		"empty catalogue":      {project{}, diag.CodeMissingField},
		"extra key":            {p.with("tools/reviews.yaml", shared, strings.TrimSuffix(shared, "}")+", title: x}"), diag.CodeUnknownField},
		"nested":               {p.with("tools/reviews.yaml", "        student_id: {type: string, maxLength: 40}\n        lesson_id", "        student_id: "+shared+"\n        lesson_id"), diag.CodeSchemaReferenceRemote},
		"reference of another": {p.with("seif.yaml", `$ref: "tool_contract:course.show"`, `$ref: "catalogue:course.show"`), diag.CodeReferenceForm},
	} {
		if what == "empty catalogue" {
			c.project = maps.Clone(p)
			c.project["tools/reviews.yaml"] = empty
		}
		codes := errorCodes(c.project.compile(t))
		if !slices.Contains(codes, c.want) {
			t.Errorf("%s: the codes are %v, want %s", what, codes, c.want)
		}
		for _, code := range codes {
			if entry, _ := diag.Lookup(string(code)); entry.Room == "decide/schema" && what != "nested" {
				t.Errorf("%s: %s blames a schema", what, code)
			}
		}
	}
}

// sameMeaning tells whether a byte may leave the Build as it is: it stands in the lock, in a comment or in how something
// is spelled, in a field that is no part of the definition, in a contract that nobody pins, or in a catalogue's name,
// which only the lock holds.
func sameMeaning(name, before, after string) bool {
	if name == compiler.LockFile {
		return true
	}
	if path.Ext(name) != ".yaml" {
		return false
	}
	was, _ := document.Parse(name, []byte(before))
	is, _ := document.Parse(name, []byte(after))
	return canonical.Equal(meaningOf(was), meaningOf(is))
}

// unpinned are the contracts of the example that no pin names as they are now.
var unpinned = []string{"course.show"}

func meaningOf(file *document.File) canonical.Value {
	value := withoutNotes(file.Value(file.Root))
	members, _ := value.(map[string]any)
	if members["schema"] != "seif.tool-catalogue.v1" {
		return value
	}
	delete(members, "name")
	if contracts, ok := members["tool_contracts"].(map[string]any); ok {
		for _, id := range unpinned {
			delete(contracts, id)
		}
	}
	return value
}

func withoutNotes(value canonical.Value) canonical.Value {
	switch v := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, member := range v {
			if name != "status" && name != "claims" && name != "effect_reason" {
				out[name] = withoutNotes(member)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = withoutNotes(item)
		}
		return out
	}
	return value
}

// A flipped bit anywhere in what is read changes the definition, or fails, or stands where it says nothing. R77
func TestEveryByteCounts(t *testing.T) {
	p := example(t, "estuda")
	_, want, ok := p.digests(t)
	if !ok {
		t.Fatal("the example does not build")
	}
	step := 29
	if testing.Short() {
		step = 211
	}
	changed, refused, silent := 0, 0, 0
	for _, name := range slices.Sorted(maps.Keys(p)) {
		text := p[name]
		for at := len(name) % step; at < len(text); at += step {
			flipped := []byte(text)
			flipped[at] ^= 1
			other := maps.Clone(p)
			other[name] = string(flipped)
			_, def, ok := other.digests(t)
			switch {
			case !ok:
				refused++
			case def != want:
				changed++
			case sameMeaning(name, text, string(flipped)):
				silent++
			default:
				t.Errorf("%s: byte %d (%q in %q) may be flipped unseen", name, at, text[at], text[max(0, at-20):min(len(text), at+20)])
			}
		}
	}
	t.Logf("%d flips change the definition, %d fail, %d say nothing", changed, refused, silent)
	if changed == 0 || refused == 0 {
		t.Error("the flips reach nothing")
	}
}
