package bolt

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// Slices of flat records (structs of integers, no pointers) are stored by columns. A record
// is seen as the 32-bit words of its memory; word c of all records is column c. A column is
// cut into chunks of 128 values; each chunk is a header byte, then its values in 0 to 4
// bytes each, little-endian, either as distances from a base (the chunk's least value, a
// zigzag varint after the header) or as zigzag differences from the value before. The
// shorter form is taken. So a column of equal values costs a byte or two a chunk, a column
// of rising offsets a byte a value, and decoding is a few short loops without branches on
// the data. What a word holds depends on the machine's byte order and the struct's layout;
// both are part of the store's format (see layout.go).

const chunkLen = 128

// Chunk headers: the width in bytes, plus formDelta for differences.
const formDelta = 8

// words is the memory of flat records.
func words[T any](s []T) []uint32 {
	var t T
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(t)/4))
}

// appendRecords appends the number of records and their columns.
func appendRecords[T any](dst []byte, s []T, mask []uint32) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	w := words(s)
	for c := range mask {
		dst = appendColumn(dst, w, c, len(mask), mask[c])
	}
	return dst
}

// scanRecords reads what appendRecords wrote; none are nil.
func scanRecords[T any](sc *scanner, mask []uint32) []T {
	n := sc.count(chunkLen)
	if chunks := (n + chunkLen - 1) / chunkLen; chunks*len(mask) > len(sc.b) { // a byte a chunk at least
		sc.fail()
	}
	if n == 0 || sc.bad {
		return nil
	}
	s := make([]T, n)
	w := words(s)
	for c := range mask {
		scanColumn(sc, w, c, len(mask))
	}
	if sc.bad {
		return nil
	}
	return s
}

func zigzag(d uint32) uint32   { return d<<1 ^ uint32(int32(d)>>31) }
func unzigzag(z uint32) uint32 { return z>>1 ^ -(z & 1) }
func width(max uint32) int     { return (bits.Len32(max) + 7) / 8 }

// appendColumn appends column c of records of stride words.
func appendColumn(dst []byte, w []uint32, c, stride int, mask uint32) []byte {
	var val, dif [chunkLen]uint32
	prev := uint32(0)
	for at := c; at < len(w); {
		n := 0
		lo, hi, bigDif := int32(1<<31-1), int32(-1<<31), uint32(0)
		for ; n < chunkLen && at < len(w); n++ {
			v := w[at] & mask
			at += stride
			val[n] = v
			dif[n] = zigzag(v - prev)
			prev = v
			bigDif = max(bigDif, dif[n])
			lo, hi = min(lo, int32(v)), max(hi, int32(v))
		}
		base := uint32(lo)
		k := width(uint32(hi) - base)
		if kd := width(bigDif); kd < k {
			dst = appendValues(append(dst, byte(kd)|formDelta), dif[:n], 0, kd)
			continue
		}
		dst = binary.AppendUvarint(append(dst, byte(k)), uint64(zigzag(base)))
		dst = appendValues(dst, val[:n], base, k)
	}
	return dst
}

// appendValues appends v-base for each v in k bytes.
func appendValues(dst []byte, vals []uint32, base uint32, k int) []byte {
	for _, v := range vals {
		v -= base
		for range k {
			dst = append(dst, byte(v))
			v >>= 8
		}
	}
	return dst
}

// scanColumn reads column c of records of stride words into w.
func scanColumn(sc *scanner, w []uint32, c, stride int) {
	var tmp [chunkLen]uint32
	prev := uint32(0)
	rows := len(w) / stride
	for at := c; rows > 0; {
		n := min(rows, chunkLen)
		rows -= n
		head := sc.byte()
		base := uint32(0)
		if head&formDelta == 0 {
			base = unzigzag(uint32(sc.uvarint()))
		}
		k := int(head &^ formDelta)
		if k > 4 {
			sc.fail()
		}
		src := sc.take(n * k)
		if sc.bad {
			return
		}
		unpack(tmp[:n], src, k)
		if head&formDelta == 0 {
			for _, v := range tmp[:n] {
				w[at] = v + base
				at += stride
			}
			prev = w[at-stride]
			continue
		}
		for _, v := range tmp[:n] {
			prev += unzigzag(v)
			w[at] = prev
			at += stride
		}
	}
}

// unpack spreads values of k bytes each.
func unpack(dst []uint32, src []byte, k int) {
	switch k {
	case 0:
		clear(dst)
	case 1:
		for i, b := range src[:len(dst)] {
			dst[i] = uint32(b)
		}
	case 2:
		for i := range dst {
			dst[i] = uint32(binary.LittleEndian.Uint16(src[2*i:]))
		}
	case 3:
		for i := range dst {
			b := src[3*i : 3*i+3]
			dst[i] = uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16
		}
	case 4:
		for i := range dst {
			dst[i] = binary.LittleEndian.Uint32(src[4*i:])
		}
	}
}

// appendStrings appends a list of strings: their lengths as a column, then their bytes.
func appendStrings(dst []byte, ss []string) []byte {
	lens := make([]uint32, len(ss))
	for i, s := range ss {
		lens[i] = uint32(len(s))
	}
	dst = appendRecords(dst, lens, oneWord)
	for _, s := range ss {
		dst = append(dst, s...)
	}
	return dst
}

// scanStrings reads what appendStrings wrote. All strings share one backing.
func scanStrings(sc *scanner) []string {
	lens := scanRecords[uint32](sc, oneWord)
	total := 0
	for _, n := range lens {
		total += int(n)
		if total > len(sc.b) {
			sc.fail()
			return nil
		}
	}
	if lens == nil {
		return nil
	}
	all := string(sc.take(total))
	ss := make([]string, len(lens))
	for i, n := range lens {
		ss[i], all = all[:n], all[n:]
	}
	return ss
}

var oneWord = []uint32{1<<32 - 1}
