package search

// stepBytes is how much an automaton reads between two looks at the clock.
const stepBytes = 256 << 10

// verdict is how a run of an automaton ended.
type verdict uint8

const (
	ranNone  verdict = iota // no match
	ranMatch                // a match
	ranQuit                 // the automaton may not or will not decide; pos says where
	ranStop                 // the search was cancelled
)

// forward runs from at to the end of data. It returns the end of the preferred
// match, or of the first one seen when earliest is set.
func (a *automaton) forward(data []byte, at int, anchored, earliest bool, stop *stopper) (int, verdict) {
	before := -1
	if at > 0 {
		before = int(data[at-1])
	}
	row, ok := a.start(before, anchored)
	if !ok || a.off {
		return at, ranQuit
	}
	if row == tagDead {
		return 0, ranNone
	}
	last, i, began, resets := -1, at, at, a.resets
	for i < len(data) {
		if stop.stopped() {
			return i, ranStop
		}
		n := min(len(data), i+stepBytes)
		for i < n {
			t := a.hot(&row, data[:n], &i)
			if i >= n && t == 0 {
				break
			}
			class := int(a.p.classes[data[i]])
			if t&tagUnknown != 0 {
				t = a.step(row, class)
				if a.resets != resets {
					if a.off = thrashes(i - began); a.off {
						return i, ranQuit
					}
					began, resets = i, a.resets
				}
			}
			if t&tagQuit != 0 {
				return i, ranQuit
			}
			if t&tagMatch != 0 {
				last = i
				if earliest {
					return last, ranMatch
				}
			}
			if t&tagDead != 0 {
				return last, matched(last)
			}
			row = t & rowMask
			i++
		}
	}
	t := a.trans[row+uint32(a.p.nclass)]
	if t&tagUnknown != 0 {
		t = a.step(row, a.p.nclass)
	}
	if t&tagMatch != 0 {
		last = len(data)
	}
	return last, matched(last)
}

// thrashes reports whether states are built almost as fast as bytes are read,
// so that simulating threads is cheaper.
func thrashes(read int) bool { return read < maxStateBytes/16 }

// matched is the verdict for a match at last, or none when negative.
func matched(last int) verdict {
	if last < 0 {
		return ranNone
	}
	return ranMatch
}

// hot follows plain transitions. It stops at one that carries a tag, which it
// returns, with i at the byte that led there; or returns 0 at the end of data.
func (a *automaton) hot(row *uint32, data []byte, at *int) uint32 {
	trans, classes, s := a.trans, &a.p.classes, *row
	i := *at
	for ; i+4 <= len(data); i += 4 {
		d := data[i : i+4 : i+4]
		t := trans[s+uint32(classes[d[0]])]
		if t >= tagMatch {
			*row, *at = s, i
			return t
		}
		u := trans[t+uint32(classes[d[1]])]
		if u >= tagMatch {
			*row, *at = t, i+1
			return u
		}
		t = trans[u+uint32(classes[d[2]])]
		if t >= tagMatch {
			*row, *at = u, i+2
			return t
		}
		s = trans[t+uint32(classes[d[3]])]
		if s >= tagMatch {
			*row, *at = t, i+3
			return s
		}
	}
	for ; i < len(data); i++ {
		t := trans[s+uint32(classes[data[i]])]
		if t >= tagMatch {
			*row, *at = s, i
			return t
		}
		s = t
	}
	*row, *at = s, i
	return 0
}

// backward runs from end down to floor over a reversed program, anchored at
// end, and returns the lowest place where the longest match starts.
func (a *automaton) backward(data []byte, floor, end int, stop *stopper) (int, verdict) {
	before := -1
	if end < len(data) {
		before = int(data[end])
	}
	row, ok := a.start(before, true)
	if !ok {
		return end, ranQuit
	}
	if row == tagDead {
		return 0, ranNone
	}
	last := -1
	for i := end - 1; i >= floor; i-- {
		if i&(stepBytes-1) == 0 && stop.stopped() {
			return i, ranStop
		}
		class := int(a.p.classes[data[i]])
		t := a.trans[row+uint32(class)]
		if t >= tagMatch {
			if t&tagUnknown != 0 {
				t = a.step(row, class)
			}
			if t&tagQuit != 0 {
				return i, ranQuit
			}
			if t&tagMatch != 0 {
				last = i + 1
			}
			if t&tagDead != 0 {
				return last, matched(last)
			}
		}
		row = t & rowMask
	}
	class := a.p.nclass
	if floor > 0 {
		class = int(a.p.classes[data[floor-1]])
	}
	t := a.trans[row+uint32(class)]
	if t&tagUnknown != 0 {
		t = a.step(row, class)
	}
	if t&tagQuit != 0 {
		return floor, ranQuit
	}
	if t&tagMatch != 0 {
		last = floor
	}
	return last, matched(last)
}
