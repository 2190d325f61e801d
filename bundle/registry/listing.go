package registry

import (
	"cmp"
	"context"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Bounds of listings.
const (
	maxPages  = 64
	maxListed = 1024
	// maxTagPages is of the list of all tags of a repository, which grows with every Build that was ever pushed.
	maxTagPages = 1024
	// maxReferrer bounds a manifest that is listed as attached; see bundle.ParseAttachment.
	maxReferrer = 64 << 10
)

// listed is what a registry says to be attached. Only its digest is used, and that to ask for it.
type listed struct {
	digest digest.Digest
	size   int64
}

// listing gathers what is listed, once each, in the order in which it was found.
type listing struct {
	entries []listed
	known   map[digest.Digest]bool
}

func (l *listing) add(entries ...listed) error {
	if l.known == nil {
		l.known = map[digest.Digest]bool{}
	}
	for _, e := range entries {
		if l.known[e.digest] {
			continue
		}
		if len(l.entries) == maxListed {
			return unverified(diag.CodeRegistryListing, "what", "the list of what is attached",
				"why", "it has more than "+strconv.Itoa(maxListed)+" entries")
		}
		l.known[e.digest] = true
		l.entries = append(l.entries, e)
	}
	return nil
}

// attached lists all that may be attached to a manifest, from every place where it may be listed: the referrers API, the
// index under the fallback tag, and without the API the tags of single attachments.
func (s *session) attached(ctx context.Context, subject digest.Digest) (list *listing, api bool, err error) {
	list = &listing{}
	if api, err = s.referrers(ctx, subject, list); err != nil {
		return nil, false, err
	}
	index, err := s.fallback(ctx, subject)
	if err != nil {
		return nil, false, err
	}
	if err := list.add(index.listed...); err != nil || api {
		return list, api, err
	}
	anchors, err := s.anchors(ctx, subject)
	if err != nil {
		return nil, false, err
	}
	_, err = s.follow(ctx, anchors, list)
	return list, false, err
}

// referrers asks the referrers API (OCI distribution specification 1.1, "Listing Referrers"). supported says whether the
// registry has it.
func (s *session) referrers(ctx context.Context, subject digest.Digest, list *listing) (supported bool, err error) {
	path, query := "/referrers/"+subject.String(), ""
	for page := 0; ; page++ {
		if page == maxPages {
			return false, unverified(diag.CodeRegistryListing, "what", "the referrers API",
				"why", "it has more than "+strconv.Itoa(maxPages)+" pages")
		}
		c := call{method: http.MethodGet, path: path + query, accept: bundle.IndexMediaType, limit: bundle.MaxManifest}
		got, err := s.do(ctx, c)
		if err != nil {
			return false, err
		}
		if page == 0 && lacksAPI(got) {
			return false, nil
		}
		if got.status != http.StatusOK {
			return false, s.refuse(c, got)
		}
		if size := max(got.length, int64(len(got.body))); size > bundle.MaxManifest {
			return false, unverified(diag.CodeRegistryTooLarge, "what", "the list of what is attached",
				"limit", strconv.Itoa(bundle.MaxManifest))
		}
		index, err := readIndex("the answer of the referrers API", got.body)
		if err != nil {
			return false, err
		}
		if err := list.add(index.listed...); err != nil {
			return false, err
		}
		if query = got.next; query == "" {
			return true, nil
		}
	}
}

// lacksAPI tells the answers of a registry without the referrers API. Some answer any path with a page for people.
func lacksAPI(got answer) bool {
	switch got.status {
	case http.StatusNotFound, http.StatusBadRequest, http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusNotImplemented:
		return true
	case http.StatusOK:
		kind, _, _ := mime.ParseMediaType(got.header.Get("Content-Type"))
		return kind != bundle.IndexMediaType
	}
	return false
}

// index is an OCI image index that lists what is attached.
type index struct {
	root   map[string]any
	items  []any
	listed []listed
}

// readIndex takes an index apart. Entries under another digest algorithm belong to it and are none of ours.
func readIndex(what string, data []byte) (index, error) {
	fail := func(why string) (index, error) {
		return index{}, unverified(diag.CodeRegistryListing, "what", what, "why", why)
	}
	value, err := canonical.Parse(data, canonical.Limits{Bytes: bundle.MaxManifest})
	if err != nil {
		return fail(err.Error())
	}
	root, ok := value.(map[string]any)
	if !ok {
		return fail("it is not an object")
	}
	if kind, stated := root["mediaType"]; stated && kind != bundle.IndexMediaType {
		return fail("it is not an OCI image index")
	}
	items, ok := root["manifests"].([]any)
	if !ok && root["manifests"] != nil {
		return fail("its manifests are not an array")
	}
	out := index{root: root, items: items}
	for i, item := range items {
		members, _ := item.(map[string]any)
		name, isText := members["digest"].(string)
		size, isNumber := number(members["size"])
		if !isText || !isNumber || size < 0 {
			return fail("entry " + strconv.Itoa(i) + " is no descriptor")
		}
		if d, err := digest.Parse(name); err == nil {
			out.listed = append(out.listed, listed{d, size})
		} else if strings.HasPrefix(name, "sha256:") {
			return fail("entry " + strconv.Itoa(i) + " has a malformed digest")
		}
	}
	return out, nil
}

// entryOf is how an index lists a referrer (OCI distribution specification 1.1, "Referrers Tag Schema"): with its
// artifact type and its annotations. ok is false for bytes that are no manifest.
func entryOf(manifest []byte) (entry map[string]any, ok bool) {
	value, err := canonical.Parse(manifest, canonical.Limits{Bytes: maxReferrer})
	if err != nil {
		return nil, false
	}
	members, ok := value.(map[string]any)
	if !ok || members["mediaType"] != bundle.ManifestMediaType {
		return nil, false
	}
	config, _ := members["config"].(map[string]any)
	configType, _ := config["mediaType"].(string)
	artifactType, _ := members["artifactType"].(string)
	entry = map[string]any{
		"mediaType":    bundle.ManifestMediaType,
		"digest":       digest.Of(manifest).String(),
		"size":         jsonNumber(len(manifest)),
		"artifactType": cmp.Or(artifactType, configType),
	}
	if annotations, has := members["annotations"].(map[string]any); has {
		entry["annotations"] = annotations
	}
	return entry, true
}
