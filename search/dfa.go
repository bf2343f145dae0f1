package search

import (
	"encoding/binary"
	"slices"
)

// A transition is the row of the state it leads to, with tags in its upper
// bits. Rows are multiplied by the width of a row beforehand.
const (
	tagUnknown uint32 = 1 << 31 // not computed yet
	tagDead    uint32 = 1 << 30 // no match can follow
	tagQuit    uint32 = 1 << 29 // the automaton may not decide here
	tagMatch   uint32 = 1 << 28 // a match ended before the byte just read
	rowMask    uint32 = tagMatch - 1
)

// maxStateBytes bounds the memory of one automaton before it starts afresh.
const maxStateBytes = 4 << 20

// dstate is what a state stands for: an ordered set of instructions, and what
// is known and wanted of the place where they are.
type dstate struct {
	insts    []uint32
	have     look // conditions known to hold, when need is not empty
	need     look // conditions that await the next byte
	fromWord bool // the byte before was a word character
}

// automaton is a deterministic automaton that builds its states when a text
// first needs them. It belongs to one goroutine.
//
// A match is reported one byte late, on the transition that leaves its last
// byte behind, since only then the conditions $ and \b are known. The end of
// the text counts as one more byte, class nclass.
type automaton struct {
	p       *program
	longest bool // find the longest match instead of the preferred one
	stride  uint32
	trans   []uint32
	states  []dstate
	index   map[string]uint32
	starts  [8]uint32
	bytes   int  // memory taken by states, roughly
	resets  int  // times it has started afresh
	off     bool // states are not worth their cost for this text: it always quits
	set     pcSet
	set2    pcSet
	stack   []uint32
	key     []byte
}

// newAutomaton makes an automaton without states.
func newAutomaton(p *program, longest bool) *automaton {
	a := &automaton{p: p, longest: longest, stride: uint32(p.nclass + 1)}
	a.set.init(len(p.insts))
	a.set2.init(len(p.insts))
	a.reset()
	return a
}

// reset forgets every state.
func (a *automaton) reset() {
	a.trans, a.states, a.bytes = a.trans[:0], a.states[:0], 0
	a.index = map[string]uint32{}
	for i := range a.starts {
		a.starts[i] = tagUnknown
	}
}

// lookahead are the conditions that only the next byte decides.
const lookahead = lookLineEnd | lookTextEnd | lookWord | lookNotWord | lookHalfEnd

// start returns the state for a run that begins between before and after it;
// before is the byte behind the place, or negative at the start of the text.
// ok is false where a word condition meets a byte that is not ASCII.
func (a *automaton) start(before int, anchored bool) (uint32, bool) {
	kind, have := 3, look(0)
	switch {
	case before < 0:
		kind, have = 0, lookTextStart|lookLineStart
	case before == '\n':
		kind, have = 1, lookLineStart
	case before >= 0x80 && a.p.looks&lookAnyWord != 0:
		return 0, false
	case before < 0x80 && isWordByte(byte(before)):
		kind = 2
	}
	slot, entry := kind, a.p.floating
	if anchored {
		slot, entry = kind+4, a.p.anchored
	}
	if s := a.starts[slot]; s != tagUnknown {
		return s, true
	}
	if kind != 2 {
		have |= lookHalfStart
	}
	a.set.clear()
	a.closure(&a.set, entry, have)
	s := a.state(&a.set, have, kind == 2)
	a.starts[slot] = s
	return s, true
}

// closure adds pc and what it reaches without reading, in order of preference.
func (a *automaton) closure(set *pcSet, pc uint32, have look) {
	a.stack = append(a.stack[:0], pc)
	for len(a.stack) > 0 {
		pc := a.stack[len(a.stack)-1]
		a.stack = a.stack[:len(a.stack)-1]
		for !set.has(pc) {
			set.add(pc)
			in := &a.p.insts[pc]
			if in.op == instSplit {
				for i := len(in.out) - 1; i > 0; i-- {
					a.stack = append(a.stack, in.out[i])
				}
				pc = in.out[0]
			} else if in.op == instLook && have&in.look != 0 {
				pc = in.out[0]
			} else {
				break
			}
		}
	}
}

// state returns the row of the state that set stands for, tagDead for none.
func (a *automaton) state(set *pcSet, have look, fromWord bool) uint32 {
	need := look(0)
	a.key = a.key[:0]
	n := 0
	for _, pc := range set.dense {
		in := &a.p.insts[pc]
		switch in.op {
		case instSplit:
			continue
		case instLook:
			if in.look&lookahead == 0 || have&in.look != 0 {
				continue
			}
			need |= in.look
		}
		n++
		a.key = binary.AppendUvarint(a.key, uint64(pc))
		if in.op == instMatch && !a.longest {
			break // whatever follows is less preferred
		}
	}
	if n == 0 {
		return tagDead
	}
	if need == 0 {
		have = 0
	}
	if need == 0 || a.p.looks&lookAnyWord == 0 {
		fromWord = false // else a condition behind the one waiting may ask
	}
	a.key = append(binary.LittleEndian.AppendUint16(a.key, uint16(have)), b2u(fromWord))
	if row, ok := a.index[string(a.key)]; ok {
		return row
	}
	return a.newState(need, have, fromWord)
}

// b2u turns a bool into a byte.
func b2u(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// newState makes the state spelt in a.key.
func (a *automaton) newState(need, have look, fromWord bool) uint32 {
	st := dstate{have: have, need: need, fromWord: fromWord}
	for rest := a.key[:len(a.key)-3]; len(rest) > 0; {
		pc, n := binary.Uvarint(rest)
		st.insts = append(st.insts, uint32(pc))
		rest = rest[n:]
	}
	row := uint32(len(a.trans))
	a.trans = slices.Grow(a.trans, int(a.stride))[:len(a.trans)+int(a.stride)]
	cells := a.trans[row:]
	for i := range cells {
		cells[i] = tagUnknown
	}
	if a.p.looks&lookAnyWord != 0 {
		for c, b := range a.p.sample {
			if b >= 0x80 {
				cells[c] = tagQuit
			}
		}
	}
	a.states = append(a.states, st)
	a.index[string(a.key)] = row
	a.bytes += 4*(int(a.stride)+len(st.insts)) + 2*len(a.key) + 100
	return row
}

// step computes where class leads from row, nclass being the end of the text.
// When memory ran out it starts afresh; the caller goes on from the result.
func (a *automaton) step(row uint32, class int) uint32 {
	if a.bytes > maxStateBytes {
		st := a.states[row/a.stride]
		a.key = a.key[:0]
		for _, pc := range st.insts {
			a.key = binary.AppendUvarint(a.key, uint64(pc))
		}
		a.key = append(binary.LittleEndian.AppendUint16(a.key, uint16(st.have)), b2u(st.fromWord))
		a.reset()
		a.resets++
		row = a.newState(st.need, st.have, st.fromWord)
	}
	st := a.states[row/a.stride]
	eot := class == a.p.nclass
	b := byte(0)
	if !eot {
		b = a.p.sample[class]
	}
	word := !eot && isWordByte(b)
	insts := st.insts
	if st.need != 0 {
		if have := st.have | st.resolved(eot, b, word); have&st.need != 0 {
			a.set.clear()
			for _, pc := range insts {
				a.closure(&a.set, pc, have)
			}
			insts = a.set.dense
		}
	}
	have := look(0)
	if !eot && b == '\n' {
		have |= lookLineStart
	}
	if !word {
		have |= lookHalfStart
	}
	a.set2.clear()
	tag := uint32(0)
	for _, pc := range insts {
		in := &a.p.insts[pc]
		if in.op == instMatch {
			tag = tagMatch
			if !a.longest {
				break
			}
		} else if in.op == instBytes && !eot {
			if to, ok := in.step(b); ok {
				a.closure(&a.set2, to, have)
			}
		}
	}
	next := a.state(&a.set2, have, word) | tag
	a.trans[row+uint32(class)] = next
	return next
}

// resolved returns the conditions that hold now that the next byte is known.
func (st *dstate) resolved(eot bool, b byte, word bool) look {
	l := look(0)
	if eot {
		l |= lookLineEnd | lookTextEnd
	} else if b == '\n' {
		l |= lookLineEnd
	}
	if st.fromWord != word {
		l |= lookWord
	} else {
		l |= lookNotWord
	}
	if !word {
		l |= lookHalfEnd
	}
	return l
}

// pcSet is an ordered set of instructions with constant-time clearing.
type pcSet struct {
	dense  []uint32
	sparse []uint32
}

func (s *pcSet) init(n int) { s.sparse = make([]uint32, n) }

func (s *pcSet) clear() { s.dense = s.dense[:0] }

func (s *pcSet) has(pc uint32) bool {
	i := s.sparse[pc]
	return int(i) < len(s.dense) && s.dense[i] == pc
}

func (s *pcSet) add(pc uint32) {
	s.sparse[pc] = uint32(len(s.dense))
	s.dense = append(s.dense, pc)
}
