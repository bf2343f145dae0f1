package search

import (
	"slices"
	"sync"
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

// template is the automaton of a set of code points, to be copied wherever the
// set stands in a pattern: deterministic, over bytes, entered at its last
// instruction. Targets count from its first one; exitMark is the way out.
type template []inst

// exitMark stands for the instruction behind a template.
const exitMark = ^uint32(0)

// wordTemplates are those of \w, forwards and backwards: large enough to be
// built once for all patterns.
var wordTemplates = [2]func() template{
	sync.OnceValue(func() template { return newTemplate(wordSet(), false) }),
	sync.OnceValue(func() template { return newTemplate(wordSet(), true) }),
}

// templateOf returns the template of a set.
func templateOf(s runeSet, reverse bool) template {
	if w := wordSet(); len(s) == len(w) && &s[0] == &w[0] {
		return wordTemplates[b2u(reverse)]()
	}
	return newTemplate(s, reverse)
}

// newTemplate builds a template.
func newTemplate(s runeSet, reverse bool) template {
	seqs := encodings(s, nil)
	if reverse {
		seqs = reversed(seqs)
	}
	b := &templateBuilder{memo: map[string]uint32{}}
	b.compile(seqs)
	return b.out
}

// templateBuilder builds a template. Equal tails are shared.
type templateBuilder struct {
	out  template
	memo map[string]uint32
}

// compile returns the entry of the automaton for seqs.
func (b *templateBuilder) compile(seqs []byteSeq) uint32 {
	key := seqKey(seqs)
	if pc, ok := b.memo[key]; ok {
		return pc
	}
	var trans []byteTrans
	for _, cell := range cells(seqs) {
		var tails []byteSeq
		to := exitMark
		for _, s := range seqs {
			if s[0].lo <= cell.lo && cell.hi <= s[0].hi && len(s) > 1 {
				tails = append(tails, s[1:])
			}
		}
		if len(tails) > 0 {
			to = b.compile(uniqueSeqs(tails))
		}
		if n := len(trans); n > 0 && trans[n-1].next == to && trans[n-1].hi+1 == cell.lo {
			trans[n-1].hi = cell.hi
			continue
		}
		trans = append(trans, byteTrans{cell.lo, cell.hi, to})
	}
	b.out = append(b.out, inst{op: instBytes, trans: trans})
	pc := uint32(len(b.out) - 1)
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
