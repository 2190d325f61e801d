package manifest

import (
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/document"
)

// MaxTimeoutMS bounds how long an executor may take.
const MaxTimeoutMS = 600_000

// DecodeCatalogue reads a catalogue file. The result is nil when the file is not a catalogue at all.
func DecodeCatalogue(file *document.File) (*Catalogue, []diag.Diagnostic) {
	return read(file, CatalogueSchema, func(r *reader, o *document.Object, at Origin) *Catalogue {
		c := &Catalogue{Origin: at}
		name := o.Required("name")
		if c.Name = r.text(name).Value; c.Name != "" {
			r.id(name, "catalogue", c.Name)
		}
		c.Contracts = entries(r, o.Required("tool_contracts"), "tool contract", r.contract)
		c.Revisions = entries(r, o.Optional("revisions"), "tool contract", r.revisions)
		return c
	})
}

func (r *reader) revisions(f document.Field) []Contract {
	var out []Contract
	f.Each(func(item document.Field) { out = append(out, r.contract(item)) })
	if f.Present() && f.Node.Kind == document.Sequence && len(f.Node.Items) == 0 {
		f.Problem(diag.CodeListEmpty)
	}
	return out
}

func (r *reader) contract(f document.Field) Contract {
	o := f.Object()
	c := Contract{
		Origin:      r.at(f),
		Name:        r.text(o.Optional("name")).Value,
		Version:     r.text(o.Optional("version")).Value,
		Description: r.text(o.Optional("description")).Value,
		Effect:      o.Optional("effect").Word("read", "write", "undecided"),
		Approval:    o.Optional("approval").Word("none", "operator"),
		TimeoutMS:   o.Optional("timeout_ms").Int(1, MaxTimeoutMS),
		CallLimit:   o.Optional("call_limit").Int(1, MaxCallLimit),
		Schema:      r.schemaRef(o.Optional("schema")),
		Result:      r.schemaRef(o.Optional("result")),
		Fingerprint: r.text(o.Optional("fingerprint")).Value,
		Status:      o.Optional("status").Word("active", "retired", "revoked"),
	}
	if claims := o.Optional("claims"); claims.Present() {
		if claims.Node.Kind == document.Mapping {
			c.Claims = claims.Value()
		} else {
			claims.Object()
		}
	}
	c.EffectReason = r.text(o.Optional("effect_reason")).Value
	o.Done()
	return c
}

// schemaRef reads a schema, or a reference to a shared one: a map whose `$ref` names a tool contract. A `$ref` of
// the schema's own, into itself, is the schema's business.
func (r *reader) schemaRef(f document.Field) SchemaRef {
	out := SchemaRef{Origin: r.at(f)}
	if !f.Present() {
		return SchemaRef{}
	}
	if !namesContract(f.Node) {
		out.Inline, out.HasInline = f.Value(), true
		return out
	}
	o := f.Object()
	out.Ref = r.reference(o.Required("$ref"))
	out.Fingerprint = r.text(o.Optional("fingerprint")).Value
	o.Done()
	if out.Ref == "" {
		// A reference that could not be read is reported; it must not look like no schema at all.
		out.HasInline, out.Inline = true, map[string]any{"type": "object"}
	}
	return out
}

func namesContract(n *document.Node) bool {
	if n.Kind != document.Mapping {
		return false
	}
	ref := n.Member("$ref")
	return ref != nil && (n.Member("fingerprint") != nil || ref.Kind == document.String && len(ref.Text) > len(referencePrefix) && ref.Text[:len(referencePrefix)] == referencePrefix)
}
