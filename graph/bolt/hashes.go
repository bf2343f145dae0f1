package bolt

import (
	"encoding/binary"

	bbolt "go.etcd.io/bbolt"

	"github.com/codegraph-dev/codegraph/graph"
)

// hashCoder writes pairs with hashes for keys: for each, the key as a varint difference
// from the one before, then the file, as a difference where the key is the same.
type hashCoder struct{}

func (hashCoder) appendBound(dst []byte, p pair[uint64]) []byte {
	dst = binary.BigEndian.AppendUint64(dst, p.key)
	return binary.BigEndian.AppendUint32(dst, uint32(p.file))
}

func (hashCoder) appendPairs(dst []byte, ps []pair[uint64]) []byte {
	var last pair[uint64]
	for _, p := range ps {
		dst = binary.AppendUvarint(dst, p.key-last.key)
		if p.key == last.key {
			dst = binary.AppendUvarint(dst, uint64(p.file-last.file))
		} else {
			dst = binary.AppendUvarint(dst, uint64(p.file))
		}
		last = p
	}
	return dst
}

// step reads the pair after last.
func (hashCoder) step(sc *scanner, last pair[uint64]) pair[uint64] {
	d, f := sc.uvarint(), graph.FileID(sc.uvarint())
	if d == 0 {
		f += last.file
	}
	return pair[uint64]{last.key + d, f}
}

func (c hashCoder) scanPairs(sc *scanner) []pair[uint64] {
	ps := make([]pair[uint64], 0, len(sc.b)/8+1)
	var last pair[uint64]
	for len(sc.b) > 0 {
		last = c.step(sc, last)
		ps = append(ps, last)
	}
	return ps
}

// hashTable is a table of hashes.
type hashTable struct{ table[uint64] }

func newHashTable(name string) *hashTable {
	// Four blocks with their keys and bounds fill a page of 4 KiB.
	return &hashTable{table[uint64]{name: name, limit: 930, coder: hashCoder{}}}
}

// appendFiles appends the files paired with key.
func (t *hashTable) appendFiles(dst []graph.FileID, c *bbolt.Cursor, key uint64) ([]graph.FileID, error) {
	var buf [13]byte
	buf[0] = boundPair
	upper, _, sc, err := t.seek(c, hashCoder{}.appendBound(buf[:1], pair[uint64]{key: key}))
	for err == nil && upper != nil {
		var last pair[uint64]
		for len(sc.b) > 0 {
			if last = (hashCoder{}).step(&sc, last); last.key == key {
				dst = append(dst, last.file)
			} else if last.key > key {
				break
			}
		}
		if sc.bad {
			return dst, corrupt("%s: malformed", t.name)
		}
		if last.key > key || len(upper) == len(buf) && binary.BigEndian.Uint64(upper[1:]) > key {
			return dst, nil
		}
		upper, sc, err = t.next(c, upper)
	}
	return dst, err
}
