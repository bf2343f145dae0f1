package trigram

import (
	"encoding/binary"
	"math/bits"

	"github.com/codegraph-dev/codegraph/search"
)

// Limits on what is worth indexing.
const (
	// maxDistinct is the number of distinct trigrams beyond which a document
	// goes on the always-scan list.
	maxDistinct = 100_000
)

// A trigramSet is a set of trigrams as a bit for each, with a tree of summaries
// above, so that it is walked in order and emptied in time proportional to its
// members.
type trigramSet struct {
	leaf [1 << 18]uint64 // 2^24 bits
	mid  [1 << 12]uint64 // one bit a word of leaf
	top  [1 << 6]uint64  // one bit a word of mid
}

// add puts t into the set.
func (s *trigramSet) add(t uint32) {
	w := t >> 6
	if s.leaf[w]&(1<<(t&63)) != 0 {
		return
	}
	s.leaf[w] |= 1 << (t & 63)
	s.mid[w>>6] |= 1 << (w & 63)
	s.top[w>>12] |= 1 << (w >> 6 & 63)
}

// addText puts every trigram of data into the set.
func (s *trigramSet) addText(data []byte) {
	if len(data) < 3 {
		return
	}
	t := uint32(data[0])<<8 | uint32(data[1])
	for _, b := range data[2:] {
		t = t<<8&0xFFFFFF | uint32(b)
		w := t >> 6
		if m := uint64(1) << (t & 63); s.leaf[w]&m == 0 {
			s.leaf[w] |= m
			s.mid[w>>6] |= 1 << (w & 63)
			s.top[w>>12] |= 1 << (w >> 6 & 63)
		}
	}
}

// drain calls f for each member, ascending, and empties the set.
func (s *trigramSet) drain(f func(t uint32)) {
	for i, top := range s.top {
		if top == 0 {
			continue
		}
		s.top[i] = 0
		for ; top != 0; top &= top - 1 {
			m := uint32(i)<<6 | uint32(bits.TrailingZeros64(top))
			mid := s.mid[m]
			s.mid[m] = 0
			for ; mid != 0; mid &= mid - 1 {
				w := m<<6 | uint32(bits.TrailingZeros64(mid))
				leaf := s.leaf[w]
				s.leaf[w] = 0
				for ; leaf != 0; leaf &= leaf - 1 {
					f(w<<6 | uint32(bits.TrailingZeros64(leaf)))
				}
			}
		}
	}
}

// kind says how the index treats a document.
type kind uint8

const (
	kindIndexed kind = iota // its trigrams are listed
	kindAlways              // a candidate for every query
	kindBinary              // a candidate for none
	kindRemoved             // no document any more
)

// entry is what a batch says about one document.
type entry struct {
	id   search.DocID
	kind kind
	n    int    // number of trigrams
	enc  []byte // the trigrams, ascending, as varints of the differences
}

// extract lists the trigrams of a text. set is scratch and empty before and
// after; buf is scratch.
func extract(id search.DocID, text search.Text, set *trigramSet, buf []byte) (entry, []byte) {
	if text.Binary() {
		return entry{id: id, kind: kindBinary}, buf
	}
	set.addText(text.Data)
	e := entry{id: id}
	buf = buf[:0]
	last := uint32(0)
	set.drain(func(t uint32) {
		if search.Trigram(t).HasLF() {
			return
		}
		buf = binary.AppendUvarint(buf, uint64(t-last))
		last = t
		e.n++
	})
	if e.n > maxDistinct {
		return entry{id: id, kind: kindAlways}, buf
	}
	e.enc = append([]byte(nil), buf...)
	return e, buf
}

// each calls f for every trigram of the entry.
func (e *entry) each(f func(t uint32)) {
	t := uint32(0)
	for b := e.enc; len(b) > 0; {
		d := uint32(b[0])
		n := 1
		if d >= 0x80 {
			v, k := binary.Uvarint(b)
			d, n = uint32(v), k
		}
		t += d
		f(t)
		b = b[n:]
	}
}
