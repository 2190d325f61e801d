package sign

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// BuildType says how a Build came to be: `seifc build` over the materials.
const BuildType = "https://seif.dev/build/v1"

const maxMaterials = 1000

// Provenance is what matters here of a SLSA v1 provenance: who built from what, and when. It is the builder's claim.
type Provenance struct {
	// BuildType is [BuildType] in those that we write.
	BuildType string
	// Parameters is externalParameters: what the one who started the build could choose.
	Parameters map[string]any
	// Materials are the resolved dependencies.
	Materials []Material
	// Builder is the URI of the builder.
	Builder string
	// Invocation names the run of the builder; empty if it has no name.
	Invocation string
	// Started and Finished are zero if they were not said.
	Started, Finished time.Time
}

// Material is something that a build used, such as a commit.
type Material struct {
	Name, URI string
	// Digest is by algorithm as the builder names it, such as gitCommit.
	Digest map[string]string
}

// Statement is the provenance of the Build.
func (p Provenance) Statement(build Subject) Statement {
	parameters := p.Parameters
	if parameters == nil {
		parameters = map[string]any{}
	}
	made := map[string]any{"buildType": p.BuildType, "externalParameters": parameters}
	if len(p.Materials) > 0 {
		list := make([]any, len(p.Materials))
		for i, m := range p.Materials {
			list[i] = m.value()
		}
		made["resolvedDependencies"] = list
	}
	run := map[string]any{"builder": map[string]any{"id": p.Builder}}
	metadata := map[string]any{}
	if p.Invocation != "" {
		metadata["invocationId"] = p.Invocation
	}
	for name, t := range map[string]time.Time{"startedOn": p.Started, "finishedOn": p.Finished} {
		if !t.IsZero() {
			metadata[name] = t.UTC().Format(timeForm)
		}
	}
	if len(metadata) > 0 {
		run["metadata"] = metadata
	}
	return statement(ProvenancePredicate, build, map[string]any{"buildDefinition": made, "runDetails": run})
}

func (m Material) value() map[string]any {
	out := map[string]any{}
	if m.Name != "" {
		out["name"] = m.Name
	}
	if m.URI != "" {
		out["uri"] = m.URI
	}
	if len(m.Digest) > 0 {
		set := make(map[string]any, len(m.Digest))
		for name, value := range m.Digest {
			set[name] = value
		}
		out["digest"] = set
	}
	return out
}

// ParseProvenance reads a SLSA v1 provenance. Members that the SLSA specification has and [Provenance] has not are
// accepted and left out; others are refused.
func ParseProvenance(s Statement) (Provenance, []diag.Problem) {
	r, members := predicate(s, ProvenancePredicate, []string{"buildDefinition", "runDetails"}, nil)
	var out Provenance
	if value, ok := members["buildDefinition"]; ok {
		const at = "/predicate/buildDefinition"
		made := r.object(at, value, []string{"buildType", "externalParameters"}, []string{"internalParameters", "resolvedDependencies"})
		out.BuildType = r.line(at, made, "buildType", maxName)
		out.Parameters = r.anyObject(at, made, "externalParameters")
		r.anyObject(at, made, "internalParameters")
		out.Materials = r.materials(at, made, "resolvedDependencies")
	}
	if value, ok := members["runDetails"]; ok {
		r.run(value, &out)
	}
	if len(r.problems) > 0 {
		return Provenance{}, r.problems
	}
	return out, nil
}

func (r *reader) run(value canonical.Value, out *Provenance) {
	const at = "/predicate/runDetails"
	run := r.object(at, value, []string{"builder"}, []string{"byproducts", "metadata"})
	r.materials(at, run, "byproducts")
	if value, ok := run["builder"]; ok {
		builder := r.object(at+"/builder", value, []string{"id"}, []string{"builderDependencies", "version"})
		out.Builder = r.line(at+"/builder", builder, "id", maxName)
		r.materials(at+"/builder", builder, "builderDependencies")
		r.anyObject(at+"/builder", builder, "version")
	}
	if value, ok := run["metadata"]; ok {
		// The specification has said both invocationId and invocationID.
		metadata := r.object(at+"/metadata", value, nil, []string{"invocationId", "invocationID", "startedOn", "finishedOn"})
		out.Invocation = r.line(at+"/metadata", metadata, "invocationId", maxText)
		if other := r.line(at+"/metadata", metadata, "invocationID", maxText); out.Invocation == "" {
			out.Invocation = other
		}
		out.Started = r.instant(at+"/metadata", metadata, "startedOn")
		out.Finished = r.instant(at+"/metadata", metadata, "finishedOn")
	}
}

// instant is a time as RFC 3339 has it: builders write fractions and zones.
func (r *reader) instant(pointer string, members map[string]any, name string) time.Time {
	text, ok := r.text(pointer, members, name)
	if !ok {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, text)
	if year := t.UTC().Year(); err != nil || year < 1 || year > 9999 {
		r.wrong(canonical.JoinPointer(pointer, name), "a time as RFC 3339 has it", text)
		return time.Time{}
	}
	return t.UTC()
}

func (r *reader) anyObject(pointer string, members map[string]any, name string) map[string]any {
	value, present := members[name]
	if !present {
		return nil
	}
	object, ok := value.(map[string]any)
	if !ok {
		r.wrong(canonical.JoinPointer(pointer, name), "an object", value)
	}
	return object
}

func (r *reader) materials(pointer string, members map[string]any, name string) []Material {
	var out []Material
	for i, item := range r.list(pointer, members, name, maxMaterials) {
		at := canonical.JoinPointer(pointer, name, strconv.Itoa(i))
		descriptor := r.object(at, item, nil, []string{"name", "uri", "digest", "content", "downloadLocation", "mediaType", "annotations"})
		m := Material{Name: r.line(at, descriptor, "name", maxText), URI: r.line(at, descriptor, "uri", maxText)}
		for _, other := range []string{"content", "downloadLocation", "mediaType"} {
			r.text(at, descriptor, other)
		}
		r.anyObject(at, descriptor, "annotations")
		m.Digest = r.digestSet(at+"/digest", r.anyObject(at, descriptor, "digest"))
		out = append(out, m)
	}
	return out
}

// digestSet reads digests of any algorithm in lowercase hexadecimal.
func (r *reader) digestSet(pointer string, set map[string]any) map[string]string {
	if len(set) == 0 {
		return nil
	}
	out := make(map[string]string, len(set))
	for _, name := range slices.Sorted(maps.Keys(set)) {
		text, ok := set[name].(string)
		if !ok || text == "" || len(text) > maxName || strings.Trim(text, "0123456789abcdef") != "" {
			r.wrong(canonical.JoinPointer(pointer, name), "lowercase hexadecimal digits", set[name])
			continue
		}
		out[name] = text
	}
	return out
}
