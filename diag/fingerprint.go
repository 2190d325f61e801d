package diag

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"maps"
	"slices"
)

// fingerprints gives findings an identity that outlives edits elsewhere in the file: it depends on code, path,
// pointer and data, neither on the line nor on the words of the message. Equal findings in one report are told
// apart by their order.
type fingerprints struct{ seen map[string]int }

func (f *fingerprints) of(d Diagnostic, path string) string {
	h := sha256.New()
	part(h, "seif.finding.v1")
	part(h, string(d.Code))
	part(h, path)
	part(h, d.Place.Pointer)
	for _, name := range slices.Sorted(maps.Keys(d.Data)) {
		part(h, name)
		part(h, d.Data[name])
	}
	sum := h.Sum(nil)
	if f.seen == nil {
		f.seen = map[string]int{}
	}
	key := string(sum)
	f.seen[key]++
	if n := f.seen[key]; n > 1 {
		again := sha256.New()
		part(again, key)
		binary.Write(again, binary.BigEndian, uint64(n))
		sum = again.Sum(nil)
	}
	return "sha256:" + hex.EncodeToString(sum)
}

// part adds a string with its length, so that no two lists of parts give the same bytes.
func part(h hash.Hash, s string) {
	binary.Write(h, binary.BigEndian, uint64(len(s)))
	h.Write([]byte(s))
}
