package importer

import (
	"slices"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/manifest"
)

// Drift is what differs between a catalogue and what is published now.
type Drift struct {
	// InCatalogue has pointers into the catalogue, InSource into the published document.
	InCatalogue []diag.Problem
	InSource    []diag.Problem
	// matched is the entry of each tool, by the tool's index; nil for a new tool.
	matched []*known
}

// Empty tells that nothing differs.
func (d *Drift) Empty() bool { return len(d.InCatalogue) == 0 && len(d.InSource) == 0 }

// Compare compares a catalogue with the tools that are published now. It reports changes, new and missing tools,
// new arguments as new data channels, and new tools that are probably old ones under another name.
func Compare(catalogue *manifest.Catalogue, tools []Tool) *Drift {
	entries := entriesOf(catalogue)
	d := &Drift{matched: make([]*known, len(tools))}
	seen := map[string]bool{}
	for i, tool := range tools {
		k := match(entries, tool)
		if k == nil || seen[k.entry.ID] {
			continue
		}
		seen[k.entry.ID] = true
		d.matched[i] = k
		d.InCatalogue = append(d.InCatalogue, changes(k, tool)...)
	}
	for i, tool := range tools {
		if d.matched[i] == nil {
			d.InSource = append(d.InSource, added(entries, tool))
		}
	}
	for _, k := range entries {
		if !seen[k.entry.ID] {
			d.InCatalogue = append(d.InCatalogue, diag.New(diag.CodeDriftGone, k.entry.Pointer, "id", k.entry.ID, "name", k.name).AtKey())
		}
	}
	return d
}

// added reports a tool without an entry; one that reads like an entry may be that entry renamed.
func added(entries []known, tool Tool) diag.Problem {
	for _, k := range entries {
		if alike(k, tool) {
			return diag.New(diag.CodeDriftRename, tool.Pointer, "name", tool.Published, "id", k.entry.ID, "old", k.name)
		}
	}
	return diag.New(diag.CodeDriftAdded, tool.Pointer, "name", tool.Published)
}

// alike tells a tool that has the text or the arguments of an entry. Arguments count only if they are not the few
// that many tools share.
func alike(k known, tool Tool) bool {
	if tool.Description != "" && k.entry.Value.Description == tool.Description {
		return true
	}
	value, _ := canonical.Lookup(k.schema, "/properties")
	properties, _ := value.(map[string]any)
	return len(properties) >= 2 && canonical.Equal(k.schema, stripped(tool.Schema))
}

// NamesNewTools lists the ids of tools that a merge adds, in order.
func (d *Drift) NamesNewTools(tools []Tool) []string {
	var ids []string
	for i, tool := range tools {
		if d.matched[i] == nil {
			ids = append(ids, tool.ID)
		}
	}
	slices.Sort(ids)
	return ids
}
