package bundle

import (
	"bytes"
	"cmp"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// finder finds the Build and its attachments among the files of a layout by reading manifests, and accounts for every
// file.
type finder struct {
	faults
	blobs map[digest.Digest][]byte
	// listed is what index.json says about a blob; a hint and no proof.
	listed map[digest.Digest][]claim
	// builds are the sound manifests of Builds; foreign says of other manifests what they are. What refers to another
	// manifest, and what lists others, is judged when the Builds are known.
	builds    map[digest.Digest]imageManifest
	foreign   map[digest.Digest]string
	referrers map[digest.Digest]canonical.Value
	indexes   map[digest.Digest]canonical.Value
	// named are the blobs that have their place: what Builds and attachments are made of.
	named map[digest.Digest]bool
}

// find verifies the files of a layout and gives the one Build with its attachments.
func find(files map[string][]byte, opts ReadOptions) (*Layout, error) {
	f := &finder{
		blobs:     map[digest.Digest][]byte{},
		listed:    map[digest.Digest][]claim{},
		builds:    map[digest.Digest]imageManifest{},
		foreign:   map[digest.Digest]string{},
		referrers: map[digest.Digest]canonical.Value{},
		indexes:   map[digest.Digest]canonical.Value{},
		named:     map[digest.Digest]bool{},
	}
	for _, step := range []func(map[string][]byte){f.hash, f.readIndex, f.readManifests} {
		if step(files); len(f.problems) > 0 {
			return nil, f.err()
		}
	}
	roots := f.roots(opts.Digest)
	chosen, ok := f.choose(roots, opts.Digest)
	if !ok {
		return nil, f.err()
	}
	layout := &Layout{Build: f.verify(chosen)}
	f.name(roots)
	layout.Attachments = f.attachments(roots, chosen)
	f.account()
	if len(f.problems) == 0 {
		f.requireKnown(layout.Build, opts.Known)
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	return layout, nil
}

// hash computes the digest of every blob anew.
func (f *finder) hash(files map[string][]byte) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !strings.HasPrefix(name, blobPrefix) || f.full() {
			continue
		}
		stated := "sha256:" + name[len(blobPrefix):]
		found := digest.Of(files[name])
		if found.String() != stated {
			f.entry(diag.CodeBlobDigest, "entry", name, "expected", stated, "found", found.String())
			continue
		}
		f.blobs[found] = files[name]
	}
}

func (f *finder) readIndex(files map[string][]byte) {
	decodeMarker(&f.faults, files[markerName])
	claims := decodeIndex(&f.faults, files[indexName])
	if len(f.problems) > 0 {
		return
	}
	for _, c := range claims {
		if f.full() {
			return
		}
		if f.require(indexName, "", c.descriptor) {
			f.listed[c.digest] = append(f.listed[c.digest], c)
		}
	}
}

// checkClaims holds what the index says about a manifest against what it is.
func (f *finder) checkClaims(d digest.Digest, check func(*reader, claim)) {
	for _, c := range f.listed[d] {
		r := &reader{document: indexName}
		if check(r, c); !f.full() {
			f.add("", r.problems...)
		}
	}
}

// require makes sure that a blob that is named somewhere is there, with the stated size.
func (f *finder) require(where, document string, d descriptor) bool {
	data, ok := f.blobs[d.digest]
	if !ok {
		f.add(document, diag.New(diag.CodeBlobMissing, "", "where", where, "expected", d.digest.String()))
		return false
	}
	if int64(len(data)) != d.size {
		f.add(document, diag.New(diag.CodeBlobSize, "", "where", where, "entry", d.digest.String(),
			"expected", strconv.FormatInt(d.size, 10), "found", strconv.Itoa(len(data))))
		return false
	}
	return true
}

// readManifests reads every blob that is a manifest. What the index lists has to be one. Another blob may look like
// one and be a source's text: that is settled when every file is accounted for.
func (f *finder) readManifests(map[string][]byte) {
	for _, d := range f.sorted(f.blobs) {
		data := f.blobs[d]
		if len(f.listed[d]) == 0 && (len(data) > MaxManifest || !looksLikeManifest(data)) || f.full() {
			continue
		}
		document := "the manifest " + d.String()
		value, err := canonical.Parse(data, canonical.Limits{Bytes: MaxManifest})
		if err != nil {
			f.hint(d, jsonProblem(document, len(data), MaxManifest, err))
			continue
		}
		kind, ok := manifestKind(value)
		if kind != ArtifactType || !ok {
			f.setAside(d, value, kind, ok)
			continue
		}
		m, problems := decodeManifest(document, data, value)
		if len(problems) > 0 {
			f.foreign[d] = kind
			f.hint(d, problems...)
			continue
		}
		f.checkClaims(d, (*reader).checkBuild)
		f.builds[d] = m
	}
}

// setAside keeps what is no Build for when the Builds are known, or says what it is.
func (f *finder) setAside(d digest.Digest, value canonical.Value, kind string, manifest bool) {
	switch {
	case refers(value):
		f.referrers[d] = value
	case manifest && isIndex(value):
		f.indexes[d] = value
	case manifest || len(f.listed[d]) > 0:
		f.foreign[d] = kind
		f.hint(d, foreignProblem(d, kind))
	}
}

// hint adds problems about a blob that the index says is a manifest.
func (f *finder) hint(d digest.Digest, problems ...diag.Problem) {
	if len(f.listed[d]) > 0 {
		f.add(d.String(), problems...)
	}
}

// looksLikeManifest is a cheap test that every manifest in canonical form passes.
func looksLikeManifest(data []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")) && bytes.Contains(data, []byte(`"mediaType"`))
}

func foreignProblem(d digest.Digest, artifactType string) diag.Problem {
	if strings.HasPrefix(artifactType, artifactTypePrefix) {
		return diag.New(diag.CodeUnknownBuildType, "/artifactType",
			"entry", d.String(), "found", shown(artifactType), "known", ArtifactType)
	}
	return diag.New(diag.CodeUnknownManifest, "", "entry", d.String(), "found", cmp.Or(shown(artifactType), "it names no type"))
}

// roots are the Builds that stand in the layout on their own: listed, named by the caller, or no other's content.
func (f *finder) roots(pin digest.Digest) []digest.Digest {
	inner := map[digest.Digest]bool{}
	for _, m := range f.builds {
		for _, d := range m.blobs() {
			inner[d.digest] = true
		}
	}
	var roots []digest.Digest
	for _, d := range f.sorted(f.blobs) {
		if _, ok := f.builds[d]; ok && (len(f.listed[d]) > 0 || d == pin || !inner[d]) {
			roots = append(roots, d)
		}
	}
	return roots
}

// choose settles which Build is meant. A digest that the caller names wins over everything that stands in the layout.
func (f *finder) choose(roots []digest.Digest, pin digest.Digest) (digest.Digest, bool) {
	names := make([]string, len(roots))
	for i, d := range roots {
		names[i] = d.String()
	}
	switch {
	case len(roots) == 0:
		f.refuseRest()
	case !pin.IsZero() && !slices.Contains(roots, pin):
		f.entry(diag.CodeBuildDigest, "expected", pin.String(), "found", strings.Join(names, ", "))
	case !pin.IsZero():
		return pin, true
	case len(roots) > 1:
		f.entry(diag.CodeAmbiguousBuild, "found", shown(strings.Join(names, ", ")))
	case len(f.listed[roots[0]]) == 0:
		f.entry(diag.CodeIndexMismatch, "expected", names[0], "found", strings.Join(f.listedNames(), ", "))
	default:
		return roots[0], true
	}
	return digest.Digest{}, false
}

func (f *finder) listedNames() []string {
	var names []string
	for _, d := range f.sorted(f.blobs) {
		if len(f.listed[d]) > 0 {
			names = append(names, d.String())
		}
	}
	return names
}

// refuseRest says why there is no Build: what was found instead.
func (f *finder) refuseRest() {
	for d, value := range f.referrers {
		f.foreign[d], _ = manifestKind(value)
	}
	for d, value := range f.indexes {
		f.foreign[d], _ = manifestKind(value)
	}
	for _, d := range f.sorted(f.blobs) {
		if kind, ok := f.foreign[d]; ok {
			f.add(d.String(), foreignProblem(d, kind))
		}
	}
	f.entry(diag.CodeNoBuild)
}

// verify holds a manifest against its blobs and makes the Build of them; nil if something is wrong.
func (f *finder) verify(root digest.Digest) *Build {
	m := f.builds[root]
	document := "the manifest " + root.String()
	before := len(f.problems)
	for _, d := range m.blobs() {
		if !f.full() {
			f.require(document, root.String(), d)
		}
	}
	if len(f.problems) > before {
		return nil
	}
	c := content{definition: f.blobs[m.config.digest], texts: map[string][]byte{}}
	for _, l := range m.layers {
		switch data := f.blobs[l.digest]; l.title {
		case TestsTitle:
			c.tests = data
		case CorpusTitle:
			c.corpus = data
		default:
			c.texts[strings.TrimPrefix(l.title, SourcePrefix)] = data
		}
	}
	if c.tests == nil {
		f.add(root.String(), diag.New(diag.CodeLayerMissing, "/layers", "title", TestsTitle))
		return nil
	}
	build, problems := c.seal()
	if len(problems) > 0 {
		f.add(m.config.digest.String(), problems...)
		return nil
	}
	if stated := contractOf(m.config.mediaType); stated != build.definition.Version {
		f.add(root.String(), diag.New(diag.CodeContractMismatch, "/config/mediaType",
			"expected", stated.Schema(), "found", build.definition.Version.Schema()))
		return nil
	}
	if build.digest != root {
		// Nothing that was checked so far leaves room for this. The law is the whole: one content, one manifest.
		f.add(root.String(), diag.New(diag.CodeBuildJSONForm, "", "document", document, "offset", "0"))
		return nil
	}
	return build
}

// name notes what the Builds name. Builds beside the chosen one are only looked at for that: nobody is given them.
func (f *finder) name(roots []digest.Digest) {
	for _, root := range roots {
		f.named[root] = true
		for _, d := range f.builds[root].blobs() {
			f.named[d.digest] = true
		}
	}
}

// account refuses every blob that has no place.
func (f *finder) account() {
	for _, d := range f.sorted(f.blobs) {
		if f.named[d] || f.full() {
			continue
		}
		if kind, ok := f.foreign[d]; ok {
			f.add(d.String(), foreignProblem(d, kind))
			continue
		}
		f.entry(diag.CodeExtraBlob, "entry", blobPrefix+d.Hex())
	}
}

// requireKnown refuses a Build whose contract the caller does not know.
func (f *finder) requireKnown(b *Build, known []definition.Version) {
	if known == nil {
		known = allVersions()
	}
	if !slices.Contains(known, b.definition.Version) {
		f.add(b.definitionDigest.String(), unknownRuntime("/runtime", b.definition.Version.Runtime(), known))
	}
}

func (f *finder) sorted(blobs map[digest.Digest][]byte) []digest.Digest {
	return sortedDigests(maps.Keys(blobs))
}

func sortedDigests(digests iter.Seq[digest.Digest]) []digest.Digest {
	return slices.SortedFunc(digests, func(a, b digest.Digest) int { return bytes.Compare(a[:], b[:]) })
}
