package subject

import (
	"maps"
	"slices"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Rebuild is the Build that a Project gives with the lineage of another Build: what a Build inherited is no part of its
// Project. made is what the Project gives without any. There is no Build if there is a problem.
func Rebuild(made, lineage *bundle.Build) (*bundle.Build, []diag.Problem) {
	if lineage.Corpus() == nil {
		return made, nil
	}
	return bundle.Assemble(made.DefinitionBytes(), made.Texts(), made.Tests(), lineage.Corpus())
}

// absent stands where one of two Builds has nothing.
const absent = "nothing"

// Differences lists what differs between a Build and the one that its Project gives: files by title, members of the
// definition and of the tests by pointer, each with both digests and with its place in the Build. It is empty if and only
// if the two are the same Build.
func Differences(build, rebuilt *bundle.Build) []diag.Diagnostic {
	if build.Digest() == rebuilt.Digest() {
		return nil
	}
	c := &comparison{}
	c.document("definition", build.DefinitionDigest(), build.DefinitionBytes(), rebuilt.DefinitionBytes())
	c.texts(build.Texts(), rebuilt.Texts())
	c.document(bundle.TestsTitle, build.Definition().Tests.Digest, build.Tests(), rebuilt.Tests())
	if len(c.found) == 0 {
		c.add(diag.Place{Path: build.Digest().String()}, "the manifest", build.Digest().String(), rebuilt.Digest().String())
	}
	return c.found
}

// comparison collects differences.
type comparison struct{ found []diag.Diagnostic }

func (c *comparison) add(place diag.Place, what, has, gives string) {
	c.found = append(c.found, diag.AtPlace(place, diag.CodeSourceDiffers, "what", what, "found", has, "source", gives))
}

// document compares two canonical documents member by member. Both were verified, so that they can be read.
func (c *comparison) document(title string, name digest.Digest, build, rebuilt []byte) {
	if string(build) == string(rebuilt) {
		return
	}
	has, hasErr := canonical.Parse(build, canonical.Limits{})
	gives, givesErr := canonical.Parse(rebuilt, canonical.Limits{})
	if hasErr != nil || givesErr != nil {
		c.add(diag.Place{Path: name.String()}, title, digest.Of(build).String(), digest.Of(rebuilt).String())
		return
	}
	c.values(title, name.String(), "", has, gives)
}

// values goes down objects to what differs. Lists are compared whole: their order means something.
func (c *comparison) values(title, path, pointer string, has, gives canonical.Value) {
	if canonical.Equal(has, gives) {
		return
	}
	old, oldIs := has.(map[string]any)
	now, nowIs := gives.(map[string]any)
	if !oldIs || !nowIs {
		c.add(diag.Place{Path: path, Pointer: pointer}, title+" "+pointer, nameOf(has), nameOf(gives))
		return
	}
	for _, key := range keysOfBoth(old, now) {
		at := canonical.JoinPointer(pointer, key)
		was, wasThere := old[key]
		is, isThere := now[key]
		switch {
		case wasThere && isThere:
			c.values(title, path, at, was, is)
		case wasThere:
			c.add(diag.Place{Path: path, Pointer: at}, title+" "+at, nameOf(was), absent)
		default:
			c.add(diag.Place{Path: path, Pointer: at}, title+" "+at, absent, nameOf(is))
		}
	}
}

func (c *comparison) texts(build, rebuilt map[string]string) {
	for _, id := range keysOfBoth(build, rebuilt) {
		was, wasThere := build[id]
		is, isThere := rebuilt[id]
		has, gives := absent, absent
		if wasThere {
			has = digest.Of([]byte(was)).String()
		}
		if isThere {
			gives = digest.Of([]byte(is)).String()
		}
		if has != gives {
			place := has
			if place == absent {
				place = gives
			}
			c.add(diag.Place{Path: place}, bundle.SourcePrefix+id, has, gives)
		}
	}
}

func keysOfBoth[V any](a, b map[string]V) []string {
	all := maps.Clone(a)
	if all == nil {
		all = map[string]V{}
	}
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}

// nameOf is the digest of a value of a canonical document.
func nameOf(value canonical.Value) string {
	name, err := digest.OfValue(value)
	if err != nil {
		return "a value without a digest"
	}
	return name.String()
}
