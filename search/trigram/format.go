package trigram

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// The format of a segment file.
//
//	documents   of every document that the segment speaks of, ascending by id,
//	            a varint of (difference to the id before)<<2 | kind
//	postings    for each trigram, the ordinals of the documents that hold it, as
//	            varints of the differences, the first one plus one; an ordinal
//	            counts the documents of kind indexed
//	table       for each trigram, ascending, eight bytes, little endian:
//	            trigram<<40 | offset of its postings; then one more entry with
//	            trigram zero and the end of the postings
//	checksums   a CRC-32C, four bytes, of each page of what is above; a page has
//	            16 KiB, the last one may be shorter
//	footer      64 bytes, see footer
//
// Nothing is aligned. Postings are read through the table, the table by binary
// search, and both through pages that are verified when first touched; opening
// a segment reads its footer, its checksums and its documents.
//
// Versions:
//
//	1  the format above
const formatVersion = 1

const (
	pageSize   = 16 << 10
	footerSize = 64
	entrySize  = 8
	offsetBits = 40
)

// magic ends a segment file.
var magic = [8]byte{'c', 'g', 't', 'r', 'i', 'g', 'r', 'm'}

// ErrCorrupt says that an index cannot be trusted: a file is missing, cut short
// or changed, or has another version. The remedy is to index anew.
var ErrCorrupt = errors.New("trigram index is corrupt")

// corrupt adds what was found to ErrCorrupt.
func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrCorrupt, fmt.Sprintf(format, args...))
}

// castagnoli is CRC-32C, which processors compute.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// footer is the layout of a segment: the last 64 bytes of its file, little
// endian, in the order of the fields, then the magic, then four bytes of zero,
// and a CRC-32C of all that.
type footer struct {
	version   uint32
	docs      uint32 // documents spoken of
	trigrams  uint32 // entries of the table, without the last one
	sums      uint32 // CRC-32C of the checksums
	postings  uint64 // where the postings begin; the documents begin at 0
	table     uint64 // where the table begins
	body      uint64 // where the checksums begin
	tombstone uint64 // documents of kind removed
}

// encode spells the footer.
func (f *footer) encode() []byte {
	b := make([]byte, 0, footerSize)
	for _, v := range []uint32{f.version, f.docs, f.trigrams, f.sums} {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	for _, v := range []uint64{f.postings, f.table, f.body, f.tombstone} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	b = append(b, magic[:]...)
	b = append(b, 0, 0, 0, 0)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// decodeFooter reads and checks the footer of a file of the given size.
func decodeFooter(b []byte, size uint64) (f footer, sum uint32, err error) {
	if len(b) != footerSize {
		return f, 0, corrupt("a segment of %d bytes has no footer", size)
	}
	sum = binary.LittleEndian.Uint32(b[60:])
	if crc32.Checksum(b[:60], castagnoli) != sum || [8]byte(b[48:56]) != magic {
		return f, 0, corrupt("a footer does not match its checksum")
	}
	u32, u64 := binary.LittleEndian.Uint32, binary.LittleEndian.Uint64
	f = footer{u32(b), u32(b[4:]), u32(b[8:]), u32(b[12:]), u64(b[16:]), u64(b[24:]), u64(b[32:]), u64(b[40:])}
	switch {
	case f.version != formatVersion:
		return f, 0, corrupt("a segment has version %d, this program reads %d", f.version, formatVersion)
	case f.postings > f.table, f.table > f.body, f.body > size,
		f.body-f.table != (uint64(f.trigrams)+1)*entrySize,
		size-f.body != pages(f.body)*4+footerSize:
		return f, 0, corrupt("a footer contradicts itself")
	}
	return f, sum, nil
}

// pages is the number of pages of n bytes.
func pages(n uint64) uint64 { return (n + pageSize - 1) / pageSize }

// A token names the segments of an index, oldest first: a version byte, for
// each segment its number, its size and the checksum of its footer as varints,
// and a CRC-32C of all that.
type ref struct {
	number uint64
	size   uint64
	sum    uint32
}

const tokenVersion = 1

// encodeToken spells a list of segments.
func encodeToken(refs []ref) []byte {
	b := []byte{tokenVersion}
	for _, r := range refs {
		b = binary.AppendUvarint(b, r.number)
		b = binary.AppendUvarint(b, r.size)
		b = binary.AppendUvarint(b, uint64(r.sum))
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// decodeToken reads a token; an empty one names no segments.
func decodeToken(token []byte) ([]ref, error) {
	if len(token) == 0 {
		return nil, nil
	}
	n := len(token) - 4
	if n < 1 || crc32.Checksum(token[:n], castagnoli) != binary.LittleEndian.Uint32(token[n:]) {
		return nil, corrupt("the token does not match its checksum")
	}
	if token[0] != tokenVersion {
		return nil, corrupt("the token has version %d, this program reads %d", token[0], tokenVersion)
	}
	var refs []ref
	for b := token[1:n]; len(b) > 0; {
		var v [3]uint64
		for i := range v {
			x, k := binary.Uvarint(b)
			if k <= 0 {
				return nil, corrupt("the token ends too early")
			}
			v[i], b = x, b[k:]
		}
		refs = append(refs, ref{v[0], v[1], uint32(v[2])})
	}
	return refs, nil
}
