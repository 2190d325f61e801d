package trust

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/document"
)

// keys reads the keys by name and refuses one that has two names (attack 27).
func (r *reader) keys(f document.Field) []signer {
	return r.signers(f, "key", diag.CodeTrustKeyTwice, func(s *signer, o *document.Object, at document.Field) {
		s.key = r.key(at, o.Optional("file"), o.Optional("pem"))
		signed := o.Optional("signed")
		s.signed = r.digests(signed)
		if until := o.Optional("not_after"); signed.Present() && !until.Present() {
			r.Report(diag.New(diag.CodeTrustSignedWithoutEnd, signed.Pointer).AtKey())
		}
	})
}

// identities reads the identities by name and refuses one that has two names.
func (r *reader) identities(f document.Field) []signer {
	return r.signers(f, "identity", diag.CodeTrustIdentityTwice, func(s *signer, o *document.Object, _ document.Field) {
		s.identity = &identity{issuer: r.issuer(o.Required("issuer")), subject: r.subject(o.Required("subject"))}
		s.identity.trustedRoot = r.trustedRoot(o.Required("trusted_root"))
	})
}

// signers reads named signers: what all have in common here, the rest by read.
func (r *reader) signers(f document.Field, what string, twice diag.Code, read func(*signer, *document.Object, document.Field)) []signer {
	var all []signer
	first := map[string]string{}
	if f.Present() && f.Node.Kind == document.Mapping {
		r.counted(f, map[string]string{"key": "keys", "identity": "identities"}[what], len(f.Node.Members), MaxSigners)
		if len(f.Node.Members) > MaxSigners {
			return nil
		}
	}
	f.Map(func(name string, member document.Field) {
		r.named(member, what, name)
		s := signer{name: name}
		o := member.Object()
		if o == nil {
			return
		}
		sound := r.sound(func() {
			read(&s, o, member)
			s.roles = r.roles(o.Required("roles"))
			s.window = r.window(o.Optional("not_before"), o.Optional("not_after"))
			s.revoked = r.revocation(o.Optional("revoked"))
			o.Done()
		})
		if sound {
			if other, taken := first[s.id()]; taken {
				r.Report(diag.New(twice, member.Pointer, "name", name, "other", other).AtKey())
			} else {
				first[s.id()] = name
			}
		}
		all = append(all, s)
	})
	slices.SortFunc(all, func(a, b signer) int { return cmp.Compare(a.name, b.name) })
	return all
}

// key reads a public key from the one of two places where it stands.
func (r *reader) key(member, file, text document.Field) sign.PublicKey {
	at, data, ok := text, []byte(nil), false
	switch {
	case file.Present() == text.Present():
		found := "neither"
		if file.Present() {
			found = "both"
		}
		member.Problem(diag.CodeTrustKeySource, "found", found)
		return sign.PublicKey{}
	case file.Present():
		at = file
		data, ok = r.file(file)
	default:
		written := r.text(text)
		data, ok = []byte(written), written != ""
	}
	if !ok {
		return sign.PublicKey{}
	}
	key, err := sign.ParsePublicKey(data)
	if err != nil {
		at.Report(keyProblem(err, at.Pointer))
	}
	return key
}

// keyProblem is what is wrong with a key, as the room of keys says it, at a place of the policy.
func keyProblem(err error, pointer string) diag.Problem {
	var fault *sign.KeyError
	if !errors.As(err, &fault) {
		return diag.New(diag.CodeTrustCheckDefect, pointer, "check", "key", "why", err.Error())
	}
	p := fault.Problem
	p.Target.Pointer = pointer
	return p
}

// file reads a file beside the policy; if it cannot, it says so.
func (r *reader) file(f document.Field) (data []byte, ok bool) {
	name := r.text(f)
	if name == "" {
		return nil, false
	}
	data, err := readBeside(r.folder, name)
	if err != nil {
		f.Problem(diag.CodeTrustFile, "file", clip(name), "why", err.Error())
		return nil, false
	}
	return data, true
}

// trustedRoot reads a trusted root, of which only the form is judged here; what it says is for whoever verifies with it.
func (r *reader) trustedRoot(f document.Field) []byte {
	data, ok := r.file(f)
	if !ok {
		return nil
	}
	value, err := canonical.Parse(data, canonical.Limits{Bytes: MaxBytes})
	if _, object := value.(map[string]any); err != nil || !object {
		f.Problem(diag.CodeTrustFile, "file", clip(f.Node.Text), "why", "it is not a JSON object")
		return nil
	}
	return data
}

func (r *reader) roles(f document.Field) []sign.Role {
	var out []sign.Role
	r.each(f, "role", MaxListed, func(item document.Field) string {
		role := r.role(item)
		if role != "" {
			out = append(out, role)
		}
		return string(role)
	})
	slices.Sort(out)
	return slices.Compact(out)
}

// issuer is compared whole with what a certificate states.
func (r *reader) issuer(f document.Field) string {
	var text string
	if r.sound(func() { text = f.String() }) && f.Present() && (!strings.HasPrefix(text, "https://") || !isPlain(text)) {
		f.Problem(diag.CodeTrustIssuer, "found", clip(text))
	}
	return text
}

// subject is compared whole with what a certificate states.
func (r *reader) subject(f document.Field) string {
	var text string
	if r.sound(func() { text = f.String() }) && f.Present() && !isPlain(text) {
		f.Problem(diag.CodeTrustSubject, "found", clip(text))
	}
	return text
}

// isPlain tells a name of printable ASCII without spaces, and without the star of a pattern.
func isPlain(text string) bool {
	const most = 1024
	for i := range len(text) {
		if text[i] <= ' ' || text[i] >= 0x7f || text[i] == '*' {
			return false
		}
	}
	return text != "" && len(text) <= most
}

func (r *reader) window(from, until document.Field) window {
	var w window
	if !r.sound(func() { w = window{from: r.time(from, false), until: r.time(until, true)} }) {
		return w
	}
	if from.Present() && until.Present() && w.until.Before(w.from) {
		until.Problem(diag.CodeTrustWindowEmpty, "from", from.Node.Text, "until", until.Node.Text)
	}
	return w
}

const (
	dayForm    = "2006-01-02"
	secondForm = "2006-01-02T15:04:05Z"
)

// time reads a day or a second in UTC. A plain scalar that YAML 1.1 would read as a date means just that here. A
// day stands for its beginning, or for its last moment.
func (r *reader) time(f document.Field, last bool) time.Time {
	if !f.Present() {
		return time.Time{}
	}
	text := f.Node.Text
	if f.Node.Kind != document.String || f.Node.Doubt != document.DoubtTime {
		if !r.sound(func() { text = f.String() }) {
			return time.Time{}
		}
	}
	if day, err := time.Parse(dayForm, text); err == nil && day.Format(dayForm) == text {
		if last {
			return day.AddDate(0, 0, 1).Add(-time.Nanosecond)
		}
		return day
	}
	if second, err := time.Parse(secondForm, text); err == nil && second.Format(secondForm) == text {
		if last {
			return second.Add(time.Second - time.Nanosecond)
		}
		return second
	}
	f.Problem(diag.CodeTrustTime, "found", clip(text))
	return time.Time{}
}

// revocation reads why a signer counts for nothing any more. The date is for people: whoever has a stolen key can
// write any date.
func (r *reader) revocation(f document.Field) *revocation {
	if !f.Present() {
		return nil
	}
	o := f.Object()
	reason, date := r.text(o.Required("reason")), o.Optional("date")
	o.Done()
	out := &revocation{reason: reason}
	if !r.time(date, false).IsZero() {
		out.date = date.Node.Text
	}
	return out
}
