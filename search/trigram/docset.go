package trigram

import "slices"

// docSet is a set of document ids in chunks, so that a high id costs a chunk
// and not all that is below it. Chunks are shared between copies and replaced,
// never changed, once a copy has been taken.
type docSet struct {
	chunks []*[1024]uint64
	n      int
}

// has reports whether id belongs to the set.
func (s *docSet) has(id uint32) bool {
	c := int(id >> 16)
	return c < len(s.chunks) && s.chunks[c] != nil && s.chunks[c][id>>6&1023]&(1<<(id&63)) != 0
}

// with returns the set and ids, which are ascending. s stays as it is.
func (s *docSet) with(ids []uint32) docSet {
	if len(ids) == 0 {
		return *s
	}
	out := docSet{chunks: slices.Clone(s.chunks), n: s.n}
	own := -1 // the chunk that is already a copy
	for _, id := range ids {
		c := int(id >> 16)
		if c >= len(out.chunks) {
			out.chunks = append(out.chunks, make([]*[1024]uint64, c+1-len(out.chunks))...)
		}
		if c != own {
			fresh := new([1024]uint64)
			if out.chunks[c] != nil {
				*fresh = *out.chunks[c]
			}
			out.chunks[c], own = fresh, c
		}
		w, m := &out.chunks[c][id>>6&1023], uint64(1)<<(id&63)
		if *w&m == 0 {
			*w |= m
			out.n++
		}
	}
	return out
}
