package bundle

// Limits of reading and writing alike: what can be written can be read. Frozen with v1.
const (
	// MaxManifest bounds a manifest, the index and the layout marker.
	MaxManifest = 4 << 20
	// MaxBlob bounds every other file: the definition, a text, the tests, the corpus.
	MaxBlob = 64 << 20
	// MaxBuild bounds all files of a Build together, without its attachments.
	MaxBuild = 256 << 20
	// MaxEntries bounds the number of files of a layout. A manifest of 4 MiB and its attachments name fewer.
	MaxEntries = 1 << 15
	// MaxAttachment bounds the bytes of one Sigstore bundle.
	MaxAttachment = 1 << 20
	// MaxAttachments bounds the number of attachments of a Build.
	MaxAttachments = 256
	// MaxAttached bounds all attachments of a Build together, with their manifests.
	MaxAttached = 32 << 20
	// maxAttachmentManifest bounds the manifest of an attachment, and so its annotations.
	maxAttachmentManifest = 64 << 10
	// maxLayout bounds all files of a layout together: those of a Build, its attachments, the index and the marker.
	maxLayout = MaxBuild + MaxAttached + MaxManifest
	// maxName bounds names and titles.
	maxName = 255
	// maxProblems is how many problems are collected before reading stops.
	maxProblems = 200
)
