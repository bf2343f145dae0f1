package bolt

import (
	"encoding/binary"

	bbolt "go.etcd.io/bbolt"

	"github.com/codegraph-dev/codegraph/graph"
)

// Files are kept 64 consecutive ids to a frame, under the first id divided by 64. Every id
// below state.next has a place: one without a file still has its path, so that the id is
// never given to another path. A place is a byte of flags, the path and, with a file, the
// language, hash, size, lines, symbols and reason to skip.

const filesPerChunk = 64

// place is what is kept at an id.
type place struct {
	file               graph.File
	live               bool // a file is there now; else only its path is known
	hasFacts, hasLinks bool
}

// The flags of a place.
const (
	placeLive = 1 << iota
	placeFacts
	placeLinks
	placeGenerated
	placeTest
)

func flag(on bool, f byte) byte {
	if on {
		return f
	}
	return 0
}

// encodeChunk is the frame of chunk n.
func encodeChunk(n uint32, places []place) []byte {
	b := beginFrame(nil)
	b = binary.AppendUvarint(b, uint64(len(places)))
	for i := range places {
		p := &places[i]
		f := &p.file
		b = append(b, flag(p.live, placeLive)|flag(p.hasFacts, placeFacts)|flag(p.hasLinks, placeLinks)|
			flag(f.Generated, placeGenerated)|flag(f.Test, placeTest))
		b = appendString(b, f.Path)
		if !p.live {
			continue
		}
		b = appendString(b, f.Language)
		b = append(b, f.Hash[:]...)
		b = binary.AppendUvarint(b, uint64(f.Size))
		b = binary.AppendUvarint(b, uint64(f.Lines))
		b = binary.AppendUvarint(b, uint64(f.Symbols))
		b = appendString(b, f.Skip)
	}
	return sealFrame(b, salt(tagFiles, uint64(n)))
}

// decodeChunk appends the places of chunk n to dst. Their strings share one backing.
func decodeChunk(dst []place, n uint32, frame []byte) ([]place, error) {
	payload, err := openFrame(frame, salt(tagFiles, uint64(n)), "files")
	if err != nil {
		return dst, err
	}
	sc := &scanner{b: payload}
	all := string(payload)
	text := func() string {
		k := sc.count(1)
		at := len(all) - len(sc.b)
		if sc.take(k); sc.bad {
			return ""
		}
		return all[at : at+k]
	}
	for i := range sc.count(1) {
		flags := sc.byte()
		p := place{live: flags&placeLive != 0, hasFacts: flags&placeFacts != 0, hasLinks: flags&placeLinks != 0}
		f := &p.file
		f.ID = graph.FileID(n*filesPerChunk + uint32(i))
		f.Generated, f.Test = flags&placeGenerated != 0, flags&placeTest != 0
		f.Path = text()
		if p.live {
			f.Language = text()
			copy(f.Hash[:], sc.take(len(f.Hash)))
			f.Size, f.Lines, f.Symbols = int64(sc.uvarint()), uint32(sc.uvarint()), uint32(sc.uvarint())
			f.Skip = text()
		}
		dst = append(dst, p)
	}
	return dst, sc.end("files")
}

// chunkSize is how many places chunk n has in a store with ids below next.
func chunkSize(n, next uint32) int {
	return int(min(next-n*filesPerChunk, filesPerChunk))
}

// appendChunk appends the places of chunk n of a store with ids below next.
func appendChunk(dst []place, b *bbolt.Bucket, n, next uint32) ([]place, error) {
	before := len(dst)
	dst, err := decodeChunk(dst, n, b.Get(idKey(n)))
	if err == nil && len(dst)-before != chunkSize(n, next) {
		err = corrupt("files: %d places in chunk %d, not %d", len(dst)-before, n, chunkSize(n, next))
	}
	return dst, err
}

// idKey is the key of a file's frames, or of a chunk.
func idKey(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }
