package sign

// Limits of reading and writing alike.
const (
	// MaxBundle bounds the bytes of one Sigstore bundle.
	MaxBundle = 1 << 20
	// MaxKey bounds the bytes of a key file.
	MaxKey = 64 << 10
	// MaxSequence is the greatest sequence of a release or promotion: the greatest integer of RFC 8785.
	MaxSequence = 1<<53 - 1

	maxDepth     = 32
	maxValues    = 200_000
	maxProofs    = 16      // log entries, timestamps
	maxSignature = 1 << 12 // bytes; RSA of 8192 bits has 1024
	maxProblems  = 50
	maxText      = 4 << 10 // a reason
	maxName      = 512     // a test, a URI
	minRSA       = 2048
	maxRSA       = 8192
)
