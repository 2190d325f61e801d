package diag

import (
	"strings"
	"unicode/utf8"
)

// Nearest is the one of the known names that was probably meant, or "" when none is near. A name is near that
// differs in case or in separators only, or by at most a third of its characters and at most three, or that begins
// with the other. Of equally near names the first wins, so give them in a fixed order.
func Nearest(name string, known []string) string {
	best, least := "", max(1, min(3, utf8.RuneCountInString(name)/3))+1
	plain := withoutSeparators(name)
	for _, candidate := range known {
		if withoutSeparators(candidate) == plain {
			return candidate
		}
		if d := distance(name, candidate, least); d < least {
			best, least = candidate, d
		}
	}
	if best == "" {
		return beginning(name, known)
	}
	return best
}

// beginning finds a known name that begins with the name or that the name begins with; short names begin many.
func beginning(name string, known []string) string {
	const short = 3
	for _, candidate := range known {
		if len(name) > short && strings.HasPrefix(candidate, name) || len(candidate) > short && strings.HasPrefix(name, candidate) {
			return candidate
		}
	}
	return ""
}

// withoutSeparators is a name without case and without what separates its words. It runs for every candidate, so it
// copies only names that have something to change.
func withoutSeparators(name string) string {
	if !strings.ContainsAny(name, "-_. ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		return name
	}
	return strings.ToLower(strings.Map(func(r rune) rune {
		if strings.ContainsRune("-_. ", r) {
			return -1
		}
		return r
	}, name))
}

// distance counts insertions, deletions, changes and swaps of neighbours between two names, up to most.
func distance(a, b string, most int) int {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y)+most || len(y) > len(x)+most {
		return most
	}
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return min(last[len(y)], most)
}
