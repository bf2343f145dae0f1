package bolt

import (
	"encoding/binary"
	"maps"
	"sync"

	bbolt "go.etcd.io/bbolt"

	"github.com/codegraph-dev/codegraph/graph"
)

// factCache keeps facts that were decoded, since the files of a change refer to the same
// others again and again, and the chunks of the table of files, of which a change touches one.
// An entry serves only the very frame that it was decoded from, known by its checksum and
// length. Facts that were not used while half of the room was filled anew go.
type factCache struct {
	room int // bytes of frames

	mu         sync.Mutex // guards what follows
	young, old map[graph.FileID]cachedFacts
	filled     int // bytes of the frames in young
	chunks     map[uint32]cachedChunk
	gen        graph.Gen // that chunks are of, if they are all of one
}

type cachedChunk struct {
	sum    uint64
	size   int
	places []place
}

type cachedFacts struct {
	sum   uint64
	size  int
	facts *graph.Facts
}

// decode is decodeFacts, from the cache if it can be.
func (c *factCache) decode(id graph.FileID, frame []byte) (*graph.Facts, error) {
	if c.room == 0 || len(frame) < frameHeader {
		return decodeFacts(id, frame)
	}
	sum := binary.LittleEndian.Uint64(frame[1:])
	c.mu.Lock()
	e, ok := c.young[id]
	if !ok {
		if e, ok = c.old[id]; ok {
			c.put(id, e)
		}
	}
	c.mu.Unlock()
	if ok && e.sum == sum && e.size == len(frame) {
		return e.facts, nil
	}
	f, err := decodeFacts(id, frame)
	if err == nil {
		c.mu.Lock()
		c.put(id, cachedFacts{sum, len(frame), f})
		c.mu.Unlock()
	}
	return f, err
}

// put makes an entry young; mu is held.
func (c *factCache) put(id graph.FileID, e cachedFacts) {
	if c.filled += e.size; c.filled > c.room/2 || c.young == nil {
		c.old, c.young, c.filled = c.young, map[graph.FileID]cachedFacts{}, e.size
	}
	c.young[id] = e
}

// chunk is appendChunk, from the cache if it can be.
func (c *factCache) chunk(dst []place, b *bbolt.Bucket, n, next uint32) ([]place, error) {
	frame := b.Get(idKey(n))
	if c.room == 0 || len(frame) < frameHeader {
		return appendChunk(dst, b, n, next)
	}
	sum := binary.LittleEndian.Uint64(frame[1:])
	c.mu.Lock()
	e, ok := c.chunks[n]
	c.mu.Unlock()
	if !ok || e.sum != sum || e.size != len(frame) || len(e.places) != chunkSize(n, next) {
		places, err := appendChunk(nil, b, n, next)
		if err != nil {
			return dst, err
		}
		e = cachedChunk{sum, len(frame), places}
		c.mu.Lock()
		if c.chunks == nil {
			c.chunks = map[uint32]cachedChunk{}
		}
		c.chunks[n] = e
		c.mu.Unlock()
	}
	return append(dst, e.places...), nil
}

// saw tells that all chunks are those of a generation.
func (c *factCache) saw(g graph.Gen) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gen = g
}

// changes are the files of the chunks that differ from those in the cache, which are to be of
// generation was. ok is false if they are not, or if files came or went. The cache then has
// the chunks as they are now.
func (c *factCache) changes(b *bbolt.Bucket, next uint32, was graph.Gen) (out []graph.File, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.room == 0 || c.gen != was {
		return nil, false
	}
	fresh := map[uint32]cachedChunk{}
	for n := uint32(0); n*filesPerChunk < next; n++ {
		frame, e := b.Get(idKey(n)), c.chunks[n]
		if len(frame) < frameHeader || len(e.places) != chunkSize(n, next) {
			return nil, false
		}
		sum := binary.LittleEndian.Uint64(frame[1:])
		if e.sum == sum && e.size == len(frame) {
			continue
		}
		places, err := appendChunk(nil, b, n, next)
		if err != nil {
			return nil, false // to read it again says what is wrong
		}
		for i := range places {
			now, then := &places[i], &e.places[i]
			if now.live != then.live || now.file.Path != then.file.Path {
				return nil, false
			}
			if now.live && now.file != then.file {
				out = append(out, now.file)
			}
		}
		fresh[n] = cachedChunk{sum, len(frame), places}
	}
	maps.Copy(c.chunks, fresh)
	return out, true
}
