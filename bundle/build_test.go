package bundle_test

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// update writes golden files anew.
var update = flag.Bool("update", false, "write golden files anew")

// noTests is a tests.json without tests.
const noTests = `{"schema":"seif.tests.v1","tests":{}}`

func blobOf(data string) definition.Blob {
	return definition.Blob{Digest: digest.Of([]byte(data)), Size: int64(len(data))}
}

// define is a definition without tools over the given texts.
func define(t testing.TB, texts map[string]string, tests string) []byte {
	t.Helper()
	def := &definition.Definition{
		Version: definition.V1, Project: "shop", Estimator: "seif-est/1",
		Sources:  map[string]definition.Source{},
		Profiles: map[string]definition.Profile{"customer": {BudgetTokens: 1000}},
		Tests:    blobOf(tests),
	}
	profile := def.Profiles["customer"]
	for _, id := range slices.Sorted(maps.Keys(texts)) {
		def.Sources[id] = definition.Source{Blob: blobOf(texts[id])}
		profile.Context = append(profile.Context, definition.ContextEntry{Source: id})
	}
	def.Profiles["customer"] = profile
	out, err := def.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// defineTools is a definition with one tool.
func defineTools(t testing.TB) []byte {
	t.Helper()
	contract := definition.Contract{
		ID: "orders.find", Version: "1.0.0", Description: "Find orders.", Effect: definition.Read,
		Schema: map[string]any{"type": "object", "properties": map[string]any{"n": map[string]any{"type": "number", "maximum": json.Number("1000")}}},
	}.Normalized()
	fingerprint, err := contract.Fingerprint()
	if err != nil {
		t.Fatal(err)
	}
	def := &definition.Definition{
		Version: definition.V2, Project: "shop", Estimator: "seif-est/1", ToolSchemaProfile: definition.ToolSchemaProfile,
		Tools: map[string]definition.Tool{"orders.find": {Contract: contract, Fingerprint: fingerprint}},
		Profiles: map[string]definition.Profile{"customer": {
			BudgetTokens: 1000, Include: map[string]definition.Inclusion{"orders.find": {}},
		}},
		Tests: blobOf(noTests),
	}
	out, err := def.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func shopTexts() map[string]string {
	return map[string]string{"returns": "Returns are free for 30 days.\n", "tone": "Be kind.\n"}
}

func assemble(t testing.TB, def []byte, texts map[string]string, tests string, corpus []byte) *bundle.Build {
	t.Helper()
	b, problems := bundle.Assemble(def, texts, []byte(tests), corpus)
	if len(problems) > 0 {
		t.Fatalf("not a Build: %v", problems)
	}
	return b
}

// shop is a small Build with two texts.
func shop(t testing.TB) *bundle.Build {
	t.Helper()
	return assemble(t, define(t, shopTexts(), noTests), shopTexts(), noTests, nil)
}

func toolBuild(t testing.TB) *bundle.Build {
	t.Helper()
	return assemble(t, defineTools(t), map[string]string{}, noTests, nil)
}

func tarOf(t testing.TB, b *bundle.Build) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := bundle.WriteTar(&out, b); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// filesOf unpacks a Build with the standard library's reader, so that our writer has an independent judge.
func filesOf(t testing.TB, b *bundle.Build) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for r := tar.NewReader(bytes.NewReader(tarOf(t, b))); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[h.Name] = data
	}
}

// pack makes an archive with the standard library's writer.
func pack(t testing.TB, files map[string][]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		h := &tar.Header{Name: name, Mode: 0o600, Size: int64(len(files[name])), Typeflag: tar.TypeReg, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(files[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func blobName(data []byte) string { return "blobs/sha256/" + digest.Of(data).Hex() }

func jsonOf(t testing.TB, value any) []byte {
	t.Helper()
	out, err := canonical.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func sizeOf(data []byte) json.Number { return json.Number(strconv.Itoa(len(data))) }

// indexOf lists manifests as tools do that keep the required members alone.
func indexOf(t testing.TB, manifests ...[]byte) []byte {
	t.Helper()
	list := []any{}
	for _, m := range manifests {
		list = append(list, map[string]any{
			"mediaType": bundle.ManifestMediaType, "digest": digest.Of(m).String(), "size": sizeOf(m),
		})
	}
	return jsonOf(t, map[string]any{"schemaVersion": json.Number("2"), "manifests": list})
}

// forge replaces a Build's manifest by what change makes of it, with names and index to match: what somebody does
// who can write everything but a signature.
func forge(t testing.TB, b *bundle.Build, change func(files map[string][]byte, manifest map[string]any)) map[string][]byte {
	t.Helper()
	files := filesOf(t, b)
	delete(files, blobName(b.Manifest()))
	value, err := canonical.Parse(b.Manifest(), canonical.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	change(files, value.(map[string]any))
	forged := jsonOf(t, value)
	files[blobName(forged)] = forged
	files["index.json"] = indexOf(t, forged)
	return files
}

// layerAt is the layer of that position.
func layerAt(manifest map[string]any, i int) map[string]any {
	return manifest["layers"].([]any)[i].(map[string]any)
}

func setBlob(descriptor map[string]any, data []byte) {
	descriptor["digest"], descriptor["size"] = digest.Of(data).String(), sizeOf(data)
}

func setTitle(layer map[string]any, title string) {
	layer["annotations"] = map[string]any{bundle.TitleAnnotation: title}
}

// setDefinition gives a forged manifest another definition.
func setDefinition(files map[string][]byte, manifest map[string]any, def []byte) {
	config := manifest["config"].(map[string]any)
	for name := range files {
		if name == "blobs/sha256/"+config["digest"].(string)[len("sha256:"):] {
			delete(files, name)
		}
	}
	files[blobName(def)] = def
	setBlob(config, def)
}

func read(t testing.TB, archive []byte, opts bundle.ReadOptions) (*bundle.Build, error) {
	t.Helper()
	return bundle.ReadTar(context.Background(), bytes.NewReader(archive), opts)
}

// codesOf are the codes of an error of content, in order and without repetitions.
func codesOf(t testing.TB, err error) []diag.Code {
	t.Helper()
	var invalid *bundle.Invalid
	if !errors.As(err, &invalid) {
		t.Fatalf("not an error of content: %v", err)
	}
	return codes(invalid.Problems)
}

func codes(problems []diag.Problem) []diag.Code {
	var out []diag.Code
	for _, p := range problems {
		if !slices.Contains(out, p.Code) {
			out = append(out, p.Code)
		}
	}
	return out
}

// refused makes sure that an archive is refused for exactly these reasons.
func refused(t testing.TB, archive []byte, want ...diag.Code) {
	t.Helper()
	b, err := read(t, archive, bundle.ReadOptions{})
	if b != nil {
		t.Fatalf("accepted as %s; want %v", b.Digest(), want)
	}
	if d := cmp.Diff(want, codesOf(t, err)); d != "" {
		t.Errorf("codes (-want +got):\n%s\n%v", d, err.(*bundle.Invalid).Problems)
	}
}

func TestAssemble(t *testing.T) {
	b := shop(t)
	if b.Digest() != digest.Of(b.Manifest()) || b.DefinitionDigest() != digest.Of(b.DefinitionBytes()) {
		t.Error("a digest is not the one of its bytes")
	}
	if d := cmp.Diff(shopTexts(), b.Texts()); d != "" {
		t.Error(d)
	}
	if string(b.Tests()) != noTests || b.Corpus() != nil || b.Definition().Project != "shop" {
		t.Error("content differs")
	}
	withCorpus := assemble(t, b.DefinitionBytes(), shopTexts(), noTests, []byte(`{"schema":"seif.corpus.v1"}`))
	if withCorpus.Digest() == b.Digest() || withCorpus.DefinitionDigest() != b.DefinitionDigest() {
		t.Error("lineage changes the Build and not the definition")
	}
}

// A Build cannot be changed through what went into it or came out of it.
func TestBuildIsImmutable(t *testing.T) {
	texts := map[string][]byte{"tone": []byte("Be kind.\n")}
	def, tests := define(t, map[string]string{"tone": "Be kind.\n"}, noTests), []byte(noTests)
	b, problems := bundle.Assemble(def, texts, tests, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	before := tarOf(t, b)
	def[5], tests[3], texts["tone"][0] = 'X', 'X', 'X'
	b.Manifest()[3], b.Tests()[3], b.DefinitionBytes()[3] = 'X', 'X', 'X'
	b.Texts()["tone"] = "X"
	if !bytes.Equal(before, tarOf(t, b)) {
		t.Error("the Build changed")
	}
}

func TestAssembleRefuses(t *testing.T) {
	def := define(t, shopTexts(), noTests)
	one := func(text string) ([]byte, map[string]string) {
		texts := map[string]string{"tone": text}
		return define(t, texts, noTests), texts
	}
	for _, c := range []struct {
		name  string
		with  func() (def []byte, texts map[string]string, tests, corpus []byte)
		codes []diag.Code
		at    string
	}{
		{"a text is missing", func() ([]byte, map[string]string, []byte, []byte) {
			return def, map[string]string{"tone": "Be kind.\n"}, []byte(noTests), nil
		}, []diag.Code{diag.CodeLayerMissing}, "/sources/returns"},
		{"a text too many", func() ([]byte, map[string]string, []byte, []byte) {
			texts := shopTexts()
			texts["more"] = "More.\n"
			return def, texts, []byte(noTests), nil
		}, []diag.Code{diag.CodeLayerUnexpected}, "/sources"},
		{"another text", func() ([]byte, map[string]string, []byte, []byte) {
			texts := shopTexts()
			texts["tone"] = "Be rude.\n"
			return def, texts, []byte(noTests), nil
		}, []diag.Code{diag.CodeLayerDiffers}, "/sources/tone/digest"},
		{"other tests", func() ([]byte, map[string]string, []byte, []byte) {
			return def, shopTexts(), []byte(`{"schema":"seif.tests.v1","tests":{"a":{}}}`), nil
		}, []diag.Code{diag.CodeLayerDiffers}, "/tests/digest"},
		{"tests are not canonical", func() ([]byte, map[string]string, []byte, []byte) {
			tests := `{"tests":{}, "schema":"seif.tests.v1"}`
			return define(t, nil, tests), nil, []byte(tests), nil
		}, []diag.Code{diag.CodeBuildJSONForm}, "/tests"},
		{"the corpus is not JSON", func() ([]byte, map[string]string, []byte, []byte) {
			return def, shopTexts(), []byte(noTests), []byte{}
		}, []diag.Code{diag.CodeBuildJSONSyntax}, ""},
		{"CRLF", func() ([]byte, map[string]string, []byte, []byte) {
			def, texts := one("a\r\nb\n")
			return def, texts, []byte(noTests), nil
		}, []diag.Code{diag.CodeLayerText}, "/sources/tone"},
		{"byte order mark", func() ([]byte, map[string]string, []byte, []byte) {
			def, texts := one("\ufeffa\n")
			return def, texts, []byte(noTests), nil
		}, []diag.Code{diag.CodeLayerText}, "/sources/tone"},
		{"empty text", func() ([]byte, map[string]string, []byte, []byte) {
			def, texts := one("")
			return def, texts, []byte(noTests), nil
		}, []diag.Code{diag.CodeLayerText}, "/sources/tone"},
		{"not UTF-8", func() ([]byte, map[string]string, []byte, []byte) {
			def, texts := one("a\xffb")
			return def, texts, []byte(noTests), nil
		}, []diag.Code{diag.CodeLayerText}, "/sources/tone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			def, texts, tests, corpus := c.with()
			b, problems := bundle.Assemble(def, texts, tests, corpus)
			if b != nil {
				t.Fatal("accepted")
			}
			if d := cmp.Diff(c.codes, codes(problems)); d != "" {
				t.Fatal(d)
			}
			if got := problems[0].Target.Pointer; got != c.at {
				t.Errorf("pointer %q, want %q", got, c.at)
			}
		})
	}
}

// What cannot be read back cannot be made. R66
func TestAssembleKeepsLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some hundred megabytes")
	}
	big := string(bytes.Repeat([]byte("a"), bundle.MaxBlob+1))
	_, problems := bundle.Assemble(define(t, map[string]string{"big": big}, noTests), map[string]string{"big": big}, []byte(noTests), nil)
	if d := cmp.Diff([]diag.Code{diag.CodeLayerTooLarge}, codes(problems)); d != "" {
		t.Error(d)
	}
}
