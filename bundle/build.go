package bundle

import (
	"bytes"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/digest"
)

// Build is one verified Build in memory. It never changes: accessors give copies, but for the definition, which
// callers must not change.
type Build struct {
	digest           digest.Digest
	definitionDigest digest.Digest
	manifest         []byte
	definition       *definition.Definition
	content          content
}

// Digest is the identity of the Build: the digest of its manifest.
func (b *Build) Digest() digest.Digest { return b.digest }

// DefinitionDigest is the digest of the definition, a pure function of the Project.
func (b *Build) DefinitionDigest() digest.Digest { return b.definitionDigest }

// Manifest is the OCI manifest, in RFC 8785 form.
func (b *Build) Manifest() []byte { return bytes.Clone(b.manifest) }

// Definition is what the Build says.
func (b *Build) Definition() *definition.Definition { return b.definition }

// DefinitionBytes is the definition in its canonical form.
func (b *Build) DefinitionBytes() []byte { return bytes.Clone(b.content.definition) }

// Texts are the texts of file sources by source id.
func (b *Build) Texts() map[string]string {
	texts := make(map[string]string, len(b.content.texts))
	for id, text := range b.content.texts {
		texts[id] = string(text)
	}
	return texts
}

// Tests is tests.json.
func (b *Build) Tests() []byte { return bytes.Clone(b.content.tests) }

// Corpus is corpus.json, nil if the Build has none.
func (b *Build) Corpus() []byte { return bytes.Clone(b.content.corpus) }
