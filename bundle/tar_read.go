package bundle

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/diag"
)

// ReadTar reads a `.seif` file from a stream and verifies it. It reads to the end of the stream, never more than the
// limits of a layout. An error that is no [Invalid] is the stream's or the context's.
func ReadTar(ctx context.Context, r io.Reader, opts ReadOptions) (*Build, error) {
	return buildOf(ReadLayoutTar(ctx, r, opts))
}

// ReadLayoutTar is [ReadTar] with the attachments.
func ReadLayoutTar(ctx context.Context, r io.Reader, opts ReadOptions) (*Layout, error) {
	files, err := collectTar(ctx, r)
	if err != nil {
		return nil, err
	}
	return find(files, opts)
}

// collectTar gives the files of an archive, none of them verified.
func collectTar(ctx context.Context, r io.Reader) (map[string][]byte, error) {
	t := &tarReader{in: bufio.NewReaderSize(&contextReader{ctx, r}, 64<<10), collector: newCollector()}
	return t.read()
}

// contextReader ends when its context does.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	return c.r.Read(p)
}

// tarReader takes an archive apart. It knows regular files in plain USTAR and refuses all else.
type tarReader struct {
	*collector
	in *bufio.Reader
}

func (t *tarReader) read() (map[string][]byte, error) {
	if err := t.refuseCompressed(); err != nil {
		return nil, err
	}
	var block [blockSize]byte
	for first := true; ; first = false {
		if err := t.header(block[:], first); err != nil {
			return nil, err
		}
		if allZero(block[:]) {
			return t.end(first)
		}
		h, problem := parseHeader(block[:], first)
		if problem != nil {
			// Without a sound header nothing says where the next one is.
			t.add("", *problem)
			return nil, t.err()
		}
		if err := t.next(h); err != nil {
			return nil, err
		}
	}
}

// header reads the block of a header. A file that is shorter than one is no archive, unless it begins as one of ours.
func (t *tarReader) header(block []byte, first bool) error {
	err := t.fill(block, "")
	if first && len(t.problems) > 0 && !bytes.HasPrefix(block, []byte(blobPrefix)) {
		t.problems, t.documents = nil, nil
		t.entry(diag.CodeBuildNotTar, "why", "it does not begin as a USTAR archive")
		return t.err()
	}
	return err
}

// next takes in one entry.
func (t *tarReader) next(h header) error {
	if h.kind != '0' {
		t.refuseKind(h)
		// What follows such an entry depends on its type, and readers differ about it.
		return t.err()
	}
	keep, err := t.admit(h.name, h.size)
	if err != nil {
		return err
	}
	if keep {
		data, err := t.content(h)
		if err != nil {
			return err
		}
		t.files[h.name] = data
	} else if err := t.skip(h); err != nil {
		return err
	}
	var padding [blockSize]byte
	rest := padding[:(blockSize-h.size%blockSize)%blockSize]
	if err := t.fill(rest, h.name); err != nil {
		return err
	}
	if !allZero(rest) {
		t.entry(diag.CodeEntryPadding, "entry", shown(h.name))
		return t.err()
	}
	return nil
}

// content reads an entry whose size is within the limits. Memory grows with what arrives, not with what is stated.
func (t *tarReader) content(h header) ([]byte, error) {
	const atOnce = 1 << 20
	if h.size <= atOnce {
		data := make([]byte, h.size)
		return data, t.fill(data, h.name)
	}
	var b bytes.Buffer
	if _, err := io.CopyN(&b, t.in, h.size); err != nil {
		return nil, t.cut(err, h.name)
	}
	return b.Bytes(), nil
}

func (t *tarReader) skip(h header) error {
	if _, err := io.CopyN(io.Discard, t.in, h.size); err != nil {
		return t.cut(err, h.name)
	}
	return nil
}

func (t *tarReader) fill(data []byte, name string) error {
	if _, err := io.ReadFull(t.in, data); err != nil {
		return t.cut(err, name)
	}
	return nil
}

// cut tells the end of the stream from a fault of it.
func (t *tarReader) cut(err error, name string) error {
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	t.entry(diag.CodeBuildTruncated, "entry", shown(name))
	return t.err()
}

// end makes sure that the archive ends with two blocks of zeros and nothing behind them.
func (t *tarReader) end(empty bool) (map[string][]byte, error) {
	var block [blockSize]byte
	if err := t.fill(block[:], ""); err != nil {
		return nil, err
	}
	files, err := t.finish()
	switch {
	case empty:
		t.problems, t.documents = nil, nil
		t.entry(diag.CodeBuildNotTar, "why", "it is empty")
		return nil, t.err()
	case err != nil:
		return nil, err
	case !allZero(block[:]):
		t.entry(diag.CodeBuildTrailingData)
		return nil, t.err()
	}
	switch _, err := t.in.ReadByte(); {
	case err == nil:
		t.entry(diag.CodeBuildTrailingData)
		return nil, t.err()
	case !errors.Is(err, io.EOF):
		return nil, err
	}
	return files, nil
}

// refuseKind says what an entry is that is no regular file.
func (t *tarReader) refuseKind(h header) {
	name := shown(h.name)
	switch h.kind {
	case '1':
		t.entry(diag.CodeEntryHardLink, "entry", name, "target", shown(h.link))
	case '2':
		t.entry(diag.CodeEntrySymlink, "entry", name, "target", shown(h.link))
	case '3', '4', '6':
		t.entry(diag.CodeEntryDevice, "entry", name, "kind", deviceKind(h.kind))
	case '5':
		t.entry(diag.CodeEntryFolder, "entry", name)
	case 'x', 'g', 'X':
		t.entry(diag.CodeEntryExtension, "entry", name, "kind", "a PAX header")
	case 'L', 'K', 'D', 'M', 'N', 'V':
		t.entry(diag.CodeEntryExtension, "entry", name, "kind", "a GNU header")
	case 'S':
		t.entry(diag.CodeEntryExtension, "entry", name, "kind", "a sparse file")
	default:
		t.entry(diag.CodeEntryType, "entry", name, "type", strconv.QuoteToASCII(string(rune(h.kind))))
	}
}

func deviceKind(kind byte) string {
	switch kind {
	case '3':
		return "character device"
	case '4':
		return "block device"
	default:
		return "named pipe"
	}
}

// compressions are the first bytes of files that people take for archives.
func compressions() map[string]string {
	return map[string]string{
		"\x1f\x8b":         "gzip",
		"\x1f\x9d":         "compress",
		"\x28\xb5\x2f\xfd": "zstd",
		"\xfd7zXZ\x00":     "xz",
		"BZh":              "bzip2",
		"\x04\x22\x4d\x18": "lz4",
		"PK\x03\x04":       "zip",
		"7z\xbc\xaf\x27":   "7z",
	}
}

func (t *tarReader) refuseCompressed() error {
	start, err := t.in.Peek(8)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if len(start) == 0 {
		t.entry(diag.CodeBuildNotTar, "why", "it is empty")
		return t.err()
	}
	for magic, format := range compressions() {
		if strings.HasPrefix(string(start), magic) {
			t.entry(diag.CodeBuildCompressed, "format", format)
			return t.err()
		}
	}
	return nil
}
