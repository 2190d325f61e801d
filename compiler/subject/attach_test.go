package subject

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/sign"
)

// vector is a Build of conformance/builds.json.
func vector(t *testing.T, place int, edit func(definition, tests *string, texts map[string]string, corpus **string)) *bundle.Build {
	t.Helper()
	data, err := os.ReadFile("../../conformance/builds.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Builds []struct {
			Definition, Tests string
			Texts             map[string]string
			Corpus            *string
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	one := file.Builds[place]
	if edit != nil {
		edit(&one.Definition, &one.Tests, one.Texts, &one.Corpus)
	}
	var corpus []byte
	if one.Corpus != nil {
		corpus = []byte(*one.Corpus)
	}
	build, problems := bundle.Assemble([]byte(one.Definition), one.Texts, []byte(one.Tests), corpus)
	if build == nil {
		t.Fatal(problems)
	}
	return build
}

// The vectors that the tests use.
const (
	plainVector  = 0
	corpusVector = 2
	toolsVector  = 4
)

func testSigner(t *testing.T, name string) *sign.PrivateKey {
	t.Helper()
	seed := sha256.Sum256([]byte(name))
	key, err := sign.NewPrivateKey(ed25519.NewKeyFromSeed(seed[:]))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func releaseBy(t *testing.T, key *sign.PrivateKey, build *bundle.Build, sequence int64) []byte {
	t.Helper()
	def := build.Definition()
	content, err := sign.Sign(context.Background(), key, sign.Release{
		Project: def.Project, Channel: "stable", Sequence: sequence, Definition: build.DefinitionDigest(),
		Runtime: def.Version.Runtime(), Tools: sign.ToolSetDigest(def),
	}.Statement(build.Digest()))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// A signer has one statement of a type; what others signed, and what nobody can read, stays.
func TestAttachReplacesWhatTheSameSignerSaid(t *testing.T) {
	ctx := context.Background()
	for _, path := range []string{filepath.Join(t.TempDir(), "a.seif"), filepath.Join(t.TempDir(), "a") + "/"} {
		build := vector(t, toolsVector, nil)
		ana, bo := testSigner(t, "ana"), testSigner(t, "bo")
		garbage, err := build.Attach([]byte("no signature"), "https://example.com/any")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Keep(ctx, path, &bundle.Layout{Build: build, Attachments: []bundle.Attachment{garbage}}); err != nil {
			t.Fatal(err)
		}
		cosign, err := sign.Sign(ctx, ana, sign.CosignStatement(build.Digest()))
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range []struct {
			key      *sign.PrivateKey
			content  []byte
			replaced int
			outcome  bundle.Outcome
		}{
			{ana, releaseBy(t, ana, build, 1), 0, bundle.Written},
			{bo, releaseBy(t, bo, build, 1), 0, bundle.Written},
			{ana, cosign, 0, bundle.Written},
			{ana, releaseBy(t, ana, build, 2), 1, bundle.Written},
			{ana, releaseBy(t, ana, build, 2), 0, bundle.Unchanged},
		} {
			got, err := Attach(ctx, filepath.Clean(path), build, Access{}, [][]byte{step.content}, ByKey(step.key.Public()))
			if err != nil || got.Replaced != step.replaced || got.Outcome != step.outcome {
				t.Errorf("%+v, %v, want %d and %s", got, err, step.replaced, step.outcome)
			}
		}
		layout, err := OpenLayout(ctx, filepath.Clean(path), Access{}, bundle.ReadOptions{})
		if err != nil || len(layout.Attachments) != 4 {
			t.Errorf("%v, %v", layout, err)
		}
		other := vector(t, plainVector, nil)
		if _, err := Attach(ctx, filepath.Clean(path), other, Access{}, [][]byte{releaseBy(t, ana, other, 1)}, ByKey(ana.Public())); err == nil {
			t.Error("a signature of another Build is attached")
		}
	}
}

// What stands there with the same Build keeps its attachments; another Build takes the place as a whole.
func TestKeepLosesNothing(t *testing.T) {
	ctx := context.Background()
	for _, path := range []string{filepath.Join(t.TempDir(), "new", "a.seif"), filepath.Join(t.TempDir(), "new", "a") + "/"} {
		build := vector(t, toolsVector, nil)
		here, err := build.Attach([]byte("here"), "https://example.com/any")
		if err != nil {
			t.Fatal(err)
		}
		there, err := build.Attach([]byte("there"), "https://example.com/any")
		if err != nil {
			t.Fatal(err)
		}
		keep := func(want bundle.Outcome, b *bundle.Build, attachments ...bundle.Attachment) {
			t.Helper()
			if got, err := Keep(ctx, path, &bundle.Layout{Build: b, Attachments: attachments}); err != nil || got != want {
				t.Errorf("%s %v, want %s", got, err, want)
			}
		}
		holds := func(n int) {
			t.Helper()
			if layout, err := bundle.ReadLayout(ctx, filepath.Clean(path), bundle.ReadOptions{}); err != nil || len(layout.Attachments) != n {
				t.Errorf("%v %v, want %d attachments", layout, err, n)
			}
		}
		keep(bundle.Written, build, here)
		keep(bundle.Written, build, there)
		holds(2)
		keep(bundle.Unchanged, build)
		holds(2)
		keep(bundle.Written, vector(t, plainVector, nil))
		holds(0)
	}
	path := filepath.Join(t.TempDir(), "project.yaml")
	write(t, filepath.Dir(path), "project.yaml")
	if _, err := Keep(ctx, path, &bundle.Layout{Build: vector(t, plainVector, nil)}); err == nil {
		t.Error("a Project file was replaced")
	}
}

// A Build that is rebuilt with its own lineage is the same Build, and without it another one.
func TestRebuildTakesTheLineage(t *testing.T) {
	build := vector(t, corpusVector, nil)
	made := vector(t, corpusVector, func(_, _ *string, _ map[string]string, corpus **string) { *corpus = nil })
	if len(Differences(build, made)) == 0 {
		t.Error("a corpus makes no difference")
	}
	rebuilt, problems := Rebuild(made, build)
	if rebuilt == nil || rebuilt.Digest() != build.Digest() || len(Differences(build, rebuilt)) != 0 {
		t.Errorf("%v", problems)
	}
	if same, _ := Rebuild(made, made); same != made {
		t.Error("a Build without lineage is made again")
	}
}

// Everything that differs is named, with both digests.
func TestDifferences(t *testing.T) {
	build := vector(t, toolsVector, nil)
	other := vector(t, toolsVector, func(definition, _ *string, _ map[string]string, _ **string) {
		*definition = strings.Replace(*definition, `"project":"`, `"project":"x`, 1)
	})
	found := Differences(build, other)
	if len(found) == 0 {
		t.Fatal("nothing differs")
	}
	for _, d := range found {
		if d.Data["what"] == "" || d.Data["found"] == d.Data["source"] || d.Place.Path == "" || !strings.HasPrefix(d.Data["found"], "sha256:") {
			t.Errorf("%+v", d)
		}
	}
	if len(Differences(build, build)) != 0 {
		t.Error("a Build differs from itself")
	}
	back := Differences(other, build)
	if len(back) != len(found) {
		t.Errorf("%d differences there, %d back", len(found), len(back))
	}
}
