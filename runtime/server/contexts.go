package server

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/runtime/bindings"
)

// disclosureFull shows each disclosed tool with its schema.
const disclosureFull = "full"

// contextMembers are the members of a request for a context.
var contextMembers = [...]string{"disclosure", "inputs", "objective", "profile"}

// contextAnswer is a resolved context. Without tools there is nothing to call, so nothing is retained: it has no id.
type contextAnswer struct {
	Build         string                    `json:"build"`
	Definition    string                    `json:"definition"`
	Profile       string                    `json:"profile"`
	Objective     string                    `json:"objective,omitempty"`
	Segments      []segmentMember           `json:"segments"`
	Text          string                    `json:"text"`
	Tools         []json.RawMessage         `json:"tools"`
	Withheld      map[string]resolve.Reason `json:"withheld"`
	ToolsDigest   string                    `json:"tools_digest"`
	TokenEstimate int                       `json:"token_estimate"`
}

type segmentMember struct {
	Source    string `json:"source"`
	Index     *int   `json:"index,omitempty"`
	Untrusted bool   `json:"untrusted"`
	Text      string `json:"text"`
	Tokens    int    `json:"token_estimate"`
}

func (h *handler) createContext(x *exchange) (answer, *refusal) {
	body, refusal := readJSON(x.writer, x.request, h.bindings.Quotas.BodyBytes)
	if refusal != nil {
		return answer{}, refusal
	}
	request, refusal := contextRequest(body)
	if refusal != nil {
		return answer{}, refusal
	}
	if refusal := h.permit(x.credential, &request); refusal != nil {
		return answer{}, refusal
	}
	resolution, problems := h.plan.Resolve(request, resolve.Observations{At: resolve.Instant(h.now().UnixMilli())})
	if resolution == nil || diag.Failed(problems) {
		return answer{}, refusedFor(diag.CodeRequestRefused, problems)
	}
	x.note("profile", resolution.Profile)
	x.note("objective", resolution.Objective)
	x.note("token_estimate", resolution.Tokens)
	return answer{http.StatusCreated, h.contextOf(resolution)}, nil
}

// contextRequest reads a request for a context and reports everything that is wrong with its form.
func contextRequest(body canonical.Value) (resolve.Request, *refusal) {
	var request resolve.Request
	members, ok := body.(map[string]any)
	if !ok {
		finding := diag.New(diag.CodeRequestMemberType, "", "want", "a JSON object")
		return request, refusedFor(diag.CodeRequestMalformed, []diag.Problem{finding})
	}
	var findings []diag.Problem
	add := func(code diag.Code, name string, pairs ...string) {
		findings = append(findings, diag.New(code, canonical.JoinPointer("", name), pairs...))
	}
	text := func(name string) string {
		value, there := members[name]
		s, isText := value.(string)
		if there && (!isText || s == "") {
			add(diag.CodeRequestMemberType, name, "want", "a text of at least one character")
		}
		return s
	}
	for _, name := range sortedKeys(members) {
		if !slices.Contains(contextMembers[:], name) {
			add(diag.CodeRequestMemberUnknown, name, "member", name, "nearest", diag.Nearest(name, contextMembers[:]),
				"members", strings.Join(contextMembers[:], ", "))
		}
	}
	request.Profile, request.Objective = text("profile"), text("objective")
	if _, there := members["profile"]; !there {
		add(diag.CodeRequestMemberMissing, "profile", "member", "profile")
	}
	if inputs, there := members["inputs"]; there {
		if request.Inputs, ok = inputs.(map[string]any); !ok {
			add(diag.CodeRequestMemberType, "inputs", "want", "a JSON object")
		}
	}
	disclosure := text("disclosure")
	switch {
	case len(findings) > 0:
		return request, refusedFor(diag.CodeRequestMalformed, findings)
	case disclosure != "" && disclosure != disclosureFull:
		return request, refused(diag.CodeDisclosureNotSupported)
	}
	return request, nil
}

// permit holds a request against its credential and adds the inputs that are fixed for it. The answer about a profile
// that is not the credential's is the same whether the Build has it or not: nobody learns names by asking.
func (h *handler) permit(c *bindings.Credential, request *resolve.Request) *refusal {
	if !slices.Contains(c.Profiles, request.Profile) {
		return refused(diag.CodeProfileForbidden, "profile", request.Profile, "nearest", diag.Nearest(request.Profile, c.Profiles))
	}
	var findings []diag.Problem
	for _, name := range sortedKeys(request.Inputs) {
		if _, fixed := c.Inputs[name]; fixed {
			findings = append(findings, diag.New(diag.CodeRequestInputFixed, canonical.JoinPointer("/inputs", name), "input", name))
		}
	}
	if len(findings) > 0 {
		return refusedFor(diag.CodeRequestInputFixed, findings, "input", findings[0].Data["input"])
	}
	if len(c.Inputs) > 0 {
		inputs := maps.Clone(c.Inputs)
		maps.Copy(inputs, request.Inputs)
		request.Inputs = inputs
	}
	return nil
}

func (h *handler) contextOf(r *resolve.Resolution) contextAnswer {
	out := contextAnswer{
		Build: h.build.Digest().String(), Definition: h.build.DefinitionDigest().String(),
		Profile: r.Profile, Objective: r.Objective, Segments: make([]segmentMember, 0, len(r.Segments)), Text: r.Text(),
		Tools: []json.RawMessage{}, Withheld: told(r.Withheld), ToolsDigest: r.ToolsDigest.String(), TokenEstimate: r.Tokens,
	}
	for _, s := range r.Segments {
		member := segmentMember{Source: s.Source, Untrusted: s.Untrusted, Text: s.Text, Tokens: s.Tokens}
		if s.Index >= 0 {
			index := s.Index
			member.Index = &index
		}
		out.Segments = append(out.Segments, member)
	}
	return out
}

// told are the withheld tools that an application may hear of: those that it would have but for an executor. What
// the Project does not disclose to it is not named (R5).
func told(withheld map[string]resolve.Reason) map[string]resolve.Reason {
	out := map[string]resolve.Reason{}
	for tool, reason := range withheld {
		if reason == resolve.Unavailable || reason == resolve.Incompatible {
			out[tool] = reason
		}
	}
	return out
}
