package search

// nodeOp tells the kinds of syntax nodes apart.
type nodeOp uint8

const (
	opEmpty  nodeOp = iota // matches the empty text
	opRune                 // one code point, or any of its fold orbit
	opSet                  // one code point out of a set; an empty set matches nothing
	opConcat               // subs, one after the other
	opAlt                  // one of subs, earlier ones preferred
	opRepeat               // subs[0], min to max times; max < 0 is unbounded
	opLook                 // a condition on the place, no text
)

// look is a condition on a place between two bytes.
type look uint16

const (
	lookLineStart look = 1 << iota
	lookLineEnd
	lookTextStart
	lookTextEnd
	lookWord      // word character on exactly one side
	lookNotWord   // on both sides or on none, nothing invalid beside it
	lookHalfStart // no word character before, nothing invalid before
	lookHalfEnd   // no word character after, nothing invalid after

	lookAnyWord = lookWord | lookNotWord | lookHalfStart | lookHalfEnd
)

// node is a piece of a parsed pattern.
type node struct {
	op       nodeOp
	r        rune    // opRune
	fold     bool    // opRune: any rune of r's orbit
	set      runeSet // opSet, normal
	subs     []*node
	min, max int  // opRepeat
	lazy     bool // opRepeat
	look     look // opLook
}

// concat joins nodes in order.
func concat(subs ...*node) *node {
	if len(subs) == 1 {
		return subs[0]
	}
	if len(subs) == 0 {
		return &node{op: opEmpty}
	}
	return &node{op: opConcat, subs: subs}
}

// runeNode matches r, or its orbit when fold is set and r has one.
func runeNode(r rune, fold bool) *node {
	return &node{op: opRune, r: r, fold: fold && len(orbit(r)) > 1}
}

// setNode matches a member of a normal set; a set that is one orbit becomes the
// rune it stands for, so that [kK\x{212A}] and (?i)k are the same.
func setNode(s runeSet) *node {
	if n := s.size(4); n >= 1 && n <= 4 {
		first := s[0].lo
		o := runeSet(nil)
		for _, r := range orbit(first) {
			o = append(o, runeRange{r, r})
		}
		if n == 1 {
			return &node{op: opRune, r: first}
		}
		if o = o.normal(); o.equal(s) {
			return &node{op: opRune, r: first, fold: true}
		}
	}
	return &node{op: opSet, set: s}
}

// equal reports whether two normal sets are the same.
func (s runeSet) equal(t runeSet) bool {
	if len(s) != len(t) {
		return false
	}
	for i := range s {
		if s[i] != t[i] {
			return false
		}
	}
	return true
}

// members lists the code points that an opRune or opSet node matches, or nil
// when there are more than limit.
func (n *node) members(limit int) []rune {
	if n.op == opRune {
		if n.fold {
			return orbit(n.r)
		}
		return []rune{n.r}
	}
	if n.op != opSet || n.set.size(limit) > limit {
		return nil
	}
	out := []rune{}
	for _, r := range n.set {
		for c := r.lo; c <= r.hi; c++ {
			out = append(out, c)
		}
	}
	return out
}

// hasLook reports whether a condition out of mask occurs in the tree.
func (n *node) hasLook(mask look) bool {
	if n.op == opLook && n.look&mask != 0 {
		return true
	}
	for _, s := range n.subs {
		if s.hasLook(mask) {
			return true
		}
	}
	return false
}

// lineMode rewrites the tree for text that is cut into lines: sets lose the
// line feed (and the carriage return when crlf), and the anchors of the text
// become those of a line. Literal line ends have been refused before.
func (n *node) lineMode(crlf bool) {
	switch n.op {
	case opSet:
		n.set = n.set.cut('\n', '\n')
		if crlf {
			n.set = n.set.cut('\r', '\r')
		}
	case opLook:
		switch n.look {
		case lookTextStart:
			n.look = lookLineStart
		case lookTextEnd:
			n.look = lookLineEnd
		}
	}
	for _, s := range n.subs {
		s.lineMode(crlf)
	}
}

// cr lets every end of line also hold before a carriage return: $ becomes
// \r??$. The return that it eats is cut off the match again when spans are
// clipped to the text of their line.
func (n *node) cr() *node {
	if n.op == opLook && n.look == lookLineEnd {
		eat := &node{op: opRepeat, min: 0, max: 1, lazy: true, subs: []*node{{op: opRune, r: '\r'}}}
		return concat(eat, n)
	}
	for i, s := range n.subs {
		n.subs[i] = s.cr()
	}
	return n
}
