package search

import "slices"

// instOp tells the kinds of instructions apart.
type instOp uint8

const (
	instBytes instOp = iota // read one byte, go where trans says
	instSplit               // go to every out, earlier ones preferred
	instLook                // go to out[0] where the condition holds
	instMatch               // a match ends here
)

// byteTrans leads from the bytes lo..hi to the instruction next.
type byteTrans struct {
	lo, hi byte
	next   uint32
}

// inst is one instruction of a program.
type inst struct {
	op    instOp
	look  look
	out   []uint32
	trans []byteTrans // ascending and disjoint
}

// step returns where byte b leads, or false.
func (in *inst) step(b byte) (uint32, bool) {
	if len(in.trans) <= 8 {
		for i := range in.trans {
			if t := &in.trans[i]; b <= t.hi {
				return t.next, b >= t.lo
			}
		}
		return 0, false
	}
	lo, hi := 0, len(in.trans)
	for lo < hi {
		if m := (lo + hi) / 2; in.trans[m].hi < b {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo == len(in.trans) || in.trans[lo].lo > b {
		return 0, false
	}
	return in.trans[lo].next, true
}

// program is a pattern as a non-deterministic automaton over bytes. It is
// immutable once compiled. A reversed program reads backwards; its looks are
// swapped, so that whoever runs it need not know.
type program struct {
	insts    []inst
	anchored uint32     // entry for a match that starts here
	floating uint32     // entry for a match that starts here or later
	looks    look       // the conditions that occur
	classes  [256]uint8 // bytes that no instruction tells apart share a class
	nclass   int
	sample   []byte // one byte of each class
}

// maxInsts bounds a program; a pattern that needs more is refused.
const maxInsts = 400_000

// compiler builds a program back to front: each piece is compiled against the
// instruction that follows it.
type compiler struct {
	p         *program
	reverse   bool
	over      bool                    // maxInsts was reached
	templates map[*runeRange]template // by the set's first range, which is its identity
}

// compileProgram compiles a tree; ok is false when it is too large.
func compileProgram(n *node, reverse bool) (p *program, ok bool) {
	c := &compiler{p: &program{}, reverse: reverse, templates: map[*runeRange]template{}}
	match := c.emit(inst{op: instMatch})
	c.p.anchored = c.node(n, match)
	loop := c.emit(inst{op: instSplit})
	skip := c.emit(inst{op: instBytes, trans: []byteTrans{{0, 255, loop}}})
	c.p.insts[loop].out = []uint32{c.p.anchored, skip}
	c.p.floating = loop
	if c.over {
		return nil, false
	}
	c.classify()
	return c.p, true
}

// emit appends an instruction.
func (c *compiler) emit(in inst) uint32 {
	if len(c.p.insts) >= maxInsts {
		c.over = true
		return 0
	}
	c.p.insts = append(c.p.insts, in)
	return uint32(len(c.p.insts) - 1)
}

// node compiles n so that it continues at next, and returns its entry.
func (c *compiler) node(n *node, next uint32) uint32 {
	if c.over {
		return next
	}
	switch n.op {
	case opRune:
		var s runeSet
		for _, r := range n.members(8) {
			s = append(s, runeRange{r, r})
		}
		return c.set(s.normal(), next)
	case opSet:
		return c.set(n.set, next)
	case opConcat:
		for i := range n.subs {
			if c.reverse {
				next = c.node(n.subs[i], next)
			} else {
				next = c.node(n.subs[len(n.subs)-1-i], next)
			}
		}
		return next
	case opAlt:
		out := make([]uint32, len(n.subs))
		for i, s := range n.subs {
			out[i] = c.node(s, next)
		}
		return c.emit(inst{op: instSplit, out: out})
	case opRepeat:
		return c.repeat(n, next)
	case opLook:
		l := n.look
		if c.reverse {
			l = l.swapped()
		}
		c.p.looks |= l
		return c.emit(inst{op: instLook, look: l, out: []uint32{next}})
	}
	return next
}

// repeat compiles x{n,m}.
func (c *compiler) repeat(n *node, next uint32) uint32 {
	sub, copies := n.subs[0], n.min
	switch {
	case n.max < 0 && n.min == 0 && !canBeEmpty(sub):
		loop := c.emit(inst{op: instSplit})
		body := c.node(sub, loop)
		c.p.insts[loop].out = prefer(n.lazy, body, next)
		return loop
	case n.max < 0:
		// x{n,} is n-1 copies and x+; x* is (x+)? when x may be empty, so
		// that an empty round does not outrank a longer one.
		loop := c.emit(inst{op: instSplit})
		body := c.node(sub, loop)
		c.p.insts[loop].out = prefer(n.lazy, body, next)
		if n.min == 0 {
			return c.emit(inst{op: instSplit, out: prefer(n.lazy, body, next)})
		}
		next = body
		copies--
	default:
		end := next
		for i := n.min; i < n.max && !c.over; i++ {
			next = c.emit(inst{op: instSplit, out: prefer(n.lazy, c.node(sub, next), end)})
		}
	}
	for ; copies > 0 && !c.over; copies-- {
		next = c.node(sub, next)
	}
	return next
}

// prefer orders the ways out of a repetition.
func prefer(lazy bool, body, next uint32) []uint32 {
	if lazy {
		return []uint32{next, body}
	}
	return []uint32{body, next}
}

// canBeEmpty reports whether n may match the empty text.
func canBeEmpty(n *node) bool {
	switch n.op {
	case opRune, opSet:
		return false
	case opConcat:
		for _, s := range n.subs {
			if !canBeEmpty(s) {
				return false
			}
		}
		return true
	case opAlt:
		for _, s := range n.subs {
			if canBeEmpty(s) {
				return true
			}
		}
		return false
	case opRepeat:
		return n.min == 0 || canBeEmpty(n.subs[0])
	}
	return true
}

// set compiles a set of code points.
func (c *compiler) set(s runeSet, next uint32) uint32 {
	if len(s) == 0 {
		return c.emit(inst{op: instBytes})
	}
	if s[len(s)-1].hi <= 0x7F {
		in := inst{op: instBytes}
		for _, r := range s {
			in.trans = append(in.trans, byteTrans{byte(r.lo), byte(r.hi), next})
		}
		return c.emit(in)
	}
	t, ok := c.templates[&s[0]]
	if !ok {
		t = templateOf(s, c.reverse)
		c.templates[&s[0]] = t
	}
	base := uint32(len(c.p.insts))
	pc := next
	for _, in := range t {
		in.trans = slices.Clone(in.trans)
		for i := range in.trans {
			if tr := &in.trans[i]; tr.next == exitMark {
				tr.next = next
			} else {
				tr.next += base
			}
		}
		pc = c.emit(in)
	}
	return pc
}

// swapped exchanges what lies before and behind.
func (l look) swapped() look {
	switch l {
	case lookLineStart:
		return lookLineEnd
	case lookLineEnd:
		return lookLineStart
	case lookTextStart:
		return lookTextEnd
	case lookTextEnd:
		return lookTextStart
	case lookHalfStart:
		return lookHalfEnd
	case lookHalfEnd:
		return lookHalfStart
	}
	return l
}

// classify groups the bytes that the program cannot tell apart.
func (c *compiler) classify() {
	p := c.p
	var cut [257]bool
	for i := range p.insts {
		for _, t := range p.insts[i].trans {
			cut[t.lo], cut[int(t.hi)+1] = true, true
		}
	}
	cut['\n'], cut['\n'+1] = true, true
	if p.looks&lookAnyWord != 0 {
		for _, b := range []int{'0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1, 0x80} {
			cut[b] = true
		}
	}
	class := 0
	for b := 0; b < 256; b++ {
		if b == 0 || cut[b] {
			if b > 0 {
				class++
			}
			p.sample = append(p.sample, byte(b))
		}
		p.classes[b] = uint8(class)
	}
	p.nclass = class + 1
}
