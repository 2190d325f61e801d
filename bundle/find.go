package bundle

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// finder finds the Build among the files of a layout by reading manifests, and accounts for every file.
type finder struct {
	faults
	blobs map[digest.Digest][]byte
	// listed is what index.json says about a blob; a hint and no proof.
	listed map[digest.Digest][]claim
	// builds are the sound manifests of Builds; foreign says of other manifests what they are.
	builds  map[digest.Digest]imageManifest
	foreign map[digest.Digest]string
}

// claim is one descriptor of the index.
type claim struct {
	descriptor
	pointer string
}

// find verifies the files of a layout and gives the one Build.
func find(files map[string][]byte, opts ReadOptions) (*Build, error) {
	f := &finder{
		blobs:   map[digest.Digest][]byte{},
		listed:  map[digest.Digest][]claim{},
		builds:  map[digest.Digest]imageManifest{},
		foreign: map[digest.Digest]string{},
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
	found := f.verify(chosen)
	f.account(roots)
	if len(f.problems) == 0 {
		f.requireKnown(found, opts.Known)
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	return found, nil
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
	descriptors := decodeIndex(&f.faults, files[indexName])
	if len(f.problems) > 0 {
		return
	}
	for i, d := range descriptors {
		if f.full() {
			return
		}
		if f.require(indexName, "", d) {
			at := canonical.JoinPointer("/manifests", strconv.Itoa(i))
			f.listed[d.digest] = append(f.listed[d.digest], claim{d, at})
		}
	}
}

// listedTypes are what tools write as the artifact type of a listed Build: its own, or that of its config, as the OCI
// image specification has it for manifests without one.
func listedTypes() []string {
	types := []string{ArtifactType}
	for _, v := range allVersions() {
		types = append(types, definitionMediaType(v))
	}
	return types
}

// checkClaims holds what the index says about a Build's manifest against the manifest.
func (f *finder) checkClaims(d digest.Digest) {
	for _, c := range f.listed[d] {
		r := &reader{document: indexName}
		if c.mediaType != ManifestMediaType {
			r.wrong(c.pointer+"/mediaType", describeValue(ManifestMediaType), c.mediaType)
		}
		if c.artifactType != "" && !slices.Contains(listedTypes(), c.artifactType) {
			r.wrong(c.pointer+"/artifactType", describeValue(ArtifactType), c.artifactType)
		}
		if !f.full() {
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
		artifactType, ok := isManifest(value)
		if artifactType != ArtifactType || !ok {
			if ok || len(f.listed[d]) > 0 {
				f.foreign[d] = artifactType
				f.hint(d, foreignProblem(d, artifactType))
			}
			continue
		}
		m, problems := decodeManifest(document, data, value)
		if len(problems) > 0 {
			f.foreign[d] = artifactType
			f.hint(d, problems...)
			continue
		}
		f.checkClaims(d)
		f.builds[d] = m
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
	for _, d := range f.sorted(f.blobs) {
		if artifactType, ok := f.foreign[d]; ok {
			f.add(d.String(), foreignProblem(d, artifactType))
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

// account refuses every blob that no Build names. Builds beside the chosen one are only looked at for what they
// name: nobody is given them.
func (f *finder) account(roots []digest.Digest) {
	used := map[digest.Digest]bool{}
	for _, root := range roots {
		used[root] = true
		for _, d := range f.builds[root].blobs() {
			used[d.digest] = true
		}
	}
	for _, d := range f.sorted(f.blobs) {
		if used[d] || f.full() {
			continue
		}
		if artifactType, ok := f.foreign[d]; ok {
			f.add(d.String(), foreignProblem(d, artifactType))
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
	return slices.SortedFunc(maps.Keys(blobs), func(a, b digest.Digest) int { return bytes.Compare(a[:], b[:]) })
}
