package search

import (
	"slices"
	"sync"
	"unicode"
)

// runeRange is the inclusive range of code points lo..hi.
type runeRange struct{ lo, hi rune }

// runeSet is a set of code points: sorted, disjoint and not adjacent once
// normal has been called. Surrogates never belong to it: UTF-8 cannot spell
// them.
type runeSet []runeRange

// normal sorts the ranges, joins what touches and takes surrogates out.
func (s runeSet) normal() runeSet {
	if len(s) == 0 {
		return s
	}
	slices.SortFunc(s, func(a, b runeRange) int { return int(a.lo) - int(b.lo) })
	out := make(runeSet, 0, len(s)+1)
	for _, r := range s {
		if n := len(out); n > 0 && r.lo <= out[n-1].hi+1 {
			out[n-1].hi = max(out[n-1].hi, r.hi)
			continue
		}
		out = append(out, r)
	}
	return out.cut(0xD800, 0xDFFF)
}

// cut removes lo..hi from a normal set, which is returned as it is when it has
// none of them.
func (s runeSet) cut(lo, hi rune) runeSet {
	if !slices.ContainsFunc(s, func(r runeRange) bool { return r.lo <= hi && r.hi >= lo }) {
		return s
	}
	out := make(runeSet, 0, len(s)+1)
	for _, r := range s {
		if r.hi < lo || r.lo > hi {
			out = append(out, r)
			continue
		}
		if r.lo < lo {
			out = append(out, runeRange{r.lo, lo - 1})
		}
		if r.hi > hi {
			out = append(out, runeRange{hi + 1, r.hi})
		}
	}
	return out
}

// negate returns the complement of a normal set.
func (s runeSet) negate() runeSet {
	out := make(runeSet, 0, len(s)+1)
	next := rune(0)
	for _, r := range s {
		if r.lo > next {
			out = append(out, runeRange{next, r.lo - 1})
		}
		next = r.hi + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, runeRange{next, unicode.MaxRune})
	}
	return out.cut(0xD800, 0xDFFF)
}

// has reports whether the normal set holds r.
func (s runeSet) has(r rune) bool {
	_, ok := slices.BinarySearchFunc(s, r, func(x runeRange, r rune) int {
		switch {
		case x.hi < r:
			return -1
		case x.lo > r:
			return 1
		}
		return 0
	})
	return ok
}

// size counts the members, up to a limit.
func (s runeSet) size(limit int) int {
	n := 0
	for _, r := range s {
		n += int(r.hi-r.lo) + 1
		if n > limit {
			return n
		}
	}
	return n
}

// fold closes a set under simple folding. Only code points that have case at
// all are looked at, so that huge ranges cost little.
func (s runeSet) fold() runeSet {
	out := slices.Clone(s)
	for _, r := range s {
		for _, cr := range unicode.CaseRanges {
			lo, hi := max(r.lo, rune(cr.Lo)), min(r.hi, rune(cr.Hi))
			for c := lo; c <= hi; c++ {
				out = out.addOrbit(c)
			}
		}
		for _, c := range caselessFolders() {
			if r.lo <= c && c <= r.hi {
				out = out.addOrbit(c)
			}
		}
	}
	return out.normal()
}

// caselessFolders are code points with a fold partner that CaseRanges leaves
// out, found once from the tables.
var caselessFolders = sync.OnceValue(func() []rune {
	var out []rune
	for _, t := range unicode.FoldCategory {
		for _, r := range t.R16 {
			for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
				out = append(out, c)
			}
		}
		for _, r := range t.R32 {
			for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
				out = append(out, c)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
})

// addOrbit appends the other members of c's fold orbit.
func (s runeSet) addOrbit(c rune) runeSet {
	for f := unicode.SimpleFold(c); f != c; f = unicode.SimpleFold(f) {
		s = append(s, runeRange{f, f})
	}
	return s
}

// orbit returns every code point that folds with c, c first.
func orbit(c rune) []rune {
	out := []rune{c}
	for f := unicode.SimpleFold(c); f != c; f = unicode.SimpleFold(f) {
		out = append(out, f)
	}
	return out
}

// addTable appends the ranges of a Unicode table.
func (s runeSet) addTable(t *unicode.RangeTable) runeSet {
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			s = append(s, runeRange{lo, hi})
			return
		}
		for c := lo; c <= hi; c += stride {
			s = append(s, runeRange{c, c})
		}
	}
	for _, r := range t.R16 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range t.R32 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	return s
}
