package schema

import (
	"cmp"
	"slices"

	"github.com/seif-dev/seifc/diag"
)

// arrange sorts problems by pointer, code and data and drops repetitions.
func arrange(problems []diag.Problem) []diag.Problem {
	slices.SortStableFunc(problems, compareProblems)
	return slices.CompactFunc(problems, func(a, b diag.Problem) bool { return compareProblems(a, b) == 0 })
}

func compareProblems(a, b diag.Problem) int {
	return cmp.Or(
		cmp.Compare(a.Target.Pointer, b.Target.Pointer),
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.Target.Part, b.Target.Part),
		cmp.Compare(a.Target.Offset, b.Target.Offset),
		compareData(a.Data, b.Data),
	)
}

func compareData(a, b diag.Data) int {
	for _, name := range sortedNames(a, b) {
		if c := cmp.Compare(a[name], b[name]); c != 0 {
			return c
		}
	}
	return 0
}

func sortedNames(all ...diag.Data) []string {
	var names []string
	for _, data := range all {
		for name := range data {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
