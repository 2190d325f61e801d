package compiler

import (
	"cmp"
	"slices"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/schema"
	"github.com/seif-dev/seifc/decide/tokens"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/manifest"
)

// lowering writes the definition and remembers where each part of it was written.
type lowering struct {
	project *manifest.Project
	def     *definition.Definition
	origins *origins
	report  *[]diag.Diagnostic
	// expressions is set when the Project uses one.
	expressions bool
}

// lower turns the authored values into a definition. Names are carried over as written; whether they exist is
// checked on the definition itself, for a Project and a Build alike.
func lower(in *loaded, linked map[string]*contract, report *[]diag.Diagnostic) (*definition.Definition, *origins) {
	project := in.project
	w := &lowering{project: project, origins: newOrigins(project.Origin), report: report, def: &definition.Definition{
		Version: definition.V1, Project: project.Name, Description: project.Description, Estimator: tokens.Estimator,
		Objectives: map[string]string{}, Sources: map[string]definition.Source{}, Tools: map[string]definition.Tool{},
		Policies: map[string]definition.Policy{}, Profiles: map[string]definition.Profile{},
	}}
	w.at("/project", project.Origin, "/name")
	w.inputs()
	for _, entry := range project.Objectives {
		w.def.Objectives[entry.ID] = entry.Value
		w.origins.bind(canonical.JoinPointer("/objectives", entry.ID), entry.Origin)
	}
	for _, entry := range project.Sources {
		w.source(entry, in.texts)
	}
	// A Project with a tools map is v2 even while a pin in it does not resolve: what fails must not turn into
	// another kind of Build.
	if len(project.Tools) > 0 {
		w.def.Version = definition.V2
	}
	for _, entry := range project.Tools {
		w.tool(entry, linked[entry.ID])
	}
	for _, entry := range project.Policies {
		w.policy(entry)
	}
	for _, entry := range project.Profiles {
		w.profile(entry)
	}
	w.record()
	return w.def, w.origins
}

func (w *lowering) at(pointer string, origin manifest.Origin, below string) {
	w.origins.bind(pointer, manifest.Origin{File: origin.File, Pointer: origin.Pointer + below})
}

func (w *lowering) inputs() {
	if w.project.Inputs != nil {
		stripped, problems := schema.Strip(w.project.Inputs)
		at := manifest.Origin{File: w.project.File, Pointer: "/inputs"}
		*w.report = append(*w.report, diag.At(newOrigins(at), problems...)...)
		w.def.Inputs = stripped
		w.origins.graft("/inputs", schemaOrigins(at, w.project.Inputs))
	}
	w.def.Forward = w.idSet("/forward", w.project.Forward)
}

// idSet gives the sorted set of authored ids and binds each to where it was written; a repetition is reported.
func (w *lowering) idSet(pointer string, authored []manifest.Text) []string {
	sorted := slices.Clone(authored)
	slices.SortStableFunc(sorted, func(a, b manifest.Text) int { return canonical.Compare(a.Value, b.Value) })
	var out []string
	for i, text := range sorted {
		if i > 0 && sorted[i-1].Value == text.Value {
			*w.report = append(*w.report, diag.At(text.File, diag.New(diag.CodeNameRepeated, text.Pointer, "name", text.Value))...)
			continue
		}
		w.origins.bind(indexPointer(pointer, len(out)), text.Origin)
		out = append(out, text.Value)
	}
	return out
}

func (w *lowering) source(entry manifest.Entry[manifest.Source], texts map[string]sourceText) {
	pointer := canonical.JoinPointer("/sources", entry.ID)
	w.origins.bind(pointer, entry.Origin)
	authored := entry.Value
	if authored.Input != "" {
		w.def.Sources[entry.ID] = definition.Source{Input: authored.Input}
		return
	}
	source := definition.Source{
		Untrusted:      authored.Trust == "untrusted",
		NoPlaceholders: authored.Placeholders != nil && !*authored.Placeholders,
	}
	// The definition holds them sorted, as the set that they are.
	sorted := slices.SortedFunc(slices.Values(authored.AllowCharacters), func(a, b manifest.AllowCharacters) int {
		return cmp.Or(canonical.Compare(a.Characters, b.Characters), canonical.Compare(a.Reason, b.Reason))
	})
	for i, allowed := range sorted {
		w.origins.bind(indexPointer(pointer+"/allow_characters", i), allowed.Origin)
		source.AllowCharacters = append(source.AllowCharacters, definition.AllowedCharacters{Characters: allowed.Characters, Reason: allowed.Reason})
	}
	if text, ok := texts[entry.ID]; ok {
		source.Blob = definition.Blob{Digest: digest.Of([]byte(text.normalised)), Size: int64(len(text.normalised))}
		w.origins.bindText(pointer, text.file)
	}
	w.def.Sources[entry.ID] = source
}

func (w *lowering) tool(entry manifest.Entry[manifest.Pin], c *contract) {
	pointer := canonical.JoinPointer("/tools", entry.ID)
	w.origins.bind(pointer, entry.Origin)
	if c == nil {
		return
	}
	w.origins.graft(pointer+"/contract", c.origins)
	w.origins.bind(pointer+"/fingerprint", entry.Value.FingerprintAt)
	w.def.Tools[entry.ID] = definition.Tool{Contract: c.Contract, Fingerprint: c.fingerprint}
}

func (w *lowering) policy(entry manifest.Entry[manifest.Policy]) {
	pointer := canonical.JoinPointer("/policies", entry.ID)
	w.origins.bind(pointer, entry.Origin)
	authored := entry.Value
	w.origins.bind(pointer+"/deny", authored.Deny.Origin)
	w.expressions = w.expressions || authored.Deny.Value != ""
	w.def.Policies[entry.ID] = definition.Policy{
		Profiles:   w.idSet(pointer+"/profiles", authored.Profiles),
		Objectives: w.idSet(pointer+"/objectives", authored.Objectives),
		AllTools:   authored.All,
		Tools:      w.idSet(pointer+"/tools", authored.Tools),
		Deny:       authored.Deny.Value,
		Message:    authored.Message,
	}
}

func (w *lowering) profile(entry manifest.Entry[manifest.Profile]) {
	pointer := canonical.JoinPointer("/profiles", entry.ID)
	w.origins.bind(pointer, entry.Origin)
	authored := entry.Value
	profile := definition.Profile{
		BudgetTokens: authored.BudgetTokens,
		Objectives:   w.idSet(pointer+"/objectives", authored.Objectives),
		Requires:     w.idSet(pointer+"/requires", authored.Requires),
		Include:      map[string]definition.Inclusion{},
		Exclude:      map[string]string{},
	}
	for i, item := range authored.Context {
		profile.Context = append(profile.Context, w.contextEntry(indexPointer(pointer+"/context", i), item))
	}
	for _, item := range authored.Include {
		w.include(pointer, profile.Include, item)
	}
	for _, item := range authored.Exclude {
		profile.Exclude[item.ID] = item.Value
		w.origins.bind(canonical.JoinPointer(pointer+"/tools/exclude", item.ID), item.Origin)
	}
	w.def.Profiles[entry.ID] = profile
}

func (w *lowering) contextEntry(pointer string, item manifest.ContextEntry) definition.ContextEntry {
	w.origins.bind(pointer, item.Origin)
	w.origins.bind(pointer+"/when", item.When.Origin)
	w.expressions = w.expressions || item.When.Value != ""
	return definition.ContextEntry{
		Source: item.Source, Objectives: w.idSet(pointer+"/objectives", item.Objectives), When: item.When.Value,
	}
}

func (w *lowering) include(profile string, include map[string]definition.Inclusion, item manifest.Inclusion) {
	if _, twice := include[item.Tool]; twice {
		*w.report = append(*w.report, diag.At(item.File, diag.New(diag.CodeNameRepeated, item.Pointer, "name", item.Tool))...)
		return
	}
	pointer := canonical.JoinPointer(profile+"/tools/include", item.Tool)
	w.origins.bind(pointer, item.Origin)
	w.origins.bind(pointer+"/when", item.When.Origin)
	w.expressions = w.expressions || item.When.Value != ""
	include[item.Tool] = definition.Inclusion{
		Objectives: w.idSet(pointer+"/objectives", item.Objectives),
		Required:   item.Required, CallLimit: item.CallLimit, When: item.When.Value,
	}
}

// record notes the dialects that the definition uses.
func (w *lowering) record() {
	if w.def.Inputs != nil || w.def.Version == definition.V2 {
		w.def.ToolSchemaProfile = definition.ToolSchemaProfile
	}
	if w.expressions {
		w.def.Expressions = definition.ExpressionDialect
	}
}
