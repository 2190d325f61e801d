package bundle

import (
	"fmt"
	"io"
)

// WriteTar writes the Build as a `.seif` file: an uncompressed USTAR archive, byte for byte a function of the Build.
func WriteTar(w io.Writer, b *Build) error { return (&Layout{Build: b}).writeTar(w) }

// WriteLayoutTar is [WriteTar] with the attachments: byte for byte a function of the Build and the set of attachments.
// Attachments of another Build, or too many, are an [Invalid], and nothing is written.
func WriteLayoutTar(w io.Writer, l *Layout) error {
	settled, err := l.settle()
	if err != nil {
		return err
	}
	return settled.writeTar(w)
}

func (l *Layout) writeTar(w io.Writer) error {
	var zeros [2 * blockSize]byte
	for _, e := range l.entries() {
		block := formatHeader(e.name, int64(len(e.data)))
		padding := zeros[:(blockSize-len(e.data)%blockSize)%blockSize]
		for _, part := range [][]byte{block[:], e.data, padding} {
			if _, err := w.Write(part); err != nil {
				return fmt.Errorf("writing %s: %w", e.name, err)
			}
		}
	}
	if _, err := w.Write(zeros[:]); err != nil {
		return fmt.Errorf("writing the end of the archive: %w", err)
	}
	return nil
}
