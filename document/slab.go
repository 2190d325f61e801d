package document

// nodes is where nodes and members are cut from, because there are many and they live and die together.
type nodes struct {
	slab    []Node
	members []Member
}

// cut gives a new node without children.
func (s *nodes) cut() *Node {
	const many = 56 // a little less than 4 KiB
	if len(s.slab) == 0 {
		s.slab = make([]Node, many)
	}
	n := &s.slab[0]
	s.slab = s.slab[1:]
	n.children = childless
	return n
}

// keep gives a copy of members that nothing else uses.
func (s *nodes) keep(members []Member) []Member {
	const many = 128
	if len(members) == 0 {
		return nil
	}
	if len(members) > len(s.members) {
		s.members = make([]Member, max(many, len(members)))
	}
	kept := s.members[:len(members):len(members)]
	s.members = s.members[len(members):]
	copy(kept, members)
	return kept
}
