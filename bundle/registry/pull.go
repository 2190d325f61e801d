package registry

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"sync"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// PullReport says what a pull found.
type PullReport struct {
	// Reference names the Build by its digest, whatever the tag stands for by now.
	Reference string
	Digest    digest.Digest
	Tag       string // empty if none was named
	Blobs     int    // of the Build
	Bytes     int64  // of the Build, its manifest included
	// Attachments is how many attachments arrived; ReferrersAPI says that the registry keeps the list of them.
	Attachments  int
	ReferrersAPI bool
	// Skipped are the manifests that are listed as attached and are no attachments of the Build, sorted by digest.
	Skipped []Skipped
	// Notices are findings that stop nothing: above all that nothing is attached.
	Notices []diag.Problem
}

// Skipped is a listed manifest that was left out, and why. The first problem says that it was; those after it are about
// its content.
type Skipped struct {
	Digest   digest.Digest
	Problems []diag.Problem
}

// Pull gets a Build and what is attached to it. A tag is resolved once. The Build is verified as [bundle.ReadTar] does;
// attachments are well formed and refer to it, which says nothing about who made them. Signatures that a registry
// withholds cannot be told from those that never were: a Build without any arrives as such, and the report says so.
func Pull(ctx context.Context, reference string, read bundle.ReadOptions, opts Options) (*bundle.Layout, PullReport, error) {
	ref, err := Parse(reference)
	if err != nil {
		return nil, PullReport{}, err
	}
	s := open(ref, opts)
	defer s.close()
	layout, report, err := s.pull(ctx, read)
	if err != nil {
		var invalid *bundle.Invalid
		if errors.As(err, &invalid) {
			invalid.Path = ref.String()
		}
		return nil, PullReport{}, s.named(err)
	}
	for _, skipped := range report.Skipped {
		s.secrets.hideIn(skipped.Problems)
	}
	return layout, report, nil
}

func (s *session) pull(ctx context.Context, read bundle.ReadOptions) (*bundle.Layout, PullReport, error) {
	manifest, err := s.resolve(ctx)
	if err != nil {
		return nil, PullReport{}, err
	}
	if read.Digest.IsZero() {
		read.Digest = digest.Of(manifest)
	}
	blobs, err := namedBlobs(manifest)
	if err != nil {
		return nil, PullReport{}, err
	}
	build, err := s.fetch(ctx, manifest, blobs, read)
	if err != nil {
		return nil, PullReport{}, err
	}
	report := PullReport{
		Reference: s.ref.at(build.Digest()).String(), Digest: build.Digest(), Tag: s.ref.Tag,
		Blobs: len(blobs), Bytes: int64(len(manifest)),
	}
	for _, b := range blobs {
		report.Bytes += b.size
	}
	layout := &bundle.Layout{Build: build}
	if layout.Attachments, err = s.attachments(ctx, build, &report); err != nil {
		return nil, PullReport{}, err
	}
	return layout, report, nil
}

// resolve gives the manifest that the reference names. This is the only time that the tag is asked for.
func (s *session) resolve(ctx context.Context) ([]byte, error) {
	name := s.ref.Tag
	if name == "" {
		name = s.ref.Digest.String()
	}
	data, found, err := s.manifest(ctx, name, bundle.MaxManifest)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, s.absent(name)
	case !s.ref.Digest.IsZero() && digest.Of(data) != s.ref.Digest:
		return nil, elsewhere(s.ref.Tag, s.ref.Digest, digest.Of(data))
	}
	return data, nil
}

// namedBlobs lists what the manifest of a Build names, once each, within the bounds of a Build. It only says what to
// fetch: the manifest itself is judged with its blobs at hand. A manifest that is none of a Build has no blobs to fetch.
func namedBlobs(manifest []byte) ([]listed, error) {
	value, err := canonical.Parse(manifest, canonical.Limits{Bytes: bundle.MaxManifest})
	root, ok := value.(map[string]any)
	if err != nil || !ok || root["artifactType"] != bundle.ArtifactType || root["mediaType"] != bundle.ManifestMediaType {
		return nil, nil
	}
	layers, _ := root["layers"].([]any)
	var (
		out   []listed
		seen  = map[digest.Digest]bool{}
		total int64
	)
	for _, item := range append([]any{root["config"]}, layers...) {
		members, _ := item.(map[string]any)
		name, _ := members["digest"].(string)
		size, ok := number(members["size"])
		d, err := digest.Parse(name)
		if err != nil || !ok || size < 0 || size > bundle.MaxBlob {
			return nil, nil
		}
		if seen[d] {
			continue
		}
		seen[d] = true
		out = append(out, listed{d, size})
		if total += size; total > bundle.MaxBuild || len(out) > bundle.MaxEntries {
			return nil, unverified(diag.CodeBuildTooLarge, "limit", strconv.Itoa(bundle.MaxBuild))
		}
	}
	return out, nil
}

// fetch gets the blobs of a manifest and has the whole verified, as if it were read from a file. Blobs are passed on as
// they arrive.
func (s *session) fetch(ctx context.Context, manifest []byte, blobs []listed, read bundle.ReadOptions) (*bundle.Build, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out, in := io.Pipe()
	fetched := make(chan error, 1)
	go func() {
		err := s.stream(ctx, in, manifest, blobs)
		in.CloseWithError(err)
		fetched <- err
	}()
	build, err := bundle.ReadTar(ctx, out, read)
	out.CloseWithError(errVerified)
	cancel(errVerified)
	if failed := <-fetched; failed != nil && !errors.Is(failed, errVerified) {
		return nil, failed
	}
	return build, err
}

// errVerified ends a download whose reader has its answer.
var errVerified = errors.New("the Build was judged already")

// stream writes a layout with the blobs of a manifest. Each is what its digest says.
func (s *session) stream(ctx context.Context, to io.Writer, manifest []byte, blobs []listed) error {
	var mu sync.Mutex
	archive := tar.NewWriter(to)
	write := func(name string, data []byte) error {
		mu.Lock()
		defer mu.Unlock()
		header := tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644, Size: int64(len(data)), Format: tar.FormatUSTAR}
		if err := archive.WriteHeader(&header); err != nil {
			return err
		}
		_, err := archive.Write(data)
		return err
	}
	d := digest.Of(manifest)
	index, err := canonical.Marshal(map[string]any{
		"schemaVersion": jsonNumber(2),
		"mediaType":     bundle.IndexMediaType,
		"manifests": []any{map[string]any{
			"mediaType": bundle.ManifestMediaType, "digest": d.String(), "size": jsonNumber(len(manifest)),
		}},
	})
	if err != nil {
		return err
	}
	err = errors.Join(
		write("oci-layout", []byte(`{"imageLayoutVersion":"1.0.0"}`)),
		write("index.json", index),
		write("blobs/sha256/"+d.Hex(), manifest),
	)
	if err != nil {
		return err
	}
	for _, b := range blobs {
		s.meter.expect(b.size)
	}
	err = each(ctx, blobs, func(ctx context.Context, b listed) error {
		data, err := s.blob(ctx, b.digest, b.size)
		if err != nil || b.digest == d {
			return err
		}
		return write("blobs/sha256/"+b.digest.Hex(), data)
	})
	if err != nil {
		return err
	}
	return archive.Close()
}

// attachments fetches everything that is listed as attached, and gives what is.
func (s *session) attachments(ctx context.Context, build *bundle.Build, report *PullReport) ([]bundle.Attachment, error) {
	list, api, err := s.attached(ctx, build.Digest())
	if err != nil {
		return nil, err
	}
	report.ReferrersAPI = api
	var (
		mu    sync.Mutex
		found []bundle.Attachment
		total int
	)
	err = each(ctx, list.entries, func(ctx context.Context, e listed) error {
		a, problems, err := s.attachment(ctx, build, e)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		if len(problems) > 0 {
			report.Skipped = append(report.Skipped, Skipped{e.digest, problems})
			return nil
		}
		found = append(found, a)
		total += len(a.Manifest()) + len(a.Content())
		return checkAttached(len(found), total)
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b bundle.Attachment) int { return compare(a.Digest(), b.Digest()) })
	slices.SortFunc(report.Skipped, func(a, b Skipped) int { return compare(a.Digest, b.Digest) })
	report.Attachments = len(found)
	if len(found) == 0 {
		report.Notices = append(report.Notices, diag.New(diag.CodeRegistryUnsigned, "", "skipped", strconv.Itoa(len(report.Skipped))))
	}
	return found, nil
}

// checkAttached bounds what a reader of layouts would refuse.
func checkAttached(count, bytes int) error {
	switch {
	case count > bundle.MaxAttachments:
		return unverified(diag.CodeTooManyAttachments, "found", strconv.Itoa(count), "limit", strconv.Itoa(bundle.MaxAttachments))
	case bytes > bundle.MaxAttached:
		return unverified(diag.CodeAttachmentTooLarge, "entry", "all attachments together",
			"found", strconv.Itoa(bytes), "limit", strconv.Itoa(bundle.MaxAttached))
	}
	return nil
}

func compare(a, b digest.Digest) int { return bytes.Compare(a[:], b[:]) }

// attachment judges one listed manifest by its content. The problems say why it is none.
func (s *session) attachment(ctx context.Context, build *bundle.Build, e listed) (bundle.Attachment, []diag.Problem, error) {
	skip := func(why string, more ...diag.Problem) (bundle.Attachment, []diag.Problem, error) {
		first := diag.New(diag.CodeRegistrySkipped, "", "referrer", e.digest.String(), "why", why)
		return bundle.Attachment{}, append([]diag.Problem{first}, more...), nil
	}
	if e.size > maxReferrer {
		return skip("its manifest has more than " + strconv.Itoa(maxReferrer) + " bytes")
	}
	manifest, found, err := s.manifest(ctx, e.digest.String(), maxReferrer)
	if err != nil {
		return bundle.Attachment{}, nil, err
	}
	if !found {
		return skip("the registry does not have it")
	}
	// Without content there is one problem left if all that the manifest says is right.
	if _, problems := bundle.ParseAttachment(build, manifest, nil); len(problems) != 1 || problems[0].Code != diag.CodeAttachmentEmpty {
		return skip("it is no attachment of this Build", problems...)
	}
	layer, ok := onlyLayer(manifest)
	if !ok {
		return skip("it has not one layer")
	}
	s.meter.expect(layer.size)
	content, err := s.blob(ctx, layer.digest, layer.size)
	var fault *Fault
	if errors.As(err, &fault) && fault.Problem.Code == diag.CodeRegistryNotFound {
		return skip("the registry does not have its content")
	}
	if err != nil {
		return bundle.Attachment{}, nil, err
	}
	a, problems := bundle.ParseAttachment(build, manifest, content)
	if len(problems) > 0 {
		return skip("it is no attachment of this Build", problems...)
	}
	return a, nil, nil
}

// onlyLayer says where the content of an attachment is. The manifest was judged before.
func onlyLayer(manifest []byte) (listed, bool) {
	value, err := canonical.Parse(manifest, canonical.Limits{Bytes: maxReferrer})
	root, _ := value.(map[string]any)
	layers, _ := root["layers"].([]any)
	if err != nil || len(layers) != 1 {
		return listed{}, false
	}
	members, _ := layers[0].(map[string]any)
	name, _ := members["digest"].(string)
	size, ok := number(members["size"])
	d, err := digest.Parse(name)
	return listed{d, size}, ok && err == nil && size >= 0 && size <= bundle.MaxAttachment
}
