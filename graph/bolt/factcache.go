package bolt

import (
	"encoding/binary"
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
