package schema

import "strings"

// nearest finds the word of the profile that an unknown one is most likely meant to be: the same but for letter
// case, or at most two edits away and not more than a third of the word. Of equally near words the first in
// alphabetical order wins; "" when none is near.
func nearest(name string) string {
	if len(name) > 40 {
		return ""
	}
	best, distance := "", 3
	for _, k := range supported {
		if k.effect == stripped || k.name == "definitions" {
			continue
		}
		if strings.EqualFold(k.name, name) {
			return k.name
		}
		d := edits(strings.ToLower(name), strings.ToLower(k.name))
		if d < distance && d*3 <= max(len(name), len(k.name)) {
			best, distance = k.name, d
		}
	}
	return best
}

// edits counts the insertions, deletions, replacements and swaps of neighbours between two short texts.
func edits(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(row[j-1]+1, last[j]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
