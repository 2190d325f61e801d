package bindings

import (
	"path/filepath"
	"strings"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/document"
)

// trust reads by what the Build is judged: a trust policy with a channel, or the word that it may be unsigned, or both.
// Neither is an error: that nobody vouches for a Build is never the result of a setting that is missing.
func (r *reader) trust(b *Bindings, root document.Field, o *document.Object, path string) {
	policy, unsigned := o.Optional("trust_policy"), o.Optional("allow_unsigned")
	b.AllowUnsigned = unsigned.Bool()
	if policy.Present() {
		b.TrustPolicy = r.policy(policy, path)
		b.Channel = r.channel(o.Required("channel"))
		return
	}
	if channel := o.Optional("channel"); channel.Present() {
		r.Report(diag.New(diag.CodeChannelWithoutPolicy, channel.Pointer).AtKey())
	}
	switch {
	case !unsigned.Present() && root.Node != nil && root.Node.Kind == document.Mapping:
		root.Problem(diag.CodeTrustMissing)
	case unsigned.Present() && unsigned.Node.Kind == document.Bool && !b.AllowUnsigned:
		unsigned.Problem(diag.CodeTrustMissing)
	}
}

// policy reads the path of the trust policy and says where it leads.
func (r *reader) policy(f document.Field, bindings string) string {
	before := len(r.Problems())
	text := f.String()
	if len(r.Problems()) > before {
		return ""
	}
	if text == "" {
		f.Problem(diag.CodeStringEmpty)
		return ""
	}
	path := filepath.FromSlash(text)
	if filepath.IsAbs(path) || strings.HasPrefix(text, "/") {
		return path
	}
	return filepath.Join(filepath.Dir(filepath.FromSlash(bindings)), path)
}

func (r *reader) channel(f document.Field) string {
	before := len(r.Problems())
	text := f.String()
	if f.Present() && len(r.Problems()) == before && !definition.IDForm.Fits(text) {
		f.Problem(diag.CodeIDForm, "what", "channel", "id", text, "form", string(definition.IDForm))
	}
	return text
}
