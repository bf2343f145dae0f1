package bolt

import (
	"encoding/binary"
	"sync"

	"github.com/codegraph-dev/codegraph/graph"
)

// stamp tells a frame from what it was before: its checksum and length.
type stamp struct {
	sum  uint64
	size int
}

// stampOf is the stamp of what claims to be a frame; zero if it is too short for one.
func stampOf(frame []byte) stamp {
	if len(frame) < frameHeader {
		return stamp{}
	}
	return stamp{binary.LittleEndian.Uint64(frame[1:]), len(frame)}
}

// factCache keeps facts that were decoded, since the files of a change refer to the same
// others again and again. An entry serves only the very frame that it was decoded from. What
// was not used while half of the room was filled anew goes.
type factCache struct {
	room int // bytes of frames

	mu         sync.Mutex // guards what follows
	young, old map[graph.FileID]cachedFacts
	filled     int // bytes of the frames in young
}

type cachedFacts struct {
	stamp
	facts *graph.Facts
}

// decode is decodeFacts, from the cache if it can be.
func (c *factCache) decode(id graph.FileID, frame []byte) (*graph.Facts, error) {
	at := stampOf(frame)
	c.mu.Lock()
	if c.room == 0 {
		c.mu.Unlock()
		return decodeFacts(id, frame)
	}
	e, ok := c.young[id]
	if !ok {
		if e, ok = c.old[id]; ok {
			c.put(id, e)
		}
	}
	c.mu.Unlock()
	if ok && e.stamp == at {
		return e.facts, nil
	}
	f, err := decodeFacts(id, frame)
	if err == nil {
		c.mu.Lock()
		c.put(id, cachedFacts{at, f})
		c.mu.Unlock()
	}
	return f, err
}

// resize empties the cache, gives it another room, and returns what it had.
func (c *factCache) resize(room int) (was int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	was, c.room = c.room, room
	c.young, c.old, c.filled = nil, nil, 0
	return was
}

// put makes an entry young; mu is held.
func (c *factCache) put(id graph.FileID, e cachedFacts) {
	if c.filled += e.size; c.filled > c.room/2 || c.young == nil {
		c.old, c.young, c.filled = c.young, map[graph.FileID]cachedFacts{}, e.size
	}
	c.young[id] = e
}
