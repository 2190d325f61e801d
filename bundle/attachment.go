package bundle

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Media types and names of attachments. Frozen with v1.
const (
	// SigstoreBundleMediaType is the type of an attachment and of its one layer: a Sigstore bundle, version 0.3. It is
	// the only kind of attachment that there is.
	SigstoreBundleMediaType = "application/vnd.dev.sigstore.bundle.v0.3+json"
	// EmptyMediaType is the type of an attachment's config, the OCI empty descriptor (OCI image specification 1.1,
	// "Guidance for an Empty Descriptor").
	EmptyMediaType = "application/vnd.oci.empty.v1+json"

	emptyConfig = "{}"

	// The annotations of the attachments that this package writes, by which cosign finds them. They are in no
	// signature: nobody may rely on them.
	contentAnnotation   = "dev.sigstore.bundle.content"
	contentValue        = "dsse-envelope"
	predicateAnnotation = "dev.sigstore.bundle.predicateType"
)

// Attachment is an OCI 1.1 referrer of one Build that holds exactly one Sigstore bundle. It never changes. That it is
// well formed says nothing about who made it: the bundle's bytes are opaque here, and everybody who can write to a
// layout or a registry can attach one.
type Attachment struct {
	digest   digest.Digest // of the manifest
	subject  digest.Digest // of the Build
	manifest []byte
	content  []byte
	held     digest.Digest // of the content
}

// Digest is the digest of the referrer manifest.
func (a Attachment) Digest() digest.Digest { return a.digest }

// Manifest is the referrer manifest, byte for byte as it was written.
func (a Attachment) Manifest() []byte { return bytes.Clone(a.manifest) }

// Content is the Sigstore bundle.
func (a Attachment) Content() []byte { return bytes.Clone(a.content) }

// Attach makes the attachment of a Sigstore bundle to the Build. The manifest is in RFC 8785 form and a function of the
// arguments. predicateType is a URI of at most 255 printable ASCII characters; it is written as an annotation, for
// listings. The error is an [Invalid]: an empty bundle, one of more than [MaxAttachment] bytes, or another predicate
// type.
func (b *Build) Attach(sigstore []byte, predicateType string) (Attachment, error) {
	content := bytes.Clone(sigstore)
	if problems := checkContent("the new attachment", content); len(problems) > 0 {
		return Attachment{}, &Invalid{Problems: problems}
	}
	if !isTag(predicateType) {
		return Attachment{}, &Invalid{Problems: []diag.Problem{diag.New(diag.CodeBuildMemberWrong,
			canonical.JoinPointer("/annotations", predicateAnnotation), "document", "the new attachment",
			"member", predicateAnnotation, "expected", "a URI", "found", describeValue(predicateType))}}
	}
	held := digest.Of(content)
	manifest, err := canonical.Marshal(map[string]any{
		"schemaVersion": json.Number("2"),
		"mediaType":     ManifestMediaType,
		"artifactType":  SigstoreBundleMediaType,
		"config":        emptyDescriptor().value(),
		"layers":        []any{descriptor{mediaType: SigstoreBundleMediaType, digest: held, size: int64(len(content))}.value()},
		"subject":       b.descriptor().value(),
		"annotations":   map[string]any{contentAnnotation: contentValue, predicateAnnotation: predicateType},
	})
	if err != nil {
		panic("bundle: the manifest of an attachment has no canonical form: " + err.Error())
	}
	return Attachment{digest: digest.Of(manifest), subject: b.digest, manifest: manifest, content: content, held: held}, nil
}

// ParseAttachment reads a referrer manifest that somebody wrote, and the content of its layer. Everything is judged: the
// kind, the subject, every digest and size, and the bounds. Annotations decide nothing. The arguments are copied. There
// is no attachment if there is a problem.
func ParseAttachment(b *Build, manifest, content []byte) (Attachment, []diag.Problem) {
	document := "the manifest " + digest.Of(manifest).String()
	if p, ok := checkManifestSize(document, manifest); !ok {
		return Attachment{}, []diag.Problem{p}
	}
	value, err := canonical.Parse(manifest, canonical.Limits{Bytes: maxAttachmentManifest})
	if err != nil {
		return Attachment{}, []diag.Problem{jsonProblem(document, len(manifest), maxAttachmentManifest, err)}
	}
	m, problems := decodeReferrer(document, value, b.digest, map[digest.Digest]int64{b.digest: int64(len(b.manifest))})
	if len(problems) > 0 {
		return Attachment{}, problems
	}
	if problems := checkContent("the layer of "+document, content); len(problems) > 0 {
		return Attachment{}, problems
	}
	a := Attachment{digest: digest.Of(manifest), subject: b.digest, manifest: bytes.Clone(manifest), content: bytes.Clone(content)}
	a.held = digest.Of(a.content)
	switch {
	case a.held != m.layer.digest:
		problems = []diag.Problem{diag.New(diag.CodeBlobDigest, "/layers/0/digest", "entry", "the layer of "+document,
			"expected", m.layer.digest.String(), "found", a.held.String())}
	case int64(len(content)) != m.layer.size:
		problems = []diag.Problem{diag.New(diag.CodeBlobSize, "/layers/0/size", "where", document, "entry", a.held.String(),
			"expected", strconv.FormatInt(m.layer.size, 10), "found", strconv.Itoa(len(content)))}
	}
	if len(problems) > 0 {
		return Attachment{}, problems
	}
	return a, nil
}

// descriptor is how a referrer names the Build.
func (b *Build) descriptor() descriptor {
	return descriptor{mediaType: ManifestMediaType, digest: b.digest, size: int64(len(b.manifest))}
}

func (a Attachment) descriptor() descriptor {
	return descriptor{mediaType: ManifestMediaType, digest: a.digest, size: int64(len(a.manifest))}
}

// emptyDescriptor is the OCI empty descriptor.
func emptyDescriptor() descriptor {
	return descriptor{mediaType: EmptyMediaType, digest: digest.Of([]byte(emptyConfig)), size: int64(len(emptyConfig))}
}

// checkContent bounds a Sigstore bundle.
func checkContent(entry string, content []byte) []diag.Problem {
	switch {
	case len(content) == 0:
		return []diag.Problem{diag.New(diag.CodeAttachmentEmpty, "", "entry", entry)}
	case len(content) > MaxAttachment:
		return []diag.Problem{diag.New(diag.CodeAttachmentTooLarge, "", "entry", entry,
			"found", strconv.Itoa(len(content)), "limit", strconv.Itoa(MaxAttachment))}
	}
	return nil
}

func checkManifestSize(document string, manifest []byte) (diag.Problem, bool) {
	if len(manifest) <= maxAttachmentManifest {
		return diag.Problem{}, true
	}
	return diag.New(diag.CodeAttachmentTooLarge, "", "entry", document,
		"found", strconv.Itoa(len(manifest)), "limit", strconv.Itoa(maxAttachmentManifest)), false
}
