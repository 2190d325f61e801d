package registry

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// PushReport says what a push did.
type PushReport struct {
	// Reference names the Build by its digest.
	Reference string
	Digest    digest.Digest
	Tag       string // empty if none was named
	// Outcome is [bundle.Unchanged] if the registry had everything, the tag included.
	Outcome bundle.Outcome
	// Sent and Skipped count blobs that had to be sent, and those that were there.
	Sent, Skipped int
	// Attachments is how many attachments of the layout are there now.
	Attachments int
}

// Push puts a Build and its attachments into a registry, and the tag of the reference, if it has one, on it. The tag is
// set last, once everything was read back; what fails before that leaves nothing that is visible under it. A reference
// with a digest has to name this very Build. Attachments that the registry has beyond those of the layout stay.
func Push(ctx context.Context, reference string, layout *bundle.Layout, opts Options) (PushReport, error) {
	ref, err := Parse(reference)
	if err != nil {
		return PushReport{}, err
	}
	s := open(ref, opts)
	defer s.close()
	report, err := s.push(ctx, layout)
	if err != nil {
		return PushReport{}, s.named(err)
	}
	return report, nil
}

func (s *session) push(ctx context.Context, layout *bundle.Layout) (PushReport, error) {
	build := layout.Build
	if err := expect(s.ref.Digest, build.Digest()); err != nil {
		return PushReport{}, err
	}
	if err := judge(build, layout.Attachments); err != nil {
		return PushReport{}, err
	}
	u := &upload{session: s}
	blobs := blobsOf(build)
	for _, a := range layout.Attachments {
		blobs = append(blobs, []byte(emptyConfig), a.Content())
	}
	if err := u.blobs(ctx, blobs); err != nil {
		return PushReport{}, err
	}
	if err := u.build(ctx, build.Manifest()); err != nil {
		return PushReport{}, err
	}
	if err := u.attach(ctx, build.Digest(), layout.Attachments); err != nil {
		return PushReport{}, err
	}
	if err := u.tag(ctx, build); err != nil {
		return PushReport{}, err
	}
	report := PushReport{
		Reference: s.ref.at(build.Digest()).String(), Digest: build.Digest(), Tag: s.ref.Tag, Outcome: bundle.Unchanged,
		Sent: int(u.sent.Load()), Skipped: int(u.skipped.Load()), Attachments: len(layout.Attachments),
	}
	if u.changed.Load() {
		report.Outcome = bundle.Written
	}
	return report, nil
}

// Attach adds attachments to a Build that is in a registry already. A tag of the reference has to stand for that Build,
// and so has a digest. Others may attach at the same time. It returns once the registry lists every one of them.
func Attach(ctx context.Context, reference string, build *bundle.Build, attachments []bundle.Attachment, opts Options) error {
	ref, err := Parse(reference)
	if err != nil {
		return err
	}
	s := open(ref, opts)
	defer s.close()
	return s.named(s.attach(ctx, build, attachments))
}

func (s *session) attach(ctx context.Context, build *bundle.Build, attachments []bundle.Attachment) error {
	if err := expect(s.ref.Digest, build.Digest()); err != nil {
		return err
	}
	if err := judge(build, attachments); err != nil {
		return err
	}
	name := build.Digest().String()
	if s.ref.Tag != "" {
		name = s.ref.Tag
	}
	there, found, err := s.manifest(ctx, name, bundle.MaxManifest)
	switch {
	case err != nil:
		return err
	case !found:
		return s.absent(name)
	case digest.Of(there) != build.Digest():
		return elsewhere(s.ref.Tag, build.Digest(), digest.Of(there))
	}
	u := &upload{session: s}
	var blobs [][]byte
	for _, a := range attachments {
		blobs = append(blobs, []byte(emptyConfig), a.Content())
	}
	if err := u.blobs(ctx, blobs); err != nil {
		return err
	}
	return u.attach(ctx, build.Digest(), attachments)
}

// emptyConfig is the content of an attachment's config.
const emptyConfig = "{}"

// expect holds a digest that was named against that of the Build.
func expect(stated, actual digest.Digest) error {
	if stated.IsZero() || stated == actual {
		return nil
	}
	return unverified(diag.CodeBuildDigest, "expected", stated.String(), "found", actual.String())
}

// judge makes sure that attachments are of the Build, and not more than a reader takes, before any is sent.
func judge(b *bundle.Build, attachments []bundle.Attachment) error {
	total := 0
	for _, a := range attachments {
		if _, problems := bundle.ParseAttachment(b, a.Manifest(), a.Content()); len(problems) > 0 {
			return &bundle.Invalid{Problems: problems}
		}
		total += len(a.Manifest()) + len(a.Content())
	}
	return checkAttached(len(attachments), total)
}

func elsewhere(tag string, expected, found digest.Digest) error {
	return unverified(diag.CodeRegistryTagElsewhere, "tag", tag, "expected", expected.String(), "found", found.String())
}

func (s *session) absent(name string) error {
	return unable(nil, diag.CodeRegistryNotFound, "host", s.target.Host(), "why", "there is no "+name)
}

// blobsOf are the contents that the manifest of a Build names.
func blobsOf(b *bundle.Build) [][]byte {
	out := [][]byte{b.DefinitionBytes(), b.Tests()}
	if corpus := b.Corpus(); corpus != nil {
		out = append(out, corpus)
	}
	for _, text := range b.Texts() {
		out = append(out, []byte(text))
	}
	return out
}

// upload writes into a repository and keeps count.
type upload struct {
	*session
	sent, skipped atomic.Int32
	changed       atomic.Bool
}

// blobs stores contents, equal ones once.
func (u *upload) blobs(ctx context.Context, contents [][]byte) error {
	var unique [][]byte
	seen := map[digest.Digest]bool{}
	for _, data := range contents {
		if d := digest.Of(data); !seen[d] {
			seen[d] = true
			unique = append(unique, data)
			u.meter.expect(int64(len(data)))
		}
	}
	return each(ctx, unique, func(ctx context.Context, data []byte) error {
		stored, err := u.store(ctx, data)
		if stored {
			u.sent.Add(1)
			u.changed.Store(true)
		} else if err == nil {
			u.skipped.Add(1)
		}
		return err
	})
}

// build stores the manifest of a Build, whose blobs are there.
func (u *upload) build(ctx context.Context, data []byte) error {
	stored, _, err := u.keep(ctx, data)
	if stored {
		u.changed.Store(true)
	}
	return err
}

// attach stores the manifests of attachments, whose blobs are there, and makes sure that the registry lists them.
func (u *upload) attach(ctx context.Context, subject digest.Digest, attachments []bundle.Attachment) error {
	if len(attachments) == 0 {
		return nil
	}
	indexed := true // the registry has said of every new one that it took note of its subject
	manifests := make([][]byte, len(attachments))
	for i, a := range attachments {
		manifests[i] = a.Manifest()
		stored, noted, err := u.keep(ctx, manifests[i])
		if err != nil {
			return err
		}
		if stored {
			u.changed.Store(true)
			indexed = indexed && noted
		}
	}
	listed, api, err := u.await(ctx, subject, attachments)
	if err != nil || listed {
		return err
	}
	if api && indexed {
		return unverified(diag.CodeRegistryReadBack, "what", "the list of what is attached", "found", "one without the attachment")
	}
	changed, err := u.enlist(ctx, subject, manifests)
	if changed {
		u.changed.Store(true)
	}
	return err
}

// await asks the referrers API until it lists the attachments, a few times: some registries take a moment. listed is
// false if they do not appear, or if there is no API.
func (u *upload) await(ctx context.Context, subject digest.Digest, attachments []bundle.Attachment) (listed, api bool, err error) {
	pause := firstPause
	for range maxTries {
		list := &listing{}
		if api, err = u.referrers(ctx, subject, list); err != nil || !api {
			return false, false, err
		}
		missing := false
		for _, a := range attachments {
			missing = missing || !list.known[a.Digest()]
		}
		if !missing {
			return true, true, nil
		}
		if err := u.opts.wait(ctx, pause); err != nil {
			return false, true, err
		}
		pause = min(2*pause, time.Second)
	}
	return false, true, nil
}

// tag puts the tag on the Build and reads it back.
func (u *upload) tag(ctx context.Context, b *bundle.Build) error {
	if u.ref.Tag == "" {
		return nil
	}
	changed, err := u.pin(ctx, u.ref.Tag, bundle.ManifestMediaType, b.Manifest())
	if err != nil || !changed {
		return err
	}
	u.changed.Store(true)
	data, found, err := u.session.manifest(ctx, u.ref.Tag, bundle.MaxManifest)
	if err != nil {
		return err
	}
	if !found {
		return u.lost(false, "the tag "+u.ref.Tag)
	}
	if d := digest.Of(data); d != b.Digest() {
		return elsewhere(u.ref.Tag, b.Digest(), d)
	}
	return nil
}
