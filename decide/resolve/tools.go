package resolve

import (
	"crypto/sha256"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// ToolText is what a model sees of a tool: the canonical bytes of its description, name and schema. They are what
// its tokens count and what the tools digest is over.
func ToolText(c *definition.Contract) ([]byte, error) {
	return canonical.Marshal(map[string]any{"description": c.Description, "name": c.Name, "schema": c.Schema})
}

// toolsDigest is the digest of the canonical array of tool texts, which must be in the order of their Project ids.
func toolsDigest(texts [][]byte) digest.Digest {
	h := sha256.New()
	h.Write([]byte{'['})
	for i, text := range texts {
		if i > 0 {
			h.Write([]byte{','})
		}
		h.Write(text)
	}
	h.Write([]byte{']'})
	return digest.Digest(h.Sum(nil))
}

// ToolsDigest is the digest of what a model sees of tools, in the order of their Project ids.
func ToolsDigest(tools map[string]*definition.Contract) (digest.Digest, error) {
	texts := make([][]byte, 0, len(tools))
	for _, id := range sortedKeys(tools) {
		text, err := ToolText(tools[id])
		if err != nil {
			return digest.Digest{}, err
		}
		texts = append(texts, text)
	}
	return toolsDigest(texts), nil
}

// MayDisclose lists the tools that a profile can disclose with an objective: all conditions true and all executors
// ready. It gives their Project ids, sorted, and beside them their contracts. The problem is about the profile or the
// objective and has a pointer into the request.
func MayDisclose(def *definition.Definition, profile, objective string) ([]string, []*definition.Contract, *diag.Problem) {
	p, ok := def.Profiles[profile]
	if !ok {
		problem := unknownProfile(profile, sortedKeys(def.Profiles))
		return nil, nil, &problem
	}
	if problem := checkObjective(profile, p.Objectives, objective); problem != nil {
		return nil, nil, problem
	}
	var ids []string
	var contracts []*definition.Contract
	for _, id := range sortedKeys(p.Include) {
		t, known := def.Tools[id]
		_, excluded := p.Exclude[id]
		if known && !excluded && stands(p.Include[id].Objectives, objective) {
			ids, contracts = append(ids, id), append(contracts, &t.Contract)
		}
	}
	return ids, contracts, nil
}
