package manifest

import (
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/document"
)

// The bounds of numbers in a Project.
const (
	MaxBudgetTokens = 10_000_000
	MaxCallLimit    = 1000
)

// DecodeProject reads a Project file. The result is nil when the file is not a Project at all.
func DecodeProject(file *document.File) (*Project, []diag.Diagnostic) {
	return read(file, ProjectSchema, (*reader).project)
}

func (r *reader) project(o *document.Object, at Origin) *Project {
	p := &Project{Origin: at}
	name := o.Required("name")
	if p.Name = r.text(name).Value; p.Name != "" {
		r.id(name, "Project", p.Name)
	}
	p.Description = r.text(o.Optional("description")).Value
	p.Catalogues = r.texts(o.Optional("catalogues"))
	p.Tests = r.texts(o.Optional("tests"))
	p.Inputs = r.inputs(o.Optional("inputs"))
	p.Forward = r.ids(o.Optional("forward"), "input")
	p.Objectives = entries(r, o.Optional("objectives"), "objective", func(f document.Field) string { return r.text(f).Value })
	p.Sources = entries(r, o.Optional("sources"), "source", r.source)
	p.Contracts = entries(r, o.Optional("tool_contracts"), "tool contract", r.contract)
	p.Revisions = entries(r, o.Optional("revisions"), "tool contract", r.revisions)
	p.Tools = entries(r, o.Optional("tools"), "tool", r.pin)
	for i := range p.Tools {
		if p.Tools[i].Value.Contract == "" {
			p.Tools[i].Value.Contract = p.Tools[i].ID
		}
	}
	p.Policies = entries(r, o.Optional("policies"), "policy", r.policy)
	p.Profiles = entries(r, o.Required("profiles"), "profile", r.profile)
	o.Optional("suppressions").Each(func(f document.Field) { p.Suppressions = append(p.Suppressions, r.suppression(f)) })
	return p
}

// inputs keeps the schema as it was written; the schema profile judges it.
func (r *reader) inputs(f document.Field) canonical.Value {
	if f.Present() && f.Node.Kind != document.Mapping {
		f.Object()
		return nil
	}
	return f.Value()
}

func (r *reader) source(f document.Field) Source {
	if f.Present() && f.Node.Kind != document.Mapping {
		return Source{Path: r.text(f)}
	}
	o := f.Object()
	s := Source{Path: r.text(o.Optional("path"))}
	input := o.Optional("input")
	if s.Input = r.text(input).Value; s.Input != "" {
		r.id(input, "input", s.Input)
	}
	s.Trust = o.Optional("trust").Word("author", "untrusted")
	if placeholders := o.Optional("placeholders"); placeholders.Present() {
		on := placeholders.Bool()
		s.Placeholders = &on
	}
	allow := o.Optional("allow_characters")
	allow.Each(func(item document.Field) { s.AllowCharacters = append(s.AllowCharacters, r.allow(item)) })
	o.Done()
	if o == nil {
		return s
	}
	switch {
	case s.Input != "" && (s.Path.Value != "" || s.Trust != "" || s.Placeholders != nil || allow.Present()):
		f.Problem(diag.CodeSourceMixed)
	case s.Input == "" && s.Path.Value == "" && !input.Present():
		f.Problem(diag.CodeSourceEmpty)
	}
	return s
}

func (r *reader) allow(f document.Field) AllowCharacters {
	o := f.Object()
	out := AllowCharacters{
		Origin: r.at(f), Characters: r.text(o.Required("characters")).Value, Reason: r.text(o.Required("reason")).Value,
	}
	o.Done()
	return out
}

// pin reads the value of a `tools` member: a fingerprint, nothing yet, or a reference to a contract of another id.
func (r *reader) pin(f document.Field) Pin {
	switch {
	case f.Null():
		return Pin{FingerprintAt: r.at(f)}
	case f.Node.Kind != document.Mapping:
		return Pin{Fingerprint: f.String(), FingerprintAt: r.at(f)}
	}
	o := f.Object()
	p := Pin{Long: true, Contract: r.reference(o.Required("$ref"))}
	fingerprint := o.Optional("fingerprint")
	p.FingerprintAt = r.at(fingerprint)
	if !fingerprint.Null() {
		p.Fingerprint = fingerprint.String()
	}
	o.Done()
	return p
}

const referencePrefix = "tool_contract:"

// reference reads a `$ref` and gives the id that it names.
func (r *reader) reference(f document.Field) string {
	text := r.text(f).Value
	if text == "" {
		return ""
	}
	id, ok := strings.CutPrefix(text, referencePrefix)
	if !ok {
		f.Problem(diag.CodeReferenceForm, "ref", text)
		return ""
	}
	if !r.id(f, "tool contract", id) {
		return ""
	}
	return id
}

func (r *reader) policy(f document.Field) Policy {
	o := f.Object()
	p := Policy{
		Profiles:   r.ids(o.Optional("profiles"), "profile"),
		Objectives: r.ids(o.Optional("objectives"), "objective"),
	}
	tools := o.Required("tools")
	if tools.Present() && tools.Node.Kind == document.String {
		p.All = tools.Word("all") == "all"
	} else {
		p.Tools = r.ids(tools, "tool")
	}
	p.Deny = r.expression(o.Required("deny"))
	p.Message = r.text(o.Optional("message")).Value
	o.Done()
	return p
}

func (r *reader) profile(f document.Field) Profile {
	o := f.Object()
	budget := o.Required("budget").Object()
	p := Profile{BudgetTokens: budget.Required("tokens").Int(1, MaxBudgetTokens)}
	budget.Done()
	p.Objectives = r.ids(o.Optional("objectives"), "objective")
	p.Requires = r.ids(o.Optional("requires"), "input")
	o.Optional("context").Each(func(item document.Field) { p.Context = append(p.Context, r.contextEntry(item)) })
	tools := o.Optional("tools").Object()
	tools.Optional("include").Each(func(item document.Field) { p.Include = append(p.Include, r.inclusion(item)) })
	p.Exclude = entries(r, tools.Optional("exclude"), "tool", func(f document.Field) string { return r.text(f).Value })
	tools.Done()
	o.Done()
	return p
}

func (r *reader) contextEntry(f document.Field) ContextEntry {
	if f.Node.Kind != document.Mapping {
		return ContextEntry{Origin: r.at(f), Source: r.text(f).Value}
	}
	o := f.Object()
	out := ContextEntry{
		Origin: r.at(f), Source: r.text(o.Required("source")).Value,
		Objectives: r.ids(o.Optional("objectives"), "objective"), When: r.expression(o.Optional("when")),
	}
	o.Done()
	return out
}

func (r *reader) inclusion(f document.Field) Inclusion {
	if f.Node.Kind != document.Mapping {
		return Inclusion{Origin: r.at(f), Tool: r.text(f).Value}
	}
	o := f.Object()
	out := Inclusion{
		Origin: r.at(f), Tool: r.text(o.Required("tool")).Value,
		Objectives: r.ids(o.Optional("objectives"), "objective"), Required: o.Optional("required").Bool(),
		CallLimit: o.Optional("call_limit").Int(1, MaxCallLimit), When: r.expression(o.Optional("when")),
	}
	o.Done()
	return out
}

func (r *reader) suppression(f document.Field) Suppression {
	o := f.Object()
	out := Suppression{
		Origin: r.at(f), Code: r.text(o.Required("code")).Value, Path: r.text(o.Required("path")).Value,
		Digest: r.text(o.Required("digest")).Value, Reason: r.text(o.Required("reason")).Value,
	}
	o.Done()
	return out
}
