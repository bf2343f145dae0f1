package trigram

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
)

// segmentName is the file name of a segment.
func segmentName(number uint64) string { return fmt.Sprintf("%016x.tri", number) }

// A segmentWriter writes one segment file from front to back: documents, then
// postings in the order of trigrams, then finish.
type segmentWriter struct {
	file  *os.File
	page  []byte
	sums  []byte
	off   uint64
	table []byte
	f     footer
	err   error
}

// createSegment makes a new file; it must not exist.
func createSegment(dir string, number uint64) (*segmentWriter, error) {
	file, err := os.OpenFile(filepath.Join(dir, segmentName(number)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, fmt.Errorf("create segment: %w", err)
	}
	return &segmentWriter{file: file, page: make([]byte, 0, pageSize), f: footer{version: formatVersion}}, nil
}

// write appends body bytes.
func (w *segmentWriter) write(b []byte) {
	w.off += uint64(len(b))
	for len(b) > 0 && w.err == nil {
		n := min(len(b), pageSize-len(w.page))
		w.page = append(w.page, b[:n]...)
		b = b[n:]
		if len(w.page) == pageSize {
			w.flush()
		}
	}
}

// flush writes the page under way and notes its checksum.
func (w *segmentWriter) flush() {
	if len(w.page) == 0 || w.err != nil {
		return
	}
	w.sums = binary.LittleEndian.AppendUint32(w.sums, crc32.Checksum(w.page, castagnoli))
	_, w.err = w.file.Write(w.page)
	w.page = w.page[:0]
}

// documents writes the list of documents, which is sorted and without repeats.
func (w *segmentWriter) documents(docs []document) {
	var buf []byte
	last := uint64(0)
	for _, d := range docs {
		buf = binary.AppendUvarint(buf[:0], (uint64(d.id)-last)<<2|uint64(d.kind))
		last = uint64(d.id)
		w.write(buf)
		if d.kind == kindRemoved {
			w.f.tombstone++
		}
	}
	w.f.docs = uint32(len(docs))
	w.f.postings = w.off
}

// posting writes the list of one trigram; ords is ascending and not empty.
func (w *segmentWriter) posting(t uint32, ords []uint32, buf []byte) []byte {
	w.table = binary.LittleEndian.AppendUint64(w.table, uint64(t)<<offsetBits|(w.off-w.f.postings))
	w.f.trigrams++
	buf = buf[:0]
	next := uint32(0)
	for _, o := range ords {
		buf = binary.AppendUvarint(buf, uint64(o-next+1))
		next = o + 1
	}
	w.write(buf)
	return buf
}

// finish writes the rest, makes the file durable and closes it.
func (w *segmentWriter) finish() (size uint64, sum uint32, err error) {
	end := w.off - w.f.postings
	if end >= 1<<offsetBits && w.err == nil {
		w.err = fmt.Errorf("postings of %d bytes do not fit a segment", end)
	}
	w.f.table = w.off
	w.write(binary.LittleEndian.AppendUint64(w.table, end))
	w.f.body = w.off
	w.flush()
	w.f.sums = crc32.Checksum(w.sums, castagnoli)
	foot := w.f.encode()
	if w.err == nil {
		_, w.err = w.file.Write(append(w.sums, foot...))
	}
	if w.err == nil {
		w.err = w.file.Sync()
	}
	if err := w.file.Close(); w.err == nil {
		w.err = err
	}
	if w.err != nil {
		return 0, 0, fmt.Errorf("write segment: %w", w.err)
	}
	return w.f.body + uint64(len(w.sums)) + footerSize, binary.LittleEndian.Uint32(foot[60:]), nil
}

// document is one line of the list of documents.
type document struct {
	id   uint32
	kind kind
}

// newestEntries sorts entries by id and keeps the last one said of each.
func newestEntries(entries []entry) []entry {
	slices.SortStableFunc(entries, func(a, b entry) int {
		switch {
		case a.id < b.id:
			return -1
		case a.id > b.id:
			return 1
		}
		return 0
	})
	out := entries[:0]
	for i, e := range entries {
		if i+1 == len(entries) || entries[i+1].id != e.id {
			out = append(out, e)
		}
	}
	return out
}

// smallBatch is the number of postings below which sorting pairs beats counting.
const smallBatch = 1 << 15

// writeEntries writes a segment of entries, which are sorted and distinct.
func (w *segmentWriter) writeEntries(entries []entry) {
	docs := make([]document, len(entries))
	var indexed []*entry
	pairs := 0
	for i := range entries {
		docs[i] = document{entries[i].id, entries[i].kind}
		if entries[i].kind == kindIndexed {
			indexed = append(indexed, &entries[i])
			pairs += entries[i].n
		}
	}
	w.documents(docs)
	if pairs <= smallBatch {
		w.sortPairs(indexed, pairs)
		return
	}
	w.countPairs(indexed, pairs)
}

// sortPairs inverts few postings by sorting them.
func (w *segmentWriter) sortPairs(indexed []*entry, n int) {
	pairs := make([]uint64, 0, n)
	for ord, e := range indexed {
		e.each(func(t uint32) { pairs = append(pairs, uint64(t)<<32|uint64(ord)) })
	}
	slices.Sort(pairs)
	var ords []uint32
	var buf []byte
	for i := 0; i < len(pairs); {
		t := uint32(pairs[i] >> 32)
		ords = ords[:0]
		for ; i < len(pairs) && uint32(pairs[i]>>32) == t; i++ {
			ords = append(ords, uint32(pairs[i]))
		}
		buf = w.posting(t, ords, buf)
	}
}

// countPairs inverts many postings by counting: once over them to learn how
// long each list is, once to put them into place.
func (w *segmentWriter) countPairs(indexed []*entry, n int) {
	set := new(trigramSet)
	for _, e := range indexed {
		e.each(set.add)
	}
	rank := make([]uint32, len(set.leaf))
	k := uint32(0)
	for i, leaf := range set.leaf {
		rank[i] = k
		k += uint32(bits.OnesCount64(leaf))
	}
	index := func(t uint32) uint32 {
		return rank[t>>6] + uint32(bits.OnesCount64(set.leaf[t>>6]&(1<<(t&63)-1)))
	}
	ends := make([]uint32, k+1)
	for _, e := range indexed {
		e.each(func(t uint32) { ends[index(t)+1]++ })
	}
	for i := range k {
		ends[i+1] += ends[i]
	}
	ords := make([]uint32, n)
	for ord, e := range indexed {
		e.each(func(t uint32) {
			i := index(t)
			ords[ends[i]] = uint32(ord)
			ends[i]++
		})
	}
	var buf []byte
	start, i := uint32(0), 0
	set.drain(func(t uint32) {
		buf = w.posting(t, ords[start:ends[i]], buf)
		start = ends[i]
		i++
	})
}
