package search

import (
	"slices"
	"unicode/utf8"
)

// byteRange is the inclusive range of bytes lo..hi.
type byteRange struct{ lo, hi byte }

// byteSeq is a run of one to four byte ranges: what a range of code points
// with encodings of one length and shape looks like in UTF-8.
type byteSeq []byteRange

// encodings appends the byte sequences that spell the code points of a set.
func encodings(s runeSet, out []byteSeq) []byteSeq {
	for _, r := range s {
		for lo := r.lo; lo <= r.hi; {
			hi := min(r.hi, lastOfLength(lo))
			out = splitRange(lo, hi, out)
			lo = hi + 1
		}
	}
	return out
}

// lastOfLength returns the highest code point whose encoding is as long as r's.
func lastOfLength(r rune) rune {
	switch {
	case r <= 0x7F:
		return 0x7F
	case r <= 0x7FF:
		return 0x7FF
	case r <= 0xFFFF:
		return 0xFFFF
	}
	return utf8.MaxRune
}

// splitRange cuts lo..hi, of one encoded length, until each piece is a product
// of byte ranges.
func splitRange(lo, hi rune, out []byteSeq) []byteSeq {
	if lo > hi {
		return out
	}
	if hi <= 0x7F {
		return append(out, byteSeq{{byte(lo), byte(hi)}})
	}
	for i := 1; i < 4; i++ {
		m := rune(1)<<(6*i) - 1
		if lo&^m == hi&^m {
			continue
		}
		if lo&m != 0 {
			out = splitRange(lo, lo|m, out)
			return splitRange((lo|m)+1, hi, out)
		}
		if hi&m != m {
			out = splitRange(lo, (hi&^m)-1, out)
			return splitRange(hi&^m, hi, out)
		}
	}
	var a, b [4]byte
	n := utf8.EncodeRune(a[:], lo)
	utf8.EncodeRune(b[:], hi)
	seq := make(byteSeq, n)
	for i := range seq {
		seq[i] = byteRange{a[i], b[i]}
	}
	return append(out, seq)
}

// setStates compiles sets of code points into states of a program: a small
// deterministic automaton over bytes that ends in next. Equal tails are shared.
type setStates struct {
	c    *compiler
	next uint32
	memo map[string]uint32
}

// compile returns the entry of the automaton for seqs.
func (b *setStates) compile(seqs []byteSeq) uint32 {
	key := seqKey(seqs)
	if pc, ok := b.memo[key]; ok {
		return pc
	}
	var trans []byteTrans
	for _, cell := range cells(seqs) {
		var tails []byteSeq
		done := false
		for _, s := range seqs {
			if s[0].lo <= cell.lo && cell.hi <= s[0].hi {
				if len(s) == 1 {
					done = true
				} else {
					tails = append(tails, s[1:])
				}
			}
		}
		to := b.next
		if !done {
			to = b.compile(uniqueSeqs(tails))
		}
		if n := len(trans); n > 0 && trans[n-1].next == to && trans[n-1].hi+1 == cell.lo {
			trans[n-1].hi = cell.hi
			continue
		}
		trans = append(trans, byteTrans{cell.lo, cell.hi, to})
	}
	pc := b.c.emit(inst{op: instBytes, trans: trans})
	b.memo[key] = pc
	return pc
}

// cells cuts the first ranges of seqs into disjoint pieces, ascending.
func cells(seqs []byteSeq) []byteRange {
	var begins, covered [257]bool
	for _, s := range seqs {
		begins[s[0].lo], begins[int(s[0].hi)+1] = true, true
	}
	for _, s := range seqs {
		for c := int(s[0].lo); c <= int(s[0].hi); c++ {
			covered[c] = true
		}
	}
	var out []byteRange
	for c := 0; c < 256; c++ {
		if !covered[c] {
			continue
		}
		end := c
		for end+1 < 256 && covered[end+1] && !begins[end+1] {
			end++
		}
		out = append(out, byteRange{byte(c), byte(end)})
		c = end
	}
	return out
}

// uniqueSeqs sorts and drops duplicates, so that equal sets have equal keys.
func uniqueSeqs(seqs []byteSeq) []byteSeq {
	slices.SortFunc(seqs, compareSeq)
	return slices.CompactFunc(seqs, func(a, b byteSeq) bool { return compareSeq(a, b) == 0 })
}

// compareSeq orders sequences by their bytes.
func compareSeq(a, b byteSeq) int {
	return slices.CompareFunc(a, b, func(x, y byteRange) int {
		if x.lo != y.lo {
			return int(x.lo) - int(y.lo)
		}
		return int(x.hi) - int(y.hi)
	})
}

// seqKey spells a list of sequences as a map key.
func seqKey(seqs []byteSeq) string {
	var key []byte
	for _, s := range seqs {
		key = append(key, byte(len(s)))
		for _, r := range s {
			key = append(key, r.lo, r.hi)
		}
	}
	return string(key)
}

// reversed returns the sequences back to front, for a program that runs
// backwards.
func reversed(seqs []byteSeq) []byteSeq {
	for _, s := range seqs {
		slices.Reverse(s)
	}
	return uniqueSeqs(seqs)
}
