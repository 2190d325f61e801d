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

// proposals keeps proposed texts apart by a number at their end.
type proposals struct {
	most  int
	mark  string
	key   func(string) string
	taken map[string]bool
	next  map[string]int // by key of the unnumbered text
}

func newProposals(most int, mark string, key func(string) string) *proposals {
	return &proposals{most: most, mark: mark, key: key, taken: map[string]bool{}, next: map[string]int{}}
}

// propose gives the text itself where it is free, else with the next number that is.
func (p *proposals) propose(wanted string) string {
	key, out := p.key(wanted), wanted
	if p.next[key] == 0 {
		p.next[key] = 2
	}
	for p.taken[p.key(out)] {
		suffix := p.mark + strconv.Itoa(p.next[key])
		p.next[key]++
		out = cut(wanted, p.most-len(suffix)) + suffix
	}
	p.taken[p.key(out)] = true
	return out
}
