package importer

import (
	"strconv"
	"strings"
)

const (
	maxID   = 64
	maxName = 64
)

// ProposeID turns a published name into a contract id: lower case, everything that an id cannot hold as `-`,
// starting with a letter, at most 64 bytes.
func ProposeID(published string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(published) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '_', r == '.', r == '-':
			b.WriteRune(r)
		default:
			b.WriteByte('-')
		}
	}
	id := strings.TrimLeft(b.String(), "-._")
	if id == "" || id[0] < 'a' || id[0] > 'z' {
		id = "tool-" + id
	}
	return strings.TrimRight(cut(id, maxID), "-._")
}

// ProposeName turns a published name into a model-facing one: as it is where that is legal, otherwise with `.` and
// `/` and the like as `_`.
func ProposeName(published string) string {
	var b strings.Builder
	for _, r := range published {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
	}
	name := b.String()
	if name == "" || name[0] == '-' || name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	return cut(name, maxName)
}

func cut(s string, most int) string {
	if len(s) > most {
		return s[:most]
	}
	return s
}

// numbered is the id with -N at its end, within the length of an id.
func numbered(id string, n int) string {
	suffix := "-" + strconv.Itoa(n)
	return cut(id, maxID-len(suffix)) + suffix
}

func fold(id string) string {
	return strings.NewReplacer("-", "_", ".", "_").Replace(id)
}
