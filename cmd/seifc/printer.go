package main

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/diag"
)

// printer writes lines until one fails.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

func mapKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// nearestHelp suggests a name.
func nearestHelp(name string, known []string) string {
	if near := diag.Nearest(name, known); near != "" {
		return "did you mean " + near + "?"
	}
	const most = 20
	if len(known) > most {
		known = known[:most]
	}
	return fmt.Sprintf("known: %v", known)
}

func contractsOf(r *resolve.Resolution) []*definition.Contract {
	out := make([]*definition.Contract, len(r.Disclosed))
	for i, tool := range r.Disclosed {
		out[i] = tool.Contract
	}
	return out
}
