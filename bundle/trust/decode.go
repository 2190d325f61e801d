package trust

import (
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/document"
)

// decode reads a policy from its parsed document and reports everything that is wrong with it, sorted by place.
func decode(file *document.File, name string, folder fs.FS) (*Policy, []diag.Diagnostic) {
	var decoder document.Decoder
	r := &reader{Decoder: &decoder, name: name, folder: folder}
	p := r.policy(decoder.Root(file))
	return p, diag.Sort(file.Diagnose(decoder.Problems()...))
}

type reader struct {
	*document.Decoder
	name   string
	folder fs.FS
}

func (r *reader) policy(root document.Field) *Policy {
	o := root.Object()
	o.Required("schema").Word(SchemaName)
	p := &Policy{project: r.id(o.Required("project"), "Project")}
	p.channels = r.list(o.Required("channels"), "channel")
	counted := r.sound(func() {
		p.signers = append(r.keys(o.Optional("keys")), r.identities(o.Optional("identities"))...)
	})
	p.require = r.requirements(o.Required("require"))
	if counted {
		r.reachable(o.Optional("require"), p)
	}
	r.revoked(o.Optional("revoked"), p)
	r.floor(p, o.Optional("floor"), o.Optional("floor_state"))
	o.Done()
	return p
}

// sound runs a reading and tells whether it reported nothing.
func (r *reader) sound(read func()) bool {
	before := len(r.Problems())
	read()
	return len(r.Problems()) == before
}

// text reads a string that is not empty.
func (r *reader) text(f document.Field) string {
	var text string
	if r.sound(func() { text = f.String() }) && f.Present() && text == "" {
		f.Problem(diag.CodeStringEmpty)
	}
	return text
}

func (r *reader) id(f document.Field, what string) string {
	var text string
	if r.sound(func() { text = f.String() }) && f.Present() && !definition.IDForm.Fits(text) {
		f.Problem(diag.CodeIDForm, "what", what, "id", text, "form", string(definition.IDForm))
		return ""
	}
	return text
}

// named judges the name of a member.
func (r *reader) named(f document.Field, what, name string) {
	if !definition.IDForm.Fits(name) {
		r.Report(diag.New(diag.CodeIDForm, f.Pointer, "what", what, "id", name, "form", string(definition.IDForm)).AtKey())
	}
}

// list reads a list of ids that is not empty and has none twice.
func (r *reader) list(f document.Field, what string) []string {
	var out []string
	r.each(f, what, MaxListed, func(item document.Field) string {
		id := r.id(item, what)
		if id != "" {
			out = append(out, id)
		}
		return id
	})
	return out
}

// each reads the items of a list that is not empty; item gives what must not be there twice, "" for what is wrong
// already.
func (r *reader) each(f document.Field, what string, most int, item func(document.Field) string) {
	seen := map[string]bool{}
	f.Each(func(f document.Field) {
		if len(seen) >= most {
			return
		}
		name := item(f)
		if name != "" && seen[name] {
			f.Problem(diag.CodeTrustRepeated, "what", what, "name", name)
		}
		seen[name] = true
	})
	if f.Present() && f.Node.Kind == document.Sequence {
		r.counted(f, what+" entries", len(f.Node.Items), most)
	}
}

// counted refuses a list or map that is empty or too long.
func (r *reader) counted(f document.Field, what string, n, most int) {
	switch {
	case n == 0:
		f.Problem(diag.CodeListEmpty)
	case n > most:
		f.Problem(diag.CodeTrustTooMany, "what", what, "count", strconv.Itoa(n), "most", strconv.Itoa(most))
	}
}

// digests reads a list of Builds.
func (r *reader) digests(f document.Field) map[digest.Digest]bool {
	if !f.Present() {
		return nil
	}
	out := map[digest.Digest]bool{}
	r.each(f, "Build", MaxListed, func(item document.Field) string {
		var text string
		if !r.sound(func() { text = item.String() }) {
			return ""
		}
		d, err := digest.Parse(text)
		if err != nil {
			item.Problem(diag.CodeTrustDigest, "found", clip(text), "why", err.Error())
			return ""
		}
		out[d] = true
		return d.String()
	})
	return out
}

func (r *reader) requirements(f document.Field) []Requirement {
	var out []Requirement
	seen := map[sign.Role]bool{}
	f.Each(func(item document.Field) {
		o := item.Object()
		role := o.Required("role")
		threshold := o.Optional("threshold")
		req := Requirement{Role: r.role(role), Threshold: 1}
		if threshold.Present() {
			req.Threshold = threshold.Int(1, 2*MaxSigners)
		}
		o.Done()
		switch {
		case req.Role == "" || req.Threshold == 0:
		case seen[req.Role]:
			role.Problem(diag.CodeTrustRepeated, "what", "role", "name", string(req.Role))
		case !requirable(req.Role):
			role.Problem(diag.CodeTrustRequireReview)
		default:
			out = append(out, req)
		}
		seen[req.Role] = true
	})
	if f.Present() && f.Node.Kind == document.Sequence && len(f.Node.Items) == 0 {
		f.Problem(diag.CodeTrustRequireEmpty)
	}
	return out
}

// reachable refuses thresholds that the signers of the policy cannot reach, which would refuse every Build.
func (r *reader) reachable(f document.Field, p *Policy) {
	f.Each(func(item document.Field) {
		role := item.Node.Member("role")
		for _, req := range p.require {
			if role != nil && role.Text == string(req.Role) {
				r.reach(item, req, p.signers)
			}
		}
	})
}

func (r *reader) reach(f document.Field, req Requirement, signers []signer) {
	count, revoked := map[string]bool{}, 0
	for _, s := range signers {
		switch {
		case !s.holds(req.Role):
		case s.revoked != nil:
			revoked++
		default:
			count[s.id()] = true
		}
	}
	if len(count) >= req.Threshold {
		return
	}
	dropped := ""
	if revoked > 0 {
		dropped = strconv.Itoa(revoked)
	}
	f.Problem(diag.CodeTrustThreshold, "role", string(req.Role), "threshold", strconv.Itoa(req.Threshold),
		"count", strconv.Itoa(len(count)), "revoked", dropped)
}

func (r *reader) role(f document.Field) sign.Role {
	words := make([]string, 0, len(sign.Roles()))
	for _, role := range sign.Roles() {
		words = append(words, string(role))
	}
	return sign.Role(f.Word(words...))
}

func (r *reader) revoked(f document.Field, p *Policy) {
	if !f.Present() {
		return
	}
	o := f.Object()
	builds, contracts := o.Optional("builds"), o.Optional("contracts")
	o.Done()
	p.builds = map[digest.Digest]string{}
	r.reasons(builds, "revoked Builds", func(text, reason string) error {
		d, err := digest.Parse(text)
		if err == nil {
			p.builds[d] = reason
		}
		return err
	})
	p.contracts = map[digest.Fingerprint]string{}
	r.reasons(contracts, "revoked contracts", func(text, reason string) error {
		d, err := digest.ParseFingerprint(text)
		if err == nil {
			p.contracts[d] = reason
		}
		return err
	})
	if o != nil && !builds.Present() && !contracts.Present() && len(f.Node.Members) == 0 {
		f.Problem(diag.CodeListEmpty)
	}
}

// reasons reads a map from digests to the reasons why they are revoked.
func (r *reader) reasons(f document.Field, what string, add func(text, reason string) error) {
	f.Map(func(key string, value document.Field) {
		if err := add(key, r.text(value)); err != nil {
			r.Report(diag.New(diag.CodeTrustDigest, value.Pointer, "found", clip(key), "why", err.Error()).AtKey())
		}
	})
	if f.Present() && f.Node.Kind == document.Mapping {
		r.counted(f, what, len(f.Node.Members), MaxListed)
	}
}

// floor reads the release floor, which stands in one place or in none.
func (r *reader) floor(p *Policy, floor, state document.Field) {
	if floor.Present() && state.Present() {
		state.Problem(diag.CodeTrustFloorTwice)
	}
	if floor.Present() {
		p.floor = map[string]int64{}
		floor.Map(func(channel string, value document.Field) {
			r.named(value, "channel", channel)
			if definition.IDForm.Fits(channel) && !slices.Contains(p.channels, channel) {
				r.Report(diag.New(diag.CodeTrustFloorChannel, value.Pointer, "channel", channel).AtKey())
			}
			p.floor[channel] = int64(value.Int(1, sign.MaxSequence))
		})
		if floor.Node.Kind == document.Mapping {
			r.counted(floor, "floors", len(floor.Node.Members), MaxListed)
		}
	}
	if state.Present() {
		p.floorState = beside(r.name, r.text(state))
	}
	for _, f := range []document.Field{floor, state} {
		if f.Present() && !p.requires(sign.RoleRelease) {
			r.Report(diag.New(diag.CodeTrustFloorRelease, f.Pointer).AtKey())
		}
	}
}

func (p *Policy) requires(role sign.Role) bool {
	for _, req := range p.require {
		if req.Role == role {
			return true
		}
	}
	return false
}

// clip bounds a text of the document in a message.
func clip(text string) string {
	const most = 100
	text = strings.ToValidUTF8(text, "\uFFFD")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return text
}
