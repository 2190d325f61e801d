package importer

import (
	"slices"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/manifest"
)

// Drift is what differs between a catalogue and what is published now.
type Drift struct {
	// InCatalogue has pointers into the catalogue, InSource into the published document.
	InCatalogue []diag.Problem
	InSource    []diag.Problem
	// matched is the entry of each tool, by the tool's index; nil for a new tool.
	matched []*known
	// ids are the ids that new tools get in the catalogue, by the tool's index; empty for the others.
	ids []string
}

// Empty tells that nothing differs.
func (d *Drift) Empty() bool { return len(d.InCatalogue) == 0 && len(d.InSource) == 0 }

// Compare compares a catalogue with the tools that are published now. It reports changes, new and missing tools,
// new arguments as new data channels, and new tools that are probably old ones under another name.
func Compare(catalogue *manifest.Catalogue, tools []Tool) *Drift {
	entries := entriesOf(catalogue)
	d := &Drift{matched: match(entries, tools), ids: make([]string, len(tools))}
	names := namesOf(entries)
	found := map[*known]bool{}
	for i, tool := range tools {
		if k := d.matched[i]; k != nil {
			found[k] = true
			d.InCatalogue = append(d.InCatalogue, changes(k, tool, names)...)
		}
	}
	likeness := newLikeness(entries, found)
	ids := newProposals(maxID, "-", fold)
	for _, id := range idsOf(catalogue) {
		ids.taken[fold(id)] = true
	}
	for i, tool := range tools {
		if d.matched[i] == nil {
			d.ids[i] = ids.propose(tool.ID)
			d.InSource = append(d.InSource, likeness.added(tool))
		}
	}
	for _, k := range entries {
		if !found[k] {
			d.InCatalogue = append(d.InCatalogue, diag.New(diag.CodeDriftGone, k.entry.Pointer, "id", k.entry.ID, "name", k.name).AtKey())
		}
	}
	return d
}

// idsOf are all ids that a catalogue uses, of tools, of shared schemas and of earlier contracts.
func idsOf(catalogue *manifest.Catalogue) []string {
	var ids []string
	for _, entry := range catalogue.Contracts {
		ids = append(ids, entry.ID)
	}
	for _, entry := range catalogue.Revisions {
		ids = append(ids, entry.ID)
	}
	return ids
}

// match finds the entry that each published tool belongs to: by model-facing name, then, among what is left, by id.
func match(entries []*known, tools []Tool) []*known {
	byName, byID := map[string]*known{}, map[string]*known{}
	for _, k := range slices.Backward(entries) {
		byName[k.name], byID[k.entry.ID] = k, k
	}
	matched := make([]*known, len(tools))
	taken := map[*known]bool{}
	for i, tool := range tools {
		if k := byName[tool.Name]; k != nil && !taken[k] {
			matched[i], taken[k] = k, true
		}
	}
	for i, tool := range tools {
		if k := byID[tool.ID]; matched[i] == nil && k != nil && !taken[k] {
			matched[i], taken[k] = k, true
		}
	}
	return matched
}

// likeness finds the entry that a new tool reads like. Entries that nobody publishes any more come first.
type likeness struct {
	byText   map[string]*known
	bySchema map[string]*known
}

func newLikeness(entries []*known, found map[*known]bool) *likeness {
	l := &likeness{byText: map[string]*known{}, bySchema: map[string]*known{}}
	for _, published := range []bool{true, false} {
		for _, k := range slices.Backward(entries) {
			if found[k] != published {
				continue
			}
			if text := k.entry.Value.Description; text != "" {
				l.byText[text] = k
			}
			if form, ok := distinctive(k.schema); ok {
				l.bySchema[form] = k
			}
		}
	}
	return l
}

// added reports a tool without an entry; one that has the text or the arguments of an entry may be that entry renamed.
func (l *likeness) added(tool Tool) diag.Problem {
	k := l.byText[tool.Description]
	if form, ok := distinctive(stripped(tool.Schema)); k == nil && ok {
		k = l.bySchema[form]
	}
	if k == nil {
		return diag.New(diag.CodeDriftAdded, tool.Pointer, "name", tool.Published)
	}
	return diag.New(diag.CodeDriftRename, tool.Pointer, "name", tool.Published, "id", k.entry.ID, "old", k.name)
}

func fold(id string) string { return definition.FoldID(id) }
