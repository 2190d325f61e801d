package diag

import (
	"fmt"
	"maps"
	"slices"

	"github.com/seif-dev/seifc/digest/canonical"
)

// Difference is one member in which two values differ.
type Difference struct {
	// Pointer leads to the member in the old value or, if Added, in the new one.
	Pointer string
	Added   bool
	Removed bool
	// Text says how it differs: a word difference of texts, otherwise both values.
	Text string
}

// String is the difference in one line.
func (d Difference) String() string {
	if d.Pointer == "" {
		return d.Text
	}
	return d.Pointer + ": " + d.Text
}

// Differences lists the smallest members in which two values differ, in the order of their names. Arrays are
// compared whole.
func Differences(before, after canonical.Value) []Difference {
	return differences("", before, after)
}

func differences(pointer string, before, after canonical.Value) []Difference {
	if canonical.Equal(before, after) {
		return nil
	}
	if a, b, ok := both[string](before, after); ok {
		return []Difference{{Pointer: pointer, Text: WordDiff(a, b)}}
	}
	old, now, ok := both[map[string]any](before, after)
	if !ok {
		return []Difference{{Pointer: pointer, Text: brief(before) + " is now " + brief(after)}}
	}
	names := slices.Collect(maps.Keys(old))
	for name := range now {
		if _, known := old[name]; !known {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, canonical.Compare)
	var all []Difference
	for _, name := range names {
		member := canonical.JoinPointer(pointer, name)
		a, inOld := old[name]
		b, inNew := now[name]
		switch {
		case !inOld:
			all = append(all, Difference{Pointer: member, Added: true, Text: "new: " + brief(b)})
		case !inNew:
			all = append(all, Difference{Pointer: member, Removed: true, Text: "gone: " + brief(a)})
		default:
			all = append(all, differences(member, a, b)...)
		}
	}
	return all
}

func both[T any](a, b canonical.Value) (T, T, bool) {
	x, okX := a.(T)
	y, okY := b.(T)
	return x, y, okX && okY
}

// brief is a value in one line, cut when it is long.
func brief(value canonical.Value) string {
	text, err := canonical.Marshal(value)
	if err != nil {
		return fmt.Sprintf("a %T", value)
	}
	const most = 160
	if runes := []rune(string(text)); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return string(text)
}
