package bundle

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// attachments judges all that refers to a manifest and gives what is attached to the chosen Build. It is found by
// reading manifests: clients write layouts whose index does not list it. What is attached to another Build in the
// layout has to be as sound, and is not given.
func (f *finder) attachments(roots []digest.Digest, chosen digest.Digest) []Attachment {
	builds := map[digest.Digest]int64{}
	content := map[digest.Digest]bool{}
	for _, root := range roots {
		builds[root] = int64(len(f.blobs[root]))
		for _, d := range f.builds[root].blobs() {
			content[d.digest] = true
		}
	}
	found := map[digest.Digest][]Attachment{}
	for _, d := range f.sorted(f.blobs) {
		value, ok := f.referrers[d]
		if !ok || f.full() || content[d] && len(f.listed[d]) == 0 {
			continue // no referrer, or the text of a source that looks like one
		}
		a, ok := f.attachment(d, value, chosen, builds)
		if ok {
			found[a.subject] = append(found[a.subject], a)
		}
	}
	for _, root := range roots {
		f.add("", checkAttached(found[root])...)
	}
	f.judgeIndexes(content, found)
	return found[chosen]
}

// attachment judges one referrer. What it names has its place, also when it is refused: then that is the one fault.
func (f *finder) attachment(d digest.Digest, value canonical.Value, chosen digest.Digest, builds map[digest.Digest]int64) (Attachment, bool) {
	f.named[d] = true
	f.nameClaimed(value)
	document := "the manifest " + d.String()
	before := len(f.problems)
	f.checkClaims(d, func(r *reader, c claim) { r.checkMediaType(c, ManifestMediaType) })
	m, problems := decodeReferrer(document, value, chosen, builds)
	if p, ok := checkManifestSize(document, f.blobs[d]); len(problems) == 0 && !ok {
		problems = append(problems, p)
	}
	f.add(d.String(), problems...)
	if len(f.problems) > before || !f.require(document, d.String(), emptyDescriptor()) || !f.require(document, d.String(), m.layer) {
		return Attachment{}, false
	}
	content := f.blobs[m.layer.digest]
	f.add(d.String(), checkContent("the layer of "+document, content)...)
	return Attachment{digest: d, subject: m.subject.digest, manifest: f.blobs[d], content: content, held: m.layer.digest}, len(f.problems) == before
}

// nameClaimed gives the blobs that a referrer names their place. Whoever is refused is refused for what it is, and not
// once more for every blob of it.
func (f *finder) nameClaimed(value canonical.Value) {
	members, _ := value.(map[string]any)
	layers, _ := members["layers"].([]any)
	for _, claimed := range append([]any{members["config"]}, layers...) {
		blob, _ := claimed.(map[string]any)
		text, _ := blob["digest"].(string)
		if d, err := digest.Parse(text); err == nil {
			f.named[d] = true
		}
	}
}

// judgeIndexes judges image indexes. There is one use for them: clients that do not ask a layout for what its manifests
// say list the attachments of a manifest in an index that is tagged with its digest (OCI distribution specification 1.1,
// "Referrers Tag Schema"). It lists nothing else, so it adds nothing and is not written again.
func (f *finder) judgeIndexes(content map[digest.Digest]bool, found map[digest.Digest][]Attachment) {
	for _, d := range f.sorted(f.blobs) {
		value, ok := f.indexes[d]
		if !ok || f.full() || content[d] && len(f.listed[d]) == 0 {
			continue
		}
		f.named[d] = true
		subjects, ok := f.taggedSubjects(d)
		if !ok {
			kind, _ := manifestKind(value)
			f.add(d.String(), foreignProblem(d, kind))
			continue
		}
		f.checkClaims(d, func(r *reader, c claim) { r.checkMediaType(c, IndexMediaType) })
		for _, subject := range subjects {
			f.add(d.String(), checkReferrersIndex("the index "+d.String(), value, found[subject])...)
		}
	}
}

// taggedSubjects are the Builds whose referrers an index lists by its tags, `sha256-` and the digest of a Build each.
func (f *finder) taggedSubjects(d digest.Digest) ([]digest.Digest, bool) {
	var subjects []digest.Digest
	for _, c := range f.listed[d] {
		tag, _ := c.annotations[tagAnnotation].(string)
		hex, tagged := strings.CutPrefix(tag, "sha256-")
		subject, err := digest.Parse("sha256:" + hex)
		if _, ok := f.builds[subject]; !tagged || err != nil || !ok {
			return nil, false
		}
		subjects = append(subjects, subject)
	}
	return subjects, len(subjects) > 0
}

// checkReferrersIndex makes sure that an index lists attachments of its Build and nothing else.
func checkReferrersIndex(document string, value canonical.Value, attachments []Attachment) []diag.Problem {
	r := &reader{document: document}
	root := r.object("", value, []string{"manifests", "mediaType", "schemaVersion"}, []string{"annotations"})
	r.fixed("", root, "schemaVersion", json.Number("2"))
	r.annotations("/annotations", root)
	sizes := map[digest.Digest]int{}
	for _, a := range attachments {
		sizes[a.digest] = len(a.manifest)
	}
	for _, c := range r.list(root) {
		size, ok := sizes[c.digest]
		switch {
		case len(r.problems) >= maxProblems:
		case !ok:
			r.add(diag.CodeReferrersIndex, c.pointer+"/digest", "found", c.digest.String())
		case int64(size) != c.size:
			r.wrong(c.pointer+"/size", strconv.Itoa(size), json.Number(strconv.FormatInt(c.size, 10)))
		default:
			r.checkMediaType(c, ManifestMediaType)
		}
	}
	return r.problems
}
