package bolt

import (
	"bytes"
	"encoding/binary"

	bbolt "go.etcd.io/bbolt"

	"github.com/codegraph-dev/codegraph/graph"
)

// nameCoder writes pairs with symbol names for keys, grouped by name: the number of names,
// their lengths and numbers of files as columns, their bytes, and then for each name its
// files as varint differences. So walking over names needs neither the files nor memory
// for each name.
type nameCoder struct{}

// appendBound keeps the order of names of any bytes: a zero byte is followed by 0xff, the
// end of the name is a zero byte followed by less.
func (nameCoder) appendBound(dst []byte, p pair[string]) []byte {
	for i := range len(p.key) {
		if dst = append(dst, p.key[i]); p.key[i] == 0 {
			dst = append(dst, 0xff)
		}
	}
	return binary.BigEndian.AppendUint32(append(dst, 0, 0), uint32(p.file))
}

func (nameCoder) appendPairs(dst []byte, ps []pair[string]) []byte {
	var lens, counts []uint32
	var names, files []byte
	for i := 0; i < len(ps); {
		name, from, last := ps[i].key, i, graph.FileID(0)
		for ; i < len(ps) && ps[i].key == name; i++ {
			files = binary.AppendUvarint(files, uint64(ps[i].file-last))
			last = ps[i].file
		}
		lens = append(lens, uint32(len(name)))
		counts = append(counts, uint32(i-from))
		names = append(names, name...)
	}
	dst = appendRecords(dst, lens, oneWord)
	dst = appendRecords(dst, counts, oneWord)
	return append(append(dst, names...), files...)
}

// nameBlock is a block's names with, behind them, the files still to be scanned.
type nameBlock struct {
	lens, counts []uint32
	names        string
	files        scanner
}

func (nameCoder) scanBlock(sc *scanner) (nameBlock, bool) {
	b := nameBlock{lens: scanRecords[uint32](sc, oneWord)}
	b.counts = scanRecords[uint32](sc, oneWord)
	total, pairs := 0, 0
	for _, n := range b.lens {
		if total += int(n); total > len(sc.b) {
			sc.fail()
		}
	}
	for _, n := range b.counts {
		if pairs += int(n); pairs > len(sc.b) {
			sc.fail()
		}
	}
	if len(b.lens) != len(b.counts) {
		sc.fail()
	}
	b.names = string(sc.take(total))
	b.files = *sc
	return b, !sc.bad
}

// scanFiles appends the next n files of the block to dst.
func (b *nameBlock) scanFiles(dst []graph.FileID, n uint32) []graph.FileID {
	last := graph.FileID(0)
	for range n {
		last += graph.FileID(b.files.uvarint())
		dst = append(dst, last)
	}
	return dst
}

// skipFiles passes over the next n files of the block.
func (b *nameBlock) skipFiles(n uint32) {
	for range n {
		b.files.uvarint()
	}
}

func (c nameCoder) scanPairs(sc *scanner) []pair[string] {
	b, ok := c.scanBlock(sc)
	if !ok {
		return nil
	}
	var ps []pair[string]
	var files []graph.FileID
	for i, n := range b.lens {
		name := b.names[:n]
		b.names = b.names[n:]
		files = b.scanFiles(files[:0], b.counts[i])
		for _, f := range files {
			ps = append(ps, pair[string]{name, f})
		}
	}
	*sc = b.files
	return ps
}

// nameTable is the table of symbol names.
type nameTable struct{ table[string] }

func newNameTable(name string) *nameTable {
	return &nameTable{table[string]{name: name, limit: 1900, coder: nameCoder{}}}
}

// nameWalk goes over all names in order, a block at a time.
type nameWalk struct {
	t     *nameTable
	c     *bbolt.Cursor
	upper []byte
	block nameBlock
	done  bool
}

// walk stands before the first block.
func (t *nameTable) walk(b *bbolt.Bucket) *nameWalk { return &nameWalk{t: t, c: b.Cursor()} }

// next reads the next block; after the last, done is set.
func (w *nameWalk) next() error {
	var sc scanner
	var err error
	if w.upper == nil {
		var lower []byte
		if w.upper, lower, sc, err = w.t.seek(w.c, []byte{boundPair}); err == nil && len(lower) != 0 {
			err = corrupt("%s: first block is missing", w.t.name)
		}
	} else {
		w.upper, sc, err = w.t.next(w.c, bytes.Clone(w.upper))
	}
	if err != nil {
		return err
	}
	if w.upper == nil {
		w.done, w.block = true, nameBlock{}
		return nil
	}
	var ok bool
	if w.block, ok = (nameCoder{}).scanBlock(&sc); !ok {
		return corrupt("%s: malformed", w.t.name)
	}
	return nil
}
