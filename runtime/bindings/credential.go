package bindings

import (
	"regexp"
	"strconv"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/document"
)

// The forms of names: ids and inputs as in the Build, principals as one printable word.
var (
	idForm        = regexp.MustCompile(`^[a-z][a-z0-9._-]{0,63}$`)
	inputForm     = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)
	principalForm = regexp.MustCompile(`^[!-~]{1,` + strconv.Itoa(MaxPrincipalBytes) + `}$`)
)

// credentials reads the credentials and refuses a token that is in more than one of them.
func (r *reader) credentials(f document.Field) []Credential {
	var all []Credential
	first := map[digest.Digest]Credential{}
	f.Map(func(id string, member document.Field) {
		if len(all) == MaxCredentials {
			return
		}
		r.named(member, "credential", id, idForm)
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

func (r *reader) principal(f document.Field) string {
	before := len(r.Problems())
	text := f.String()
	if f.Present() && len(r.Problems()) == before && !principalForm.MatchString(text) {
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
		case !idForm.MatchString(name):
			item.Problem(diag.CodeIDForm, "what", "profile", "id", name, "form", idForm.String())
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
		r.named(value, "input", name, inputForm)
		out[name] = value.Value()
	})
	if f.Node.Kind == document.Mapping && len(f.Node.Members) == 0 {
		f.Problem(diag.CodeListEmpty)
	}
	return out
}

func (r *reader) named(f document.Field, what, name string, form *regexp.Regexp) {
	if !form.MatchString(name) {
		r.Report(diag.New(diag.CodeIDForm, f.Pointer, "what", what, "id", name, "form", form.String()).AtKey())
	}
}
