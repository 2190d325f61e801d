package bundle_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/seif-dev/seifc/bundle"
)

// What registry clients leave of a layout is read: one writes the type of the config as the artifact type of the
// listed manifest, another leaves the empty folder in which it gathered blobs. A folder with anything in it is not.
func TestLayoutsOfRegistryClients(t *testing.T) {
	b := toolBuild(t)
	for _, test := range []struct {
		name   string
		change func(t *testing.T, dir string)
		read   bool
	}{
		{"the type of the config", func(t *testing.T, dir string) {
			path := filepath.Join(dir, "index.json")
			index, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			index = bytes.Replace(index, []byte(`"artifactType":"`+bundle.ArtifactType+`"`), []byte(`"artifactType":"`+bundle.DefinitionV2MediaType+`"`), 1)
			if !bytes.Contains(index, []byte(bundle.DefinitionV2MediaType)) {
				t.Fatal("the index was not changed")
			}
			if err := os.WriteFile(path, index, 0o644); err != nil {
				t.Fatal(err)
			}
		}, true},
		{"an empty ingest folder", func(t *testing.T, dir string) { makeDir(t, dir, "ingest") }, true},
		{"an ingest folder with a file", func(t *testing.T, dir string) {
			makeDir(t, dir, "ingest")
			if err := os.WriteFile(filepath.Join(dir, "ingest", "x"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}, false},
		{"another empty folder", func(t *testing.T, dir string) { makeDir(t, dir, "other") }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "layout")
			if _, err := bundle.WriteDir(context.Background(), dir, b); err != nil {
				t.Fatal(err)
			}
			test.change(t, dir)
			got, err := bundle.ReadDir(context.Background(), dir, bundle.ReadOptions{})
			if (err == nil) != test.read {
				t.Fatalf("read: %v", err)
			}
			if test.read && got.Digest() != b.Digest() {
				t.Error("another Build")
			}
		})
	}
}

func makeDir(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
		t.Fatal(err)
	}
}
