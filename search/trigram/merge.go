package trigram

import (
	"context"
	"slices"
)

// Merging bounds the number of segments that a query looks into.
const (
	maxLevels = 8 // segments tolerated
	growth    = 4 // a segment this much larger than all newer ones is left alone
)

// planMerge chooses neighbouring levels to merge, from..to; to-from is at most
// one when there is nothing to do. It merges the newest ones when there are too
// many, as far down as they are of comparable size; and everything when more of
// the index is dead than alive.
func planMerge(levels []level) (from, to int) {
	n := len(levels)
	docs, dead := 0, 0
	for _, l := range levels {
		docs += len(l.all)
		dead += l.dead.n
	}
	if n > 1 && dead > 1000 && dead > docs/2 {
		return 0, n
	}
	if n <= maxLevels {
		return n, n
	}
	from = n - 2
	sum := levels[n-1].size + levels[n-2].size
	for from > 0 && (levels[from-1].size < growth*sum || from >= maxLevels) {
		from--
		sum += levels[from].size
	}
	return from, n
}

// cursor walks the table of one segment that is being merged.
type cursor struct {
	level
	i   uint32
	t   uint32   // trigram at i
	new []uint32 // new ordinal of each old one, plus one; 0 when it is dead
}

// advance reads the trigram at i.
func (c *cursor) advance() error {
	if c.i >= c.f.trigrams {
		c.t = 1 << 24
		return nil
	}
	t, _, err := c.entryAt(c.i)
	c.t = t
	return err
}

// merge writes what lives in levels as one segment. Removals are forgotten when
// there is no older segment that they could concern.
func (s *Store) merge(ctx context.Context, levels []level, oldest bool) (seg *segment, err error) {
	r := ref{number: s.take()}
	defer s.settle([]ref{r})
	w, err := createSegment(s.dir, r.number)
	if err != nil {
		return nil, err
	}
	err = guard(func() error { return w.mergeLevels(ctx, levels, oldest) })
	if err != nil {
		w.err = err
	}
	if r.size, r.sum, err = w.finish(); err != nil {
		return nil, err
	}
	return openSegment(s.dir, r)
}

// mergeLevels writes documents and postings.
func (w *segmentWriter) mergeLevels(ctx context.Context, levels []level, oldest bool) error {
	docs, cursors := mergeDocuments(levels, oldest)
	w.documents(docs)
	for _, c := range cursors {
		if err := c.advance(); err != nil {
			return err
		}
	}
	var ords []uint32
	var buf []byte
	for n := 0; w.err == nil; n++ {
		t := uint32(1 << 24)
		for _, c := range cursors {
			t = min(t, c.t)
		}
		if t == 1<<24 {
			return nil
		}
		if n&1023 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var err error
		if ords, err = mergePostings(cursors, t, ords[:0]); err != nil {
			return err
		}
		if len(ords) > 0 {
			buf = w.posting(t, ords, buf)
		}
	}
	return w.err
}

// mergePostings gathers the new ordinals of the documents that hold t and moves
// the cursors on.
func mergePostings(cursors []*cursor, t uint32, ords []uint32) ([]uint32, error) {
	sorted := true
	for _, c := range cursors {
		if c.t != t {
			continue
		}
		b, err := c.postingsAt(c.i)
		if err != nil {
			return nil, err
		}
		err = c.eachOrdinal(b, func(ord uint32) {
			if o := c.new[ord]; o > 0 {
				sorted = sorted && (len(ords) == 0 || ords[len(ords)-1] < o-1)
				ords = append(ords, o-1)
			}
		})
		if err != nil {
			return nil, err
		}
		c.i++
		if err := c.advance(); err != nil {
			return nil, err
		}
	}
	if !sorted {
		slices.Sort(ords)
	}
	return ords, nil
}

// mergeDocuments lists the documents of the merged segment and maps the old
// ordinals to the new ones.
func mergeDocuments(levels []level, oldest bool) ([]document, []*cursor) {
	type origin struct {
		document
		level, ord int
	}
	var all []origin
	cursors := make([]*cursor, len(levels))
	for i, l := range levels {
		cursors[i] = &cursor{level: l, new: make([]uint32, len(l.indexed))}
		lists := [...][]uint32{kindIndexed: l.indexed, kindAlways: l.always, kindBinary: l.binary}
		var ords [len(lists)]int
		for _, id := range l.all {
			d := origin{document: document{id: id, kind: kindRemoved}, level: i}
			for k, ids := range lists {
				if o := ords[k]; o < len(ids) && ids[o] == id {
					d.kind, d.ord = kind(k), o
					ords[k]++
				}
			}
			if !l.dead.has(id) && !(d.kind == kindRemoved && oldest) {
				all = append(all, d)
			}
		}
	}
	slices.SortFunc(all, func(a, b origin) int {
		if a.id < b.id {
			return -1
		}
		return 1
	})
	docs := make([]document, len(all))
	next := uint32(0)
	for i, d := range all {
		docs[i] = d.document
		if d.kind == kindIndexed {
			next++
			cursors[d.level].new[d.ord] = next
		}
	}
	return docs, cursors
}
