package bolt

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/codegraph-dev/codegraph/graph"
)

// The keys of a file are what the tables hold of it, in one frame: its exports, the keys
// it read, and the hashes of its symbols' names. Tables name files only; which symbol is
// meant is found here. So an edit that merely moves symbols touches no table.
//
// The payload is six arrays of little-endian numbers behind their lengths, searched where
// they lie:
//
//	nExports, nReads, nNames  uint32 each
//	export keys    [nExports]uint64  sorted, equal ones by index
//	export shapes  [nExports]uint64
//	reads          [nReads]uint64    sorted, distinct
//	name hashes    [nNames]uint64    sorted, equal ones by index
//	export indexes [nExports]int32
//	name indexes   [nNames]int32

const keysHeader = 12

// fileKeys is an opened keys payload.
type fileKeys struct {
	b                       []byte
	nExports, nReads, nName int
}

// nameHash is the hash under which keys hold a symbol's name.
func nameHash(name string) uint64 { return xxhash.Sum64String(name) }

// encodeKeys is the frame of what rec exports, reads and names.
func encodeKeys(rec *graph.FileRecord) []byte {
	exports := slices.Clone(rec.Exports)
	slices.SortFunc(exports, compareExports)
	exports = slices.Compact(exports)
	reads := slices.Clone(rec.Reads)
	slices.Sort(reads)
	reads = slices.Compact(reads)
	names := namesOf(rec.Facts)

	b := beginFrame(make([]byte, 0, frameHeader+keysHeader+20*len(exports)+8*len(reads)+12*len(names)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(exports)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(reads)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(names)))
	for _, e := range exports {
		b = binary.LittleEndian.AppendUint64(b, uint64(e.Key))
	}
	for _, e := range exports {
		b = binary.LittleEndian.AppendUint64(b, e.Shape)
	}
	for _, k := range reads {
		b = binary.LittleEndian.AppendUint64(b, uint64(k))
	}
	for _, n := range names {
		b = binary.LittleEndian.AppendUint64(b, n.hash)
	}
	for _, e := range exports {
		b = binary.LittleEndian.AppendUint32(b, uint32(e.Index))
	}
	for _, n := range names {
		b = binary.LittleEndian.AppendUint32(b, uint32(n.index))
	}
	return sealFrame(b, salt(tagKeys, uint64(rec.File.ID)))
}

func compareExports(a, b graph.Export) int {
	return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Shape, b.Shape))
}

type namedSymbol struct {
	hash  uint64
	index int32
}

// namesOf are the hashes of the names of f's symbols, sorted. A symbol without a name has none.
func namesOf(f *graph.Facts) []namedSymbol {
	if f == nil {
		return nil
	}
	ns := make([]namedSymbol, 0, len(f.Symbols))
	for i := range f.Symbols {
		if name := f.Strings[f.Symbols[i].Name]; name != "" {
			ns = append(ns, namedSymbol{nameHash(name), int32(i)})
		}
	}
	slices.SortFunc(ns, func(a, b namedSymbol) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.index, b.index))
	})
	return ns
}

// openKeys opens the keys frame of file id; the result shares its memory.
func openKeys(id graph.FileID, frame []byte) (fileKeys, error) {
	b, err := openFrame(frame, salt(tagKeys, uint64(id)), "keys")
	if err != nil {
		return fileKeys{}, err
	}
	if len(b) < keysHeader {
		return fileKeys{}, corrupt("keys: malformed")
	}
	e, r, n := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:])
	b = b[keysHeader:]
	if uint64(e)*20+uint64(r)*8+uint64(n)*12 != uint64(len(b)) {
		return fileKeys{}, corrupt("keys: malformed")
	}
	return fileKeys{b, int(e), int(r), int(n)}, nil
}

func (k fileKeys) word(i int) uint64  { return binary.LittleEndian.Uint64(k.b[8*i:]) }
func (k fileKeys) shape(i int) uint64 { return k.word(k.nExports + i) }
func (k fileKeys) read(i int) uint64  { return k.word(2*k.nExports + i) }

func (k fileKeys) exportIndex(i int) int32 {
	at := 8 * (2*k.nExports + k.nReads + k.nName)
	return int32(binary.LittleEndian.Uint32(k.b[at+4*i:]))
}

func (k fileKeys) nameIndex(i int) int32 { return k.exportIndex(k.nExports + i) }

// search is the range of the sorted words [lo, hi) that equal v.
func (k fileKeys) search(lo, hi int, v uint64) (int, int) {
	end := hi
	for lo < hi {
		if m := int(uint(lo+hi) >> 1); k.word(m) < v {
			lo = m + 1
		} else {
			hi = m
		}
	}
	for hi = lo; hi < end && k.word(hi) == v; hi++ {
	}
	return lo, hi
}

// appendExported appends handles of file id for each export of key.
func (k fileKeys) appendExported(dst []graph.Handle, id graph.FileID, key uint64) []graph.Handle {
	lo, hi := k.search(0, k.nExports, key)
	for i := lo; i < hi; i++ {
		h := graph.Handle{File: id, Index: k.exportIndex(i)}
		if n := len(dst); n == 0 || dst[n-1] != h {
			dst = append(dst, h)
		}
	}
	return dst
}

// appendNamed appends handles of file id for each symbol whose name has the hash.
func (k fileKeys) appendNamed(dst []graph.Handle, id graph.FileID, hash uint64) []graph.Handle {
	first := 2*k.nExports + k.nReads
	lo, hi := k.search(first, first+k.nName, hash)
	for i := lo; i < hi; i++ {
		dst = append(dst, graph.Handle{File: id, Index: k.nameIndex(i - first)})
	}
	return dst
}

// exports are all exports, nil if none.
func (k fileKeys) exports() []graph.Export {
	var es []graph.Export
	for i := range k.nExports {
		es = append(es, graph.Export{Key: graph.Key(k.word(i)), Index: k.exportIndex(i), Shape: k.shape(i)})
	}
	return es
}

// exportKeys are the distinct export keys, sorted.
func (k fileKeys) exportKeys() []uint64 {
	var ks []uint64
	for i := range k.nExports {
		if v := k.word(i); i == 0 || v != k.word(i-1) {
			ks = append(ks, v)
		}
	}
	return ks
}

// reads are the keys read, sorted.
func (k fileKeys) reads() []uint64 {
	var ks []uint64
	for i := range k.nReads {
		ks = append(ks, k.read(i))
	}
	return ks
}
