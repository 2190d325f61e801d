package registry

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/registry/remote/auth"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// manifestTypes is what a manifest is asked for by. Types that cannot be a Build are among them, so that a registry
// gives what is there under a name, and the answer is that it is no Build.
var manifestTypes = strings.Join([]string{
	bundle.ManifestMediaType, bundle.IndexMediaType,
	"application/vnd.docker.distribution.manifest.v2+json", "application/vnd.docker.distribution.manifest.list.v2+json",
}, ", ")

// digestHeader is the digest that a registry states for a manifest or blob.
const digestHeader = "Docker-Content-Digest"

// manifest gives the manifest under a tag or a digest, if there is one. Its digest is that of the bytes; what the
// registry states has to be the same. One that was asked for by digest is the one that was asked for.
func (s *session) manifest(ctx context.Context, name string, limit int64) (data []byte, found bool, err error) {
	c := call{method: http.MethodGet, path: "/manifests/" + name, accept: manifestTypes, limit: limit}
	got, err := s.do(ctx, c)
	if err != nil {
		return nil, false, err
	}
	if got.status == http.StatusNotFound {
		return nil, false, nil
	}
	if got.status != http.StatusOK {
		return nil, false, s.refuse(c, got)
	}
	if size := max(got.length, int64(len(got.body))); size > limit {
		return nil, false, unverified(diag.CodeRegistryTooLarge, "what", "the manifest "+name,
			"limit", strconv.FormatInt(limit, 10))
	}
	actual := digest.Of(got.body).String()
	if stated := got.header.Get(digestHeader); stated != "" && stated != actual {
		return nil, false, wrongDigest("the manifest "+name, shown(stated), actual)
	}
	if strings.Contains(name, ":") && name != actual {
		return nil, false, wrongDigest("the manifest "+name, name, actual)
	}
	return got.body, true, nil
}

// blob gives the blob of a digest and size.
func (s *session) blob(ctx context.Context, d digest.Digest, size int64) ([]byte, error) {
	c := call{method: http.MethodGet, path: "/blobs/" + d.String(), limit: size}
	var counted int64
	c.watch = func(n int) {
		counted += int64(n)
		s.meter.settle(d, int64(n))
	}
	var out []byte
	err := s.persist(ctx, size, func(ctx context.Context) (time.Duration, error) {
		if counted > 0 {
			s.meter.settle(d, -counted)
			counted = 0
		}
		got, err := s.send(ctx, c)
		switch {
		case err != nil:
			return 0, err
		case isBusy(got.status):
			return retryAfter(got.header), s.refuse(c, got)
		case got.status != http.StatusOK:
			return 0, s.refuse(c, got)
		}
		out, err = checkBlob(got, d, size)
		return 0, err
	})
	return out, err
}

// checkBlob holds what arrived against its descriptor.
func checkBlob(got answer, d digest.Digest, size int64) ([]byte, error) {
	what := "the blob " + d.String()
	switch actual := int64(len(got.body)); {
	case got.length >= 0 && got.length != size:
		return nil, wrongSize(what, size, got.length)
	case actual > size:
		return nil, unverified(diag.CodeRegistryTooLarge, "what", what, "limit", strconv.FormatInt(size, 10))
	case actual < size:
		return nil, wrongSize(what, size, actual)
	}
	if actual := digest.Of(got.body); actual != d {
		return nil, wrongDigest(what, d.String(), actual.String())
	}
	return got.body, nil
}

// has tells whether the registry says that it has a blob.
func (s *session) has(ctx context.Context, d digest.Digest, size int64) (bool, error) {
	c := call{method: http.MethodHead, path: "/blobs/" + d.String()}
	got, err := s.do(ctx, c)
	switch {
	case err != nil:
		return false, err
	case got.status == http.StatusNotFound:
		return false, nil
	case got.status != http.StatusOK:
		return false, s.refuse(c, got)
	case got.length >= 0 && got.length != size:
		return false, wrongSize("the blob "+d.String(), size, got.length)
	}
	return true, nil
}

// store puts a blob into the repository unless it is there; stored says that it was not. An upload that fails begins
// anew: under its digest a blob is the same however often it is sent.
func (s *session) store(ctx context.Context, data []byte) (stored bool, err error) {
	d := digest.Of(data)
	there, err := s.has(ctx, d, int64(len(data)))
	if err != nil {
		return false, err
	}
	if there {
		s.meter.settle(d, int64(len(data)))
		return false, nil
	}
	descriptor := content.NewDescriptorFromBytes("application/octet-stream", data)
	counted := int64(0)
	err = s.persist(ctx, int64(len(data)), func(ctx context.Context) (time.Duration, error) {
		if counted > 0 {
			s.meter.settle(d, -counted)
			counted = 0
		}
		ctx = auth.AppendRepositoryScope(ctx, s.target, auth.ActionPull, auth.ActionPush)
		return 0, s.repo.Blobs().Push(ctx, descriptor, &watched{bytes.NewReader(data), func(n int) {
			counted += int64(n)
			s.meter.settle(d, int64(n))
		}})
	})
	return err == nil, err
}

// putManifest puts a manifest under a tag or its digest. indexed says that the registry took note of its subject.
func (s *session) putManifest(ctx context.Context, name, kind string, data []byte) (indexed bool, err error) {
	c := call{method: http.MethodPut, path: "/manifests/" + name, kind: kind, body: data, limit: maxErrorBody}
	got, err := s.do(ctx, c)
	if err != nil {
		return false, err
	}
	if got.status != http.StatusCreated && got.status != http.StatusOK && got.status != http.StatusAccepted {
		return false, s.refuse(c, got)
	}
	return got.header.Get("OCI-Subject") != "", nil
}

// keep makes sure that a manifest is there under its digest, byte for byte; stored says that it was not before.
func (s *session) keep(ctx context.Context, data []byte) (stored, indexed bool, err error) {
	name := digest.Of(data).String()
	if _, there, err := s.manifest(ctx, name, int64(len(data))); err != nil || there {
		return false, false, err
	}
	if indexed, err = s.putManifest(ctx, name, bundle.ManifestMediaType, data); err != nil {
		return false, false, err
	}
	if _, there, err := s.manifest(ctx, name, int64(len(data))); err != nil || !there {
		return false, false, errors.Join(err, s.lost(there, "the manifest "+name))
	}
	return true, indexed, nil
}

// lost is the fault of something that was accepted and is not there.
func (s *session) lost(there bool, what string) error {
	if there {
		return nil
	}
	return unverified(diag.CodeRegistryReadBack, "what", what, "found", "nothing")
}

func wrongDigest(what, expected, found string) *Fault {
	return unverified(diag.CodeRegistryDigest, "what", what, "expected", expected, "found", found)
}

func wrongSize(what string, expected, found int64) *Fault {
	return unverified(diag.CodeRegistrySize, "what", what,
		"expected", strconv.FormatInt(expected, 10), "found", strconv.FormatInt(found, 10))
}
