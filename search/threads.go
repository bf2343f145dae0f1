package search

import "unicode/utf8"

// threads simulates a program thread by thread. It is slower than an automaton
// and takes any condition on any text in its stride.
type threads struct {
	p         *program
	now, next pcSet
	from      []int // where the thread at an instruction started, for now
	fromNext  []int
	stack     []uint32
}

// newThreads makes a simulation of p.
func newThreads(p *program) *threads {
	t := &threads{p: p, from: make([]int, len(p.insts)), fromNext: make([]int, len(p.insts))}
	t.now.init(len(p.insts))
	t.next.init(len(p.insts))
	return t
}

// find returns the preferred match that starts at or after at; with earliest
// any match will do and only its existence counts.
func (t *threads) find(data []byte, at int, earliest bool, stop *stopper) (start, end int, v verdict) {
	t.now.clear()
	start, end = -1, -1
	for i := at; ; i++ {
		if i&(stepBytes/8-1) == 0 && stop.stopped() {
			return 0, 0, ranStop
		}
		if start < 0 {
			t.closure(&t.now, t.from, t.p.anchored, i, data, i)
		}
		if len(t.now.dense) == 0 && start >= 0 {
			break
		}
		t.next.clear()
		for _, pc := range t.now.dense {
			in := &t.p.insts[pc]
			if in.op == instMatch {
				start, end = t.from[pc], i
				break
			}
			if in.op == instBytes && i < len(data) {
				if to, ok := in.step(data[i]); ok {
					t.closure(&t.next, t.fromNext, to, t.from[pc], data, i+1)
				}
			}
		}
		if start >= 0 && earliest || i >= len(data) {
			break
		}
		t.now, t.next = t.next, t.now
		t.from, t.fromNext = t.fromNext, t.from
	}
	return start, end, matched(start)
}

// closure adds pc and what it reaches without reading at place i.
func (t *threads) closure(set *pcSet, from []int, pc uint32, start int, data []byte, i int) {
	t.stack = append(t.stack[:0], pc)
	for len(t.stack) > 0 {
		pc := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		for !set.has(pc) {
			set.add(pc)
			from[pc] = start
			in := &t.p.insts[pc]
			if in.op == instSplit {
				for k := len(in.out) - 1; k > 0; k-- {
					t.stack = append(t.stack, in.out[k])
				}
				pc = in.out[0]
			} else if in.op == instLook && holds(in.look, data, i) {
				pc = in.out[0]
			} else {
				break
			}
		}
	}
}

// holds reports whether a condition holds between data[i-1] and data[i].
func holds(l look, data []byte, i int) bool {
	switch l {
	case lookLineStart:
		return i == 0 || data[i-1] == '\n'
	case lookLineEnd:
		return i == len(data) || data[i] == '\n'
	case lookTextStart:
		return i == 0
	case lookTextEnd:
		return i == len(data)
	}
	before, beforeOK := wordBefore(data, i)
	after, afterOK := wordAfter(data, i)
	switch l {
	case lookWord:
		return before != after
	case lookNotWord:
		return before == after && beforeOK && afterOK
	case lookHalfStart:
		return !before && beforeOK
	}
	return !after && afterOK
}

// wordBefore reports whether a word character ends at i, and whether what ends
// there is valid; the start of the text is.
func wordBefore(data []byte, i int) (word, ok bool) {
	if i == 0 {
		return false, true
	}
	r, n := utf8.DecodeLastRune(data[:i])
	return !(r == utf8.RuneError && n == 1) && isWordRune(r), r != utf8.RuneError || n > 1
}

// wordAfter is wordBefore for what begins at i.
func wordAfter(data []byte, i int) (word, ok bool) {
	if i == len(data) {
		return false, true
	}
	r, n := utf8.DecodeRune(data[i:])
	return !(r == utf8.RuneError && n == 1) && isWordRune(r), r != utf8.RuneError || n > 1
}
