package bundle

// Limits of reading and writing alike: what can be written can be read. Frozen with v1.
const (
	// MaxManifest bounds a manifest, the index and the layout marker.
	MaxManifest = 4 << 20
	// MaxBlob bounds every other file: the definition, a text, the tests, the corpus.
	MaxBlob = 64 << 20
	// MaxBuild bounds all files of a Build together.
	MaxBuild = 256 << 20
	// MaxEntries bounds the number of files. A manifest of 4 MiB names fewer.
	MaxEntries = 1 << 15
	// maxName bounds names and titles.
	maxName = 255
	// maxProblems is how many problems are collected before reading stops.
	maxProblems = 200
)
