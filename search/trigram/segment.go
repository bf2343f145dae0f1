package trigram

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"sort"
	"sync/atomic"
)

// segment is an open segment. All but the marks of verified pages is immutable;
// dead is replaced, together with the segment value, when newer ones come.
type segment struct {
	ref
	f        footer
	data     []byte // the mapped file
	verified []atomic.Bool
	all      []uint32 // every document spoken of, ascending
	indexed  []uint32 // by ordinal
	always   []uint32
	binary   []uint32
}

// openSegment opens the file that r names and reads its documents.
func openSegment(dir string, r ref) (s *segment, err error) {
	path := filepath.Join(dir, segmentName(r.number))
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w: open segment: %w", ErrCorrupt, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("%w: open segment: %w", ErrCorrupt, err)
	}
	if uint64(info.Size()) != r.size || r.size < footerSize {
		return nil, corrupt("segment %d has %d bytes instead of %d", r.number, info.Size(), r.size)
	}
	data, err := mapFile(file, int(r.size))
	if err != nil {
		return nil, fmt.Errorf("map segment: %w", err)
	}
	err = guard(func() error {
		s, err = newSegment(r, data)
		return err
	})
	if err != nil {
		unmapFile(data)
		return nil, err
	}
	return s, nil
}

// newSegment reads the layout and the documents of a segment.
func newSegment(r ref, data []byte) (*segment, error) {
	size := uint64(len(data))
	f, sum, err := decodeFooter(data[max(0, len(data)-footerSize):], size)
	if err != nil {
		return nil, err
	}
	if sum != r.sum {
		return nil, corrupt("segment %d is not the one that the token names", r.number)
	}
	if crc32.Checksum(data[f.body:size-footerSize], castagnoli) != f.sums {
		return nil, corrupt("checksums of segment %d do not match theirs", r.number)
	}
	s := &segment{ref: r, f: f, data: data, verified: make([]atomic.Bool, pages(f.body))}
	return s, s.readDocuments()
}

// close gives the mapping back.
func (s *segment) close() error { return unmapFile(s.data) }

// bytes returns verified bytes of the body.
func (s *segment) bytes(from, to uint64) ([]byte, error) {
	if from > to || to > s.f.body {
		return nil, corrupt("segment %d is read at %d..%d of %d", s.number, from, to, s.f.body)
	}
	if from == to {
		return nil, nil
	}
	for p := from / pageSize; p <= (to-1)/pageSize; p++ {
		if s.verified[p].Load() {
			continue
		}
		page := s.data[p*pageSize : min((p+1)*pageSize, s.f.body)]
		if crc32.Checksum(page, castagnoli) != binary.LittleEndian.Uint32(s.data[s.f.body+4*p:]) {
			return nil, corrupt("page %d of segment %d does not match its checksum", p, s.number)
		}
		s.verified[p].Store(true)
	}
	return s.data[from:to], nil
}

// readDocuments decodes the list of documents.
func (s *segment) readDocuments() error {
	b, err := s.bytes(0, s.f.postings)
	if err != nil {
		return err
	}
	if uint64(s.f.docs) > uint64(len(b)) {
		return corrupt("segment %d speaks of %d documents in %d bytes", s.number, s.f.docs, len(b))
	}
	s.all = make([]uint32, 0, s.f.docs)
	id := uint64(0)
	for i := uint32(0); i < s.f.docs; i++ {
		v, n := binary.Uvarint(b)
		if n <= 0 || v>>2 == 0 && i > 0 || id+v>>2 > 1<<32-1 {
			return corrupt("documents of segment %d cannot be read", s.number)
		}
		b = b[n:]
		id += v >> 2
		s.all = append(s.all, uint32(id))
		switch kind(v & 3) {
		case kindIndexed:
			s.indexed = append(s.indexed, uint32(id))
		case kindAlways:
			s.always = append(s.always, uint32(id))
		case kindBinary:
			s.binary = append(s.binary, uint32(id))
		}
	}
	if len(b) > 0 {
		return corrupt("documents of segment %d are followed by %d bytes", s.number, len(b))
	}
	return nil
}

// entryAt reads an entry of the table: a trigram and where its postings begin.
func (s *segment) entryAt(i uint32) (t uint32, off uint64, err error) {
	at := s.f.table + uint64(i)*entrySize
	b, err := s.bytes(at, at+entrySize)
	if err != nil {
		return 0, 0, err
	}
	v := binary.LittleEndian.Uint64(b)
	return uint32(v >> offsetBits), v & (1<<offsetBits - 1), nil
}

// postingsAt returns the encoded postings of the i-th trigram.
func (s *segment) postingsAt(i uint32) ([]byte, error) {
	_, from, err := s.entryAt(i)
	if err != nil {
		return nil, err
	}
	_, to, err := s.entryAt(i + 1)
	if err != nil {
		return nil, err
	}
	if to > s.f.table-s.f.postings {
		return nil, corrupt("postings of segment %d end behind themselves", s.number)
	}
	return s.bytes(s.f.postings+from, s.f.postings+to)
}

// postings returns the encoded postings of a trigram; nil when there are none.
func (s *segment) postings(t uint32) (b []byte, err error) {
	i := sort.Search(int(s.f.trigrams), func(i int) bool {
		have, _, e := s.entryAt(uint32(i))
		if e != nil {
			err = e
		}
		return have >= t
	})
	if err != nil || i == int(s.f.trigrams) {
		return nil, err
	}
	if have, _, err := s.entryAt(uint32(i)); err != nil || have != t {
		return nil, err
	}
	return s.postingsAt(uint32(i))
}

// eachOrdinal decodes postings.
func (s *segment) eachOrdinal(b []byte, f func(ord uint32)) error {
	next, limit := uint64(0), uint64(len(s.indexed))
	for len(b) > 0 {
		d, n := uint64(b[0]), 1
		if d >= 0x80 {
			if d, n = binary.Uvarint(b); n <= 0 {
				return corrupt("postings of segment %d cannot be read", s.number)
			}
		}
		b = b[n:]
		if d == 0 || d > limit || next+d > limit {
			return corrupt("postings of segment %d name a document that it has not", s.number)
		}
		next += d
		f(uint32(next - 1))
	}
	return nil
}
