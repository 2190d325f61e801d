package bundle_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/digest"
)

// The vectors for other implementations, which a second implementation computed. R75
func TestVectors(t *testing.T) {
	var vectors struct {
		Builds []struct {
			Name, Definition, Tests, Manifest, Digest, Index, Tar string
			Texts                                                 map[string]string
			Corpus                                                *string
			DefinitionDigest                                      string `json:"definition_digest"`
		}
	}
	if err := json.Unmarshal(readFile(t, "../conformance/builds.json"), &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors.Builds) < 5 {
		t.Fatalf("only %d vectors", len(vectors.Builds))
	}
	for _, v := range vectors.Builds {
		t.Run(v.Name, func(t *testing.T) {
			var corpus []byte
			if v.Corpus != nil {
				corpus = []byte(*v.Corpus)
			}
			b := assemble(t, []byte(v.Definition), v.Texts, v.Tests, corpus)
			archive := tarOf(t, b)
			got := []string{string(b.Manifest()), b.Digest().String(), b.DefinitionDigest().String(),
				string(filesOf(t, b)["index.json"]), digest.Of(archive).String()}
			if d := cmp.Diff([]string{v.Manifest, v.Digest, v.DefinitionDigest, v.Index, v.Tar}, got); d != "" {
				t.Error(d)
			}
			if _, err := read(t, archive, bundle.ReadOptions{Digest: b.Digest()}); err != nil {
				t.Error(err)
			}
		})
	}
}

// The vectors of layouts with attachments, which a second implementation computed.
func TestAttachmentVectors(t *testing.T) {
	var builds struct {
		Builds []struct {
			Name, Definition, Tests string
			Texts                   map[string]string
			Corpus                  *string
		}
	}
	var vectors struct {
		Attachments []struct {
			Name, Build, Index, Tar string
			Attachments             []struct {
				Bundle, Manifest, Digest string
				PredicateType            string `json:"predicate_type"`
			}
		}
	}
	for path, into := range map[string]any{"builds": &builds, "attachments": &vectors} {
		if err := json.Unmarshal(readFile(t, "../conformance/"+path+".json"), into); err != nil {
			t.Fatal(err)
		}
	}
	made := map[string]*bundle.Build{}
	for _, v := range builds.Builds {
		if v.Corpus == nil {
			made[v.Name] = assemble(t, []byte(v.Definition), v.Texts, v.Tests, nil)
		}
	}
	if len(vectors.Attachments) < 4 {
		t.Fatalf("only %d vectors", len(vectors.Attachments))
	}
	for _, v := range vectors.Attachments {
		t.Run(v.Name, func(t *testing.T) {
			l := &bundle.Layout{Build: made[v.Build]}
			for _, w := range v.Attachments {
				a, err := l.Build.Attach([]byte(w.Bundle), w.PredicateType)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff([]string{w.Manifest, w.Digest}, []string{string(a.Manifest()), a.Digest().String()}); d != "" {
					t.Error(d)
				}
				l.Attachments = append(l.Attachments, a)
			}
			archive := layoutTar(t, l)
			got := []string{string(unpack(t, archive)["index.json"]), digest.Of(archive).String()}
			if d := cmp.Diff([]string{v.Index, v.Tar}, got); d != "" {
				t.Error(d)
			}
			read, err := readLayout(t, archive, bundle.ReadOptions{Digest: l.Build.Digest()})
			if err != nil || len(read.Attachments) != len(v.Attachments) {
				t.Errorf("%v, %v", read, err)
			}
		})
	}
}

// A Build that an earlier release wrote is read for ever.
func TestEarlierBuilds(t *testing.T) {
	const path = "testdata/v1.tar"
	if *update {
		if err := os.WriteFile(path, tarOf(t, shop(t)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data := readFile(t, path)
	if got := digest.Of(data).String(); got != goldenTar {
		t.Errorf("the file is %s, was %s", got, goldenTar)
	}
	b, err := read(t, data, bundle.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(shopTexts(), b.Texts()); d != "" {
		t.Error(d)
	}
}
