package search

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// A litScan walks the occurrences of a prefilter's literals through one text.
// Each pivot byte has its next place remembered, so that a byte that is rare or
// absent is looked for once.
type litScan struct {
	pf   *prefilter
	data []byte
	cur  []litCursor
}

// litCursor is the state of one literal in a scan.
type litCursor struct {
	next  [4]int // next place of each pivot byte; len(data) when there is none
	start int    // next occurrence; len(data) when there is none
	end   int
	from  int // start was sought from here
}

// newScan starts a scan at the beginning of data.
func (pf *prefilter) newScan(data []byte) litScan {
	s := litScan{pf: pf, data: data, cur: make([]litCursor, len(pf.lits))}
	for i := range s.cur {
		s.cur[i].start, s.cur[i].from = -1, -1
		for k := range s.cur[i].next {
			s.cur[i].next[k] = -1
		}
	}
	return s
}

// find returns the first occurrence that starts at or after from; ok is false
// when there is none. Successive calls must not go back.
func (s *litScan) find(from int) (start, end int, ok bool) {
	start = len(s.data)
	for i := range s.cur {
		c := &s.cur[i]
		if c.start < from {
			s.advance(c, s.pf.lits[i], from)
		}
		if c.start < start {
			start, end = c.start, c.end
		}
	}
	return start, end, start < len(s.data)
}

// advance moves a cursor to the first occurrence at or after from.
func (s *litScan) advance(c *litCursor, l *literal, from int) {
	at := from
	if l.bytes != nil {
		at += l.pivot
	}
	for {
		h := len(s.data)
		for k, b := range l.rare {
			if c.next[k] < at {
				c.next[k] = indexByte(s.data, b, at)
			}
			h = min(h, c.next[k])
		}
		if h >= len(s.data) {
			c.start = len(s.data)
			return
		}
		start, end, ok := l.at(s.data, h)
		if ok && start >= from {
			c.start, c.end = start, end
			return
		}
		at = h + 1
	}
}

// indexByte is the place of b at or after from, or len(data).
func indexByte(data []byte, b byte, from int) int {
	if from >= len(data) {
		return len(data)
	}
	if i := bytes.IndexByte(data[from:], b); i >= 0 {
		return from + i
	}
	return len(data)
}

// at reports whether the literal stands where its pivot begins at h.
func (l *literal) at(data []byte, h int) (start, end int, ok bool) {
	if l.bytes != nil {
		start = h - l.pivot
		if start < 0 || len(data)-start < len(l.bytes) {
			return 0, 0, false
		}
		end = start + len(l.bytes)
		return start, end, bytes.Equal(data[start:end], l.bytes)
	}
	start, end = h, h
	for _, r := range l.runes[l.pivot:] {
		n := r.prefix(data[end:])
		if n == 0 {
			return 0, 0, false
		}
		end += n
	}
	for i := l.pivot - 1; i >= 0; i-- {
		n := l.runes[i].suffix(data[:start])
		if n == 0 {
			return 0, 0, false
		}
		start -= n
	}
	return start, end, true
}

// prefix returns the length of the character at the start of data, or 0.
func (l litRune) prefix(data []byte) int {
	if len(data) == 0 {
		return 0
	}
	if b := data[0]; b < utf8.RuneSelf {
		if rune(b) == l.r || l.fold && sameOrbit(rune(b), l.r) {
			return 1
		}
		return 0
	}
	r, n := utf8.DecodeRune(data)
	return l.width(r, n)
}

// suffix returns the length of the character at the end of data, or 0.
func (l litRune) suffix(data []byte) int {
	if len(data) == 0 {
		return 0
	}
	r, n := utf8.DecodeLastRune(data)
	return l.width(r, n)
}

// width is n when r, decoded from n bytes, is the character, else 0.
func (l litRune) width(r rune, n int) int {
	if r == utf8.RuneError && n == 1 {
		return 0
	}
	if r == l.r || l.fold && sameOrbit(r, l.r) {
		return n
	}
	return 0
}

// sameOrbit reports whether a and b fold together.
func sameOrbit(a, b rune) bool {
	if a|0x20 == b|0x20 && a < utf8.RuneSelf && b < utf8.RuneSelf {
		return a == b || 'a' <= a|0x20 && a|0x20 <= 'z'
	}
	for f := unicode.SimpleFold(a); f != a; f = unicode.SimpleFold(f) {
		if f == b {
			return true
		}
	}
	return a == b
}
