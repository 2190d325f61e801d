package importer

import "slices"

// NamesNewTools lists the ids of tools that a merge adds, in order.
func (d *Drift) NamesNewTools() []string {
	var ids []string
	for _, id := range d.ids {
		if id != "" {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}
