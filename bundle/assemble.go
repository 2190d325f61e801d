package bundle

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// content is all that a manifest names.
type content struct {
	definition []byte
	texts      map[string][]byte // by source id
	tests      []byte
	corpus     []byte // nil if there is none

	digests map[string]digest.Digest // of every layer by title, computed once by seal
}

// layers is the content of every layer by title.
func (c content) layers() map[string][]byte {
	files := make(map[string][]byte, len(c.texts)+2)
	for id, text := range c.texts {
		files[SourcePrefix+id] = text
	}
	files[TestsTitle] = c.tests
	if c.corpus != nil {
		files[CorpusTitle] = c.corpus
	}
	return files
}

// Assemble makes a Build of a canonical definition, the normalised texts of its file sources by id, tests.json and
// corpus.json, which is nil if the Build has none. The arguments are copied. Everything is judged as if it had been
// read from a stranger; the problems' pointers lead into the definition. There is no Build if there is a problem.
func Assemble[Text ~string | ~[]byte](def []byte, texts map[string]Text, tests, corpus []byte) (*Build, []diag.Problem) {
	c := content{
		definition: bytes.Clone(def),
		texts:      make(map[string][]byte, len(texts)),
		tests:      bytes.Clone(tests),
		corpus:     bytes.Clone(corpus),
	}
	for id, text := range texts {
		c.texts[id] = append(make([]byte, 0, len(text)), text...)
	}
	return c.seal()
}

// seal judges the content as a whole and gives it its manifest.
func (c content) seal() (*Build, []diag.Problem) {
	if problems := c.checkNames(); len(problems) > 0 {
		return nil, problems
	}
	c.digests = map[string]digest.Digest{}
	for title, data := range c.layers() {
		c.digests[title] = digest.Of(data)
	}
	def, problems := decodeDefinition(c.definition)
	if len(problems) > 0 {
		return nil, problems
	}
	if problems := append(c.checkFiles(def), c.checkForms()...); len(problems) > 0 {
		return nil, problems
	}
	manifest := manifestOf(def.Version, c)
	encoded, err := manifest.encode()
	if err != nil {
		return nil, []diag.Problem{jsonProblem("the manifest", 0, MaxManifest, err)}
	}
	b := &Build{
		digest:           digest.Of(encoded),
		definitionDigest: manifest.config.digest,
		manifest:         encoded,
		definition:       def,
		content:          c,
	}
	if problems := b.checkSize(); len(problems) > 0 {
		return nil, problems
	}
	return b, nil
}

// decodeDefinition also names the contracts that are known when the definition is one of a later version.
func decodeDefinition(data []byte) (*definition.Definition, []diag.Problem) {
	if len(data) > MaxBlob {
		return nil, []diag.Problem{jsonProblem("the definition", len(data), MaxBlob, &canonical.Error{Kind: canonical.TooLarge})}
	}
	def, problems := definition.Decode(data)
	if len(problems) == 0 {
		return def, nil
	}
	value, err := canonical.Parse(data, canonical.Limits{Bytes: MaxBlob})
	if err != nil {
		return nil, []diag.Problem{jsonProblem("the definition", len(data), MaxBlob, err)}
	}
	if members, ok := value.(map[string]any); ok {
		runtime, ok := members["runtime"].(string)
		if ok && !slices.ContainsFunc(allVersions(), func(v definition.Version) bool { return v.Runtime() == runtime }) {
			return nil, []diag.Problem{unknownRuntime("/runtime", runtime, allVersions())}
		}
	}
	return nil, problems
}

func allVersions() []definition.Version { return []definition.Version{definition.V1, definition.V2} }

func unknownRuntime(pointer, found string, known []definition.Version) diag.Problem {
	names := make([]string, 0, len(known))
	for _, v := range known {
		names = append(names, v.Runtime())
	}
	list := strings.Join(names, ", ")
	if list == "" {
		list = "none"
	}
	return diag.New(diag.CodeUnknownRuntime, pointer, "found", shown(found), "known", list)
}

// checkNames applies the rule of titles to every source.
func (c content) checkNames() []diag.Problem {
	var problems []diag.Problem
	folded := map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(c.texts)) {
		title := SourcePrefix + id
		pointer := canonical.JoinPointer("/sources", id)
		if p, ok := checkName("title", title); !ok {
			problems = append(problems, p.Under(pointer).AtKey())
			continue
		}
		if layerMediaType(title) == "" {
			problems = append(problems, diag.New(diag.CodeLayerTitleUnknown, pointer, "title", title).AtKey())
			continue
		}
		key := foldName(title)
		if other, taken := folded[key]; taken {
			problems = append(problems, diag.New(diag.CodeLayerTitleClash, pointer, "title", title, "other", other).AtKey())
			continue
		}
		folded[key] = title
	}
	return problems
}

// checkFiles holds the files that the definition names against the content, one by one in both directions.
func (c content) checkFiles(def *definition.Definition) []diag.Problem {
	named := map[string]definition.Blob{}
	pointers := map[string]string{}
	for id, source := range def.Sources {
		if source.Input == "" {
			named[SourcePrefix+id] = source.Blob
			pointers[SourcePrefix+id] = canonical.JoinPointer("/sources", id)
		}
	}
	named[TestsTitle], pointers[TestsTitle] = def.Tests, "/tests"

	var problems []diag.Problem
	files := c.layers()
	for _, title := range slices.Sorted(maps.Keys(named)) {
		data, present := files[title]
		if !present {
			problems = append(problems, diag.New(diag.CodeLayerMissing, pointers[title], "title", title))
			continue
		}
		problems = append(problems, compareFile(title, pointers[title], named[title], definition.Blob{Digest: c.digests[title], Size: int64(len(data))})...)
	}
	for _, title := range slices.Sorted(maps.Keys(files)) {
		if _, ok := named[title]; !ok && title != CorpusTitle {
			problems = append(problems, diag.New(diag.CodeLayerUnexpected, "/sources", "title", title))
		}
	}
	return problems
}

func compareFile(title, pointer string, stated, found definition.Blob) []diag.Problem {
	switch {
	case found.Digest != stated.Digest:
		return []diag.Problem{diag.New(diag.CodeLayerDiffers, pointer+"/digest",
			"title", title, "expected", stated.Digest.String(), "found", found.Digest.String())}
	case found.Size != stated.Size:
		return []diag.Problem{diag.New(diag.CodeLayerDiffers, pointer+"/size", "title", title,
			"expected", strconv.FormatInt(stated.Size, 10)+" bytes", "found", strconv.FormatInt(found.Size, 10)+" bytes")}
	}
	return nil
}

// checkForms makes sure that every layer is in the one form of its kind.
func (c content) checkForms() []diag.Problem {
	var problems []diag.Problem
	for _, id := range slices.Sorted(maps.Keys(c.texts)) {
		title, pointer := SourcePrefix+id, canonical.JoinPointer("/sources", id)
		if p, ok := checkLength(title, pointer, c.texts[id]); !ok {
			problems = append(problems, p)
			continue
		}
		normal, found := definition.NormalizeText(c.texts[id])
		if len(found) > 0 || string(normal) != string(c.texts[id]) {
			problems = append(problems, diag.New(diag.CodeLayerText, pointer, "title", title))
		}
	}
	problems = append(problems, checkJSONLayer(TestsTitle, "/tests", c.tests)...)
	if c.corpus != nil {
		problems = append(problems, checkJSONLayer(CorpusTitle, "", c.corpus)...)
	}
	return problems
}

func checkLength(title, pointer string, data []byte) (diag.Problem, bool) {
	if len(data) <= MaxBlob {
		return diag.Problem{}, true
	}
	return diag.New(diag.CodeLayerTooLarge, pointer,
		"title", title, "found", strconv.Itoa(len(data)), "limit", strconv.Itoa(MaxBlob)), false
}

func checkJSONLayer(title, pointer string, data []byte) []diag.Problem {
	err := canonical.IsCanonical(data, canonical.Limits{Bytes: MaxBlob})
	if err == nil {
		return nil
	}
	p := jsonProblem(title, len(data), MaxBlob, err)
	p.Target.Pointer = pointer
	return []diag.Problem{p}
}

// checkSize makes sure that what is written can be read.
func (b *Build) checkSize() []diag.Problem {
	if len(b.manifest) > MaxManifest {
		return []diag.Problem{jsonProblem("the manifest", len(b.manifest), MaxManifest, &canonical.Error{Kind: canonical.TooLarge})}
	}
	entries := (&Layout{Build: b}).entries()
	total := int64(0)
	for _, e := range entries {
		total += int64(len(e.data))
	}
	if total > MaxBuild {
		return []diag.Problem{diag.New(diag.CodeBuildTooLarge, "", "limit", strconv.Itoa(MaxBuild))}
	}
	if len(entries) > MaxEntries {
		return []diag.Problem{diag.New(diag.CodeBuildTooManyEntries, "", "limit", strconv.Itoa(MaxEntries))}
	}
	return nil
}
