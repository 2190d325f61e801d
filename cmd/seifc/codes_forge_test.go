package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// forgery is the Build of the base Project on its way to another one. What names its changed documents is changed with
// them, as someone does who wants to be believed.
type forgery struct {
	t     *testing.T
	files map[string][]byte
	// names are the paths of @definition, @manifest, @tests and @style.
	names map[string]string
	// raw are entries behind the files, tail is what follows the archive.
	raw, tail []byte
	cut       int
	keep      bool
	prefix    string
}

// forgeBuild writes forged.seif: the Build of the Project in the current folder, changed by steps
//
//	forge WHERE OLD NEW     text of @definition, @tests, @manifest, @style, index.json or oci-layout
//	forge add NAME TEXT [N] another file, N times the text; @sha stands for the digest of the text
//	forge grow NAME TEXT N  more at the end of a file
//	forge drop NAME
//	forge keep              what is changed from here on stays as well
//	forge entry NAME KIND [OFFSET BYTES]... an entry of a type, with bytes of its header changed
//	forge entries N         so many empty ones
//	forge raw TEXT          the content of that entry
//	forge head TEXT, tail TEXT, cut BYTES
//	forge attach N CONTENT [OLD NEW]... so many attachments, each with its number behind the content, manifests changed
//	forge referrers DIGEST  an index, tagged as that of what is attached to the Build, that lists DIGEST
func forgeBuild(t *testing.T, steps [][]string) {
	t.Helper()
	if exit, stdout, stderr := outcome("build", "-o", "good.seif"); exit != exitGood {
		t.Fatalf("the base does not build\n%s%s", stdout, stderr)
	}
	f := &forgery{t: t, files: map[string][]byte{}, names: map[string]string{}}
	f.unpack(get(t, "good.seif"))
	for _, step := range steps {
		if step[0] == "forge" {
			f.apply(step[1:])
		}
	}
	put(t, "forged.seif", f.pack())
}

func (f *forgery) unpack(archive []byte) {
	for reader := tar.NewReader(bytes.NewReader(archive)); ; {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			f.t.Fatal(err)
		}
		if f.files[header.Name], err = io.ReadAll(reader); err != nil {
			f.t.Fatal(err)
		}
	}
	f.names["@manifest"] = f.blobAt(f.parsed("index.json"), "/manifests/0/digest")
	manifest := f.parsed(f.names["@manifest"])
	f.names["@definition"] = f.blobAt(manifest, "/config/digest")
	f.names["@style"] = f.blobAt(manifest, "/layers/0/digest")
	f.names["@tests"] = f.blobAt(manifest, "/layers/1/digest")
}

func (f *forgery) parsed(name string) canonical.Value {
	value, err := canonical.Parse(f.files[name], canonical.Limits{})
	if err != nil {
		f.t.Fatalf("%s: %v", name, err)
	}
	return value
}

func (f *forgery) blobAt(value canonical.Value, pointer string) string {
	return "blobs/sha256/" + strings.TrimPrefix(text(value, pointer), "sha256:")
}

func (f *forgery) apply(step []string) {
	name := ""
	if len(step) > 1 {
		name = step[1]
	}
	if path, ok := f.names[name]; ok {
		name = path
	}
	switch step[0] {
	case "add":
		times := 1
		if len(step) > 3 {
			times, _ = strconv.Atoi(step[3])
		}
		data := []byte(strings.Repeat(step[2], times))
		f.files[strings.ReplaceAll(name, "@sha", digest.Of(data).Hex())] = data
	case "grow":
		times, _ := strconv.Atoi(step[3])
		data := append(bytes.Clone(f.files[name]), strings.Repeat(step[2], times)...)
		if _, ok := f.names[step[1]]; ok {
			f.replaceWhole(step[1], data)
			return
		}
		f.files[name] = data
	case "keep":
		f.keep = true
	case "raw":
		f.raw = append(f.raw, name...)
		f.raw = append(f.raw, make([]byte, (512-len(f.raw)%512)%512)...)
	case "drop":
		delete(f.files, name)
	case "entry":
		f.raw = append(f.raw, header(f.t, name, 0, step[2], step[3:]...)...)
	case "entries":
		count, _ := strconv.Atoi(name)
		for i := range count {
			f.raw = append(f.raw, header(f.t, "blobs/sha256/"+digest.Of([]byte(strconv.Itoa(i))).Hex(), 0, "0")...)
		}
	case "attach":
		f.attach(name, step[2], step[3:])
	case "referrers":
		f.referrers(name)
	case "head":
		f.prefix = name
	case "tail":
		f.tail = append(f.tail, name...)
	case "cut":
		f.cut, _ = strconv.Atoi(name)
	default:
		f.change(step[0], step[1], step[2])
	}
}

// add puts a blob among the files.
func (f *forgery) add(data []byte) { f.files["blobs/sha256/"+digest.Of(data).Hex()] = data }

// attach adds attachments of the Build as it is now, which the index does not list. No number follows a content that
// is empty.
func (f *forgery) attach(count, content string, edits []string) {
	times, _ := strconv.Atoi(count)
	build := f.files[f.names["@manifest"]]
	for i := range times {
		data := []byte(content)
		if content != "" {
			data = strconv.AppendInt(data, int64(i), 10)
		}
		manifest := fmt.Appendf(nil, `{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json",`+
			`"artifactType":"%[1]s","config":{"mediaType":"application/vnd.oci.empty.v1+json","digest":"%[2]s","size":2},`+
			`"layers":[{"mediaType":"%[1]s","digest":"%[3]s","size":%[4]d}],`+
			`"subject":{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"%[5]s","size":%[6]d}}`,
			bundle.SigstoreBundleMediaType, digest.Of([]byte("{}")), digest.Of(data), len(data), digest.Of(build), len(build))
		for pair := range slices.Chunk(edits, 2) {
			manifest = substitute(f.t, manifest, pair[0], pair[1])
		}
		f.add(data)
		f.add([]byte("{}"))
		f.add(manifest)
	}
}

func (f *forgery) referrers(listed string) {
	index := fmt.Appendf(nil, `{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json",`+
		`"manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"%s","size":2}]}`, listed)
	f.add(index)
	f.files["index.json"] = substitute(f.t, f.files["index.json"], `}],"mediaType"`, fmt.Sprintf(
		`},{"mediaType":"application/vnd.oci.image.index.v1+json","digest":"%s","size":%d,"annotations":{"org.opencontainers.image.ref.name":"sha256-%s"}}],"mediaType"`,
		digest.Of(index), len(index), strings.TrimPrefix(f.names["@manifest"], "blobs/sha256/")))
}

// change edits a document and, from it up to the index, what names it.
func (f *forgery) change(document, before, after string) {
	name, isBlob := f.names[document]
	if !isBlob {
		f.files[document] = substitute(f.t, f.files[document], before, after)
		return
	}
	was := f.files[name]
	data := substitute(f.t, was, before, after)
	if !f.keep {
		delete(f.files, name)
	}
	f.names[document] = "blobs/sha256/" + digest.Of(data).Hex()
	f.files[f.names[document]] = data
	named := func(in []byte) []byte {
		in = bytes.ReplaceAll(in, []byte(digest.Of(was).Hex()), []byte(digest.Of(data).Hex()))
		return bytes.ReplaceAll(in, fmt.Appendf(nil, `"size":%d}`, len(was)), fmt.Appendf(nil, `"size":%d}`, len(data)))
	}
	switch document {
	case "@tests", "@style":
		def := f.files[f.names["@definition"]]
		f.replaceWhole("@definition", named(def))
		f.replaceWhole("@manifest", named(f.files[f.names["@manifest"]]))
	case "@definition":
		f.replaceWhole("@manifest", named(f.files[f.names["@manifest"]]))
	case "@manifest":
		f.files["index.json"] = named(f.files["index.json"])
	}
}

func (f *forgery) replaceWhole(document string, data []byte) {
	f.change(document, string(f.files[f.names[document]]), string(data))
}

// pack writes the files as `seifc build` does, and then what does not belong there.
func (f *forgery) pack() []byte {
	var out bytes.Buffer
	out.WriteString(f.prefix)
	for _, name := range mapKeys(f.files) {
		out.Write(header(f.t, name, len(f.files[name]), "0"))
		out.Write(f.files[name])
		out.Write(make([]byte, (512-len(f.files[name])%512)%512))
	}
	out.Write(f.raw)
	out.Write(make([]byte, 1024))
	out.Write(f.tail)
	return out.Bytes()[:out.Len()-f.cut]
}

// header is a USTAR header of an entry type; changes are pairs of an offset and the bytes that stand there.
func header(t *testing.T, name string, size int, kind string, changes ...string) []byte {
	t.Helper()
	h := make([]byte, 512)
	copy(h, name)
	copy(h[100:], "0000644\x000000000\x000000000\x00")
	copy(h[124:], fmt.Sprintf("%011o\x00%011o\x00", size, 0))
	copy(h[156:], kind)
	copy(h[257:], "ustar\x0000")
	for pair := range slices.Chunk(changes, 2) {
		at, err := strconv.Atoi(pair[0])
		if err != nil {
			t.Fatal(err)
		}
		copy(h[at:], pair[1])
	}
	copy(h[148:], "        ")
	sum := 0
	for _, b := range h {
		sum += int(b)
	}
	copy(h[148:], fmt.Sprintf("%06o\x00 ", sum))
	return h
}
