package resolve

import (
	"slices"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
)

// Disclosable gives the contracts, by Project tool id, that a profile can disclose for an objective, or for any of
// its objectives if none is named: every condition taken as true, every executor as ready. The problem has a pointer
// into a request.
func Disclosable(def *definition.Definition, profile, objective string) ([]*definition.Contract, *diag.Problem) {
	p, ok := def.Profiles[profile]
	if !ok {
		problem := diag.New(diag.CodeRequestProfile, "/profile", "profile", profile, "nearest", diag.Nearest(profile, sortedKeys(def.Profiles)))
		return nil, &problem
	}
	if objective != "" && !slices.Contains(p.Objectives, objective) {
		problem := diag.New(diag.CodeRequestObjective, "/objective", "objective", objective, "profile", profile, "nearest", diag.Nearest(objective, p.Objectives))
		return nil, &problem
	}
	var contracts []*definition.Contract
	for _, id := range sortedKeys(p.Include) {
		tool, pinned := def.Tools[id]
		if _, excluded := p.Exclude[id]; !pinned || excluded || objective != "" && !stands(p.Include[id].Objectives, objective) {
			continue
		}
		contracts = append(contracts, &tool.Contract)
	}
	return contracts, nil
}
