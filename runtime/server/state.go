package server

import (
	"maps"
	"net/http"
	"slices"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/runtime/bindings"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

type healthAnswer struct {
	Alive     bool   `json:"alive"`
	Signature string `json:"signature"`
}

// health says that the process answers and whether somebody vouches for what it serves, and nothing about whether it
// should be asked.
func (h *handler) health(*exchange) (answer, *refusal) {
	return answer{http.StatusOK, healthAnswer{true, h.verified.told.Signature}}, nil
}

// readyAnswer has its details for operators only.
type readyAnswer struct {
	Ready bool `json:"ready"`
	*readyDetail
}

type readyDetail struct {
	Build      string `json:"build"`
	Definition string `json:"definition"`
	Trust
	InFlight int `json:"requests_in_flight"`
	Most     int `json:"requests_in_flight_max"`
}

// ready says whether contexts can be asked for. Everything that could be wrong with the Build or the Bindings kept
// the server from starting, so what is left is that it stops.
func (h *handler) ready(x *exchange) (answer, *refusal) {
	if h.draining.Load() {
		return answer{}, refused(diag.CodeDraining)
	}
	out := readyAnswer{Ready: true}
	if x.credential != nil && x.credential.Class == bindings.Ops {
		out.readyDetail = &readyDetail{
			Build: h.build.Digest().String(), Definition: h.build.DefinitionDigest().String(), Trust: h.verified.told,
			InFlight: h.quota.inFlight(), Most: h.bindings.Quotas.RequestsInFlight,
		}
	}
	return answer{http.StatusOK, out}, nil
}

type buildAnswer struct {
	Build      string `json:"build"`
	Definition string `json:"definition"`
	Runtime    string `json:"runtime"`
	Estimator  string `json:"estimator"`
	Trust
	Profiles []profileMember `json:"profiles"`
}

type profileMember struct {
	ID           string   `json:"id"`
	Objectives   []string `json:"objectives"`
	BudgetTokens int      `json:"budget_tokens"`
}

// describeBuild says what is served, and which of its profiles the credential may resolve.
func (h *handler) describeBuild(x *exchange) (answer, *refusal) {
	def := h.build.Definition()
	out := buildAnswer{
		Build: h.build.Digest().String(), Definition: h.build.DefinitionDigest().String(),
		Runtime: def.Version.Runtime(), Estimator: def.Estimator, Trust: h.verified.told,
	}
	for _, id := range slices.Sorted(slices.Values(x.credential.Profiles)) {
		profile := def.Profiles[id]
		out.Profiles = append(out.Profiles, profileMember{
			ID: id, Objectives: append([]string{}, profile.Objectives...), BudgetTokens: profile.BudgetTokens,
		})
	}
	return answer{http.StatusOK, out}, nil
}
