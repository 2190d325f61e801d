package resolve

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// fenceDigits is how many hex digits of the text's digest mark a fence.
const fenceDigits = 32

// Fence surrounds untrusted text with markers that hold the digest of the text itself. To close the fence early, a
// text would have to contain its own digest. The bytes are frozen: conformance/segments.json has the vectors.
//
//	<<<untrusted ID H>>>
//	TEXT
//	<<<end H>>>
//
// H is the first 32 hex digits of SHA-256 of TEXT, and the markers stand on lines of their own.
func Fence(id, text string) string {
	sum := sha256.Sum256([]byte(text))
	mark := hex.EncodeToString(sum[:])[:fenceDigits]
	var b strings.Builder
	b.Grow(len(text) + len(id) + 2*fenceDigits + 32)
	b.WriteString("<<<untrusted ")
	b.WriteString(id)
	b.WriteByte(' ')
	b.WriteString(mark)
	b.WriteString(">>>\n")
	b.WriteString(text)
	b.WriteString("\n<<<end ")
	b.WriteString(mark)
	b.WriteString(">>>")
	return b.String()
}

// separator stands between two segments.
const separator = "\n\n"

// Text is all that a model reads as context: the segments, two line feeds between them. There is no other heading.
func (r *Resolution) Text() string {
	parts := make([]string, len(r.Segments))
	for i, s := range r.Segments {
		parts[i] = s.Text
	}
	return strings.Join(parts, separator)
}
