package search

import (
	"slices"
	"unicode/utf8"
)

// litRune is one character of a literal: how each of its spellings is encoded.
type litRune struct {
	r    rune
	fold bool
}

// literal is a text that a match must contain, perhaps regardless of case.
// Exactly one of bytes and runes is set.
type literal struct {
	bytes []byte    // the text when case matters or nothing in it has case
	runes []litRune // else its characters
	pivot int       // index into bytes or runes of the rarest character
	rare  []byte    // the bytes that the pivot may begin with
}

// A prefilter is a set of literals of which every match contains one. It finds
// the places worth a look much faster than any automaton.
type prefilter struct {
	lits     []*literal
	complete bool    // a literal is a match: nothing is left to verify
	cost     float64 // estimate of ns per byte
}

// Rough costs in nanoseconds, for the choice between ways to search.
const (
	costByte   = 0.06  // scanning one byte for one pivot byte
	costPivot  = 6.0   // stopping at a pivot byte
	costVerify = 200.0 // running an automaton over one line
	costDFA    = 1.6   // running an automaton over one byte
)

// maxLiterals bounds a prefilter; more literals are an automaton's business.
const maxLiterals = 8

// newPrefilter derives the best prefilter of a tree, or nil when an automaton
// over everything is cheaper.
func newPrefilter(n *node) *prefilter {
	lits := required(n)
	if lits == nil {
		return nil
	}
	pf := &prefilter{complete: isLiteral(n)}
	for _, l := range lits {
		pf.lits = append(pf.lits, newLiteral(l))
	}
	pf.cost = setCost(lits, pf.complete)
	if pf.cost > costDFA {
		return nil
	}
	return pf
}

// isLiteral reports whether n matches literals and nothing else: one, or the
// branches of an alternation at the top.
func isLiteral(n *node) bool {
	switch {
	case n.op == opConcat && len(n.subs) == 1:
		return isLiteral(n.subs[0])
	case n.op == opAlt:
		for _, s := range n.subs {
			if !isLiteral(s) {
				return false
			}
		}
		return true
	}
	return isText(n)
}

// isText reports whether n is a run of characters.
func isText(n *node) bool {
	if n.op == opConcat {
		for _, s := range n.subs {
			if !isText(s) {
				return false
			}
		}
		return len(n.subs) > 0
	}
	return n.op == opRune
}

// required returns literals of which every match of n contains one, the
// cheapest such set that it finds; nil when there is none.
func required(n *node) [][]litRune {
	var best [][]litRune
	bestCost := 0.0
	offer := func(lits [][]litRune) {
		if len(lits) == 0 || len(lits) > maxLiterals {
			return
		}
		if c := setCost(lits, false); best == nil || c < bestCost {
			best, bestCost = lits, c
		}
	}
	var run []litRune
	flush := func() {
		if len(run) > 0 {
			offer([][]litRune{slices.Clone(run)})
		}
		run = run[:0]
	}
	var walk func(n *node)
	walk = func(n *node) {
		switch n.op {
		case opRune:
			run = append(run, litRune{n.r, n.fold})
		case opConcat:
			for _, s := range n.subs {
				walk(s)
			}
		case opEmpty, opLook:
		case opRepeat:
			if n.min == 0 {
				flush()
				return
			}
			copies := min(n.min, 16)
			for range copies {
				walk(n.subs[0])
			}
			if n.max != copies {
				flush()
				for range copies { // the last ones touch what follows
					walk(n.subs[0])
				}
			}
		case opAlt:
			flush()
			offer(requiredAlt(n))
		default:
			flush()
		}
	}
	walk(n)
	flush()
	return best
}

// requiredAlt unites what each branch requires.
func requiredAlt(n *node) [][]litRune {
	var all [][]litRune
	for _, s := range n.subs {
		l := required(s)
		if l == nil || len(all)+len(l) > maxLiterals {
			return nil
		}
		all = append(all, l...)
	}
	return all
}

// setCost estimates the cost of a prefilter per byte of text.
func setCost(lits [][]litRune, complete bool) float64 {
	cost := 0.0
	for _, l := range lits {
		rates := make([]float64, len(l))
		for i, r := range l {
			rates[i] = r.rate()
		}
		slices.Sort(rates)
		hit := rates[0]
		if len(rates) > 1 {
			hit = min(hit, 10*rates[0]*rates[1])
		}
		if len(rates) > 2 {
			hit = min(hit, 10*hit*rates[2])
		}
		cost += 2*costByte + rates[0]*costPivot
		if !complete {
			cost += hit * costVerify
		}
	}
	return cost
}

// rate estimates how often per byte of text the character begins.
func (l litRune) rate() float64 {
	sum := 0
	for _, b := range l.firstBytes() {
		sum += int(byteRate[b])
	}
	return float64(sum) / 100_000
}

// firstBytes lists the bytes that the character may begin with.
func (l litRune) firstBytes() []byte {
	spell := []rune{l.r}
	if l.fold {
		spell = orbit(l.r)
	}
	var out []byte
	var buf [utf8.UTFMax]byte
	for _, r := range spell {
		utf8.EncodeRune(buf[:], r)
		if !slices.Contains(out, buf[0]) {
			out = append(out, buf[0])
		}
	}
	return out
}

// newLiteral prepares a literal for scanning.
func newLiteral(runes []litRune) *literal {
	folded := slices.ContainsFunc(runes, func(l litRune) bool { return l.fold })
	out := &literal{}
	if !folded {
		for _, l := range runes {
			out.bytes = utf8.AppendRune(out.bytes, l.r)
		}
		for i, b := range out.bytes {
			if byteRate[b] < byteRate[out.bytes[out.pivot]] {
				out.pivot = i
			}
		}
		out.rare = out.bytes[out.pivot : out.pivot+1]
		return out
	}
	out.runes = runes
	for i, l := range runes {
		if l.rate() < runes[out.pivot].rate() {
			out.pivot = i
		}
	}
	out.rare = runes[out.pivot].firstBytes()
	return out
}
