package bolt

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	bbolt "go.etcd.io/bbolt"

	"github.com/codegraph-dev/codegraph/graph"
)

// A table is a sorted set of (key, file) pairs, cut into blocks of about a kilobyte. A block
// covers the pairs after its lower bound up to and including its upper bound; it is stored
// under its upper bound, so one seek finds the block of a pair, and holds its lower bound,
// so a block that is missing or out of place is noticed. The last block's upper bound is
// above every pair; an empty table is that one block, with nothing in it. A change reads
// and writes the blocks that it touches; a block grown too large is cut into equal parts,
// so the first change of an empty table writes all its blocks in order. Where the cuts lie
// depends on the order of changes, the pairs do not.
//
// A block's payload: the lower bound behind its length, then the pairs as the coder has them.

// pair says that a file has to do with a key.
type pair[K cmp.Ordered] struct {
	key  K
	file graph.FileID
}

// change is a pair to add or to take away.
type change[K cmp.Ordered] struct {
	pair[K]
	del bool
}

func comparePairs[K cmp.Ordered](a, b pair[K]) int {
	if a.key != b.key {
		return cmp.Compare(a.key, b.key)
	}
	return cmp.Compare(a.file, b.file)
}

// coder is how keys of one type are written.
type coder[K cmp.Ordered] interface {
	// appendBound appends bytes that order as the pairs do.
	appendBound(dst []byte, p pair[K]) []byte
	// appendPairs appends sorted pairs, scanPairs reads them.
	appendPairs(dst []byte, ps []pair[K]) []byte
	scanPairs(sc *scanner) []pair[K]
}

// Bounds begin with a byte that sets the bound above all pairs apart.
const (
	boundPair byte = 1
	boundLast byte = 2
)

var lastBound = []byte{boundLast}

// maxBound is the longest bound that a block is cut at: bbolt limits its keys.
const maxBound = 4096

// table is the shape of one table; its blocks are in the bucket of its name.
type table[K cmp.Ordered] struct {
	name  string
	limit int // bytes of pairs in a block, more only where a cut is not possible
	coder coder[K]
}

func (t *table[K]) bound(p pair[K]) []byte {
	return t.coder.appendBound([]byte{boundPair}, p)
}

// encode is the frame of a block.
func (t *table[K]) encode(lower, upper []byte, pairs []byte) []byte {
	b := beginFrame(make([]byte, 0, frameHeader+2+len(lower)+len(pairs)))
	b = binary.AppendUvarint(b, uint64(len(lower)))
	b = append(append(b, lower...), pairs...)
	return sealFrame(b, saltKey(tagTable, t.name, upper))
}

// open gives a block's lower bound and a scanner at its pairs.
func (t *table[K]) open(upper, frame []byte) ([]byte, scanner, error) {
	b, err := openFrame(frame, saltKey(tagTable, t.name, upper), t.name)
	if err != nil {
		return nil, scanner{}, err
	}
	sc := scanner{b: b}
	lower := sc.take(sc.count(1))
	if sc.bad || bytes.Compare(lower, upper) >= 0 {
		return nil, sc, corrupt("%s: malformed bounds", t.name)
	}
	return lower, sc, nil
}

// seek finds the block that covers bound.
func (t *table[K]) seek(c *bbolt.Cursor, bound []byte) (upper, lower []byte, sc scanner, err error) {
	upper, frame := c.Seek(bound)
	if upper == nil {
		return nil, nil, sc, corrupt("%s: last block is missing", t.name)
	}
	lower, sc, err = t.open(upper, frame)
	switch {
	case err != nil:
	case bytes.Compare(bound, lower) <= 0:
		err = corrupt("%s: a block is missing", t.name)
	case bytes.Compare(bound, upper) > 0: // the pages that lead to it are damaged
		err = corrupt("%s: a block is out of place", t.name)
	}
	return upper, lower, sc, err
}

// next finds the block after the one that ends at upper; it is nil after the last.
func (t *table[K]) next(c *bbolt.Cursor, upper []byte) ([]byte, scanner, error) {
	after, frame := c.Next()
	if after == nil {
		if !bytes.Equal(upper, lastBound) {
			return nil, scanner{}, corrupt("%s: last block is missing", t.name)
		}
		return nil, scanner{}, nil
	}
	lower, sc, err := t.open(after, frame)
	if err == nil && !bytes.Equal(lower, upper) {
		err = corrupt("%s: a block is missing", t.name)
	}
	return after, sc, err
}

// create writes the one block of an empty table.
func (t *table[K]) create(b *bbolt.Bucket) error {
	return b.Put(lastBound, t.encode(nil, lastBound, t.coder.appendPairs(nil, nil)))
}

// apply makes the sorted changes. Adding what is there and taking away what is not do nothing.
func (t *table[K]) apply(b *bbolt.Bucket, changes []change[K]) error {
	for len(changes) > 0 {
		c := b.Cursor()
		upper, lower, sc, err := t.seek(c, t.bound(changes[0].pair))
		if err != nil {
			return err
		}
		upper, lower = bytes.Clone(upper), bytes.Clone(lower)
		old := t.coder.scanPairs(&sc)
		if err := sc.end(t.name); err != nil {
			return err
		}
		n := t.covered(changes, upper)
		merged := merge(old, changes[:n])
		changes = changes[n:]
		if slices.Equal(old, merged) {
			continue
		}
		if err := t.write(b, lower, upper, merged); err != nil {
			return err
		}
	}
	return nil
}

// covered is how many of the changes lie within upper.
func (t *table[K]) covered(changes []change[K], upper []byte) int {
	if upper[0] == boundLast {
		return len(changes)
	}
	var buf []byte
	n, _ := slices.BinarySearchFunc(changes, upper, func(c change[K], upper []byte) int {
		buf = t.coder.appendBound(append(buf[:0], boundPair), c.pair)
		if bytes.Compare(buf, upper) <= 0 {
			return -1
		}
		return 1
	})
	return n
}

// write puts pairs as one block or, when they are too many, several.
func (t *table[K]) write(b *bbolt.Bucket, lower, upper []byte, ps []pair[K]) error {
	body := t.coder.appendPairs(nil, ps)
	if len(body) <= t.limit || len(ps) < 2 {
		return b.Put(upper, t.encode(lower, upper, body))
	}
	parts := min((len(body)+t.limit-1)/t.limit, len(ps))
	for i := range parts {
		part := ps[i*len(ps)/parts : (i+1)*len(ps)/parts]
		end := upper
		if i < parts-1 {
			if end = t.bound(part[len(part)-1]); len(end) > maxBound {
				// This cut is not possible: leave what is before it with what is after.
				return t.writeUncut(b, lower, upper, ps[i*len(ps)/parts:])
			}
		}
		if err := t.writePart(b, lower, end, part); err != nil {
			return err
		}
		lower = end
	}
	return nil
}

// writePart puts one part of a cut, in halves where the pairs' sizes are uneven.
func (t *table[K]) writePart(b *bbolt.Bucket, lower, upper []byte, ps []pair[K]) error {
	body := t.coder.appendPairs(nil, ps)
	if len(body) > t.limit+t.limit/8 && len(ps) > 1 {
		return t.write(b, lower, upper, ps)
	}
	return b.Put(upper, t.encode(lower, upper, body))
}

// writeUncut puts all pairs as one block.
func (t *table[K]) writeUncut(b *bbolt.Bucket, lower, upper []byte, ps []pair[K]) error {
	return b.Put(upper, t.encode(lower, upper, t.coder.appendPairs(nil, ps)))
}

// merge applies sorted changes to sorted pairs.
func merge[K cmp.Ordered](old []pair[K], changes []change[K]) []pair[K] {
	out := make([]pair[K], 0, len(old)+len(changes))
	for _, c := range changes {
		for len(old) > 0 && comparePairs(old[0], c.pair) < 0 {
			out = append(out, old[0])
			old = old[1:]
		}
		if len(old) > 0 && old[0] == c.pair {
			old = old[1:]
		}
		if !c.del {
			out = append(out, c.pair)
		}
	}
	return append(out, old...)
}
