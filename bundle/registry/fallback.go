package registry

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// A registry without the referrers API keeps what is attached in an index under the tag sha256-HEX, which every client
// reads, changes and writes (OCI distribution specification 1.1, "Referrers Tag Schema"). There is no conditional write:
// of two clients that read the same index, the second to write drops what the first one added, and neither can see it by
// reading back at once.
//
// So an attachment is put under a tag of its own first, its anchor. Nobody rewrites an anchor, so none is ever lost. A
// writer is done when it has listed the anchors, then read the index, and found all of them in it; until then it writes
// the union. Let X write the index last, of all who attach. X listed the anchors after that write and found them all in
// the index. Who sets an anchor later than that reads the index later still, does not find its own entry, and writes:
// then X was not the last. So when the last is done, the index has every anchor. Readers follow the anchors too, so
// that a client that knows only the index cannot take an attachment away from them.

const (
	anchorMark   = ".seif-"
	anchorDigits = 32 // of the attachment's digest; a tag has at most 128 characters
	maxMerges    = 64
	mergePause   = 50 * time.Millisecond
	maxTags      = 4 << 20 // bytes of a page of tags
)

// fallbackTag is the tag under which clients look for what is attached.
func fallbackTag(subject digest.Digest) string { return "sha256-" + subject.Hex() }

// anchorTag is the tag of one attachment.
func anchorTag(subject, attachment digest.Digest) string {
	return fallbackTag(subject) + anchorMark + attachment.Hex()[:anchorDigits]
}

// fallback reads the index under the fallback tag; it is empty if there is none. Some registries take the tag for the
// digest that it spells, and give the subject.
func (s *session) fallback(ctx context.Context, subject digest.Digest) (index, error) {
	tag := fallbackTag(subject)
	data, found, err := s.manifest(ctx, tag, bundle.MaxManifest)
	if err != nil || !found || digest.Of(data) == subject {
		return index{}, err
	}
	return readIndex("the index under the tag "+tag, data)
}

// anchors lists the tags of single attachments.
func (s *session) anchors(ctx context.Context, subject digest.Digest) ([]string, error) {
	prefix := fallbackTag(subject) + anchorMark
	var found []string
	for page, query := 0, ""; ; page++ {
		c := call{method: http.MethodGet, path: "/tags/list" + query, accept: "application/json", limit: maxTags}
		got, err := s.do(ctx, c)
		if err != nil {
			return nil, err
		}
		if got.status == http.StatusNotFound || got.status == http.StatusMethodNotAllowed || got.status == http.StatusNotImplemented {
			return nil, nil
		}
		if got.status != http.StatusOK {
			return nil, s.refuse(c, got)
		}
		tags, err := readTags(got)
		if err != nil {
			return nil, err
		}
		for _, tag := range tags {
			if digits, ok := strings.CutPrefix(tag, prefix); ok && len(digits) == anchorDigits && isTag(tag) {
				found = append(found, tag)
			}
		}
		if page == maxTagPages || len(found) > maxListed {
			return nil, unverified(diag.CodeRegistryListing, "what", "the list of tags", "why", "it does not end")
		}
		if query = got.next; query == "" {
			slices.Sort(found)
			return slices.Compact(found), nil
		}
	}
}

func readTags(got answer) ([]string, error) {
	if size := max(got.length, int64(len(got.body))); size > maxTags {
		return nil, unverified(diag.CodeRegistryTooLarge, "what", "the list of tags", "limit", strconv.Itoa(maxTags))
	}
	value, err := canonical.Parse(got.body, canonical.Limits{Bytes: maxTags})
	root, isObject := value.(map[string]any)
	if err != nil || !isObject {
		return nil, unverified(diag.CodeRegistryListing, "what", "the list of tags", "why", "it is not a strict JSON object")
	}
	items, isArray := root["tags"].([]any)
	if !isArray && root["tags"] != nil {
		return nil, unverified(diag.CodeRegistryListing, "what", "the list of tags", "why", "its tags are not an array")
	}
	var tags []string
	for _, item := range items {
		if tag, ok := item.(string); ok {
			tags = append(tags, tag)
		}
	}
	return tags, nil
}

// follow adds what anchors stand for to a listing, and gives the manifests of those that were not in it.
func (s *session) follow(ctx context.Context, anchors []string, list *listing) (fresh [][]byte, err error) {
	seen := map[string]bool{}
	for _, e := range list.entries {
		seen[e.digest.Hex()[:anchorDigits]] = true
	}
	for _, tag := range anchors {
		if digits := tag[len(tag)-anchorDigits:]; seen[digits] {
			continue
		}
		data, found, err := s.manifest(ctx, tag, maxReferrer)
		if err != nil {
			return nil, err
		}
		if !found {
			continue // somebody deleted it
		}
		if err := list.add(listed{digest.Of(data), int64(len(data))}); err != nil {
			return nil, err
		}
		fresh = append(fresh, data)
	}
	return fresh, nil
}

// enlist makes sure that attachments are listed in a registry without the referrers API, whoever else attaches at the
// same time. Their manifests are there already.
func (s *session) enlist(ctx context.Context, subject digest.Digest, manifests [][]byte) (changed bool, err error) {
	for _, manifest := range manifests {
		tag := anchorTag(subject, digest.Of(manifest))
		fresh, err := s.pin(ctx, tag, bundle.ManifestMediaType, manifest)
		if err != nil {
			return false, err
		}
		changed = changed || fresh
	}
	for try := 0; ; try++ {
		anchors, err := s.anchors(ctx, subject)
		if err != nil {
			return false, err
		}
		current, err := s.fallback(ctx, subject)
		if err != nil {
			return false, err
		}
		merged, complete, err := s.merge(ctx, current, manifests, anchors)
		if err != nil || complete {
			return changed, err
		}
		if try == maxMerges {
			return false, unverified(diag.CodeRegistryReadBack, "what", "the index under the tag "+fallbackTag(subject),
				"found", "one without the attachment")
		}
		if _, err := s.putManifest(ctx, fallbackTag(subject), bundle.IndexMediaType, merged); err != nil {
			return false, err
		}
		changed = true
		if try > 0 {
			if err := s.opts.wait(ctx, rand.N(mergePause*time.Duration(min(try, 10)))); err != nil {
				return false, err
			}
		}
	}
}

// pin puts a manifest under a tag unless it stands there.
func (s *session) pin(ctx context.Context, tag, kind string, data []byte) (changed bool, err error) {
	there, found, err := s.manifest(ctx, tag, bundle.MaxManifest)
	if err != nil || found && bytes.Equal(there, data) {
		return false, err
	}
	_, err = s.putManifest(ctx, tag, kind, data)
	return true, err
}

// merge gives the index with everything that it should list; complete says that it lists all of it as it is. What others
// wrote stays as it is and where it is.
func (s *session) merge(ctx context.Context, current index, manifests [][]byte, anchors []string) (out []byte, complete bool, err error) {
	list := &listing{}
	if err := list.add(current.listed...); err != nil {
		return nil, false, err
	}
	var fresh [][]byte
	for _, manifest := range manifests {
		d := digest.Of(manifest)
		if !list.known[d] {
			fresh = append(fresh, manifest)
		}
		if err := list.add(listed{d, int64(len(manifest))}); err != nil {
			return nil, false, err
		}
	}
	more, err := s.follow(ctx, anchors, list)
	if err != nil {
		return nil, false, err
	}
	entries := map[string]any{}
	for _, manifest := range append(fresh, more...) {
		if entry, ok := entryOf(manifest); ok {
			entries[digest.Of(manifest).Hex()] = entry
		}
	}
	if len(entries) == 0 {
		return nil, true, nil
	}
	root := map[string]any{"schemaVersion": json.Number("2"), "mediaType": bundle.IndexMediaType}
	maps.Copy(root, current.root)
	items := slices.Clone(current.items)
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		items = append(items, entries[name])
	}
	root["manifests"] = items
	out, err = canonical.Marshal(root)
	if err != nil || len(out) > bundle.MaxManifest {
		return nil, false, unverified(diag.CodeRegistryTooLarge, "what", "the index of what is attached",
			"limit", strconv.Itoa(bundle.MaxManifest))
	}
	return out, false, nil
}

func jsonNumber(n int) json.Number { return json.Number(strconv.Itoa(n)) }
