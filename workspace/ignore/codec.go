package ignore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"time"
)

// The binary form of a Listing. Numbers are unsigned varints (u), signed ones (s), or eight bytes little endian (f);
// a string (t) is its length as u and its bytes.
//
//	magic    "CGLS", one byte version
//	head     s taken, u dropped; u entries, u folders, u devices, u skips, u repositories; u bytes of all paths
//	devices  each u
//	root     stat, record
//	entries  in order of path, each:
//	         u number of the record of the folder it is in (the root's is 0, then as they come)
//	         t its last name
//	         one byte: type (2 bits), 4 hidden, 8 ignored, 16 has a record
//	         stat: u size, f mtime, s ctime-mtime, f inode, u device number, u mode
//	         record, if it has one: f rules, u marks, u dropped
//	skips    each t path, t reason
//	repos    each t git folder, u size, f mtime, f ctime, f inode, f device of its index
//	sums     CRC-32C, then CRC-32 (IEEE), of all before, four bytes each, little endian
//
// Two checksums with different polynomials make an accident that passes both as unlikely as with 64 bits, and both
// run at the speed of memory. A decoder takes version 1 and refuses all else: who is refused scans anew.
const (
	listingMagic   = "CGLS"
	listingVersion = 1
	sumsLen        = 8
)

const (
	flagHidden = 4 << iota
	flagIgnored
	flagWalked
	flagsEnd
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// AppendBinary appends the listing's binary form to b. The error is always nil.
func (l *Listing) AppendBinary(b []byte) ([]byte, error) {
	start := len(b)
	devs, devID := l.devices()
	b = append(b, listingMagic...)
	b = append(b, listingVersion)
	b = binary.AppendVarint(b, l.Taken.UnixNano())
	b = binary.AppendUvarint(b, uint64(l.Dropped))
	paths := 0
	for i := range l.Entries {
		paths += len(l.Entries[i].Path)
	}
	for _, n := range []int{len(l.Entries), len(l.dirs), len(devs), len(l.Skips), len(l.repos), paths} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for _, d := range devs {
		b = binary.AppendUvarint(b, d)
	}
	b = l.appendTree(b, devID)
	for _, s := range l.Skips {
		b = appendText(appendText(b, s.Path), string(s.Reason))
	}
	for _, r := range l.repos {
		b = binary.AppendUvarint(appendText(b, r.gitDir), uint64(r.index.Size))
		for _, v := range []uint64{uint64(r.index.MtimeNs), uint64(r.index.CtimeNs), r.index.Inode, r.index.Dev} {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
	}
	body := b[start:]
	c, i := crc32.Checksum(body, castagnoli), crc32.ChecksumIEEE(body)
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, c), i), nil
}

func (l *Listing) appendTree(b []byte, devID map[uint64]int) []byte {
	b = appendStat(b, &l.root, devID)
	if len(l.dirs) == 0 {
		return b
	}
	// The records are numbered anew in the order of their entries, which is the order a decoder meets them in.
	recOf := make([]int32, len(l.Entries))
	for i := range recOf {
		recOf[i] = -1
	}
	for d, rec := range l.dirs {
		if rec.entry >= 0 {
			recOf[rec.entry] = int32(d)
		}
	}
	number := make([]uint64, len(l.dirs))
	next := uint64(1)
	b = appendRec(b, &l.dirs[0])
	for i := range l.Entries {
		e := &l.Entries[i]
		b = binary.AppendUvarint(b, number[l.parent[i]])
		b = appendText(b, e.Path[strings.LastIndexByte(e.Path, '/')+1:])
		flags := byte(e.Type)
		if e.Hidden {
			flags |= flagHidden
		}
		if e.Ignored {
			flags |= flagIgnored
		}
		d := recOf[i]
		if d >= 0 {
			flags |= flagWalked
		}
		b = appendStat(append(b, flags), e, devID)
		if d >= 0 {
			number[d] = next
			next++
			b = appendRec(b, &l.dirs[d])
		}
	}
	return b
}

// devices numbers the devices that occur.
func (l *Listing) devices() ([]uint64, map[uint64]int) {
	devs := []uint64{l.root.Dev}
	id := map[uint64]int{l.root.Dev: 0}
	last := l.root.Dev
	for i := range l.Entries {
		d := l.Entries[i].Dev
		if d == last {
			continue
		}
		last = d
		if _, ok := id[d]; !ok {
			id[d] = len(devs)
			devs = append(devs, d)
		}
	}
	return devs, id
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendStat(b []byte, e *Entry, devID map[uint64]int) []byte {
	b = binary.AppendUvarint(b, uint64(e.Size))
	b = binary.LittleEndian.AppendUint64(b, uint64(e.MtimeNs))
	b = binary.AppendVarint(b, e.CtimeNs-e.MtimeNs)
	b = binary.LittleEndian.AppendUint64(b, e.Inode)
	b = binary.AppendUvarint(b, uint64(devID[e.Dev]))
	return binary.AppendUvarint(b, uint64(e.Mode))
}

func appendRec(b []byte, r *dirRec) []byte {
	b = binary.LittleEndian.AppendUint64(b, r.rules)
	b = binary.AppendUvarint(b, uint64(r.marks))
	return binary.AppendUvarint(b, uint64(r.dropped))
}

// ErrCorrupt is what Decode wraps when the bytes are not a whole listing of the version at hand. The answer to it
// is a scan without a previous listing.
var ErrCorrupt = errors.New("not a sound listing")

// Decode reads what AppendBinary wrote. b must hold that and nothing else; it is not kept.
func Decode(b []byte) (*Listing, error) {
	if len(b) < len(listingMagic)+1+sumsLen || string(b[:len(listingMagic)]) != listingMagic {
		return nil, fmt.Errorf("decode listing: %w: no magic", ErrCorrupt)
	}
	if v := b[len(listingMagic)]; v != listingVersion {
		return nil, fmt.Errorf("decode listing: %w: version %d, want %d", ErrCorrupt, v, listingVersion)
	}
	body, sums := b[:len(b)-sumsLen], b[len(b)-sumsLen:]
	if binary.LittleEndian.Uint32(sums) != crc32.Checksum(body, castagnoli) ||
		binary.LittleEndian.Uint32(sums[4:]) != crc32.ChecksumIEEE(body) {
		return nil, fmt.Errorf("decode listing: %w: checksum", ErrCorrupt)
	}
	d := decoder{b: body[len(listingMagic)+1:]}
	l := d.listing()
	if d.bad || len(d.b) != 0 {
		return nil, fmt.Errorf("decode listing: %w: malformed", ErrCorrupt)
	}
	return l, nil
}

// takenTime is the time of a scan as it is read back: without a monotonic part, as it was written.
func takenTime(ns int64) time.Time { return time.Unix(0, ns) }
