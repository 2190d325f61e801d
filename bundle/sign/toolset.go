package sign

import (
	"maps"
	"slices"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// ToolSetDigest is the digest of the RFC 8785 form of the array of {"fingerprint", "id"} of a definition's tools, by
// Project id. It is that of `[]` for a definition without tools.
func ToolSetDigest(def *definition.Definition) digest.Digest {
	tools := make([]any, 0, len(def.Tools))
	for _, id := range slices.Sorted(maps.Keys(def.Tools)) {
		tools = append(tools, map[string]any{"id": id, "fingerprint": def.Tools[id].Fingerprint.String()})
	}
	out, err := digest.OfValue(canonical.Value(tools))
	if err != nil {
		// Texts in UTF-8 have a canonical form, and the ids of a definition are ASCII. A definition that was made in
		// memory with other ids has the digest of nothing, which no statement can name.
		return digest.Digest{}
	}
	return out
}
