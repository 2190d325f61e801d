package bindings

import (
	"strconv"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/document"
)

// credentials reads the credentials and refuses a token that is in more than one of them.
func (r *reader) credentials(f document.Field) []Credential {
	var all []Credential
	first := map[digest.Digest]Credential{}
	f.Map(func(id string, member document.Field) {
		if len(all) == MaxCredentials {
			return
		}
		r.named(member, "credential", id, definition.IDForm)
		c := r.credential(id, member)
		if other, taken := first[c.Token]; taken && !c.Token.IsZero() {
			code := diag.CodeCredentialRepeated
			if other.Class != c.Class {
				code = diag.CodeCredentialTwoClasses
			}
			r.Report(diag.New(code, canonical.JoinPointer(member.Pointer, "token_digest"), "credential", id, "other", other.ID))
		} else {
			first[c.Token] = c
		}
		all = append(all, c)
	})
	if f.Present() && f.Node.Kind == document.Mapping {
		switch n := len(f.Node.Members); {
		case n == 0:
			f.Problem(diag.CodeCredentialsNone)
		case n > MaxCredentials:
			f.Problem(diag.CodeCredentialsTooMany, "count", strconv.Itoa(n), "most", strconv.Itoa(MaxCredentials))
		}
	}
	byID(all)
	return all
}

func (r *reader) credential(id string, f document.Field) Credential {
	o := f.Object()
	c := Credential{ID: id}
	class := o.Required("class")
	c.Class = Class(class.Word(string(App), string(approver), string(Ops)))
	if c.Class == approver {
		class.Problem(diag.CodeApproverNotSupported)
	}
	c.Token = r.digest(o.Required("token_digest"))
	c.Principal = r.principal(o.Required("principal"))
	profiles, inputs := o.Optional("profiles"), o.Optional("inputs")
	switch c.Class {
	case App:
		c.Profiles = r.profiles(o.Required("profiles"))
		c.Inputs = r.inputs(inputs)
	case Ops:
		r.notOf(c.Class, inputs)
		r.notOf(c.Class, profiles)
	}
	o.Done()
	return c
}

// notOf refuses a member that credentials of the class do not have.
func (r *reader) notOf(class Class, f document.Field) {
	if f.Present() {
		r.Report(diag.New(diag.CodeCredentialMember, f.Pointer, "class", string(class), "member", f.Key.Text).AtKey())
	}
}

// isPrincipal tells a name of printable ASCII without spaces, which is safe in logs and headers.
func isPrincipal(text string) bool {
	for i := range len(text) {
		if text[i] <= ' ' || text[i] >= 0x7f {
			return false
		}
	}
	return text != "" && len(text) <= MaxPrincipalBytes
}

func (r *reader) principal(f document.Field) string {
	before := len(r.Problems())
	text := f.String()
	if f.Present() && len(r.Problems()) == before && !isPrincipal(text) {
		f.Problem(diag.CodePrincipalForm, "most", strconv.Itoa(MaxPrincipalBytes))
	}
	return text
}

func (r *reader) profiles(f document.Field) []string {
	if !f.Present() {
		return nil
	}
	seen := map[string]bool{}
	var out []string
	f.Each(func(item document.Field) {
		before := len(r.Problems())
		name := item.String()
		switch {
		case len(r.Problems()) > before:
		case !definition.IDForm.Fits(name):
			item.Problem(diag.CodeIDForm, "what", "profile", "id", name, "form", string(definition.IDForm))
		case seen[name]:
			item.Problem(diag.CodeProfileRepeated, "profile", name)
		default:
			out = append(out, name)
		}
		seen[name] = true
	})
	if f.Node.Kind == document.Sequence && len(f.Node.Items) == 0 {
		f.Problem(diag.CodeListEmpty)
	}
	return out
}

func (r *reader) inputs(f document.Field) map[string]canonical.Value {
	if !f.Present() {
		return nil
	}
	out := map[string]canonical.Value{}
	f.Map(func(name string, value document.Field) {
		r.named(value, "input", name, definition.InputForm)
		out[name] = value.Value()
	})
	if f.Node.Kind == document.Mapping && len(f.Node.Members) == 0 {
		f.Problem(diag.CodeListEmpty)
	}
	return out
}

func (r *reader) named(f document.Field, what, name string, form definition.Form) {
	if !form.Fits(name) {
		r.Report(diag.New(diag.CodeIDForm, f.Pointer, "what", what, "id", name, "form", string(form)).AtKey())
	}
}
