package bindings

import (
	"cmp"
	"errors"
	"net/netip"
	"slices"
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/document"
)

// Decode reads Bindings from their parsed document and reports everything that is wrong with them by themselves,
// sorted by place. The Bindings are nil if any finding is an error.
func Decode(file *document.File) (*Bindings, []diag.Diagnostic) {
	var decoder document.Decoder
	r := &reader{Decoder: &decoder}
	b := r.bindings(decoder.Root(file), file.Path)
	found := diag.Sort(file.Diagnose(decoder.Problems()...))
	for i, d := range found {
		if strings.HasPrefix(d.Place.Pointer, "/credentials/") {
			// A token may stand on the line, by mistake; findings end up in logs.
			found[i].Place.Snippet = ""
		}
	}
	if diag.HasErrors(found) {
		return nil, found
	}
	return b, found
}

type reader struct {
	*document.Decoder
}

func (r *reader) bindings(root document.Field, path string) *Bindings {
	o := root.Object()
	o.Required("schema").Word(SchemaName)
	b := &Bindings{Build: r.digest(o.Required("build"))}
	b.Listen = r.listen(o.Optional("listen"), o.Optional("insecure_listen"))
	r.trust(b, root, o, path)
	if f := o.Optional("executors"); f.Present() {
		f.Problem(diag.CodeExecutorsNotSupported, "where", "the Bindings")
	}
	b.Credentials = r.credentials(o.Required("credentials"))
	b.Quotas = r.quotas(o.Optional("quotas"))
	o.Done()
	return b
}

func (r *reader) quotas(f document.Field) Quotas {
	q := Quotas{RequestsInFlight: DefaultRequestsInFlight, PerCredential: DefaultPerCredential, BodyBytes: DefaultBodyBytes}
	if !f.Present() {
		return q
	}
	o := f.Object()
	for _, member := range []struct {
		name        string
		least, most int
		value       *int
	}{
		{"requests_in_flight", 1, MaxRequestsInFlight, &q.RequestsInFlight},
		{"per_credential", 1, MaxRequestsInFlight, &q.PerCredential},
		{"body_bytes", MinBodyBytes, MaxBodyBytes, &q.BodyBytes},
	} {
		if f := o.Optional(member.name); f.Present() {
			*member.value = f.Int(member.least, member.most)
		}
	}
	o.Done()
	return q
}

// listen reads an address in its one spelling, and whether the Bindings say that it is open to others.
func (r *reader) listen(f, insecure document.Field) netip.AddrPort {
	text := DefaultListen
	if f.Present() {
		before := len(r.Problems())
		if text = f.String(); len(r.Problems()) > before {
			return netip.AddrPort{}
		}
	}
	address, err := netip.ParseAddrPort(text)
	if err != nil || address.Addr().Zone() != "" || address.Addr().Is4In6() || address.String() != text {
		f.Problem(diag.CodeListenMalformed, "address", text)
		return netip.AddrPort{}
	}
	said := insecure.Bool()
	switch loopback := address.Addr().IsLoopback(); {
	case !loopback && !insecure.Present():
		f.Problem(diag.CodeListenInsecure, "address", text)
	case !loopback && insecure.Node.Kind == document.Bool && !said:
		insecure.Problem(diag.CodeListenInsecure, "address", text)
	case loopback && insecure.Present():
		insecure.Problem(diag.CodeListenNotInsecure, "address", text)
	}
	return address
}

// digest reads a digest in the one notation (R75).
func (r *reader) digest(f document.Field) digest.Digest {
	if !f.Present() {
		return digest.Digest{}
	}
	if f.Node.Kind != document.String || f.Node.Doubt != document.NoDoubt {
		f.Problem(diag.CodeBindingsDigest, "problem", "it is no text")
		return digest.Digest{}
	}
	d, err := digest.Parse(f.Node.Text)
	if err != nil {
		r.Report(diag.New(diag.CodeBindingsDigest, f.Pointer, "problem", digestProblem(err)))
	}
	return d
}

// digestProblem says what is wrong without the text: what stands there may be the token itself.
func digestProblem(err error) string {
	var notation *digest.NotationError
	if errors.As(err, &notation) {
		return notation.Err.Error()
	}
	return "it cannot be read"
}

// byID sorts credentials.
func byID(all []Credential) {
	slices.SortFunc(all, func(a, b Credential) int { return cmp.Compare(a.ID, b.ID) })
}
