package bundle

import (
	"bytes"
	"strconv"

	"github.com/seif-dev/seifc/diag"
)

// The USTAR header (POSIX.1-1988, IEEE Std 1003.1 pax, "ustar Interchange Format"): where its fields are.
const (
	blockSize = 512

	nameEnd       = 100
	modeStart     = 100
	sizeStart     = 124
	timeStart     = 136
	checksumStart = 148
	typeOffset    = 156
	linkStart     = 157
	magicStart    = 257
	ownerStart    = 265
	prefixStart   = 345
	prefixEnd     = 500
)

const ustarMagic = "ustar\x0000"

// header is what this package reads of a USTAR header. Mode, owner, group, times and device numbers are not read:
// they are no part of a Build.
type header struct {
	name string
	kind byte
	link string
	size int64
}

// checksumOf is the sum of the header's bytes with spaces in place of the checksum.
func checksumOf(block []byte) int {
	sum := 8 * int(' ')
	for i, c := range block {
		if i < checksumStart || i >= typeOffset {
			sum += int(c)
		}
	}
	return sum
}

// parseHeader reads a header that is not all zeros. first says that nothing came before it: then the file may be no
// archive at all.
func parseHeader(block []byte, first bool) (header, *diag.Problem) {
	refuse := func(code diag.Code, pairs ...string) (header, *diag.Problem) {
		p := diag.New(code, "", pairs...)
		return header{}, &p
	}
	name := cString(block[:nameEnd])
	sum, sumOK := parseOctal(block[checksumStart:checksumStart+7], 6)
	sound := sumOK && block[checksumStart+7] == ' ' && int(sum) == checksumOf(block)
	magic := string(block[magicStart:ownerStart])
	switch {
	case magic == "ustar  \x00":
		return refuse(diag.CodeEntryExtension, "entry", shown(name), "kind", "the GNU format")
	case magic != ustarMagic && first:
		return refuse(diag.CodeBuildNotTar, "why", "it does not begin as a USTAR archive")
	case magic != ustarMagic:
		return refuse(diag.CodeEntryHeader, "entry", shown(name), "why", "it is not USTAR")
	case !sound:
		return refuse(diag.CodeEntryHeader, "entry", shown(name), "why", "its checksum is wrong")
	}
	h := header{name: name, kind: block[typeOffset], link: cString(block[linkStart:magicStart])}
	if prefix := cString(block[prefixStart:prefixEnd]); prefix != "" {
		h.name = prefix + "/" + name
	}
	if h.kind != '0' {
		return h, nil // its type is refused, whatever else it says
	}
	size, ok := parseOctal(block[sizeStart:timeStart], 11)
	switch {
	case !ok:
		return refuse(diag.CodeEntryHeader, "entry", shown(h.name), "why", "its size is not written in eleven octal digits")
	case h.link != "" || !allZero(block[prefixEnd:]):
		return refuse(diag.CodeEntryHeader, "entry", shown(h.name), "why", "a field is set that a regular file does not use")
	}
	h.size = size
	return h, nil
}

// cString is a field up to the NULs that fill it up. Bytes behind a NUL stay in it, so that nothing can hide there.
func cString(field []byte) string { return string(bytes.TrimRight(field, "\x00")) }

// parseOctal reads exactly so many octal digits and a NUL behind them.
func parseOctal(field []byte, digits int) (int64, bool) {
	for _, c := range field[:digits] {
		if c < '0' || c > '7' {
			return 0, false
		}
	}
	if field[digits] != 0 {
		return 0, false
	}
	n, err := strconv.ParseInt(string(field[:digits]), 8, 64)
	return n, err == nil
}

func allZero(data []byte) bool {
	for _, c := range data {
		if c != 0 {
			return false
		}
	}
	return true
}

// formatHeader is the one header of a regular file: mode 0644, owner, group and time zero, no names of owners.
func formatHeader(name string, size int64) [blockSize]byte {
	var block [blockSize]byte
	copy(block[:nameEnd], name)
	copy(block[modeStart:], "0000644\x00"+"0000000\x00"+"0000000\x00")
	copy(block[sizeStart:], octal(size, 11)+"\x00"+"00000000000\x00")
	block[typeOffset] = '0'
	copy(block[magicStart:], ustarMagic)
	copy(block[checksumStart:], octal(int64(checksumOf(block[:])), 6)+"\x00 ")
	return block
}

func octal(n int64, digits int) string {
	text := strconv.FormatInt(n, 8)
	for len(text) < digits {
		text = "0" + text
	}
	return text
}
