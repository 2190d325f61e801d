package registry

import (
	"testing"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Whatever a registry sends, its readers end without a panic, and give nothing beyond their bounds.
func FuzzAnswers(f *testing.F) {
	for _, seed := range []string{
		`{"schemaVersion":2,"manifests":[{"mediaType":"x","digest":"sha256:0c5cf1a0c5cf1a0c5cf1a0c5cf1a0c5cf1a0c5cf1a0c5cf1a0c5cf1a0c5cf1a0","size":3}]}`,
		`{"manifests":null}`, `{"name":"a","tags":["b",1,null]}`, `{"errors":[{"code":"DENIED"}]}`,
		`{"mediaType":"application/vnd.oci.image.manifest.v1+json","artifactType":"application/vnd.seif.build.v1+json","config":{"digest":"sha256:0c5cf1a0c5cf1a0c5cf1a0c5cf1a0c5cf1a0c5cf1a0c5cf1a0c5cf1a0c5cf1a0","size":67108864},"layers":[{}]}`,
		`[]`, `{`, "\xff",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if index, err := readIndex("x", data); err == nil {
			for _, e := range index.listed {
				if e.size < 0 {
					t.Error("a negative size")
				}
			}
		}
		blobs, err := namedBlobs(data)
		total := int64(0)
		for _, b := range blobs {
			total += b.size
		}
		if err == nil && total > bundle.MaxBuild {
			t.Errorf("%d bytes would be fetched", total)
		}
		if entry, ok := entryOf(data); ok {
			if _, err := canonical.Marshal(entry); err != nil {
				t.Error(err)
			}
		}
		if layer, ok := onlyLayer(data); ok && (layer.size < 0 || layer.size > bundle.MaxAttachment) {
			t.Error("a layer out of its bounds")
		}
		if _, err := readTags(answer{length: -1, body: data}); err != nil {
			errorCode(data)
		}
	})
}
