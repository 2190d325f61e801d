package bundle

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Names and fixed contents of an OCI image layout.
const (
	markerName = "oci-layout"
	indexName  = "index.json"
	blobPrefix = "blobs/sha256/"

	marker = `{"imageLayoutVersion":"1.0.0"}`

	// The annotations of the Build's descriptor in the index. By the first of them cosign finds signatures in a layout.
	kindAnnotation = "kind"
	kindValue      = "dev.cosignproject.cosign/image"
	tagAnnotation  = "org.opencontainers.image.ref.name"
	tagValue       = "build"
)

// Layout is a Build with what is attached to it: what a `.seif` file or a layout folder holds.
type Layout struct {
	Build *Build
	// Attachments are sorted by digest, and no two are equal, in every layout that was read. Writing sorts them and
	// takes equal ones as one.
	Attachments []Attachment
}

// entry is one file of a layout.
type entry struct {
	name string
	data []byte
}

// settle puts the attachments in order. It refuses those of another Build, and more of them than a reader takes, with
// an [Invalid].
func (l *Layout) settle() (*Layout, error) {
	settled := &Layout{Build: l.Build, Attachments: sortAttachments(l.Attachments)}
	f := &faults{}
	for _, a := range settled.Attachments {
		if a.subject != l.Build.digest && !f.full() {
			f.add(a.digest.String(), diag.New(diag.CodeAttachmentSubject, "/subject/digest", "entry", "the manifest "+a.digest.String(),
				"expected", l.Build.digest.String(), "found", a.subject.String()))
		}
	}
	f.add("", checkAttached(settled.Attachments)...)
	if err := f.err(); err != nil {
		return nil, err
	}
	return settled, nil
}

// sortAttachments sorts by digest and drops repetitions.
func sortAttachments(attachments []Attachment) []Attachment {
	sorted := slices.Clone(attachments)
	slices.SortFunc(sorted, func(a, b Attachment) int { return bytes.Compare(a.digest[:], b.digest[:]) })
	return slices.CompactFunc(sorted, sameAttachment)
}

// sameAttachment: one digest, one manifest, one content.
func sameAttachment(a, b Attachment) bool { return a.digest == b.digest }

// checkAttached bounds the attachments of a Build together.
func checkAttached(attachments []Attachment) []diag.Problem {
	if len(attachments) > MaxAttachments {
		return []diag.Problem{diag.New(diag.CodeTooManyAttachments, "", "found", strconv.Itoa(len(attachments)),
			"limit", strconv.Itoa(MaxAttachments))}
	}
	total := 0
	for _, a := range attachments {
		total += len(a.manifest) + len(a.content)
	}
	if total > MaxAttached {
		return []diag.Problem{diag.New(diag.CodeAttachmentTooLarge, "", "entry", "all attachments together",
			"found", strconv.Itoa(total), "limit", strconv.Itoa(MaxAttached))}
	}
	return nil
}

// equal tells whether two layouts have the same Build and the same attachments.
func (l *Layout) equal(other *Layout) bool {
	return l.Build.digest == other.Build.digest && slices.EqualFunc(l.Attachments, other.Attachments, sameAttachment)
}

// entries are the files of a settled layout, sorted by name, byte for byte a function of the Build and the attachments.
// Equal contents are one file.
func (l *Layout) entries() []entry {
	b := l.Build
	blobs := map[digest.Digest][]byte{
		b.digest:           b.manifest,
		b.definitionDigest: b.content.definition,
	}
	for title, data := range b.content.layers() {
		blobs[b.content.digests[title]] = data
	}
	for _, a := range l.Attachments {
		blobs[a.digest], blobs[a.held] = a.manifest, a.content
		blobs[emptyDescriptor().digest] = []byte(emptyConfig)
	}
	out := make([]entry, 0, len(blobs)+2)
	for _, d := range sortedDigests(maps.Keys(blobs)) {
		out = append(out, entry{blobPrefix + d.Hex(), blobs[d]})
	}
	return append(out, entry{indexName, l.index()}, entry{markerName, []byte(marker)})
}

// index is index.json: the Build, then its attachments.
func (l *Layout) index() []byte {
	build := l.Build.descriptor().value()
	build["artifactType"] = ArtifactType
	build["annotations"] = map[string]any{kindAnnotation: kindValue, tagAnnotation: tagValue}
	manifests := []any{build}
	for _, a := range l.Attachments {
		value := a.descriptor().value()
		value["artifactType"] = SigstoreBundleMediaType
		manifests = append(manifests, value)
	}
	out, err := canonical.Marshal(map[string]any{
		"schemaVersion": json.Number("2"),
		"mediaType":     IndexMediaType,
		"manifests":     manifests,
	})
	if err != nil {
		panic("bundle: the index has no canonical form: " + err.Error())
	}
	return out
}
